/**
 * The whole reasoning model once more, from its text alone, as small and as slow as it pleases: what the
 * engine is held to. Wording (suggestion, description, recommendation, warnings) is left out; `dues` counts
 * the warnings that are due. Dependence is as declared by depends_on.
 */

import {
  agree,
  byId,
  castOf,
  contradict,
  due,
  round12,
  saysAgree,
  statement,
  without,
} from './reference-claims.fixture.ts';
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
import { asNumber, instant, toDouble, valuesSame } from './reference-values.fixture.ts';
import { fusedCrowds, opinionOf, weigh } from './reference-weights.fixture.ts';
import type { Contribution, Opinion, Scales } from './reference-weights.fixture.ts';
import type { InvestigationInput } from '../contract/types.ts';

const THETA = 0.2;

type Pair = readonly [subject: string, predicate: string];

const reaches = (x: number, threshold: number) => round12(x) >= threshold;

const isContested = ({ b, d }: Opinion) =>
  (reaches(b, THETA) && reaches(d, THETA)) ||
  (reaches(b + d, THETA) && round12(Math.min(b, d)) >= round12(Math.max(b, d) / 2));

export function truthStatus({ b, d }: Opinion): string {
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

/** The claims that may lead, best first. */
function candidates(scales: Scales, [subject, predicate]: Pair): ReferenceClaim[] {
  const heard = scales.claims.filter(
    (claim) =>
      claim.subject === subject &&
      claim.predicate === predicate &&
      scales.g(claim) > 0 &&
      !scales.isBarred(claim),
  );
  const affirming = heard.filter((claim) => statement(claim).affirms);
  return (affirming.length > 0 ? affirming : heard).toSorted((a, b) => {
    const [x, y] = [scales.opinion(a), scales.opinion(b)];
    return byNumbers(y.r, x.r) || byNumbers(y.p, x.p) || byId(a.id, b.id);
  });
}

const leader = (scales: Scales, pair: Pair) => candidates(scales, pair)[0] ?? null;

/** The verdict led by a claim: swapped when it denies or says false; then the inferences. */
function verdict(scales: Scales, [subject, predicate]: Pair, led: ReferenceClaim | null): Opinion {
  const inferred = scales.inferred(subject, predicate);
  if (!led) return opinionOf(inferred, 0);
  const { r, s } = scales.opinion(led);
  const { says, affirms } = statement(led);
  const isSwapped = !affirms || (says.form === 'boolean' && !says.truth);
  return isSwapped ? opinionOf(s + inferred, r) : opinionOf(r + inferred, s);
}

function subjectResult(scales: Scales, pair: Pair) {
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
    ...sourcesOf(scales, led),
    ...rivalry(scales, pair, led, opinion),
    numeric_estimate: scales.input.numeric === 'estimate' ? numericEstimate(scales, pair, led) : undefined,
  };
}

/**
 * Section 11: the weighted median of the numbers beside the leading one, each class sharing its strongest
 * voice.
 */
