/** Whether 1,250 is one and a quarter, or one thousand two hundred and fifty. */
export type DecimalMark = 'comma' | 'point';

/** A number among signs, with what stands around it: a word of approximation or a currency, and a unit. */
const NUMBER_CELL =
  /^((?:(?:ca|approx)\.? ?|(?:circa|about|etwa|environ) |[~≈<>≤≥] ?)?(?:\p{L}{0,3}\p{Sc} ?|[A-Z]{3} )?[+\-−]?)(\d[\d.,'’ \u00a0\u202f]*)((?:[\p{L}\p{Sc}%‰°µ]\D*)?)$/u;
/** Characters of the longest text that is read as a number. */
const NUMBER_LENGTH_MAX = 100;
/** No thousands begin with 0. */
const WRITTEN: Readonly<Record<DecimalMark, RegExp>> = {
  comma: /^(?:[1-9]\d{0,2}([. '’\u00a0\u202f])\d{3}(?:\1\d{3})*|\d+)(?:,\d+)?$/,
  point: /^(?:[1-9]\d{0,2}([, '’\u00a0\u202f])\d{3}(?:\1\d{3})*|\d+)(?:\.\d+)?$/,
};

/**
 * A text with one number, such as `€ 1.250,75` or `12,50 mg/l`, as the engine reads numbers, `€ 1250.75` and
 * `12.50 mg/l`, where the number is written with that decimal mark. Null for every other text. Pure.
 */
export function readNumber(text: string, mark: DecimalMark): string | null {
  if (text.length > NUMBER_LENGTH_MAX) return null;
  const [, before = '', written = '', after = ''] = NUMBER_CELL.exec(text.trim()) ?? [];
  const digits = written.trimEnd();
  if (!WRITTEN[mark].test(digits)) return null;
  const plain = digits
    .replaceAll(mark === 'comma' ? /[. '’\u00a0\u202f]/g : /[, '’\u00a0\u202f]/g, '')
    .replace(',', '.');
  return `${before}${plain}${written.slice(digits.length)}${after}`;
}

/** Whether a text is a number by one decimal mark and none, or another one, by the other. */
export const dependsOnMark = (text: string): boolean =>
  readNumber(text, 'comma') !== readNumber(text, 'point');

/**
 * The decimal mark that the numbers of a column show, `each` where some show one and some the other and none
 * could be read by both, `ask` where the user must choose, `none` where it does not matter. `example` is the
 * first number that could be read either way, or else the first with a decimal comma.
 */
export function markOf(cells: readonly string[]): {
  readonly shown: DecimalMark | 'each' | 'ask' | 'none';
  readonly example: string | null;
  /** Whether some show a comma and some a point. */
  readonly isMixed: boolean;
} {
  const first: Partial<Record<DecimalMark | 'either', string>> = {};
  for (const cell of cells) {
    if (!dependsOnMark(cell)) continue;
    const [comma, point] = [readNumber(cell, 'comma'), readNumber(cell, 'point')];
    first[point === null ? 'comma' : comma === null ? 'point' : 'either'] ??= cell.trim();
  }
  const { comma, point, either } = first;
  const example = either ?? comma ?? null;
  const isMixed = comma !== undefined && point !== undefined;
  if (isMixed) return { shown: either === undefined ? 'each' : 'ask', example, isMixed };
  if (comma !== undefined) return { shown: 'comma', example, isMixed };
  if (point !== undefined) return { shown: 'point', example, isMixed };
  return { shown: either === undefined ? 'none' : 'ask', example, isMixed };
}
