import { withMetas } from '../verdict/investigation-parts.ts';
import type { Actor, Claim } from '../model/model.ts';
import { byCodeUnits, byId, roundForComparison } from '../contract/rounding.ts';
import type { PairAlternatives } from './alternatives.ts';
import { claimOf } from './contributions.ts';
import type { VerdictWithout, WithoutSource } from './explanation.ts';
import type { IncrementalRemoval } from './incremental-removal.ts';
import type { Spoken } from './spoken.ts';
import type { StepBudget } from '@platform/argumentation';

/**
 * The verdict without each actor who speaks on the pair, by actor id. Where work is short, the actors with
 * most to say have the exact answer, the others one that keeps the dependence of sources as found, and the
 * last ones none.
 */
export function listWithoutSource(
  alternatives: PairAlternatives,
  spoken: readonly Spoken[],
  plain: IncrementalRemoval | null,
  work: StepBudget,
): { rows: WithoutSource[]; isComplete: boolean } {
  const claimsOn = new Map<Actor, string[]>();
  for (const claim of withMetas(alternatives.verdict.pair?.claims ?? [])) {
    const own = claimsOn.get(claim.actor);
    if (own) own.push(claim.id);
    else claimsOn.set(claim.actor, [claim.id]);
  }
  const most = new Map<Actor, number>();
  for (const one of spoken) {
    const actor = claimOf(one)?.actor;
    if (actor) most.set(actor, Math.max(most.get(actor) ?? 0, one.amount));
  }
  const loudestFirst = [...claimsOn.keys()].sort(
    (a, b) => roundForComparison(most.get(b) ?? 0) - roundForComparison(most.get(a) ?? 0) || byId(a, b),
  );
  const rows: WithoutSource[] = [];
  let waiting = loudestFirst.length;
  for (const actor of loudestFirst) {
    waiting -= 1;
    const out = [...withMetas(alternatives.all.claimsOf(actor))];
    const answer = answerWithout(out, alternatives, plain, work, waiting * alternatives.workAsFound);
    if (!answer) continue;
    const { verdict, isExact } = answer;
    rows.push({
      actor_id: actor.id,
      claim_ids: claimsOn.get(actor)!.sort(byCodeUnits),
      ...verdict,
      flips: alternatives.isOther(verdict),
      // Without the source, reliabilities would have been learned otherwise.
      is_exact: isExact && alternatives.all.weighed.estimate === null,
    });
  }
  rows.sort((a, b) => byCodeUnits(a.actor_id, b.actor_id));
  return { rows, isComplete: rows.length === claimsOn.size };
}

/** `reserved`: work that the actors still waiting need for any answer. */
function answerWithout(
  out: readonly Claim[],
  alternatives: PairAlternatives,
  plain: IncrementalRemoval | null,
  work: StepBudget,
  reserved: number,
): { verdict: VerdictWithout; isExact: boolean } | null {
  const { mayDetectCopying } = alternatives.all;
  const sums = plain?.without(out) ?? null;
  if (sums && !mayDetectCopying) return { verdict: sums, isExact: true };
  if (alternatives.work + (mayDetectCopying ? reserved : 0) <= work.left) {
    work.tryConsume(alternatives.work);
    return { verdict: alternatives.without(out), isExact: true };
  }
  if (sums) return { verdict: sums, isExact: false };
  if (!mayDetectCopying || !work.tryConsume(alternatives.workAsFound)) return null;
  return { verdict: alternatives.without(out, true), isExact: false };
}
