import { GrpcCallError } from '@platform/authz-client';
import messagesWithEnums from '@platform/proto/enums.json' with { type: 'json' };
import { UsageError } from './exit-codes.ts';

/**
 * A message as proto3 JSON: keys as in the contract, enums by name, the member of a oneof in its own place,
 * maps as objects. Other than there, what has its default is not left out, and int64 are numbers where exact.
 */
export function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), toJson(item)]));
  if (typeof value === 'object' && value !== null) {
    const enums = enumsOf(value);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]: [string, unknown]) => {
          if (isOneof(item)) return [snake(item.$case), toJson(item.value)];
          const name = typeof item === 'number' ? enums[key]?.[item] : undefined;
          return [snake(key), name ?? toJson(item)];
        }),
    );
  }
  return value;
}

/** The names of values of enums, by member and number, of the message whose members the object has. */
function enumsOf(value: object): Readonly<Record<string, Readonly<Record<number, string>>>> {
  const messages: readonly { members: string[]; enums: object }[] = messagesWithEnums;
  const message = messages.find(({ members }) => members.every((member) => member in value));
  return (message?.enums ?? {}) as ReturnType<typeof enumsOf>;
}

/** How ts-proto holds which member of a oneof is set. */
function isOneof(value: unknown): value is { readonly $case: string; readonly value: unknown } {
  return typeof value === 'object' && value !== null && '$case' in value;
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Signs behind which U+200D forms a letter (RFC 5892, appendix A.2): viramas of the scripts of India. */
const VIRAMA = '[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]';
/** U+200D where it joins what is seen as one sign; elsewhere two texts with and without it look the same. */
const JOINER = `(?<=${VIRAMA})\u200d|(?<=\\p{ExtPict}[\ufe0f\\p{EMod}]?)\u200d(?=\\p{ExtPict})`;
/** Line breaks and other control characters (Unicode Cc) and format characters (Cf) but `JOINER`. */
export const HIDDEN = new RegExp(`(?!${JOINER})[\\p{Cc}\\p{Cf}]`, 'gu');

/**
 * The text of somebody else's, with what a terminal would obey, or show as nothing or turned round, as
 * `\\u{…}`.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A value as JSON in which what a terminal would obey or not show is escaped: the same data. */
export function jsonText(value: unknown): string {
  return JSON.stringify(toJson(value)).replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, i) => hexUnit(character.charCodeAt(i))).join(''),
  );
}

const hexUnit = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`;

/** A number with its noun: `1 policy`, `2 policies`. The plural is the noun with an s unless given. */
export function counted(value: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${value} ${Number(value) === 1 ? noun : plural}`;
}

/**
 * Rows as columns of text, one line each, with a head; a number `…_at` is seconds since 1970, shown as a
 * time. Where a line would be wider than `width` each row stands below the other: the first cells that fit on
 * a line, and the others with the names of their columns.
 */
export function table(rows: readonly object[], columns: readonly string[], width = Infinity): string {
  const cells = rows.map((row) =>
    columns.map((column) => text(column, (toJson(row) as Record<string, unknown>)[column])),
  );
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...cells.map((row) => (row[i] as string).length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd();
  const lines = [line(columns.map((column) => column.toUpperCase())), ...cells.map(line)];
  return lines.every(({ length }) => length <= width)
    ? lines.join('\n')
    : cells.map((row) => stacked(row, columns, width)).join('\n');
}

function stacked(row: readonly string[], columns: readonly string[], width: number): string {
  const cells = row.map((cell, i) => [columns[i] as string, cell] as const).filter(([, cell]) => cell !== '');
  let first = cells.length;
  const head = () =>
    cells
      .slice(0, first)
      .map(([, cell]) => cell)
      .join('  ');
  while (first > 1 && head().length > width) first -= 1;
  const rest = cells.slice(first);
  const label = Math.max(0, ...rest.map(([column]) => column.length));
  return [head(), ...rest.map(([column, cell]) => `    ${column.padEnd(label)}  ${cell}`)].join('\n');
}

/** The line, broken at its spaces where it is wider than `width`; what is behind stands below, indented. */
export function folded(line: string, width = Infinity): string {
  const [margin = ''] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = margin;
  let isEmpty = true;
  for (const word of line.slice(margin.length).split(' ')) {
    if (!isEmpty && current.length + 1 + word.length > width) {
      lines.push(current);
      current = `${margin}    `;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current].join('\n');
}

/** A list of these is as plain with spaces between as in JSON: scopes and ids. */
const WORD = /^[\w:.-]+$/;

function text(column: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (column.endsWith('_at') && typeof value === 'number') return new Date(value * 1000).toISOString();
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' && WORD.test(one)))
    return value.join(' ');
  return visible(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/**
 * An error for standard error: `platform: message` and a line for each field at fault that the message does
 * not repeat, or with `isJson` one object `{ error: { message, reason?, fields?, retry_after_seconds? } }`.
 */
export function errorText(error: unknown, isJson: boolean): string {
  const said = error instanceof Error ? error.message : String(error);
  // The service names the field of a request, which is an option here.
  const message = said
    .replaceAll('send `allow_lockout`', 'add `--allow-lockout`')
    .replaceAll('`allow_lockout`', '`--allow-lockout`');
  const refused =
    [error, error instanceof Error ? error.cause : null].find((one) => one instanceof GrpcCallError) ?? null;
  const fields = [...(refused?.fields ?? [])];
  if (isJson) {
    // Errors over gRPC and REST have both.
    const known = (refused ?? error ?? {}) as Partial<Pick<GrpcCallError, 'reason' | 'retryAfterSeconds'>>;
    const reason = known.reason ? { reason: known.reason } : {};
    const named = fields.length === 0 ? {} : { fields: Object.fromEntries(fields) };
    const seconds = known.retryAfterSeconds;
    const retry = seconds == null ? {} : { retry_after_seconds: seconds };
    return JSON.stringify({ error: { message, ...reason, ...named, ...retry } });
  }
  // A mistake in a file is told at its place there: the service knows parts of it by their number.
  const told = error instanceof UsageError ? [] : fields;
  const more = told.filter(([, why]) => !message.includes(why)).map(([field, why]) => `  ${field}: ${why}`);
  return [`platform: ${message}`, ...more].join('\n');
}
