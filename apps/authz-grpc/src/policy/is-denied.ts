import type { Decision } from './types.ts';

/**
 * Whether a policy denies the check or one could not be evaluated, instead of none allowing it: what batches,
 * explanations, plans and replays say about a check that is not authorized. False for one that is.
 */
export function isDenied({ allowed, matched, problems }: Decision): boolean {
  return !allowed && (matched !== null || problems.length > 0);
}
