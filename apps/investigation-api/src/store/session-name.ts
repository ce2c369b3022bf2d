/** Code points that are sorted by; four bytes each at most, they fit an index entry. */
export const PREFIX_LENGTH = 500;

/**
 * A name as names are searched and sorted: case does not count. `namePrefix` is as much of it as an index
 * takes.
 */
export function foldName(name: string): { nameFolded: string; namePrefix: string } {
  const nameFolded = fold(name);
  return {
    nameFolded,
    namePrefix: Array.from(nameFolded.slice(0, 2 * PREFIX_LENGTH))
      .slice(0, PREFIX_LENGTH)
      .join(''),
  };
}

/**
 * `text` in lower case, so that folding a whole and folding its parts agree: the one rule of Unicode's
 * language-independent lower-casing that looks at the context is the final sigma (The Unicode Standard,
 * SpecialCasing).
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
