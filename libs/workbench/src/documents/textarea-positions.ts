/**
 * The position in a text that a position in its textarea means: browsers show CR LF and CR there as one LF
 * (HTML, value API of textarea). Both count UTF-16 code units.
 */
export function originalPosition(text: string, shown: number): number {
  let at = 0;
  for (let count = 0; count < shown && at < text.length; count += 1)
    at += text.startsWith('\r\n', at) ? 2 : 1;
  return at;
}
