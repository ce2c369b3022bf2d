/** What stands in a textarea for a form feed, which browsers show as nothing; `page` is the one it begins. */
const pageBreak = (page: number) => `\n— Page ${page} —\n`;

/** A stored text as its textarea shows it: form feeds are lines that say which page begins. Pure. */
export function shownText(text: string): string {
  let page = 1;
  return text.replace(/\f/g, () => pageBreak(++page));
}

/**
 * The position in a text that one end of a selection in the textarea of its `shownText` means: browsers show
 * CR LF and CR there as one LF (HTML, value API of textarea). An end at or in the line of a page break leaves
 * the break out. All count UTF-16 code units.
 */
export function originalPosition(text: string, shown: number, end: 'from' | 'to'): number {
  let at = 0;
  let page = 1;
  for (let count = 0; count < shown && at < text.length;) {
    if (text[at] === '\f') {
      count += pageBreak(++page).length;
      if (end === 'to' && count >= shown) return at;
      at += 1;
    } else {
      count += 1;
      at += text.startsWith('\r\n', at) ? 2 : 1;
    }
  }
  return end === 'from' && text[at] === '\f' ? at + 1 : at;
}
