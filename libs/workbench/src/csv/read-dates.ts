/** Whether 03/04/2025 is the third of April or the fourth of March. */
export type DateOrder = 'day-first' | 'month-first';

/**
 * The order that a column of dates shows, `ask` where the user must choose, or `none` where it does not
 * matter.
 */
export type ColumnOrder = DateOrder | 'ask' | 'none';

/** The first year of the hundred that years of two digits are of. */
export type Century = 1900 | 2000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Names of the months in German, French, Spanish, Italian, Portuguese and Dutch where English has others. */
const OTHER_MONTHS = [
  'januar jänner janvier enero gennaio janeiro januari',
  'februar février fevrier febrero febbraio fevereiro februari',
  'märz maerz mars marzo março marco maart',
  'avril abril aprile',
  'mai mayo maggio maio mei',
  'juni juin junio giugno junho',
  'juli juillet julio luglio julho',
  'août aout agosto augustus',
  'septembre septiembre settembre setembro',
  'oktober octobre octubre ottobre outubro',
  'novembre noviembre novembro',
  'dezember décembre decembre diciembre dicembre dezembro',
].map((names) => names.split(' '));
/** Characters of the longest text that is read as a date. */
const DATE_LENGTH_MAX = 100;
const TIME = /[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(am|pm)?\s*(Z|UTC|GMT)?$/i;
const SLASHED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/;
/** Not with hyphens, of which the first part may be the year. */
const SLASHED_SHORT = /^(\d{1,2})([/.])(\d{1,2})\2(\d{2})$/;
const QUARTER_FIRST = /^(?:Q([1-4])|([1-4])(?:st|nd|rd|th) quarter(?: of)?)[\s,/-]*(\d{4})$/i;
const QUARTER_LAST = /^(\d{4})[\s/-]*Q([1-4])$/i;

/**
 * A date as people write it, as RFC 3339: `2025-05-31`, or `2025-05-31T14:30:00Z` where a time of day stands
 * with it. Reads `2025-05-31`, `2025/05/31`, `20250531`, `31/05/2025`, `31.5.2025`, `31 May 2025`,
 * `May 31st, 2025`, `May 2025`, `2025-05`, `Q2 2025` and `2025`; a month, a quarter or a year is its first
 * day. Years of two digits, as in `31-May-25` and `31/05/25`, are read where their century is given. A time
 * of day without a zone is taken as UTC. An RFC 3339 timestamp with its zone is returned unchanged. Null for
 * anything else, and for days that no calendar has. Pure.
 */
export function readDate(text: string, order: DateOrder, century?: Century): string | null {
  const trimmed = text.trim();
  if (trimmed.length > DATE_LENGTH_MAX) return null;
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/i.test(trimmed)) return trimmed;
  const time = TIME.exec(trimmed);
  const date = readDay((time ? trimmed.slice(0, time.index) : trimmed).trim(), order, century);
  if (date === null || time === null) return date;
  const clock = clockOf(time);
  return clock && `${date}T${clock}Z`;
}

/** Whether a text is a date in one order and none, or another one, in the other order. */
export const dependsOnOrder = (text: string, century?: Century): boolean =>
  readDate(text, 'day-first', century) !== readDate(text, 'month-first', century);

/**
 * Whether a text is a day with its year, such as `5.6.1994` or `5. Juni 1994`, that the engine would take for
 * a text: written with numbers alone, the year last, or with the name of a month in another language.
 */
export function isWrittenDay(text: string): boolean {
  const trimmed = text.trim();
  const isNumbers = SLASHED.test(trimmed);
  const name = FOREIGN_DAY.exec(trimmed)?.[1]?.normalize('NFC').toLowerCase() ?? '';
  const isForeign = OTHER_MONTHS.some((names) => names.includes(name));
  const isDay = (order: DateOrder) => readDate(trimmed, order) !== null;
  return (isNumbers || isForeign) && (isDay('day-first') || isDay('month-first'));
}
const FOREIGN_DAY = /^\d{1,2}\.? (?:de )?(\p{L}{3,10})(?: de)?,? \d{4}$/iu;

/** Whether a text is a date once the century of its two-digit year is known. */
export const hasShortYear = (text: string): boolean =>
  (['day-first', 'month-first'] as const).some(
    (order) => readDate(text, order) === null && readDate(text, order, 2000) !== null,
  );

/**
 * The order that the dates of a column show, by one that is a date in this order alone, or by dots; `ask`
 * where they could be either, or show both.
 */
