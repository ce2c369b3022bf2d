import { whereLeading, whereSaid } from '../report/summary.ts';
import type { AnswerPlace, Contribution } from './explanation.ts';

/**
 * `in Berlin`: the scope and time of the answer that is explained, as its verdict tells them, and of what
 * would lead there without some claims; empty where the verdict tells none. Pure.
 */
export function whereExplained(
  now: AnswerPlace,
  verdict: Parameters<typeof whereLeading>[0],
  without: AnswerPlace = now,
): string {
  const told = whereLeading(verdict);
  return told === '' && whereSaid(now) !== '' ? '' : whereSaid(without);
}

const WITHDRAWN: ReadonlySet<Contribution['outcome']> = new Set([
  'retracted',
  'corrected',
  'withdrawn_original',
]);

/**
 * Whether all that some claims say on an answer is withdrawn, so that without them only their copies would
 * count again. Pure.
 */
export function areWithdrawn(
  ids: readonly string[],
  contributions: readonly Pick<Contribution, 'claim_id' | 'outcome' | 'route'>[],
): boolean {
  const own = contributions.filter(
    ({ claim_id: id, route }) => id !== null && route !== 'evidence' && ids.includes(id),
  );
  return own.length > 0 && own.every(({ outcome }) => WITHDRAWN.has(outcome));
}
