import {
  CROWD_FACTOR,
  REFINED_FACTOR,
  RULE_STRENGTH,
  SELF_CONTRADICTION_FACTOR,
} from '../contract/constants.ts';
import { inferredEvidence } from '../verdict/inference.ts';
import { competenceOf } from '../model/model.ts';
import type { Claim } from '../model/model.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { RuleType } from '../contract/vocabulary.ts';
import { supportingEvidence } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';
import type { Contribution, Factor, Route } from './explanation.ts';
import type { Spoken } from './spoken.ts';

/**
 * What was said, with what of it counts: of each dependence class on each side the strongest, items of
 * evidence each, and inferences up to their cap. Sorted as VerdictExplanation promises. Source: reasoning
 * model §4. Never throws.
 */
export function listContributions(
  spoken: readonly Spoken[],
  { inferences }: Verdict,
  weighed: Weighed,
  classNames: readonly string[],
): Contribution[] {
  const strongest = strongestOfEach(spoken);
  const crowdShare = crowdShares([...strongest.values()], spoken);
  const inferred = inferences.reduce((sum, { amount }) => sum + amount, 0);
  const share = inferred > 0 ? inferredEvidence(inferences) / inferred : 1;
  const contributions = spoken.map((one): Contribution => {
    const common = {
      side: one.isAside ? 'neither' : one.isSupport ? 'support' : 'opposition',
      dependence_class: one.cls === null ? null : classNames[one.cls]!,
      offered: one.amount,
      factors: factorsOf(one, weighed),
    } as const;
    const { what } = one;
    if (what.route === 'inference') {
      const { input, premises } = what.inference;
      return {
        ...common,
        route: 'inference',
        outcome: share < 1 ? 'capped' : 'counted',
        claim_id: null,
        actor_id: null,
        inference_id: input.id,
        rule_type: input.rule_type as RuleType,
        premise_claim_ids: premises.map(({ id }) => id),
        counted: one.amount * share,
      };
    }
    const ahead = one.cls === null || one.muted ? one : strongest.get(keyOf(one))!;
    const crowdPart = crowdShare.get(one) ?? 1;
    return {
      ...common,
      route: what.route,
      outcome: one.muted ?? (ahead !== one ? 'dependent' : crowdPart < 1 ? 'discounted' : 'counted'),
      claim_id: what.claim.id,
      actor_id: what.route === 'evidence' ? null : what.claim.actor.id,
      ...(what.route === 'meta_claim' && { target_claim_id: what.claim.target!.id }),
      ...(what.route === 'evidence' && { evidence_id: what.item.id }),
      counted: ahead === one && !countsElsewhere(one.muted) ? one.amount * crowdPart : 0,
      ...(ahead !== one && { counted_claim_id: claimOf(ahead)!.id }),
      ...(ahead !== one && isOnlySuspected(one, ahead, weighed) && { suspected: true }),
      ...originalOf(what, weighed),
    };
  });
  return inOrder(contributions);
}

/** Sorted as VerdictExplanation promises. */
function inOrder(contributions: readonly Contribution[]): Contribution[] {
  return contributions
    .map((one) => ({
      one,
      counted: roundForComparison(one.counted),
      offered: roundForComparison(one.offered),
    }))
    .sort(
      (a, b) =>
        -byCodeUnits(a.one.side, b.one.side) ||
        b.counted - a.counted ||
        b.offered - a.offered ||
        byCodeUnits(a.one.claim_id ?? '', b.one.claim_id ?? '') ||
        byCodeUnits(
          a.one.evidence_id ?? a.one.inference_id ?? '',
          b.one.evidence_id ?? b.one.inference_id ?? '',
        ),
    )
    .map(({ one }) => one);
}

/** Whether nobody declared that the sources of two contributions depend on one another. */
function isOnlySuspected(one: Spoken, ahead: Spoken, { classes }: Weighed): boolean {
  return classes.areOnlySuspected(claimOf(one)!.actor, claimOf(ahead)!.actor);
}