export function orderOf(cells: readonly string[], century?: Century): ColumnOrder {
  let [first, second, either] = [0, 0, 0];
  for (const cell of cells.filter((text) => dependsOnOrder(text, century))) {
    const hasDots = /\d\.\d/.test(cell.replace(TIME, ''));
    if (readDate(cell, 'month-first', century) === null) first += 1;
    else if (readDate(cell, 'day-first', century) === null) second += 1;
    else if (hasDots) first += 1;
    else either += 1;
  }
  if (first > 0 && second === 0) return 'day-first';
  if (second > 0 && first === 0) return 'month-first';
  return first + second + either > 0 ? 'ask' : 'none';
}

/** The last second of the year, quarter, month or day that a date is written as; `first` is it as read. */
export function endOfDate(text: string, first: string): string {
  if (first.includes('T')) return first;
  const [year, month] = [first.slice(0, 4), Number(first.slice(5, 7))];
  const months = monthsOf(text.trim());
  if (months === 0) return `${first}T23:59:59Z`;
  const end = new Date(Date.UTC(2000, month - 1 + months, 0));
  end.setUTCFullYear(Number(year), month - 1 + months, 0);
  return `${year}-${String(month - 1 + months).padStart(2, '0')}-${end.getUTCDate()}T23:59:59Z`;
}

/** How many months a date means, 0 for a day. */
function monthsOf(text: string): number {
  if (/^\d{4}$/.test(text)) return 12;
  if (QUARTER_FIRST.test(text) || QUARTER_LAST.test(text)) return 3;
  return /^(\d{4}[-/.]\d{1,2}|\p{L}{3,10}\.?[\s,-]+\d{4})$/iu.test(text) ? 1 : 0;
}

function readDay(text: string, order: DateOrder, century?: Century): string | null {
  const plain = text
    .replace(/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i, '')
    .replaceAll(/(?<=[\d\p{L}])\s+de\s+/giu, ' ');
  const iso =
    /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?$/.exec(plain) ?? /^(\d{4})()(\d{2})(\d{2})$/.exec(plain);
  if (iso) return dayOf(iso[1], iso[3] ?? '1', iso[4] ?? '1');
  const [, quarter, ordinal, year] = QUARTER_FIRST.exec(plain) ?? [];
  const [, yearBefore, last] = QUARTER_LAST.exec(plain) ?? [];
  const number = quarter ?? ordinal ?? last;
  if (number !== undefined) return dayOf(year ?? yearBefore, String(3 * Number(number) - 2), '1');
  const slashed = SLASHED.exec(plain) ?? SLASHED_SHORT.exec(plain);
  if (slashed) {
    const [a, b, of] = [slashed[1], slashed[3], yearOf(slashed[4]!, century)];
    return order === 'day-first' ? dayOf(of, b, a) : dayOf(of, a, b);
  }
  const dayMonth =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?)?(\p{L}{3,10})\.?[\s,-]+(\d{4})$/iu.exec(plain) ??
    /^(\d{1,2})(?:st|nd|rd|th)?[\s/.-]+(\p{L}{3,10})\.?[\s,/.-]+['’]?(\d{4}|\d{2})$/iu.exec(plain);
  if (dayMonth) return dayOf(yearOf(dayMonth[3]!, century), monthOf(dayMonth[2]!), dayMonth[1] ?? '1');
  const monthDay =
    /^(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/iu.exec(plain) ??
    /^(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,\s*['’]?(\d{2})$/iu.exec(plain);
  return monthDay ? dayOf(yearOf(monthDay[3]!, century), monthOf(monthDay[1]!), monthDay[2]) : null;
}

/** The year that is written in two digits or in four. */
function yearOf(digits: string, century: Century | undefined): string | undefined {
  if (digits.length === 4) return digits;
  return century === undefined ? undefined : String(century + Number(digits));
}

/** The number of a month by the first letters of its name, `NaN` for no month. */
function monthOf(name: string): string {
  const other = OTHER_MONTHS.findIndex((names) => names.includes(name.normalize('NFC').toLowerCase()));
  if (other >= 0) return String(other + 1);
  const index = MONTHS.findIndex((month) => name.toLowerCase().startsWith(month));
  return index < 0 || !MONTH_NAMES[index]!.startsWith(name.toLowerCase().replace(/^sept$/, 'sep'))
    ? 'NaN'
    : String(index + 1);
}

const MONTH_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

function dayOf(year: string | undefined, month: string | undefined, day: string | undefined): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const date = new Date(Date.UTC(2000, m - 1, d));
  // Not through the constructor, which takes years below 100 for those of the last century.
  date.setUTCFullYear(y, m - 1, d);
  if (date.getUTCFullYear() !== y || date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return null;
  return `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
}

function clockOf([, hours, minutes, seconds = '00', half]: readonly (string | undefined)[]): string | null {
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
}
