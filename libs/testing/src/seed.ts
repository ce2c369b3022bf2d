/**
 * From which a test run draws its random cases, 0..2³¹ − 1: FC_SEED, to which `npm test` sets the seed of the
 * commit unless it is given; without it every suite draws its own. fast-check prints it with what fails.
 * Errors: FC_SEED is no whole number of that range.
 */
export const SEED = seedOf(process.env['FC_SEED']);

function seedOf(given: string | undefined): number {
  if (given === undefined) return Math.floor(Math.random() * 2 ** 31);
  if (!/^\d{1,10}$/.test(given) || Number(given) >= 2 ** 31)
    throw new Error(`FC_SEED must be a whole number from 0 to 2147483647, not ${given}`);
  return Number(given);
}