/** What a claim is weighed like, where it is weighed like another. */
function originalOf({ route, claim }: { route: Route; claim: Claim }, { successions }: Weighed) {
  const original = route === 'voice' ? successions.copied.get(claim) : undefined;
  if (!original) return {};
  return {
    original: { claim_id: original.claim.id, ...(original.isSuspected && { suspected: true as const }) },
  };
}

/** The claim or meta-claim whose removal also removes the contribution; null for an inference. */
export function claimOf({ what }: Spoken): Claim | null {
  return what.route === 'inference' ? null : what.claim;
}

function keyOf({ cls, isSupport }: Spoken): number {
  return 2 * cls! + (isSupport ? 1 : 0);
}

function strongestOfEach(spoken: readonly Spoken[]): ReadonlyMap<number, Spoken> {
  const strongest = new Map<number, Spoken>();
  for (const one of spoken) {
    if (one.cls === null || one.muted) continue;
    const best = strongest.get(keyOf(one));
    if (!best || best.amount < one.amount) strongest.set(keyOf(one), one);
  }
  return strongest;
}

/**
 * What of the strongest contribution of each class counts, where unidentified sources are many on one side.
 */
function crowdShares(ahead: readonly Spoken[], spoken: readonly Spoken[]): ReadonlyMap<Spoken, number> {
  const identified = new Set<number>();
  for (const one of spoken)
    if (one.cls !== null && !one.muted && one.amount > 0 && one.isIdentified) identified.add(keyOf(one));
  const shares = new Map<Spoken, number>();
  for (const isSupport of [true, false]) {
    const crowd = ahead
      .filter((one) => one.isSupport === isSupport && one.amount > 0 && !identified.has(keyOf(one)))
      .sort((a, b) => b.amount - a.amount);
    crowd.forEach((one, i) => shares.set(one, CROWD_FACTOR ** i));
  }
  return shares;
}

/** Whether what was said counts for another claim, or for its own value, and not in the verdict. */
const countsElsewhere = (muted: Spoken['muted']) =>
  muted === 'raises_target' ||
  muted === 'lowers_target' ||
  muted === 'distinguished' ||
  muted === 'other_answer';

const ZEROED: Factor = { name: 'credibility', value: 0 };

function factorsOf({ what, muted }: Spoken, weighed: Weighed): Factor[] {
  const isZero = muted !== null && !countsElsewhere(muted);
  const zeroed = isZero ? [ZEROED] : [];
  if (what.route === 'inference') {
    const { input, belief } = what.inference;
    return [
      { name: 'rule_strength', value: RULE_STRENGTH[input.rule_type as RuleType] },
      { name: 'premise_belief', value: belief },
    ];
  }
  const { claim } = what;
  const weighing = weighed.weighings[claim.index]!;
  const decay: Factor = { name: 'decay', value: weighing.ageing.decay };
  if (what.route === 'evidence')
    return [decay, { name: 'evidence_weight', value: what.item.weight }, ...zeroed];
  const { actor } = claim;
  const estimated = weighed.estimate?.statements.get(claim.id);
  const factors: Factor[] = [
    estimated === undefined
      ? {
          name: 'base_reliability',
          value: actor.base,
          given: actor.givenBase,
          ...(actor.record && { record: actor.record }),
        }
      : { name: 'estimated_reliability', value: estimated.base },
    { name: 'competence', value: competenceOf(actor, claim.predicate) },
    {
      name: 'self_contradiction',
      value: SELF_CONTRADICTION_FACTOR ** weighed.contradictions[claim.index]!,
    },
    decay,
    { name: 'superseded', value: weighed.successions.factorOf(claim) || 1 },
    { name: 'refined', value: weighed.refined.has(claim) ? REFINED_FACTOR : 1 },
  ];
  if (what.route === 'voice') {
    const uncapped = weighing.weight * (1 + supportingEvidence(claim));
    factors.push(
      { name: 'supporting_evidence', value: 1 + supportingEvidence(claim) },
      { name: 'reliability_cap', value: uncapped > 0 ? weighing.voice / uncapped : 1 },
    );
  }
  const isWeighed = what.route === 'meta_claim' || what.challenges;
  if (isWeighed && !isZero) factors.push({ name: 'kappa', value: weighing.kappa });
  return [...factors, ...zeroed];
}
