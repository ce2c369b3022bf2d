/**
 * The whole reasoning model once more, from its text alone, as small and as slow as it pleases: what the
 * engine is held to. Wording (suggestion, description, recommendation, warnings) is left out; `dues` counts
 * the warnings that are due. Dependence is as declared by depends_on.
 */

import { agree, byId, castOf, due, round12, without } from './reference-claims.fixture.ts';
import type { Dues, ReferenceClaim } from './reference-claims.fixture.ts';
import {
  byIds,
  byNumbers,
  causalChains,
  frameworkOf,
  supportsAmong,
  argumentsOf,
} from './reference-frameworks.fixture.ts';
import type { ReferenceFramework } from './reference-frameworks.fixture.ts';
import { instant } from './reference-values.fixture.ts';
import { opinionOf, weigh } from './reference-weights.fixture.ts';
import type { Opinion, Scales } from './reference-weights.fixture.ts';
import {
  ageDecides,
  answerWithin,
  leader,
  verdict,
  numericEstimate,
  sourcesOf,
  deniedAs,
  denials,
  rivalry,
  reaches,
  unlisted,
} from './reference-verdicts.fixture.ts';
import type { Pair } from './reference-verdicts.fixture.ts';
import type { InvestigationInput, TruthStatus } from '../contract/types.ts';

const THETA = 0.2;

const isContested = ({ b, d }: Opinion) =>
  (reaches(b, THETA) && reaches(d, THETA)) ||
  (reaches(b + d, THETA) && round12(Math.min(b, d)) >= round12(Math.max(b, d) / 2));

function truthStatus({ b, d }: Opinion): TruthStatus {
  if (isContested({ b, d } as Opinion)) return 'Both';
  return reaches(b, THETA) ? 'True' : reaches(d, THETA) ? 'False' : 'Neither';
}

function category({ b, d }: Opinion): string {
  if (isContested({ b, d } as Opinion)) return 'contested';
  if (reaches(d - b, 0.2)) return 'refuted';
  return reaches(b - d, 0.5) ? 'strong' : reaches(b - d, 0.2) ? 'moderate' : 'weak';
}

const summaryOf = ({ b, d, u }: Opinion) => ({ support: b, opposition: d, uncertainty: u, base_rate: 0.5 });

/** Every (subject, predicate) of a kept claim or inference, sorted. */
function pairsOf(scales: Scales): Pair[] {
  const pairs = [
    ...scales.claims.filter(({ subject }) => subject !== null).map((c) => [c.subject!, c.predicate]),
    ...scales.inferences.map((inference) => [inference.subject_id, inference.predicate]),
  ];
  const distinct = new Map(pairs.map((pair) => [JSON.stringify(pair), pair as unknown as Pair]));
  return [...distinct.values()].toSorted(byIds);
}

function subjectResult(scales: Scales, unaged: Scales, pair: Pair) {
  const led = leader(scales, pair);
  const opinion = verdict(scales, pair, led);
  return {
    subject_id: pair[0],
    subject_name: scales.input.subjects.find(({ id }) => id === pair[0])!.name,
    predicate: pair[1],
    truth_status: truthStatus(opinion),
    confidence: summaryOf(opinion),
    expected_probability: opinion.p,
    leading_value: led && (led.value.form === 'boolean' ? 'true' : led.input.value),
    no_value_counts: isWithoutValue(scales, pair) && led === null ? (true as const) : undefined,
    ...sourcesOf(scales, led),
    ...rivalry(scales, pair, led, opinion),
    ...unlisted(scales, pair, led, opinion),
    denials: denials(scales, pair, led),
    age_decides: ageDecides(scales, unaged, pair, { led, opinion }, truthStatus),
    numeric_estimate: scales.input.numeric === 'estimate' ? numericEstimate(scales, pair, led) : undefined,
  };
}

/** Whether no inference and no claim of a pair says yes or no. */
function isWithoutValue({ claims, inferences }: Scales, [subject, predicate]: Pair): boolean {
  const own = claims.filter((claim) => claim.subject === subject && claim.predicate === predicate);
  return (
    own.every(({ value }) => value.form !== 'boolean') &&
    !inferences.some((one) => one.subject_id === subject && one.predicate === predicate)
  );
}

