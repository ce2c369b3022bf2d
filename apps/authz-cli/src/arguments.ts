import { UsageError } from './exit-codes.ts';

/** The context of a check; attributes are `key=value`, repeated for several values. Throws UsageError. */
export function contextOf(
  subject: string,
  action: string,
  object: string,
  attributes: readonly string[],
): Record<string, string | string[]> {
  return attributesOf(attributes, { subject, action, object });
}

/** Attributes that are `key=value`, repeated for several values, besides others. Throws UsageError. */
export function attributesOf(
  attributes: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>(Object.entries(others));
  for (const attribute of attributes) {
    const at = attribute.indexOf('=');
    if (at < 1)
      throw new UsageError(
        `attribute \`${attribute}\` is not key=value: write a name, = and a value, as in owner=alice`,
      );
    const [key, value] = [attribute.slice(0, at), attribute.slice(at + 1)];
    if (Object.hasOwn(others, key))
      throw new UsageError(
        `\`${key}\` is an argument of its own, not an attribute: leave \`${attribute}\` out`,
      );
    const before = values.get(key);
    values.set(key, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(values);
}

/** Largest number of a uint32 field. */
const UINT32_MAX = 0xffff_ffff;

/** A whole number of at most 15 digits, up to `max`. Throws UsageError naming the option. */
export function readWhole(text: string, name: string, max = UINT32_MAX, min = 0): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${name} must be a whole number`);
  if (Number(text) < min) throw new UsageError(`${name} must be at least ${min}`);
  if (Number(text) > max) throw new UsageError(`${name} must be at most ${max}`);
  return Number(text);
}

/** Largest number of calls that a quota may have. */
const CALLS_MAX = Number.MAX_SAFE_INTEGER;

/** A number of calls: whole, underscores allowed between digits. Throws UsageError naming the option. */
export function readCalls(text: string, name: string): bigint {
  const digits = text.replaceAll(/(?<=\d)_(?=\d)/g, '');
  if (!/^\d{1,16}$/.test(digits) || Number(digits) > CALLS_MAX)
    throw new UsageError(`${name} must be a whole number up to ${CALLS_MAX}`);
  return BigInt(digits);
}

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** A day, or a time of one, as ISO 8601 writes it. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** The time of ISO 8601; not a number for any other text, and for days that a month does not have. */
function readIso(text: string): Date {
  const day = text.slice(0, 'YYYY-MM-DD'.length);
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return new Date(ISO_TIME.test(text) && exists ? text : NaN);
}

/** A time: ISO 8601, or so many days, hours or minutes before `now`, as `7d`. Throws UsageError. */
export function readSince(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([dhm])$/.exec(text) ?? [];
  const time =
    count === undefined
      ? readIso(text)
      : new Date(now.getTime() - Number(count) * (UNITS_MS[unit] as number));
  if (Number.isNaN(time.getTime()))
    throw new UsageError(
      /^\d{1,6}$/.test(text)
        ? `--since needs a unit: write ${text}d, ${text}h or ${text}m`
        : '--since is not a time: write 7d, 12h, 30m or 2026-01-31',
    );
  if (time >= now) throw new UsageError(`--since must be in the past: it is ${now.toISOString()} now`);
  return time;
}
