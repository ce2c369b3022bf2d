// Plain JavaScript: it runs in a worker thread as it stands.

/** Longest snippet, and how much of it may stand before the match. UTF-16 units. */
const SNIPPET_LENGTH = 240;
const BEFORE_LENGTH = 80;

/**
 * The first `max` lines of `text` on which a match begins: their numbers, from 1, and the text around the first
 * match on each. `next` gives the index of the first match at or after an index of the text, or -1. Lines end
 * at LF.
 */
export function snippetsOf(text, next, max) {
  const found = [];
  let line = 1;
  let counted = 0;
  for (let from = 0; found.length < max && from <= text.length;) {
    const index = next(from);
    if (index === -1) break;
    for (let at = text.indexOf('\n', counted); at !== -1 && at < index; at = text.indexOf('\n', at + 1))
      line++;
    counted = index;
    const lineStart = index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
    const lineFeed = text.indexOf('\n', index);
    const lineEnd = lineFeed === -1 ? text.length : lineFeed;
    const start = wholeFrom(text, Math.max(lineStart, index - BEFORE_LENGTH));
    const end = Math.max(start, wholeFrom(text, Math.min(lineEnd, start + SNIPPET_LENGTH)));
    found.push({ line, snippet: text.slice(start, end) });
    from = lineEnd + 1;
  }
  return found;
}

/** `index`, or the one after it where it would part a surrogate pair. */
function wholeFrom(text, index) {
  return index > 0 &&
    index < text.length &&
    /[\uDC00-\uDFFF]/.test(text[index]) &&
    /[\uD800-\uDBFF]/.test(text[index - 1])
    ? index + 1
    : index;
}

/** `next` of `snippetsOf` for a regular expression of the Rust engine, which counts in bytes. */
export function nextOfRust(text, regex) {
  const bytes = Buffer.from(text, 'utf8');
  let known = { unit: 0, byte: 0 };
  return (from) => {
    const start = known.byte + Buffer.byteLength(text.slice(known.unit, from), 'utf8');
    known = { unit: from, byte: start };
    const match = regex.findAt(text, start);
    return match === undefined || match === null
      ? -1
      : from + bytes.toString('utf8', start, match.start).length;
  };
}

/**
 * `next` of `snippetsOf` for a regular expression of JavaScript with the flags `gv`, over `text` or, when
 * `isFolded`, over the text without regard to case, as `rules/text.ts` folds it.
 */
export function nextOfScript(text, regex, isFolded) {
  const searched = isFolded ? fold(text) : text;
  const isEven = searched.length === text.length;
  return (from) => {
    regex.lastIndex = isEven ? from : fold(text.slice(0, from)).length;
    const index = regex.exec(searched)?.index;
    if (index === undefined) return -1;
    return isEven ? index : unfolded(text, from, index - fold(text.slice(0, from)).length);
  };
}

/** The index of `text` where its part from `from` on has this length when it is folded. */
function unfolded(text, from, length) {
  let index = from;
  for (let folded = 0; folded < length;) {
    const character = String.fromCodePoint(text.codePointAt(index));
    folded += fold(character).length;
    if (folded <= length) index += character.length;
  }
  return index;
}

/** As `fold` of rules/text.ts, which a worker thread cannot read. */
function fold(text) {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
