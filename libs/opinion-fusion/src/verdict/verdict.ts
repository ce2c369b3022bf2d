import { inferredEvidence } from './inference.ts';
import type { KeptInference } from './inference.ts';
import type { Claim } from '../model/model.ts';
import { expectedProbability, opinionFromEvidence } from '@platform/subjective-logic';
import type { Opinion } from '@platform/subjective-logic';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import { AGREE, relation } from '../model/statements.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import type { Pair } from '../model/statements.ts';
import type { OpinionSummary, SubjectInput } from '../contract/types.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** The judgement on one (subject, predicate). */
export interface Verdict {
  readonly subject: SubjectInput;
  readonly predicate: string;
  /** Null when only inferences speak. */
  readonly pair: Pair | null;
  readonly leading: Claim | null;
  readonly leadingValue: string | null;
  /** Evidence for and against "predicate is leading value"; items. */
  readonly r: number;
  readonly s: number;
  readonly opinion: Opinion;
  readonly sources: number;
  readonly independentSources: number;
  readonly inferences: readonly KeptInference[];
}

/** Verdicts of all pairs, those that only an inference makes included, by subject id, then predicate. Reasoning model §6. */
export function judge(weighed: Weighed, inferences: readonly KeptInference[]): Verdict[] {
  const byPair = new Map<string, KeptInference[]>();
  for (const inference of inferences) {
    const key = pairKey(inference.input.subject_id, inference.input.predicate);
    const list = byPair.get(key);
    if (list) list.push(inference);
    else byPair.set(key, [inference]);
  }
  const verdicts = weighed.pairs.map((pair) => {
    const key = pairKey(pair.subject.id, pair.predicate);
    const own = byPair.get(key) ?? [];
    byPair.delete(key);
    return judgePair(pair, leadingClaim(pair, weighed), own, weighed);
  });
  for (const own of byPair.values()) {
    const { subject_id: id, predicate } = own[0]!.input;
    const subject = weighed.model.subjects.find((candidate) => candidate.id === id)!;
    const r = inferredEvidence(own);
    verdicts.push({
      subject,
      predicate,
      pair: null,
      leading: null,
      leadingValue: null,
      r,
      s: 0,
      opinion: opinionFromEvidence(r, 0),
      sources: 0,
      independentSources: 0,
      inferences: own,
    });
  }
  return verdicts.sort(
    (a, b) => byCodeUnits(a.subject.id, b.subject.id) || byCodeUnits(a.predicate, b.predicate),
  );
}

function pairKey(subjectId: string, predicate: string): string {
  return JSON.stringify([subjectId, predicate]);
}

/** The verdict of one pair, led by the given claim. Source: reasoning model §6. */
export function judgePair(
  pair: Pair,
  leading: Claim | null,
  inferences: readonly KeptInference[],
  weighed: Weighed,
): Verdict {
  let r = 0;
  let s = 0;
  let leadingValue: string | null = null;
  let sources = 0;
  let independentSources = 0;
  if (leading) {
    const own = weighed.weighings[leading.index]!;
    const group = weighed.groupOf[leading.index]!;
    const saysFalse = group.value.kind === 'boolean' && !group.value.truth;
    const swapped = group.denies || saysFalse;
    [r, s] = swapped ? [own.s, own.r] : [own.r, own.s];
    leadingValue = group.value.kind === 'boolean' ? 'true' : leading.input.value;
    ({ sources, independentSources } = countSources(leading, pair, weighed));
  }
  r += inferredEvidence(inferences);
  const opinion = opinionFromEvidence(r, s);
  const { subject, predicate } = pair;
  return {
    subject,
    predicate,
    pair,
    leading,
    leadingValue,
    r,
    s,
    opinion,
    sources,
    independentSources,
    inferences,
  };
}

/**
 * The claim with the largest r among those that affirm a value with weight, or among the denials where nothing is
 * affirmed; then the larger P; then, where copying was detected, the one whose voices were found right more often
 * (ADR 0007); then the smallest id. Null when no claim has weight.
 */
export function leadingClaim(pair: Pair, weighed: Weighed): Claim | null {
  const { weighings, groupOf } = weighed;
  let best: Claim | null = null;
  let bestAffirms = false;
  let bestR = 0;
  let bestP = 0;
  for (const claim of pair.claims) {
    const weighing = weighings[claim.index]!;
    if (weighing.weight <= 0) continue;
    const affirms = !groupOf[claim.index]!.denies;
    if (best && bestAffirms && !affirms) continue;
    const r = roundForComparison(weighing.r);
    const P = roundForComparison(expectedProbability(weighing.opinion));
    if (best && affirms === bestAffirms) {
      if (r < bestR || (r === bestR && P < bestP)) continue;
      if (r === bestR && P === bestP && !isBetterProven(claim, best, pair, weighed)) continue;
    }
    [best, bestAffirms, bestR, bestP] = [claim, affirms, r, P];
  }
  return best;
}

function isBetterProven(a: Claim, b: Claim, pair: Pair, weighed: Weighed): boolean {
  if (!weighed.classes.knowsAccuracy || weighed.groupOf[a.index] === weighed.groupOf[b.index]) return false;
  return provenSupport(a, pair, weighed) > provenSupport(b, pair, weighed);
}

/** r of a claim's own side with each voice times how often its actor was found right. Evidence items. */
function provenSupport(claim: Claim, pair: Pair, { weighings, groupOf, classes }: Weighed): number {
  const strongest = new MaxByGroup(classes.count);
  strongest.start();
  for (const other of agreeingClaims(claim, pair, groupOf))
    strongest.add(classes.of(other.actor), weighings[other.index]!.voice * classes.accuracyOf(other.actor));
  return roundForComparison(strongest.sum());
}

/** The claims of a pair that agree with one of them, itself included. */
function* agreeingClaims(claim: Claim, pair: Pair, groupOf: Weighed['groupOf']): Iterable<Claim> {
  const bucket = pair.buckets.find((candidate) => candidate.scope === claim.scope)!;
  for (const group of bucket.groups)
    if (relation(groupOf[claim.index]!, group) === AGREE) yield* group.claims;
}

/** Actors, and classes of actors, of the claims with weight that agree with the leading one. */
function countSources(leading: Claim, pair: Pair, { weighings, groupOf, classes }: Weighed) {
  const actors = new Set<number>();
  const voices = new Set<number>();
  for (const claim of agreeingClaims(leading, pair, groupOf)) {
    if (weighings[claim.index]!.weight <= 0) continue;
    actors.add(claim.actor.index);
    voices.add(classes.of(claim.actor));
  }
  return { sources: actors.size, independentSources: voices.size };
}

/** An opinion in the words of the contract. */
export function summarize(opinion: Opinion): OpinionSummary {
  return {
    support: opinion.belief,
    opposition: opinion.disbelief,
    uncertainty: opinion.uncertainty,
    base_rate: opinion.baseRate,
  };
}
