/**
 * How the store compares text without regard to case: code point by code point in lower case, so that folding
 * a whole and folding its parts agree (`fold(a + b) = fold(a) + fold(b)`). The one context-dependent rule of
 * Unicode's language-independent lower-casing is the final sigma (The Unicode Standard, SpecialCasing), hence
 * its replacement. `text` must be well-formed UTF-16.
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Words longer than this many UTF-16 units are known by a digest: an index entry must fit a third of a page.
 */
const WORD_LENGTH_MAX = 100;
const LETTERS = '\\p{L}\\p{N}\\p{M}_';
const WORD = new RegExp(`[${LETTERS}]+`, 'gu');
/** Units looked at between two breaths of the event loop. */
const SLICE_LENGTH = 64 * 1024;

/** Scripts that write words without spaces between them. */
const UNSPACED_LETTERS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]+`, 'gu');

/**
 * The set of words in `folded`, each once, in no particular order: maximal runs of letters, digits, marks and
 * `_`. Where a run is of a script without spaces, its words are every character and every pair of neighbors,
 * as search engines do for Chinese, Japanese and Thai; of a text that is asked for (`isAsked`), pairs alone,
 * or the one character there is. Words over 100 UTF-16 units are replaced by `digest` of them. Yields to the
 * event loop as it goes, because four megabytes of text take longer than other requests should wait.
 */
export async function wordsOf(
  folded: string,
  digest: (word: string) => string,
  { isAsked = false } = {},
): Promise<string[]> {
  const words = new Set<string>();
  for (let start = 0; start < folded.length;) {
    // A slice ends between two words; a run without such a place within reach is one very long word.
    const end = await endOfWord(folded, Math.min(start + SLICE_LENGTH, folded.length));
    const slice = folded.slice(start, end);
    const isSpaced = slice.search(UNSPACED) === -1;
    for (const run of slice.match(WORD) ?? []) {
      if (isSpaced) {
        words.add(kept(run));
        continue;
      }
      let rest = 0;
      for (const { 0: unspaced, index } of run.matchAll(UNSPACED)) {
        if (index > rest) words.add(kept(run.slice(rest, index)));
        addNeighbors(words, [...unspaced], isAsked);
        rest = index + unspaced.length;
      }
      if (rest < run.length) words.add(kept(run.slice(rest)));
    }
    start = end;
    if (start < folded.length) await breathe();
  }
  return [...words];

  function kept(word: string): string {
    return word.length > WORD_LENGTH_MAX ? digest(word) : word;
  }
}

/** Source of a regular expression (flag `v`) that matches this text. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Source of a regular expression (flag `v`) that matches the words of `folded` in a folded text. */
export function wordsPattern(folded: string): string {
  const edge = `[[${LETTERS}]--[${UNSPACED_LETTERS}]]`;
  const words = new Set<string>();
  for (const [run] of folded.matchAll(WORD)) {
    const unspaced = new Set<string>();
    for (const [part] of run.matchAll(UNSPACED)) addNeighbors(unspaced, [...part], true);
    for (const part of unspaced) words.add(literalPattern(part));
    for (const part of run.split(UNSPACED))
      if (part !== '') words.add(`(?<!${edge})${literalPattern(part)}(?!${edge})`);
  }
  return [...words].join('|');
}

function addNeighbors(words: Set<string>, characters: readonly string[], isAsked: boolean): void {
  for (const [index, character] of characters.entries()) {
    if (!isAsked || characters.length === 1) words.add(character);
    if (index > 0) words.add(characters[index - 1]! + character);
  }
}

/** Half of a pair, where a slice cuts one, may belong to a letter. */
const NO_WORD = /[^\p{L}\p{N}\p{M}_\p{Cs}]/u;

/** The first index from `from` on that is not inside a word. */
async function endOfWord(text: string, from: number): Promise<number> {
  for (let at = from; at < text.length; at += SLICE_LENGTH) {
    const found = text.slice(at, at + SLICE_LENGTH).search(NO_WORD);
    if (found !== -1) return at + found;
    await breathe();
  }
  return text.length;
}

/** Lets other requests run. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
