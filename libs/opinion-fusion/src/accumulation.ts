import { ACCUMULATION_WORK_MAX } from './constants.ts';
import { keepInferences } from './inference.ts';
import { buildModelOf } from './model.ts';
import type { Claim, Distinction } from './model.ts';
import { expectedProbability } from './opinion.ts';
import { quote } from './quote.ts';
import { AGREE, relation } from './statements.ts';
import type {
  AccumulativeAnalysis,
  ClaimInput,
  ConditionalConclusion,
  EvidenceInput,
  InferenceInput,
  InvestigationInput,
} from './types.ts';
import { judgePair, summarise } from './verdict.ts';
import { Warnings } from './warnings.ts';
import { weighClaims } from './weighing.ts';
import type { Weighed } from './weighing.ts';

/**
 * What follows under the condition of either side of each distinction over one subject and predicate; null where none does.
 * The favoured argument leads, and the verdict is computed as if the other argument, the claims that agree with it but not with
 * the favoured one, and the sources of support edges to it were not in the input. Which sources depend on which stays as found:
 * a condition does not change who copies whom. Source: rule 10; reasoning model §8. Never throws.
 */
export function accumulate(weighed: Weighed, warnings: Warnings): AccumulativeAnalysis | null {
  const conclusions: ConditionalConclusion[] = [];
  const distinctions = weighed.model.distinctions.filter(
    ({ a, b }) => a.subject !== null && a.subject === b.subject && a.predicate === b.predicate,
  );
  if (distinctions.length === 0) return null;
  const parts = new InvestigationParts(weighed);
  for (const distinction of distinctions) {
    if (parts.claimsTaken > ACCUMULATION_WORK_MAX) {
      warnings.add(
        'distinction_dropped',
        distinction.id,
        `Distinction ${quote(distinction.id)} was dropped: the distinctions before it used up the work that one analysis may cost.`,
      );
      continue;
    }
    conclusions.push(...conclude(distinction, weighed, parts));
  }
  return { conditional_conclusions: conclusions };
}

function conclude(
  { id, a, b, conditionA, conditionB }: Distinction,
  weighed: Weighed,
  parts: InvestigationParts,
) {
  return [favour(id, conditionA, a, b, weighed, parts), favour(id, conditionB, b, a, weighed, parts)];
}

function favour(
  distinctionId: string,
  condition: string,
  favoured: Claim,
  other: Claim,
  weighed: Weighed,
  parts: InvestigationParts,
): ConditionalConclusion {
  const input = parts.without(favoured, claimsBehind(other, favoured, weighed));
  const silent = new Warnings();
  const model = buildModelOf(input, weighed.model, silent);
  const part = weighClaims(model, () => weighed.classes, silent);
  const inferences = keepInferences(part, silent);
  const leading = model.claimById.get(favoured.id)!;
  const pair = part.pairs.find((candidate) => candidate.claims.includes(leading))!;
  const { opinion } = judgePair(pair, leading, inferences, part);
  return {
    distinction_id: distinctionId,
    condition,
    favored_claim_id: favoured.id,
    expected_probability: expectedProbability(opinion),
    opinion: summarise(opinion),
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

/** Cuts out of an investigation what the verdict of one pair can depend on. */
class InvestigationParts {
  /** Claims cut out so far: the work done. */
  claimsTaken = 0;
  readonly #weighed: Weighed;
  /** As given, dropped duplicates included, by the claim kept. */
  readonly #inputs = new Map<Claim, ClaimInput[]>();
  readonly #evidence = new Map<string, EvidenceInput[]>();
  readonly #inferences = new Map<string, InferenceInput[]>();
  readonly #byPair = new Map<string, Claim[]>();
  /** Claims that name each other for supersession, either way. */
  readonly #succession = new Map<Claim, Claim[]>();

  constructor(weighed: Weighed) {
    this.#weighed = weighed;
    const { model } = weighed;
    for (const input of model.input.claims) {
      const claim = model.claimById.get(input.id);
      if (!claim) continue;
      push(this.#inputs, claim, input);
      const listed = (input.relationships ?? []).filter((tie) => tie.relationship_type === 'supersedes');
      for (const id of [input.supersedes_claim_id, ...listed.map((tie) => tie.target_claim_id)]) {
        const target = id ? model.claimById.get(id) : undefined;
        if (!target) continue;
        push(this.#succession, claim, target);
        push(this.#succession, target, claim);
      }
    }
    for (const item of model.input.evidence ?? []) push(this.#evidence, item.claim_id, item);
    for (const inference of model.inferences)
      push(this.#inferences, pairKey(inference.subject_id, inference.predicate), inference);
    for (const pair of weighed.pairs) this.#byPair.set(pairKey(pair.subject.id, pair.predicate), pair.claims);
  }

  /** The input that decides the pair of `leading`, without some claims and what hangs on them. */
  without(leading: Claim, left: ReadonlySet<Claim>): InvestigationInput {
    const { model } = this.#weighed;
    const inferences = this.#inferences.get(pairKey(leading.subject!.id, leading.predicate)) ?? [];
    const out = new Set(left);
    for (const claim of out) for (const meta of claim.metas) out.add(meta);
    const taken = new Set<Claim>();
    const take = (claim: Claim | undefined) => {
      for (let root = claim; root; root = root.target ?? undefined)
        if (root.subject)
          for (const one of this.#byPair.get(pairKey(root.subject.id, root.predicate))!) taken.add(one);
      if (claim) taken.add(claim);
    };
    take(leading);
    for (const { premise_claim_ids: ids } of inferences) for (const id of ids) take(model.claimById.get(id));
    for (const claim of taken) {
      for (const meta of claim.metas) taken.add(meta);
      if (claim.target) taken.add(claim.target);
      for (const other of this.#succession.get(claim) ?? []) taken.add(other);
    }
    this.claimsTaken += taken.size;
    const kept = [...taken].filter((claim) => !out.has(claim));
    const claims = kept.flatMap((claim) => this.#inputs.get(claim)!);
    const subjects = new Set(kept.flatMap((claim) => claim.subject ?? []));
    return {
      ...model.input,
      subjects: [...subjects],
      claims,
      evidence: claims.flatMap((claim) => this.#evidence.get(claim.id) ?? []),
      inferences,
      distinctions: model.input.distinctions ?? [],
    };
  }
}

function pairKey(subjectId: string, predicate: string): string {
  return JSON.stringify([subjectId, predicate]);
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
