import { OBJECTS } from './fields.ts';
import type { Field, ObjectName } from './fields.ts';
import type { Problem } from './invalid-investigation.ts';
import { InvalidInvestigation, Problems } from './invalid-investigation.ts';
import { checkPinnedSource } from './pinned-source.ts';
import { checkReliabilityRecord } from './reliability-record.ts';
import { quote, QUOTED_MAX } from './quote.ts';
import { checkReferences } from './references.ts';
import type { Read } from './references.ts';
import { formatTime, parseTime } from './timestamp.ts';
import type { InvestigationInput } from './types.ts';
import { fold, unknownWord } from './unknown-word.ts';
import { nameMeantBy } from './other-names.ts';
import { Warnings } from './warnings.ts';
import { isWebAddress, URL_LENGTH_MAX } from './web-address.ts';

/**
 * Checks an input against the field table and its references and returns it typed, with numbers that came as
 * text turned into numbers (each with a warning), words in their canonical spelling and plain dates as
 * timestamps of their first instant. Throws InvalidInvestigation with every problem. Source: reasoning model
 * §2.
 */
export function validate(input: unknown, warnings: Warnings): InvestigationInput {
  const problems = new Problems();
  const unknown = new Map<string, number>();
  const reader = new Reader(problems, warnings, unknown);
  const read = reader.object('InvestigationInput', input, '');
  if (read) checkReferences(read, problems);
  noteUnknown(unknown, warnings);
  if (problems.total > 0) throw new InvalidInvestigation(problems.list, problems.total);
  return read as unknown as InvestigationInput;
}

/** Warns of each unknown field, given with its count. */
function noteUnknown(unknown: ReadonlyMap<string, number>, warnings: Warnings): void {
  for (const [field, count] of unknown) {
    const [object, key] = field.split(/\.(.*)/s) as [ObjectName, string];
    const meant = nameMeantBy(key, Object.keys(OBJECTS[object]));
    const fix = meant === undefined ? 'check its spelling' : `name it \`${meant}\``;
    warnings.add(
      'unknown_field',
      field,
      `Field \`${field}\` is not part of the interface and counts for nothing when judging (${count} ${count === 1 ? 'time' : 'times'}); ${fix}.`,
    );
  }
}

/**
 * What `analyze` would refuse of an input, and the warnings about its form, without weighing anything: wrong
 * types, dangling references, cycles of meta-claims; unknown fields and numbers written as text. At most
 * PROBLEMS_MAX problems of `total` are listed. `onRead` is given an input that could be judged. Never
 * throws.
 */
export function checkInput(
  input: unknown,
  onRead?: (read: InvestigationInput) => void,
): {
  readonly problems: readonly Problem[];
  readonly total: number;
  readonly warnings: readonly string[];
} {
  const warnings = new Warnings();
  try {
    const read = validate(input, warnings);
    onRead?.(read);
    return { problems: [], total: 0, warnings: warnings.sentences() };
  } catch (error) {
    if (!(error instanceof InvalidInvestigation)) throw error;
    return { problems: error.problems, total: error.total, warnings: warnings.sentences() };
  }
}

/**
 * Checks one object of the input against the field table alone, whatever it refers to; `path` is where it
 * stands, '' for the whole input. Returns the sentences by which `analyze` would warn of its form: of fields
 * that the table lacks, which pass, and of numbers written as text. Throws InvalidInvestigation with every
 * problem. Source: reasoning model §2.
 */
export function validateShape(name: ObjectName, value: unknown, path: string): string[] {
  const problems = new Problems();
  const warnings = new Warnings();
  const unknown = new Map<string, number>();
  new Reader(problems, warnings, unknown).object(name, value, path);
  if (problems.total > 0) throw new InvalidInvestigation(problems.list, problems.total);
  noteUnknown(unknown, warnings);
  return warnings.sentences();
}

/** The sentences by which `analyze` warns of fields that the table lacks. Never throws. */
export function unknownFieldWarnings(input: unknown): string[] {
  const unknown = new Map<string, number>();
  new Reader(new Problems(), new Warnings(), unknown).object('InvestigationInput', input, '');
  const warnings = new Warnings();
  noteUnknown(unknown, warnings);
  return warnings.sentences();
}

/** Unknown fields told apart; beyond it they are not named one by one. */
const UNKNOWN_FIELDS_MAX = 50;

interface Entry {
  readonly name: string;
  readonly field: Field;
}

const ENTRIES = Object.fromEntries(
  Object.entries(OBJECTS).map(([name, fields]) => [
    name,
    Object.entries(fields).map(([field, spec]): Entry => ({ name: field, field: spec })),
  ]),
) as Record<ObjectName, Entry[]>;

