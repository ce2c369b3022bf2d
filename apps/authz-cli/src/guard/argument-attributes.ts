import { isObject, InvalidMessageError, type JsonObject } from './message.ts';
import { escapeText } from './spelling.ts';

/** What the attributes of arguments begin with; a nested argument's keys are joined by dots. */
const ARGUMENT_PREFIX = 'mcp.arg.';

const ATTRIBUTES_MAX = 48;
/** UTF-8 bytes of one value, and of all. */
const VALUE_BYTES_MAX = 4 * 1024;
const VALUES_BYTES_MAX = 24 * 1024;
/** Combinations of values that one call may ask about. */
const READINGS_MAX = 64;

/** What the one who runs the guard can do about arguments beyond the bounds. */
const REMEDY = '; the option `--unchecked <argument>` of the guard leaves an argument out';

type Attributes = Readonly<Record<string, string>>;

/**
 * The arguments as attributes of checks, every one of which must be allowed. A list is one reading for each
 * of its items, with what that item has and nothing of its neighbors, since a rule would match a list by any
 * of them; so has a text that lenient readers take for another (`plainReading`). Arguments in `unchecked` are
 * left out, all with `*`. Throws InvalidMessageError for arguments beyond the bounds, naming them.
 */
export function argumentReadings(given: JsonObject, unchecked: ReadonlySet<string>): readonly Attributes[] {
  if (unchecked.has('*')) return [{}];
  const checked = Object.entries(given).filter(([name]) => !unchecked.has(name));
  const readings = combinations(
    checked.map(([name, value]) => readingsOf(ARGUMENT_PREFIX + segmentOf(name), value, name)),
  );
  for (const reading of readings) {
    const named = Object.entries(reading).map(([key, text]) => key.slice(ARGUMENT_PREFIX.length) + text);
    if (Buffer.byteLength(named.join('')) > VALUES_BYTES_MAX)
      throw new InvalidMessageError(`the arguments are larger than ${VALUES_BYTES_MAX} bytes${REMEDY}`);
  }
  return readings;
}

/** The readings of a value whose attribute is `path`, within the argument `name`: one or more. */
function readingsOf(path: string, value: unknown, name: string): readonly Attributes[] {
  if (Array.isArray(value)) {
    const items = value.length === 0 ? [{}] : value.flatMap((item) => readingsOf(path, item, name));
    const distinct = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
    refuseTooMany(distinct.length);
    return distinct;
  }
  if (isObject(value))
    return combinations(
      Object.entries(value).map(([key, item]) => readingsOf(`${path}.${segmentOf(key)}`, item, name)),
    );
  const text = textOf(value, name);
  return [...new Set([text, plainReading(text)])].map((reading) => ({ [path]: reading }));
}

/** Every choice of one reading from each of `parts`, joined. Throws beyond the bounds. */
function combinations(parts: readonly (readonly Attributes[])[]): readonly Attributes[] {
  let count = 1;
  for (const part of parts) {
    count *= part.length;
    refuseTooMany(count);
  }
  return Array.from({ length: count }, (_, index) => {
    let rest = index;
    const joined: Record<string, string> = {};
    for (const part of parts) {
      Object.assign(joined, part[rest % part.length]);
      rest = Math.floor(rest / part.length);
    }
    if (Object.keys(joined).length > ATTRIBUTES_MAX)
      throw new InvalidMessageError(
        `the arguments have more than ${ATTRIBUTES_MAX} values with a name${REMEDY}`,
      );
    return joined;
  });
}

function refuseTooMany(readings: number): void {
  if (readings > READINGS_MAX)
    throw new InvalidMessageError(
      `the lists in the arguments have more than ${READINGS_MAX} combinations${REMEDY}`,
    );
}

function textOf(value: unknown, name: string): string {
  const refuse = (why: string): never => {
    throw new InvalidMessageError(`argument \`${name}\` ${why}`);
  };
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    refuse('has a number that readers round differently');
  const text = String(value);
  if (Buffer.byteLength(text) > VALUE_BYTES_MAX)
    refuse(`has a value above ${VALUE_BYTES_MAX} bytes${REMEDY}`);
  if (text.includes('\0')) refuse('has a text with the character U+0000');
  if (!text.isWellFormed()) refuse('has a text that is not valid Unicode');
  return text;
}

/** The key of an argument in the name of its attribute; a dot in it does not look like a nested one. */
function segmentOf(key: string): string {
  return escapeText(key, /[A-Za-z0-9_-]/);
}

/** Rounds of percent-encoding that a chain of lenient readers may undo. */
const DECODINGS = 3;

/**
 * What a lenient reader may make of a text: percent-encoding undone, Unicode form KC, unseen characters left
 * out, and dot segments and empty ones of a path resolved, with `\` as a separator too. The text itself where
 * there is none of that.
 */
export function plainReading(text: string): string {
  let decoded = text;
  for (let round = 0; round < DECODINGS; round++) {
    decoded = decoded.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
    );
  }
  const shown = decoded.normalize('NFKC').replace(/[\p{Cf}\0]/gu, '');
  const [scheme = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?/i.exec(shown) ?? [];
  const segments = shown.slice(scheme.length).split(/[\\/]/);
  const isOdd = segments.some(
    (segment, index) =>
      /^\.{1,2}$/.test(segment) || (segment === '' && index > 0 && index < segments.length - 1),
  );
  return isOdd ? scheme + resolved(segments) : shown;
}

function resolved([first = '', ...rest]: readonly string[]): string {
  const isRooted = first === '';
  const kept: string[] = [];
  for (const segment of isRooted ? rest : [first, ...rest]) {
    if (segment === '..' && (isRooted || (kept.length > 0 && kept.at(-1) !== '..'))) kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  return `${isRooted ? '/' : ''}${kept.join('/')}`;
}