function numericEstimate(scales: Scales, [subject, predicate]: Pair, led: ReferenceClaim | null) {
  if (!led) return undefined;
  const isAt = (claim: ReferenceClaim) =>
    claim.start < led.end && led.start < claim.end && claim.scope === led.scope;
  const weight = (claim: ReferenceClaim) => scales.fromVoice(claim, scales.kappa(claim)).amount;
  const stated = scales.claims
    .filter((claim) => claim.subject === subject && claim.predicate === predicate && isAt(claim))
    .filter((claim) => statement(claim).affirms && weight(claim) > 0)
    .flatMap((claim) => {
      const number = asNumber(statement(claim).says);
      return number.form === 'number'
        ? [{ claim, unit: number.unit, amount: toDouble(number.amount), weight: weight(claim) }]
        : [];
    });
  const unitWeights = new Map<string, number>();
  for (const { claim, unit, weight: own } of stated)
    if (statement(claim).says.form === 'number') unitWeights.set(unit, (unitWeights.get(unit) ?? 0) + own);
  const [heaviest] = [...unitWeights].toSorted((x, y) => byNumbers(y[1], x[1]) || byId(x[0], y[0]));
  const leading = asNumber(statement(led).says);
  const unit = leading.form === 'number' && unitWeights.has(leading.unit) ? leading.unit : heaviest?.[0];
  const heard = stated.filter((one) => one.unit === unit).toSorted((x, y) => x.amount - y.amount);
  if (heard.length === 0) return undefined;
  const classes = [...new Set(heard.map(({ claim }) => scales.classOf(claim.actor.id)))].map((name) => {
    const own = heard.filter(({ claim }) => scales.classOf(claim.actor.id) === name);
    const isKnown = own.some(({ claim }) => scales.fromVoice(claim).isIdentified);
    return { own, isKnown, strongest: Math.max(...own.map((one) => one.weight)) };
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const crowd = classes.filter(({ isKnown }) => !isKnown).map(({ strongest }) => strongest);
  const crowdLeft = sum(crowd.toSorted((x, y) => y - x).map((amount, i) => amount * 0.9 ** i)) / sum(crowd);
  const weights = classes.map(({ strongest, isKnown }) => strongest * (isKnown ? 1 : crowdLeft));
  const share = (one: (typeof heard)[number]) => {
    const index = classes.findIndex(({ own }) => own.includes(one));
    const within = one.weight / sum(classes[index]!.own.map(({ weight: each }) => each));
    return (within * weights[index]!) / sum(weights);
  };
  const n = sum(weights) ** 2 / sum(weights.map((each) => each ** 2));
  const k = rankOfInterval(Math.floor(round12(n)));
  const end = k / Math.floor(round12(n));
  const upTo = (amount: number) => sum(heard.filter((one) => one.amount <= amount).map(share));
  const amounts = heard.map(({ amount }) => amount);
  const first = (holds: (share: number) => boolean) =>
    amounts.find((amount) => holds(upTo(amount))) ?? amounts.at(-1)!;
  const [below, above] = [first((x) => reaches(x, 0.5)), first((x) => round12(x - 0.5) > 0)];
  const isFew = k === 0;
  return {
    median: below === above ? below : below / 2 + above / 2,
    low: isFew ? amounts[0] : first((x) => round12(x - end) >= 0),
    high: isFew ? amounts.at(-1) : first((x) => round12(x - 1 + end) > 0),
    unit,
    claims: heard.length,
    few_sources: isFew || undefined,
  };
}

/** The largest k with at most 5 % of all 2^n outcomes of n throws showing fewer than k heads. */
function rankOfInterval(n: number): number {
  let row = [1n];
  for (let i = 0; i < n; i += 1) row = [1n, ...row.slice(1).map((x, j) => x + row[j]!), 1n];
  const fewer = (k: number) => row.slice(0, k).reduce((total, ways) => total + ways, 0n);
  return row.findLastIndex((_, k) => 20n * fewer(k) <= 2n ** BigInt(n));
}

function sourcesOf(scales: Scales, led: ReferenceClaim | null) {
  const behind = scales.claims.filter(
    (claim) => led && scales.g(claim) > 0 && (claim === led || agree(claim, led)),
  );
  return {
    source_count: new Set(behind.map(({ actor }) => actor.id)).size,
    independent_source_count: new Set(behind.map(({ actor }) => scales.classOf(actor.id))).size,
  };
}

/** Section 11: the rivals, whether they are tied, and the chance that the leading value is right. */
function rivalry(scales: Scales, pair: Pair, led: ReferenceClaim | null, opinion: Opinion) {
  const inferred = 1.213 * scales.inferred(...pair);
  if (!led)
    return { calibrated_probability: 1 / (1 + Math.exp(-inferred)), rival_values: [], tied: undefined };
  const best: ReferenceClaim[] = [];
  for (const claim of [led, ...candidates(scales, pair)])
    if (best.length < 8 && !best.some((other) => saysAgree(claim, other))) best.push(claim);
  const chance = chances(scales, pair, best);
  const rivals = best.map((claim) => {
    const { says, affirms } = statement(claim);
    const { r, s } = scales.opinion(claim);
    return {
      value: says.form === 'boolean' ? String(says.truth) : claim.input.value,
      expected_probability: (affirms ? opinionOf(r, s) : opinionOf(s, r)).p,
      calibrated_probability: affirms ? chance(claim, 0) : 1 - chance(claim, 0),
      ...sourcesOf(scales, claim),
    };
  });
  const [first, second] = best.map((claim) => scales.opinion(claim).r);
  const tied = second !== undefined && Math.abs(first! - second) < 1e-9 ? true : undefined;
  const { says, affirms } = statement(led);
  const saysFalse = says.form === 'boolean' && !says.truth;
  const third = best.filter(
    (claim) => saysFalse && statement(claim).says.form !== 'boolean' && contradict(claim, led),
  );
  const denied = third.reduce((left, claim) => left - chance(claim, 0), 1 - chance(led, -inferred));
  const calibrated_probability = affirms && !saysFalse ? chance(led, inferred) : Math.max(0, denied);
  if (!saysFalse) return { calibrated_probability, rival_values: rivals, tied };
  const forTrue = rivals.find(({ value }) => value === 'true');
  const leading = {
    source_count: 0,
    independent_source_count: 0,
    ...forTrue,
    value: 'true',
    expected_probability: opinion.p,
    calibrated_probability,
  };
  return {
    calibrated_probability,
    rival_values: [leading, ...rivals.filter((rival) => rival !== forTrue)],
    tied,
  };
}

/**
 * The posterior over the rivals of one scope: log odds of voices, divided by 1 + 0.05 (n − 1) for n classes
 * heard, both with the discount of crowds.
 */
function chances(scales: Scales, [subject, predicate]: Pair, best: readonly ReferenceClaim[]) {
  const onPair = scales.claims.filter((claim) => claim.subject === subject && claim.predicate === predicate);
  const same = (a: ReferenceClaim, b: ReferenceClaim) =>
    statement(a).affirms === statement(b).affirms &&
    valuesSame(statement(a).says, statement(b).says) &&
    a.scope === b.scope &&
    a.start === b.start &&
    a.end === b.end;
  const logOddsIn = (contributions: readonly Contribution[]) =>
    1.213 *
    fusedCrowds(
      contributions.map((one) => ({
        ...one,
        amount: Math.min(one.amount, 1 + Math.log(Math.max(one.amount, 1))),
      })),
    );
  const isNamed = (claim: ReferenceClaim) => best.some((other) => same(claim, other));
  const logOdds = (claim: ReferenceClaim) => {
    const among = isNamed(claim) ? onPair : onPair.filter((other) => same(claim, other));
    const heard = among.filter((other) => !scales.isMute(other));
    const agreeing = heard.filter((other) => same(other, claim) || agree(other, claim));
    const denying = heard.filter(
      (other) => statement(other).affirms !== statement(claim).affirms && contradict(other, claim),
    );
    const pro = agreeing.flatMap((other) => [
      scales.fromVoice(other),
      ...scales.fromMetas(other, 'supports'),
    ]);
    const contra = [
      ...agreeing.flatMap((other) => [
        ...scales.fromRefutingItems(other),
        ...scales.fromMetas(other, 'refutes'),
      ]),
      ...denying.map((other) => scales.fromVoice(other)),
    ];
    return logOddsIn(pro) - logOddsIn(contra);
  };
  return (claim: ReferenceClaim, more: number) => {
    const inScope = onPair.filter((other) => other.scope === claim.scope && scales.g(other) > 0);
    const heard = fusedCrowds(
      inScope.map((other) => ({
        ...scales.fromVoice(other),
        amount: scales.g(other) / scales.reliability(other),
      })),
    );
    const effect = 1 + 0.05 * Math.max(0, heard - 1);
    const own = (logOdds(claim) + more) / effect;
    const rivals = inScope.filter(
      (other, index) =>
        statement(other).affirms &&
        contradict(other, claim) &&
        !inScope.slice(0, index).some((earlier) => same(earlier, other)) &&
        (isNamed(other) || !best.some((named) => agree(named, other))),
    );
    const others = rivals.reduce((sum, other) => sum + Math.exp(logOdds(other) / effect - own), 0);
    const isYesOrNo = [claim, ...rivals].every((one) => statement(one).says.form === 'boolean');
    const unsaid = isYesOrNo && rivals.length > 0 ? 0 : Math.exp(-own);
    return 1 / (1 + others + unsaid);
  };
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

export function reference(input: InvestigationInput, now: Date): Reference {
  const scales = weigh(castOf(input, now));
  const pairs = pairsOf(scales);
  const frameworks = pairs.map((pair) => frameworkOf(scales, ...pair));
  const verdicts = pairs.map((pair) => subjectResult(scales, pair));
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
