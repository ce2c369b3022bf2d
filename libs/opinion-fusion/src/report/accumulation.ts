import { ACCUMULATION_WORK_MAX } from '../contract/constants.ts';
import { keepInferences } from '../verdict/inference.ts';
import { InvestigationParts, withMetas } from '../verdict/investigation-parts.ts';
import { buildModelOf } from '../model/build-model.ts';
import type { Claim, Distinction } from '../model/model.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { quote } from '../contract/quote.ts';
import { AGREE, relation } from '../model/statements.ts';
import type { AccumulativeAnalysis, ConditionalConclusion } from '../contract/types.ts';
import { judgePair, summarize } from '../verdict/verdict.ts';
import { rivalryOf } from '../verdict/rivals.ts';
import { Warnings } from '../contract/warnings.ts';
import { weighClaims } from '../weighing/weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * What follows under the condition of either side of each distinction over one subject and predicate; null
 * where none does. The favoured argument leads, and the verdict is computed as if the other argument, the
 * claims that agree with it but not with the favoured one, and the sources of support edges to it were not in
 * the input. Which sources depend on which stays as found: a condition does not change who copies whom. A
 * distinction with a claim that counts for nothing is dropped with a warning.
 * Source: rule 10; reasoning model §8. Never throws.
 */
export function accumulate(weighed: Weighed, warnings: Warnings): AccumulativeAnalysis | null {
  const conclusions: ConditionalConclusion[] = [];
  const distinctions = weighed.model.distinctions.filter(
    ({ a, b }) => a.subject !== null && a.subject === b.subject && a.predicate === b.predicate,
  );
  if (distinctions.length === 0) return null;
  const drop = ({ id }: Distinction, why: string) =>
    warnings.add('distinction_dropped', id, `Distinction ${quote(id)} was dropped: ${why}.`);
  const parts = new InvestigationParts(weighed);
  /** By the two claims: many distinctions may tell the same two apart. */
  const known = new Map<string, readonly Favoured[]>();
  let workTaken = 0;
  for (const distinction of distinctions) {
    const { a, b } = distinction;
    const mute = [a, b].find((claim) => weighed.weighings[claim.index]!.silent);
    if (mute) {
      drop(distinction, `claim ${quote(mute.id)} ${whyMute(mute, weighed)}`);
      continue;
    }
    const key = `${a.index} ${b.index}`;
    let favoured = known.get(key);
    if (!favoured && workTaken > ACCUMULATION_WORK_MAX) {
      drop(distinction, 'the distinctions before it used up the work that one analysis may cost');
      continue;
    }
    if (!favoured) {
      const deciding = parts.deciding({ subject: a.subject!, predicate: a.predicate });
      workTaken += 2 * (deciding.size + parts.toldApart(deciding));
      favoured = [favour(a, b, weighed, parts, deciding), favour(b, a, weighed, parts, deciding)];
      known.set(key, favoured);
    }
    const conditions = [distinction.conditionA, distinction.conditionB];
    favoured.forEach((one, i) =>
      conclusions.push({ distinction_id: distinction.id, condition: conditions[i]!, ...one }),
    );
  }
  return conclusions.length === 0 ? null : { conditional_conclusions: conclusions };
}

/** Why a claim that is not retracted counts for nothing. */
function whyMute(claim: Claim, { weighings }: Weighed): string {
  if (weighings[claim.index]!.belowFloor) return 'is below the credibility floor';
  return claim.status === 'superseded'
    ? 'is corrected by its own source'
    : 'repeats a claim of another source that was withdrawn';
}

/** The fields of a conclusion besides the distinction it comes from. */
type Favoured = Omit<ConditionalConclusion, 'distinction_id' | 'condition'>;

function favour(
  favoured: Claim,
  other: Claim,
  weighed: Weighed,
  parts: InvestigationParts,
  deciding: ReadonlySet<Claim>,
): Favoured {
  const out = withMetas(claimsBehind(other, favoured, weighed));
  const kept = [...deciding].filter((claim) => !out.has(claim));
  const input = parts.inputOf(kept, { subject: favoured.subject!, predicate: favoured.predicate });
  const silent = new Warnings();
  const model = buildModelOf(input, weighed.model, silent);
  const part = weighClaims(
    model,
    () => weighed.classes,
    () => weighed.estimate,
    silent,
  );
  const inferences = keepInferences(part, silent);
  const leading = model.claimById.get(favoured.id)!;
  const pair = part.pairs.find((candidate) => candidate.claims.includes(leading))!;
  const verdict = judgePair(pair, leading, inferences, part);
  return {
    favored_claim_id: favoured.id,
    expected_probability: expectedProbability(verdict.opinion),
    calibrated_probability: rivalryOf(verdict, part).calibrated,
    opinion: summarize(verdict.opinion),
  };
}

/** The argument given up, the claims that stand with it alone, and the sources of support edges to it. */
function claimsBehind(other: Claim, favoured: Claim, weighed: Weighed): ReadonlySet<Claim> {
  const { weighings, groupOf, pairs } = weighed;
  const behind = new Set<Claim>([other]);
  const pair = pairs.find(
    (candidate) => candidate.subject === other.subject && candidate.predicate === other.predicate,
  )!;
  const agrees = (a: Claim, b: Claim) =>
    a.scope === b.scope && relation(groupOf[a.index]!, groupOf[b.index]!) === AGREE;
  for (const claim of pair.claims)
    if (claim !== favoured && agrees(claim, other) && !agrees(claim, favoured)) behind.add(claim);
  const hasWeight = (claim: Claim) => weighings[claim.index]!.weight > 0;
  if (!hasWeight(other)) return behind;
  // The arguments of the framework: meta-claims too may complement, refine or qualify.
  const nodes = pair.claims.filter(hasWeight);
  for (const claim of nodes) nodes.push(...claim.metas.filter(hasWeight));
  for (const claim of nodes) {
    if (claim === favoured) continue;
    const isSupport =
      (claim.target === other && claim.valence === 'Supports') ||
      claim.relationships.some(({ type, target }) => target === other && type !== 'challenges_methodology');
    if (isSupport) behind.add(claim);
  }
  return behind;
}