function claimAnalysis(scales: Scales, claim: ReferenceClaim) {
  const opinion = scales.opinion(claim);
  const ageing = scales.ageing(claim);
  const isMute = scales.isMute(claim);
  const heard = scales.claims.filter((other) => other !== claim && scales.lends(other));
  const count = (own: number, valence: string, others: (other: ReferenceClaim) => boolean) =>
    isMute
      ? 0
      : own +
        scales.items(claim, valence).length +
        scales.metas(claim, valence).length +
        heard.filter(others).length;
  const suggested = suggestion(claim, opinion, ageing.independent);
  return {
    claim_id: claim.id,
    predicate: claim.predicate,
    value: claim.input.value,
    actor_id: claim.actor.id,
    truth_status: truthStatus(opinion),
    expected_probability: opinion.p,
    support: opinion.b,
    opposition: opinion.d,
    uncertainty: opinion.u,
    temporal_decay_factor: ageing.decay,
    effective_half_life_days: ageing.halfLife,
    freshness_score: ageing.freshness,
    supporting_count: count(1, 'supports', (other) => other.actor !== claim.actor && agree(claim, other)),
    refuting_count: count(0, 'refutes', (other) => scales.conflict(claim, other)),
    neutral_count: count(0, 'neutral', () => false),
    epistemic_status: claim.status,
    assertion_time: claim.input.assertion_time ?? undefined,
    last_corroborated: ageing.last ?? undefined,
    decay_origin: ageing.origin === null ? null : new Date(ageing.origin).toISOString(),
    corroboration_count: ageing.count,
    below_credibility_floor: scales.isBelowFloor(claim) || undefined,
    denied_as: deniedAs(scales, claim),
    suggested_epistemic_status: suggested === claim.status ? undefined : suggested,
  };
}

function suggestion({ status }: ReferenceClaim, { p, d }: Opinion, independent: number): string {
  if (status === 'conjecture' && (independent >= 1 || reaches(p, 0.6))) return 'hypothesis';
  if (status === 'hypothesis' && independent >= 3 && reaches(p, 0.8)) return 'theory';
  if (status === 'theory' && reaches(d, 0.3)) return 'hypothesis';
  return status;
}

function rankedClaims(scales: Scales) {
  return scales.claims
    .map((claim) => ({ claim, opinion: scales.opinion(claim) }))
    .toSorted((x, y) => byNumbers(y.opinion.b - y.opinion.d, x.opinion.b - x.opinion.d))
    .map(({ claim, opinion }, index) => ({
      rank: index + 1,
      claim_id: claim.id,
      actor_id: claim.actor.id,
      subject_id: claim.subject,
      predicate: claim.predicate,
      value: claim.input.value,
      category: category(opinion),
      expected_probability: opinion.p,
      belief: opinion.b,
      disbelief: opinion.d,
      uncertainty: opinion.u,
    }));
}

const disputeOf = (r: number, s: number) => (r + s === 0 ? 0 : (2 * Math.min(r, s)) / (r + s));

function argumentation(scales: Scales, [subject_id, predicate]: Pair, framework: ReferenceFramework) {
  const listed = framework.interpretations.slice(0, 64);
  const { acceptedByAll } = framework;
  const { r, s } = verdict(scales, [subject_id, predicate], leader(scales, [subject_id, predicate]));
  return {
    subject_id,
    predicate,
    accepted_claims: acceptedByAll,
    alternative_interpretations: listed.map(({ members }) => members.map(({ id }) => id)),
    dispute_level: disputeOf(r, s),
    causal_chains: causalChains(scales, framework, subject_id, predicate),
    is_exact: true,
    interpretations: listed.map(({ members, coherence }, index) => ({
      label: `Interpretation ${index + 1}`,
      coherence_score: coherence,
      accepted_claims: members.map((claim) => {
        const opinion = scales.opinion(claim);
        return {
          claim_id: claim.id,
          actor_id: claim.actor.id,
          actor_name: claim.actor.name,
          predicate: claim.predicate,
          value: claim.input.value,
          content: claim.input.content,
          truth_status: truthStatus(opinion),
          belief: opinion.b,
          disbelief: opinion.d,
          uncertainty: opinion.u,
          expected_probability: opinion.p,
        };
      }),
      attacks: framework.attacks
        .filter(([a, b]) => members.includes(a) && !members.includes(b))
        .map(([a, b]) => ({ attacker_claim_id: a.id, target_claim_id: b.id })),
      supports: framework.supports
        .filter(({ from, to }) => members.includes(from) && members.includes(to))
        .toSorted((x, y) => byId(x.from.id, y.from.id) || byId(x.to.id, y.to.id))
        .map(({ from, to, condition }) => ({
          supporter_claim_id: from.id,
          supported_claim_id: to.id,
          condition,
        })),
    })),
  };
}

