import type { Contribution, Outcome } from '@platform/opinion-fusion';
import { percent } from '../format/numbers.ts';
import type { Model } from '../model.ts';

/** The note on a contribution that does not count in full; empty on one that does. */
export const outcomeNote = (
  { actor_id, outcome, original, suspected }: Contribution,
  model: Model,
): string =>
  outcome === 'withdrawn_original'
    ? originalNote(actor_id, original!, model)
    : suspected
      ? SUSPECTED
      : OUTCOME_NOTE[outcome];

/** Why a claim is weighed like the withdrawn one of another source: no suspicion is told as a fact. */
function originalNote(
  id: string | null,
  { claim_id, suspected }: NonNullable<Contribution['original']>,
  model: Model,
): string {
  const actor = model.claimById.get(claim_id)?.actor;
  const what = `a claim of ${actor?.name ?? 'another source'} that was withdrawn`;
  return suspected
    ? `not counted: says the same as ${what}, and may not be independent of it${howSure(model, [id, actor?.id])}`
    : `not counted: repeats ${what}; the author says that it depends on it`;
}

/** ` (> 99 % sure)`: how sure a suspicion is of at least two of some sources; empty where there is none. */
export function howSure({ full }: Model, sources: Iterable<string | null | undefined>): string {
  const among = new Set(sources);
  const group = full?.source_dependence?.find(
    ({ actor_ids, applied, resembles }) =>
      (applied || resembles) && [...actor_ids, resembles ?? ''].filter((id) => among.has(id)).length > 1,
  );
  return group ? ` (${percent(group.probability)} sure)` : '';
}

const SUSPECTED =
  'not counted: a source that says the same unusual things, and may not be independent of it, counts in its place';
const OUTCOME_NOTE: Readonly<Record<Outcome, string>> = {
  counted: '',
  dependent: 'not counted: a source that is not independent of it counts in its place',
  capped: 'counted in part: inferences add one item at most',
  discounted: 'counted in part: one of several unidentified sources',
  below_floor: 'not counted: below the credibility floor',
  corrected: 'not counted: its own source replaced it',
  withdrawn_original: '',
  superseded: 'not counted: what it says was replaced by a claim that stands',
  retracted: 'not counted: retracted',
  unheard_target: 'not counted: what it speaks about is not heard',
  distinguished: 'not counted: a distinction parts the two',
  other_answer: 'neither yes nor no',
  raises_target: 'counted in the weight of the claim that it supports',
  lowers_target: 'counted in the weight of the claim that it disputes',
};
