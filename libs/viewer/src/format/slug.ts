/** Characters that a slug has at most. Unicode code points. */
const SLUG_CHARACTERS_MAX = 64;

/**
 * Words as they stand in a share's URL: letters and digits of any script in lower case, a hyphen for each run
 * of anything else, at most 64 characters; `investigation` when nothing is left. Latin letters lose their
 * accents, so that links in Western languages stay short when a browser percent-encodes them. The slug of a
 * slug is the slug itself.
 */
export function slugOf(words: string): string {
  const letters = words
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .toLowerCase()
    .normalize('NFKC');
  const hyphenated = letters.replace(/[^\p{L}\p{N}\p{M}]+/gu, '-').replace(/^-/, '');
  const slug = [...hyphenated].slice(0, SLUG_CHARACTERS_MAX).join('').replace(/-$/, '');
  return slug === '' ? 'investigation' : slug;
}