/** Canonical spelling of a word by its folded form, per list of words. */
const CANONICAL = new Map<readonly string[], ReadonlyMap<string, string>>();

/**
 * The word of a list that a text spells, in whatever case, with or without spaces, hyphens and underscores;
 * undefined for none.
 */
export function canonicalWord<Word extends string>(values: readonly Word[], text: string): Word | undefined {
  let words = CANONICAL.get(values);
  if (!words) {
    words = new Map(values.flatMap((value) => [[value, value] as const, [fold(value), value] as const]));
    CANONICAL.set(values, words);
  }
  return (words.get(text) ?? words.get(fold(text))) as Word | undefined;
}

const KIND_NAMES: Record<Field['kind'], string> = {
  text: 'a string',
  id: 'a string that is not empty',
  word: 'a string',
  timestamp: 'an RFC 3339 timestamp or a date such as 2024-05-01T12:00:00Z or 2024-05-01',
  moment: 'an ISO 8601 date or date-time such as 2024-05-01 or 2024-05-01T12:00:00Z',
  url: `an http or https address of at most ${URL_LENGTH_MAX} characters, without user name and spaces, such as https://example.org/page`,
  number: 'a finite number',
  count: 'a whole number of 0 or more',
  digest: 'a SHA-256 digest of 64 hexadecimal digits in lower case',
  flag: 'true or false',
  numbers: 'an object of numbers by name',
  texts: 'an array of strings',
  object: 'an object',
  list: 'an array of objects',
};

class Reader {
  readonly #problems: Problems;
  readonly #warnings: Warnings;
  readonly #unknown: Map<string, number>;

  constructor(problems: Problems, warnings: Warnings, unknown: Map<string, number>) {
    this.#problems = problems;
    this.#warnings = warnings;
    this.#unknown = unknown;
  }

  /**
   * The object as read: itself where nothing had to change, else a copy in which words have their canonical
   * spelling, numbers are numbers and fields of wrong type are undefined. Null when it is not an object at
   * all.
   */
  object(name: ObjectName, raw: unknown, path: string): Read | null {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      this.#problems.add(path || '$', `must be an object, not ${describe(raw)}`);
      return null;
    }
    const source = raw as Read;
    let read = source;
    let known = 0;
    for (const { name: key, field } of ENTRIES[name]) {
      const value = source[key];
      if (value === undefined) {
        if (field.required) this.#problems.add(join(path, key), () => requiredMessage(name, key, source));
        continue;
      }
      known += 1;
      if (value === null) {
        if (!field.nullable) {
          const fix = field.required ? `give ${KIND_NAMES[field.kind]}` : 'leave the field out instead';
          this.#problems.add(join(path, key), `must not be null: ${fix}`);
        }
        continue;
      }
      const taken = this.#value(field, value, path, key, source);
      if (taken === value) continue;
      if (read === source) read = { ...source };
      read[key] = taken;
    }
    if (Object.keys(source).length > known) this.#noteUnknown(name, source);
    if (source['source'] && Object.hasOwn(OBJECTS[name], 'source'))
      checkPinnedSource(read, source, path, this.#problems);
    if (name === 'ReliabilityRecord') checkReliabilityRecord(read, path, this.#problems);
    return read;
  }

  #value(field: Field, value: unknown, path: string, key: string, owner: Read): unknown {
    switch (field.kind) {
      case 'text':
        if (typeof value === 'string') {
          const { lengthMax = Infinity } = field;
          if (value.length <= lengthMax) return value;
          this.#problems.add(
            join(path, key),
            `must have at most ${lengthMax} characters, not ${value.length}: shorten it`,
          );
          return undefined;
        }
        break;
      case 'id':
        if (typeof value === 'string' && value !== '') return value;
        break;
      case 'word':
        if (typeof value === 'string') {
          const canonical = canonicalWord(field.values!, value);
          if (canonical !== undefined) return canonical;
          this.#problems.add(join(path, key), () => unknownWord(value, field.values!));
          return undefined;
        }
        break;
      case 'timestamp':
        if (typeof value === 'string') {
          const time = parseTime(value);
          if (time?.isRfc3339) return value;
          if (time && time.precision !== 'instant') return formatTime(time.ms);
        }
        break;
      case 'moment':
        if (typeof value === 'string' && parseTime(value)) return value;
        break;
      case 'url':
        if (typeof value === 'string' && isWebAddress(value)) return value;
        break;
      case 'number':
        return this.#number(value, join(path, key), owner, key);
      case 'count':
        if (Number.isSafeInteger(value) && (value as number) >= 0) return value;
        break;
      case 'digest':
        if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
        break;
      case 'flag':
        if (typeof value === 'boolean') return value;
        break;
      case 'object':
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          return this.object(field.of!, value, join(path, key));
        break;
      case 'numbers':
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
          const read = new Map<string, number>();
          for (const [name, entry] of Object.entries(value)) {
            const number = Number.isFinite(entry)
              ? (entry as number)
              : this.#number(entry, `${join(path, key)}[${JSON.stringify(name)}]`, owner, key);
            if (number !== undefined) read.set(name, number);
          }
          return read;
        }
        break;
      case 'texts':
        if (Array.isArray(value)) {
          value.forEach((entry, index) => {
            if (typeof entry !== 'string')
              this.#problems.add(`${join(path, key)}[${index}]`, `must be a string, not ${describe(entry)}`);
          });
          return value;
        }
        break;
      case 'list':
        if (Array.isArray(value)) {
          return this.#list(field.of!, value, join(path, key));
        }
        break;
    }
    this.#problems.add(
      join(path, key),
      `must be ${KIND_NAMES[field.kind]}, not ${describe(value)}${remedyOf(field.kind, value)}`,
    );
    return undefined;
  }

  #list(name: ObjectName, list: readonly unknown[], path: string): readonly unknown[] {
    let read: unknown[] | null = null;
    for (let index = 0; index < list.length; index += 1) {
      const taken = this.object(name, list[index], `${path}[${index}]`);
      if (taken === list[index]) continue;
      read ??= [...list];
      read[index] = taken;
    }
    return read ?? list;
  }

  #number(value: unknown, path: string, owner: Read, key: string): number | undefined {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'string') {
      const number = decimal(value);
      if (Number.isFinite(number)) {
        const id = typeof owner['id'] === 'string' ? owner['id'] : '';
        const of = id === '' ? '' : ` of ${quote(id)}`;
        this.#warnings.add(
          'number_as_text',
          id,
          `Number ${quote(value)} in ${key}${of} came as text and was read as a number.`,
        );
        return number;
      }
    }
    this.#problems.add(path, `must be a finite number, not ${describe(value)}`);
    return undefined;
  }

  #noteUnknown(name: ObjectName, source: Read): void {
    const fields = OBJECTS[name];
    for (const key of Object.keys(source)) {
      if (Object.hasOwn(fields, key)) continue;
      const label = `${name}.${key.slice(0, QUOTED_MAX)}`;
      const seen = this.#unknown.get(label);
      if (seen !== undefined || this.#unknown.size < UNKNOWN_FIELDS_MAX)
        this.#unknown.set(label, (seen ?? 0) + 1);
    }
  }
}