function evidenceGap(scales: Scales, pair: Pair, framework: ReferenceFramework) {
  const now = verdict(scales, pair, leader(scales, pair));
  const { r, s, p } = now;
  const discriminating = framework.acceptedBySome.filter((id) => !framework.acceptedByAll.includes(id));
  return {
    subject_id: pair[0],
    predicate: pair[1],
    uncertainty: now.u,
    expected_probability: p,
    potential_shift: Math.max(Math.abs(opinionOf(r + 1, s).p - p), Math.abs(opinionOf(r, s + 1).p - p)),
    is_contested: truthStatus(now) === 'Both',
    discriminating_claims: discriminating.length > 0 ? discriminating : undefined,
  };
}

function temporalAnalysis(scales: Scales) {
  const { claims, supersessions } = scales;
  const isUsed =
    supersessions.length > 0 ||
    claims.some(({ input }) => input.epistemic_status || (input.corroboration_events ?? []).length > 0);
  if (!isUsed) return undefined;
  const aged = claims.map((claim) => ({ claim, ...scales.ageing(claim) }));
  const chains: string[][] = [];
  const walk = (path: readonly string[]) => {
    const newer = supersessions.filter(([, older]) => older === path.at(-1));
    if (newer.length === 0) chains.push([...path]);
    for (const [next] of newer) walk([...path, next]);
  };
  const oldest = new Set(supersessions.map(([, older]) => older));
  for (const [source] of supersessions) oldest.delete(source);
  for (const id of oldest) walk([id]);
  return {
    stale_claims: aged
      .filter(({ decay }) => !reaches(decay, 0.25))
      .toSorted((x, y) => byNumbers(x.decay, y.decay))
      .map(({ claim, ageDays, decay }) => ({ claim_id: claim.id, age_days: ageDays, decay_factor: decay })),
    recently_corroborated: aged
      .filter(({ last }) => last !== null)
      .toSorted((x, y) => instant(y.last!) - instant(x.last!))
      .map(({ claim, count, last, freshness }) => ({
        claim_id: claim.id,
        corroboration_count: count,
        last_corroborated: last,
        freshness_score: freshness,
      })),
    supersession_chains: chains
      .toSorted(byIds)
      .map((ids) => ({ claim_ids: ids, current_claim_id: ids.at(-1) })),
    overall_freshness: aged.reduce((sum, { freshness }) => sum + freshness, 0) / Math.max(aged.length, 1),
  };
}

/**
 * Each conclusion of a distinction: what opposes it really taken out of the input, and the rest judged anew.
 */
function accumulativeAnalysis(scales: Scales, now: Date) {
  const conclude = (id: string, condition: string, favoured: ReferenceClaim, other: ReferenceClaim) => {
    const nodes = argumentsOf(scales, other.subject!, other.predicate);
    const gone = new Set([other.id]);
    for (const claim of scales.claims)
      if (agree(claim, other) && !agree(claim, favoured) && claim !== favoured) gone.add(claim.id);
    for (const { from, to, isAgreement } of supportsAmong(scales, nodes))
      if (to === other && !isAgreement && from !== favoured) gone.add(from.id);
    const rest = weigh(castOf(without(scales.input, gone), now));
    const pair: Pair = [favoured.subject!, favoured.predicate];
    const opinion = verdict(rest, pair, rest.byName.get(favoured.id)!);
    return {
      distinction_id: id,
      condition,
      favored_claim_id: favoured.id,
      expected_probability: opinion.p,
      calibrated_probability: rivalry(rest, pair, rest.byName.get(favoured.id)!, opinion)
        .calibrated_probability,
      opinion: summaryOf(opinion),
    };
  };
  const conclusions = scales.distinctions
    .toSorted((x, y) => byId(x.id, y.id))
    .flatMap((distinction) => {
      const [a, b] = [distinction.argument_a, distinction.argument_b].map((id) => scales.byName.get(id)!);
      if (a!.subject === null || a!.subject !== b!.subject || a!.predicate !== b!.predicate) return [];
      if (scales.isMute(a!) || scales.isMute(b!)) return [];
      return [
        conclude(distinction.id, distinction.condition_a, a!, b!),
        conclude(distinction.id, distinction.condition_b, b!, a!),
      ];
    });
  return conclusions.length === 0 ? undefined : { conditional_conclusions: conclusions };
}

