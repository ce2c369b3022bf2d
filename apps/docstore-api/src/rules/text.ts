/**
 * How the store compares text without regard to case: code point by code point in lower case, so that folding a whole
 * and folding its parts agree (`fold(a + b) = fold(a) + fold(b)`). The one context-dependent rule of Unicode's
 * language-independent lower-casing is the final sigma (The Unicode Standard, SpecialCasing), hence its replacement.
 * `text` must be well-formed UTF-16.
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Words longer than this many UTF-16 units are known by a digest: an index entry must fit a third of a page. */
const WORD_LENGTH_MAX = 100;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
/** Units looked at between two breaths of the event loop. */
const SLICE_LENGTH = 64 * 1024;

/**
 * The set of words in `folded`: maximal runs of letters, digits, marks and `_`, each once, in no particular order.
 * Words over 100 UTF-16 units are replaced by `digest` of them. Yields to the event loop as it goes, because four
 * megabytes of text take longer than other requests should wait.
 */
export async function wordsOf(folded: string, digest: (word: string) => string): Promise<string[]> {
  const words = new Set<string>();
  for (let start = 0; start < folded.length;) {
    // A slice ends where no word goes on; a run that has no such place within reach is one very long word.
    const end = await endOfWord(folded, Math.min(start + SLICE_LENGTH, folded.length));
    for (const [word] of folded.slice(start, end).matchAll(WORD)) {
      words.add(word.length > WORD_LENGTH_MAX ? digest(word) : word);
    }
    start = end;
    if (start < folded.length) await breathe();
  }
  return [...words];
}

/** Half of a pair, where a slice cuts one, may belong to a letter. */
const NO_WORD = /[^\p{L}\p{N}\p{M}_\p{Cs}]/u;

/** The first index from `from` on at which no word goes on. */
async function endOfWord(text: string, from: number): Promise<number> {
  for (let at = from; at < text.length; at += SLICE_LENGTH) {
    const found = text.slice(at, at + SLICE_LENGTH).search(NO_WORD);
    if (found !== -1) return at + found;
    await breathe();
  }
  return text.length;
}

/** Lets other requests have a turn. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
