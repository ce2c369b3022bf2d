import { count, counted, plain, shortened } from '@platform/viewer/browser';

/** A cell whose text was not taken. */
export interface Refusal {
  /** Of the rows on view, from 0. */
  readonly row: number;
  /** Empty where the reason says it all. */
  readonly text: string;
  readonly reason: string;
}

/** Rows that a kind names, and the characters of a text in it. */
const ROWS_NAMED = 5;
const TEXT_LENGTH = 40;

/** How many cells were not taken, in which rows and why; each reason once. Empty for none. Pure. */
export function refusalWords(refused: readonly Refusal[]): string {
  if (refused.length === 0) return '';
  const first = new Map(refused.toReversed().map(({ reason, text }) => [reason, text]));
  const kinds = [...new Set(refused.map(({ reason }) => reason))].map((reason) => {
    const rows = refused.filter((one) => one.reason === reason).map(({ row }) => row);
    const text = first.get(reason)!;
    const quoted = text === '' ? '' : `“${shortened(plain(text), TEXT_LENGTH)}” `;
    return `${rowsNamed(rows)}: ${quoted}${reason}.`;
  });
  return `${counted(refused.length, 'cell')} not taken. ${kinds.join(' ')}`;
}

/** Some rows by their numbers on the page. */
export function rowsNamed(rows: readonly number[]): string {
  const all = [...new Set(rows)];
  const named = all.slice(0, ROWS_NAMED).map((row) => count(row + 1));
  const more = all.length - named.length;
  const last = more > 0 ? `${count(more)} more` : named.length > 1 ? named.pop() : undefined;
  return `${all.length === 1 ? 'Row' : 'Rows'} ${named.join(', ')}${last === undefined ? '' : ` and ${last}`}`;
}
