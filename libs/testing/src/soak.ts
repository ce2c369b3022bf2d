/**
 * Share of the repetitions that a run makes, above 0 and at most 1: SOAK, by default a tenth, which finds
 * what a change broke; `npm run test:soak` makes all of them. Errors: SOAK is no number of that range.
 */
const SHARE = shareOf(process.env['SOAK']);

function shareOf(given: string | undefined): number {
  const share = Number(given ?? '0.1');
  if (!(share > 0 && share <= 1)) throw new Error(`SOAK must be above 0 and at most 1, not ${given}`);
  return share;
}

/**
 * How often to repeat what `npm run test:soak` repeats `whole` times: this run's share of it, a whole number
 * of at least `least`, below which the test would show too little.
 */
export function soak(whole: number, least = 1): number {
  return Math.max(Math.min(least, whole), Math.round(whole * SHARE));
}
