import { plain } from '../format/text.ts';

/** Scripts that the font of the image has, and what every script shares with them. */
const DRAWN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{Sc} !-/:-@[-`{-~¡-¿×÷–—‘-‟†-…′″‹›−]/u;
/** Share of the letters that has to be drawn for a text to be worth drawing. */
const LETTERS_MIN = 0.9;

/**
 * A text as the font of the image can draw it, without the characters that it lacks; null where these are so
 * many that the rest would not be read, such as a question in Chinese. Pure.
 */
export function drawableText(text: string): string | null {
  const characters = [...plain(text)];
  const drawn = characters.filter((character) => DRAWN.test(character));
  const letters = (of: readonly string[]) => of.filter((character) => /\p{L}/u.test(character)).length;
  if (letters(drawn) < LETTERS_MIN * letters(characters)) return null;
  const line = drawn.join('').replace(/ +/g, ' ').trim();
  return line === '' ? null : line;
}

/** Widths of characters in the font's semibold, in em, by kind; each the widest of its kind. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ .,:;'’|!ijlt()[\]I]/, 0.42],
  [/[a-hkn-vx-z]/, 0.62],
  [/[A-LN-VX-Z0-9]/, 0.78],
];
const WIDEST = 1.1;

const widthOf = (character: string) => WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? WIDEST;

/** The width of a line that nothing in the font of the image exceeds; em. Pure. */
export const lineWidth = (text: string): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0);

/**
 * Breaks a text into lines that are no wider than `width` em in the font of the image, at most `max` of them;
 * the last ends with an ellipsis where something was cut. Words that are longer than a line are broken. Pure.
 */
export function textLines(
  text: string,
  { width, max }: { readonly width: number; readonly max: number },
): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const word of text.split(/(?<= )/)) {
    const size = lineWidth(word.trimEnd());
    if (used > 0 && used + size > width) end();
    for (const character of word) {
      if (character !== ' ' && used + widthOf(character) > width) end();
      line += character;
      used += widthOf(character);
    }
  }
  if (line.trim() !== '') end();
  if (lines.length <= max) return lines;
  const shown = lines.slice(0, max);
  const last = [...shown[max - 1]!];
  while (last.reduce((sum, character) => sum + widthOf(character), WIDEST) > width) last.pop();
  // At the end of a word, unless the line is one long word.
  const kept = last.join('').replace(/[ .,:;…]+$/, '');
  const isWhole = last.length === [...shown[max - 1]!].length;
  return [...shown.slice(0, -1), `${isWhole ? kept : atWord(kept)}…`];
}

const atWord = (text: string) => text.replace(/(?<=\S) +\S*$/, '').replace(/[ .,:;…]+$/, '');
