/** Letters of scripts that are written from right to left, by the blocks that Unicode sets apart for them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The direction that `dir="auto"` would find: that of the first letter. Chromium looks for that letter again
 * with every line that it puts into a textarea, and a text of 3 MB then takes half a minute. Pure.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter = ''] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
