/** Characters a slug has at most. */
export const SLUG_CHARACTERS_MAX = 64;

/**
 * Words as they stand in a share's URL: lower case letters a-z and digits, everything else a hyphen, runs of them one, none at
 * the ends, at most 64 characters; `investigation` when nothing is left.
 */
export function slugOf(words: string): string {
  const slug = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_CHARACTERS_MAX)
    .replace(/-$/, '');
  return slug === '' ? 'investigation' : slug;
}
