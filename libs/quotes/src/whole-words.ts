/** Scripts that set no space between words. */
const SPACELESS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('');
/** Marks that are a part of the letter before them. */
const MARK = String.raw`[[\p{Mn}\p{Mc}]--\p{Variation_Selector}]`;
/** Digits of every script: numbers have ends also where words have none. */
const LETTER = String.raw`[[\p{L}\p{Nd}\p{Nl}${MARK}]--[[${SPACELESS}]--\p{Nd}]]`;
/** Soft hyphens, joiners and marks of direction (UAX 29, WB4). */
const JOINERS = String.raw`[\p{Cf}--\u200B]{0,2}`;
const HYPHEN = String.raw`[\-\u2010\u2011]`;
const DIGIT = String.raw`\p{Nd}`;
/** What stands between the digits of a number, a time, a fraction, a date or a range. */
const SEPARATOR = String.raw`[.,:\/'’·٫٬⁄∕−\u2013\u00A0\u2007\u2009\u202F]`;
const MINUS = String.raw`(?<![\p{L}\p{N}])[\-−]`;
/** Superscript and subscript digits and signs: of an exponent, a unit or a formula, or of a footnote. */
const RAISED = String.raw`[\u00B2\u00B3\u00B9\u2070\u2074-\u207B\u2080-\u208B]`;
const GROUP = `${DIGIT}{3}(?!${DIGIT})`;

const WITHIN = [
  String.raw`(?<=\S)(?=${MARK})`,
  String.raw`(?<=${LETTER}${JOINERS})(?=${JOINERS}${LETTER})`,
  String.raw`(?<=${LETTER})(?=${HYPHEN}(?:\r?\n)?${LETTER})`,
  String.raw`(?<=${LETTER}${HYPHEN})(?=${LETTER})`,
  String.raw`(?<=${DIGIT})(?=${SEPARATOR}${DIGIT})`,
  String.raw`(?<=${DIGIT}${SEPARATOR})(?=${DIGIT})`,
  String.raw`(?<=(?<!${DIGIT})${DIGIT}{1,3})(?= ${GROUP})`,
  String.raw`(?<=(?<!${DIGIT})${DIGIT}{1,3} )(?=${GROUP})`,
  String.raw`(?<=${MINUS})(?=\p{Sc}?${DIGIT})`,
  String.raw`(?<=${DIGIT})(?=[\u00BC-\u00BE\u2150-\u215E])`,
  String.raw`(?<=[\p{L}\p{N}${MARK}${RAISED}]${JOINERS})(?=${RAISED})`,
  String.raw`(?<=${RAISED})(?=${LETTER})`,
].join('|');
/** The English possessive, behind which “the mayor” is a whole word, and not 1990 behind “the 1990’s”. */
const POSSESSIVE = String.raw`(?<!${DIGIT})['’][sS](?!${LETTER})`;
/** An apostrophe ends no other word. What follows one may begin a quote: “qu’il est là”. */
const SHORTENED = String.raw`(?<=${LETTER})(?=['’]${LETTER})(?!${POSSESSIVE})|(?<=${LETTER}['’])(?=${LETTER})`;
/** What English shortens or adds behind an apostrophe begins none. */
const SHORT_END = String.raw`(?:[sStTdDmM]|[lL]{2}|[rR][eE]|[vV][eE])(?!${LETTER}|['’])`;
const REST = String.raw`(?<=${LETTER})(?=['’]${SHORT_END})|(?<=${LETTER}['’])(?=${SHORT_END})`;

const WITHIN_START = new RegExp(`${WITHIN}|${REST}`, 'vy');
const WITHIN_END = new RegExp(`${WITHIN}|${SHORTENED}`, 'vy');

/** Furthest that a place is widened on each side: what is longer is no word. UTF-16 code units. */
const WIDENED_MAX = 100;

const isAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** Whether a passage between two UTF-16 positions begins and ends at whole words and numbers. Pure. */
export const isWhole = (text: string, from: number, to: number): boolean =>
  !isAt(WITHIN_START, text, from) && !isAt(WITHIN_END, text, to);

/**
 * The passage with the whole of the words and numbers that it begins and ends within, as UTF-16 positions; of
 * a stretch of more than 100 code units that no word ends, a part of it. Pure.
 */
export function widened(text: string, from: number, to: number): readonly [from: number, to: number] {
  let begin = from;
  let end = to;
  while (from - begin < WIDENED_MAX && isAt(WITHIN_START, text, begin))
    begin -= text.codePointAt(begin - 2)! > 0xffff ? 2 : 1;
  while (end - to < WIDENED_MAX && isAt(WITHIN_END, text, end))
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return [begin, end];
}
