/** Characters that the text is searched for natively between partial matches. */
const HEAD = 8;

/**
 * UTF-16 positions at which a text holds a passage that is not empty, overlapping ones too, in order. Linear
 * in both lengths whatever they hold: Knuth, Morris and Pratt, SIAM J. Comput. 6 (1977), with a native search
 * for the first characters where nothing has matched.
 */
export function occurrencesOf(text: string, passage: string): number[] {
  const found: number[] = [];
  const head = passage.slice(0, HEAD);
  const borders = bordersOf(passage);
  let matched = 0;
  let at = 0;
  while (at < text.length) {
    if (matched === 0) {
      at = text.indexOf(head, at);
      if (at === -1) break;
      matched = head.length;
      at += matched;
    } else if (text.charCodeAt(at) === passage.charCodeAt(matched)) {
      matched += 1;
      at += 1;
    } else {
      matched = borders[matched - 1]!;
      continue;
    }
    if (matched < passage.length) continue;
    found.push(at - matched);
    matched = borders[matched - 1]!;
  }
  return found;
}

/** For each prefix of a passage, the length of the longest shorter one that it ends with. */
function bordersOf(passage: string): Uint16Array {
  const borders = new Uint16Array(passage.length);
  let length = 0;
  for (let at = 1; at < passage.length; at += 1) {
    while (length > 0 && passage.charCodeAt(at) !== passage.charCodeAt(length)) length = borders[length - 1]!;
    if (passage.charCodeAt(at) === passage.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}
