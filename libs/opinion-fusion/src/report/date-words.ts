const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAY_MS = 86_400_000;
const WRITTEN =
  /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d:\d\d)(?:(:\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?\s*$/i;
const SPOKEN = new RegExp(`^\\s*(\\d{1,2} )?((${MONTHS.join('|')}) )?\\d{4}\\s*$`);

/**
 * `12 November 1906`, `May 1960`, `1960` or `20 July 1969 at 20:17:40 UTC` for a time in figures; null for
 * anything else. Pure.
 */
export function dateText(value: string): string | null {
  if (SPOKEN.test(value)) return value.trim();
  const [, year, month, day, hours, seconds = '', fraction = '', zone = ''] = WRITTEN.exec(value) ?? [];
  if (year === undefined) return null;
  const name = month && MONTHS[Number(month) - 1];
  if (month && !name) return null;
  const date = [day && String(Number(day)), name, year].filter(Boolean).join(' ');
  if (hours === undefined) return date;
  const parts = /[1-9]/.test(fraction) ? seconds + fraction : seconds.replace(/^:00$/, '');
  return `${date} at ${hours}${parts}${zoneText(zone)}`;
}

function zoneText(zone: string): string {
  if (zone === '') return '';
  return /^(Z|[+-]00:00)$/i.test(zone) ? ' UTC' : ` (UTC${zone.replace('-', '−')})`;
}

/** The same of a bound of a span: the day alone where the day begins then. Pure. */
export const boundText = (time: string) =>
  dateText(time.replace(/^(\d{4}-\d\d-\d\d)T00:00(:00(\.0+)?)?Z$/, '$1')) ?? time;

/** `on 12 November 1906`, `in May 1960`, `in 1960`; null for anything else. Pure. */
export function dateWords(value: string): string | null {
  const text = dateText(value);
  return text && `${/^\d{1,2} /.test(text) ? 'on' : 'in'} ${text}`;
}

/**
 * `on 12 November 1906`, `from 3 May 1906 to 4 June 1907`: when something held, as people say it; empty
 * without times.
 */
export function timeWords(from: string | undefined, to: string | undefined): string {
  const [first, last] = [from, to].map((time) => time && boundText(time));
  if (!from) return last ? `until ${last}` : '';
  if (!to) return `from ${first} on`;
  if (isSpan(from, to, 'day')) return `on ${first}`;
  if (isSpan(from, to, 'year')) return `in ${from.slice(0, 4)}`;
  return `from ${first} to ${last}`;
}

/** Whether two times are the bounds of one day or year; the end is in it or is the next one's beginning. */
function isSpan(from: string, to: string, unit: 'day' | 'year'): boolean {
  const length = unit === 'day' ? 10 : 4;
  if (!/^\d{4}-\d\d-\d\d/.test(from) || !/^\d{4}-\d\d-\d\d/.test(to)) return unit === 'year' && from === to;
  if (unit === 'day' && from.slice(0, length) === to.slice(0, length)) return true;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const isStart = from.slice(4, 10) === '-01-01';
  if (unit === 'year')
    return (
      isStart &&
      (to.slice(0, 10) === `${from.slice(0, 4)}-12-31` ||
        to.slice(0, 10) === `${Number(from.slice(0, 4)) + 1}-01-01`)
    );
  return /^\d{4}-\d\d-\d\d(T00:00:00(\.0+)?Z)?$/.test(from) && end - start === DAY_MS;
}
