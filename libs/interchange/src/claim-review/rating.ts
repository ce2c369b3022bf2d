/**
 * Words by which fact-checkers rate, folded; the first list that fits decides. English first, then others.
 */
const FALSE_WORDS =
  /^(false|fake|incorrect|inaccurate|untrue|wrong|hoax|fabricated|debunked|baseless|pants on fire|four pinocchios|mostly false|not true|no|falso|faux|fausse|falsch|fals|onwaar|yanlis|vals|bulo|salah)\b/;
const TRUE_WORDS =
  /^(true|correct|accurate|right|verified|confirmed|mostly true|yes|verdadero|cierto|verdadeiro|vrai|wahr|richtig|vero|waar|dogru|benar)\b/;
const OPEN_WORDS =
  /^(unproven|unverified|unsupported|no evidence|not enough evidence|research in progress|legend|unknown|undetermined|unrated|n\/?a$)/;

export interface Rating {
  readonly words: string | null;
  readonly value: number | null;
  readonly best: number | null;
  readonly worst: number | null;
}

/** Share of the scale at each end that counts as true or false. */
const END = 0.25;

/**
 * What a rating says about a claim: `true`, `false`, its own words where it stands between, or null where it
 * says nothing. The words decide before the number, because they are what a reader is shown and scales
 * differ.
 */
export function valueOfRating({ words, value, best, worst }: Rating): string | null {
  if (words !== null) {
    const folded = words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
    if (FALSE_WORDS.test(folded)) return 'false';
    if (TRUE_WORDS.test(folded)) return 'true';
    if (OPEN_WORDS.test(folded)) return null;
  }
  const share = shareOf(value, best ?? 5, worst ?? 1);
  if (share !== null && share >= 1 - END) return 'true';
  if (share !== null && share <= END) return 'false';
  return words ?? (share === null ? null : 'partly true');
}

function shareOf(value: number | null, best: number, worst: number): number | null {
  if (value === null || best === worst) return null;
  const share = (value - worst) / (best - worst);
  return share >= 0 && share <= 1 ? share : null;
}
