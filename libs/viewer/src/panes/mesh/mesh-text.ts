import { plain } from '../../format/text.ts';

/**
 * Mean width of a character of the page's sans-serif, in parts of its size; a little wide, so that lines
 * rarely overflow.
 */
const CHARACTER_WIDTH = 0.53;

/** Pictures, and the square characters of East Asia: about twice and more as wide. */
const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;
const WIDE_WIDTH = 2.5;
/** Capitals: about a third wider. */
const BROAD = /\p{Lu}/u;
const BROAD_WIDTH = 1.35;
/** Marks over and under the character before, and what only joins characters. */
const WITHOUT_WIDTH = /[\p{M}\p{Cf}]/u;

/** How wide a character is, in mean characters. */
function widthOf(character: string): number {
  if (WIDE.test(character)) return WIDE_WIDTH;
  if (BROAD.test(character)) return BROAD_WIDTH;
  return WITHOUT_WIDTH.test(character) ? 0 : 1;
}

/** How many of the characters fit in a line that holds `most` mean characters; one at least. */
function fitting(characters: readonly string[], most: number): number {
  let left = most;
  const at = characters.findIndex((character) => (left -= widthOf(character)) < 0);
  return at < 0 ? characters.length : Math.max(1, at);
}

/**
 * Text as at most `lines` lines of about `width` pixels at `size` pixels, broken at spaces, the last with an
 * ellipsis when something was cut. SVG text does not wrap, and server and browser must break alike, so
 * nothing is measured.
 */
export function wrapped(text: string, width: number, size: number, lines: number): string[] {
  const most = Math.max(4, Math.floor(width / (size * CHARACTER_WIDTH)));
  const result: string[] = [];
  let rest = [...plain(text)];
  while (rest.length > 0 && result.length < lines) {
    if (fitting(rest, most) === rest.length) {
      result.push(rest.join(''));
      break;
    }
    const isLast = result.length === lines - 1;
    const room = fitting(rest, isLast ? most - 1 : most);
    const space = rest.lastIndexOf(' ', room);
    const end = space > room * 0.6 ? space : room;
    result.push(rest.slice(0, end).join('').trimEnd() + (isLast ? '…' : ''));
    rest = rest.slice(end);
    while (rest[0] === ' ') rest.shift();
  }
  return result;
}