export interface Reference {
  readonly full: unknown;
  readonly summary: unknown;
  /** How many warnings are due, by a word for their kind. */
  readonly dues: Readonly<Record<string, number>>;
}

/**
 * What an input and the rest of it say about the question that a claim leads, in its scope and time alone;
 * about the whole question where none leads.
 */
export function referenceAnswer(
  input: InvestigationInput,
  rest: InvestigationInput,
  now: Date,
  of: { readonly subject_id: string; readonly predicate: string; readonly leading_claim_id: string | null },
) {
  const [all, left] = [weigh(castOf(input, now)), weigh(castOf(rest, now))];
  const place = of.leading_claim_id === null ? null : all.byName.get(of.leading_claim_id)!;
  const [whole, remaining] = [all, left].map((scales) =>
    answerWithin(scales, [of.subject_id, of.predicate], place, truthStatus),
  );
  return { whole: whole!, remaining: remaining! };
}

export function reference(input: InvestigationInput, now: Date): Reference {
  const scales = weigh(castOf(input, now));
  const unaged = weigh(castOf(input, now), true);
  const pairs = pairsOf(scales);
  const frameworks = pairs.map((pair) => frameworkOf(scales, ...pair));
  const verdicts = pairs.map((pair) => subjectResult(scales, unaged, pair));
  const ranked = rankedClaims(scales);
  const gaps = pairs
    .map((pair, index) => evidenceGap(scales, pair, frameworks[index]!))
    .toSorted((x, y) => byNumbers(y.potential_shift, x.potential_shift));
  frameworks.forEach(({ interpretations }, index) => {
    if (interpretations.length > 64) due(scales.dues, 'interpretations not listed', ...pairs[index]!);
  });
  const farFromEven = ({ expected_probability: p }: { expected_probability: number }) => Math.abs(p - 0.5);
  const shared = {
    research_question: input.research_question,
    decay_half_life_days: scales.halfLifeDays,
    evaluated_at: now.toISOString(),
  };
  return {
    full: {
      ...shared,
      subject_results: verdicts,
      conflict_analysis: pairs.map((pair, index) => argumentation(scales, pair, frameworks[index]!)),
      claim_analyses: scales.claims.map((claim) => claimAnalysis(scales, claim)),
      ranked_claims: ranked,
      sensitivity_analysis: { evidence_gaps: gaps },
      temporal_analysis: temporalAnalysis(scales),
      accumulative_analysis: accumulativeAnalysis(scales, now),
      source_dependence: undefined,
    },
    summary: {
      ...shared,
      summary_mode: true,
      top_findings: verdicts.toSorted((x, y) => byNumbers(farFromEven(y), farFromEven(x))).slice(0, 5),
      top_contested_claims: pairs
        .map((pair) => ({ pair, verdict: verdict(scales, pair, leader(scales, pair)) }))
        .map(({ pair, verdict: { r, s } }) => ({ pair, level: disputeOf(r, s) }))
        .filter(({ level }) => round12(level) > 0)
        .toSorted((x, y) => byNumbers(y.level, x.level))
        .flatMap(({ pair: [subject, predicate] }) =>
          ranked.filter(({ claim_id }) => {
            const claim = scales.byName.get(claim_id)!;
            return claim.subject === subject && claim.predicate === predicate && scales.g(claim) > 0;
          }),
        )
        .slice(0, 5)
        .toSorted((x, y) => x.rank - y.rank),
      top_evidence_gaps: gaps.slice(0, 5),
    },
    dues: counted(scales.dues),
  };
}

function counted(dues: Dues): Record<string, number> {
  const kinds = [...dues].map((entry) => entry.split('\n')[0]!);
  return Object.fromEntries(kinds.map((kind) => [kind, kinds.filter((other) => other === kind).length]));
}