/** What is wrong where a required field is missing: a field unknown here may be meant to be it. */
function requiredMessage(name: ObjectName, key: string, source: Read): string {
  const fields = Object.keys(OBJECTS[name]);
  const others = Object.keys(source)
    .filter((one) => !fields.includes(one))
    .slice(0, UNKNOWN_FIELDS_MAX);
  const other = others.find((one) => nameMeantBy(one.slice(0, QUOTED_MAX), fields) === key);
  const fix =
    other === undefined ? `give ${KIND_NAMES[OBJECTS[name][key]!.kind]}` : `name ${quote(other)} \`${key}\``;
  return `is required: ${fix}`;
}

/**
 * The number a text writes in decimal, white space around it allowed; NaN for any other text. `Number` reads
 * every such text, in one pass however long it is, and beside them only the empty text and `0x10`, `0o10`,
 * `0b10`: a pattern over the whole text would go back over millions of digits, and the engine may give that
 * up with a RangeError.
 */
function decimal(text: string): number {
  const trimmed = text.trim();
  return trimmed === '' || /^0[box]/i.test(trimmed) ? NaN : Number(trimmed);
}

/**
 * How to mend the two slips that callers make most: a number where its text is wanted, and JSON sent as
 * text.
 */
function remedyOf(kind: Field['kind'], value: unknown): string {
  if ((kind === 'text' || kind === 'id') && (typeof value === 'number' || typeof value === 'boolean'))
    return `: send it as text, in double quotes`;
  const isJsonText = typeof value === 'string' && /^\s*[[{]/.test(value);
  if (isJsonText && (kind === 'list' || kind === 'texts')) return ': send the array itself, not its text';
  return isJsonText && (kind === 'numbers' || kind === 'object')
    ? ': send the object itself, not its text'
    : '';
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  // JSON has no infinity: such a number was written with too many digits or too large an exponent.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : 'one beyond ±1.8e308, the largest number there is';
  }
  return quote(value);
}
