import { plain } from '../../format/text.ts';

/** Mean width of a character of the page's sans-serif, in parts of its size; a little wide, so that lines rarely overflow. */
const CHARACTER_WIDTH = 0.53;

/**
 * Text as at most `lines` lines of about `width` pixels at `size` pixels, broken at spaces, the last with an ellipsis when
 * something was cut. SVG text does not wrap, and server and browser must break alike, so nothing is measured.
 */
export function wrapped(text: string, width: number, size: number, lines: number): string[] {
  const most = Math.max(4, Math.floor(width / (size * CHARACTER_WIDTH)));
  const result: string[] = [];
  let rest = [...plain(text)];
  while (rest.length > 0 && result.length < lines) {
    if (rest.length <= most) {
      result.push(rest.join(''));
      break;
    }
    const isLast = result.length === lines - 1;
    const room = isLast ? most - 1 : most;
    const space = rest.lastIndexOf(' ', room);
    const end = space > room * 0.6 ? space : room;
    result.push(rest.slice(0, end).join('').trimEnd() + (isLast ? '…' : ''));
    rest = rest.slice(end);
    while (rest[0] === ' ') rest.shift();
  }
  return result;
}
