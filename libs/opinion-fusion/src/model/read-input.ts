import {
  DEFAULT_COMPETENCE,
  DEPENDENT_REFRESH_FACTOR,
  DOMAIN_HALF_LIFE_DAYS,
  EVIDENCE_WEIGHT,
  FUTURE_DAYS_MAX,
  OWN_HALF_LIFE_DAYS_MAX,
  RELIABILITY_RANGE,
  SOURCES,
} from '../contract/constants.ts';
import { appended, NONE } from './lists.ts';
import type { Actor, Claim, Distinction, Model, Settings } from './model.ts';
import { quote } from '../contract/quote.ts';
import { recordBehind } from '../contract/reliability-record.ts';
import { clamp, roundForComparison, sortedById } from '../contract/rounding.ts';
import { DAY_MS, formatTime, parseTime } from '../contract/timestamp.ts';
import type {
  ActorInput,
  ClaimInput,
  EvidenceInput,
  InvestigationInput,
  SubjectInput,
} from '../contract/types.ts';
import type { Value } from './value.ts';
import type { ClaimType, Domain, EpistemicStatus, SourceType, Valence } from '../contract/vocabulary.ts';
import type { Warnings } from '../contract/warnings.ts';

export function readSettings(input: InvestigationInput, ranAt: number, warnings: Warnings): Settings {
  const asOf = input.as_of == null ? null : parseTime(input.as_of)!.ms;
  const domain = (input.domain ?? 'General') as Domain;
  let halfLifeDays = DOMAIN_HALF_LIFE_DAYS[domain];
  if (input.decay_half_life_days != null) {
    if (input.decay_half_life_days > 0) halfLifeDays = input.decay_half_life_days;
    else
      warnings.add(
        'half_life_ignored',
        '',
        `The investigation's decay_half_life_days of ${input.decay_half_life_days} is not positive; the ${halfLifeDays} days of ${domain} are used.`,
      );
  }
  return {
    domain,
    halfLifeDays,
    dependentRefreshFactor: clampWarned(
      input.dependent_refresh_factor ?? DEPENDENT_REFRESH_FACTOR,
      0,
      1,
      'dependent_refresh_factor',
      '',
      warnings,
    ),
    now: Math.min(asOf ?? Infinity, ranAt),
    ranAt,
    asOf,
    detectsCopying: input.dependence !== 'declared',
    estimatesReliability: input.reliability === 'estimated',
    estimatesNumbers: input.numeric === 'estimate',
  };
}

function clampWarned(
  x: number,
  low: number,
  high: number,
  what: string,
  id: string,
  warnings: Warnings,
): number {
  const clamped = clamp(x, low, high);
  if (clamped !== x) {
    const of = id === '' ? '' : ` of ${quote(id)}`;
    const isPercent = high <= 1 && x > 1 && x <= 100;
    const remedy = isPercent ? ` If ${x} % was meant, send ${x / 100}.` : '';
    warnings.add(
      'scalar_clamped',
      id,
      `The ${what}${of} is ${x}; it was moved to ${clamped}, the nearest of ${low} to ${high}.${remedy}`,
    );
  }
  return clamped;
}

export function readActor(input: ActorInput, index: number, warnings: Warnings): Actor {
  const type = input.source_type as SourceType;
  const plausible = SOURCES[type];
  const { low, high } = RELIABILITY_RANGE;
  const base =
    input.base_reliability == null
      ? plausible.base
      : clampWarned(input.base_reliability, low, high, 'base_reliability', input.id, warnings);
  if (roundForComparison(base) < plausible.low || roundForComparison(base) > plausible.high) {
    warnings.add(
      'reliability_implausible',
      input.id,
      `The base_reliability ${base} of actor ${quote(input.id)} does not suit a source of type ${type}: ${plausible.low} to ${plausible.high} would be plausible.`,
    );
  }
  let competence: Map<string, number> | null = null;
  if (input.competence != null) {
    competence = new Map();
    // The validator hands competence over as a Map, so that no name of a predicate can touch a prototype.
    for (const [predicate, share] of input.competence as unknown as Map<string, number>)
      competence.set(
        predicate,
        clampWarned(share, 0, 1, `competence for ${quote(predicate)}`, input.id, warnings),
      );
  }
  const defaultCompetence = clampWarned(
    input.default_competence ?? DEFAULT_COMPETENCE,
    0,
    1,
    'default_competence',
    input.id,
    warnings,
  );
  return {
    index,
    id: input.id,
    name: input.name,
    type,
    givenBase: input.base_reliability ?? null,
    record: recordBehind(input),
    base,
    competence,
    defaultCompetence,
    dependsOn: input.depends_on ?? [],
  };
}

export function readClaim(
  input: ClaimInput,
  index: number,
  {
    settings,
    actorById,
    subjectById,
    valueOf,
    isNumberLike,
  }: Pick<Model, 'settings' | 'actorById' | 'valueOf'> & {
    readonly subjectById: ReadonlyMap<string, SubjectInput>;
    /** `looksLikeNumber`, asked once of each value. */
    readonly isNumberLike: (value: Value) => boolean;
  },
  warnings: Warnings,
): Claim {
  const type = (input.claim_type ?? 'Factual') as ClaimType;
  const status = (input.epistemic_status ?? 'hypothesis') as EpistemicStatus;
  let ownHalfLifeDays = input.decay_half_life_days ?? null;
  if (ownHalfLifeDays !== null && !(ownHalfLifeDays > 0 && ownHalfLifeDays <= OWN_HALF_LIFE_DAYS_MAX)) {
    warnings.add(
      'half_life_ignored',
      input.id,
      `The decay_half_life_days of claim ${quote(input.id)} is ${ownHalfLifeDays}, outside (0, ${OWN_HALF_LIFE_DAYS_MAX}]; the usual half-life is used.`,
    );
    ownHalfLifeDays = null;
  }
  if (status === 'law' && type === 'Predictive')
    warnings.add(
      'law_on_prediction',
      input.id,
      `Claim ${quote(input.id)} is a prediction with the status law; no prediction is a law.`,
    );
  const value = valueOf(input.value);
  if (input.subject_id && isNumberLike(value))
    warnings.add(
      'value_read_as_text',
      input.id,
      `The value ${quote(input.value)} of claim ${quote(input.id)} looks like a number or a date and was read as text, which agrees only with the same text; write a number as \`1,500.5 km\` or \`5M USD\` and a date as \`2024-05-17\`.`,
    );
  return {
    index,
    id: input.id,
    input,
    actor: actorById.get(input.actor_id)!,
    subject: input.subject_id ? subjectById.get(input.subject_id)! : null,
    predicate: input.predicate,
    scope: input.scope ?? '',
    value,
    valence: (input.valence ?? 'Neutral') as Valence,
    from: input.event_start_time == null ? -Infinity : parseTime(input.event_start_time)!.ms,
    to: input.event_end_time == null ? Infinity : parseTime(input.event_end_time)!.ms,
    assertedAt: assertedAt(input, settings),
    type,
    ownHalfLifeDays,
    evidence: NONE,
    metas: NONE,
    target: null,
    isWithdrawn: status === 'retracted',
    status,
    relationships: NONE,
    supersedes: NONE,
    supersededBy: NONE,
    repeatsSupersede: NONE,
    distinguishedFrom: null,
  };
}

/**
 * When a claim was asserted; the instant of the analysis where its time lies more than FUTURE_DAYS_MAX after
 * it. Milliseconds.
 */
function assertedAt({ assertion_time: written }: ClaimInput, settings: Settings): number | null {
  return written == null ? null : notInFuture(parseTime(written)!.ms, settings);
}

function notInFuture(ms: number, { ranAt }: Settings): number {
  return ms > ranAt + FUTURE_DAYS_MAX * DAY_MS ? ranAt : ms;
}

/**
 * Warns of claims from the future, which are treated as made now. With `as_of`, claims asserted after it go,
 * and with them the meta-claims on them; evidence on them finds no claim later. Source: reasoning model §2
 * and §11.
 */
export function leaveOutLater(
  claims: readonly ClaimInput[],
  settings: Settings,
  warnings: Warnings,
): readonly ClaimInput[] {
  const { asOf } = settings;
  const out = new Set<string>();
  for (const claim of claims) {
    const { id, assertion_time: written } = claim;
    if (written == null) continue;
    const { ms } = parseTime(written)!;
    const asserted = notInFuture(ms, settings);
    if (asserted !== ms)
      warnings.add(
        'asserted_in_future',
        id,
        `The assertion_time ${written} of claim ${quote(id)} lies in the future and was treated as now, ${formatTime(asserted)}; check the year.`,
      );
    if (asOf !== null && asserted > asOf) out.add(id);
  }
  if (asOf === null || out.size === 0) return claims;
  for (const id of out)
    warnings.add(
      'asserted_after_as_of',
      id,
      `Claim ${quote(id)} was asserted after ${formatTime(asOf)} and was left out.`,
    );
  const metasOn = new Map<string, ClaimInput[]>();
  for (const claim of claims) {
    const target = claim.target_claim_id;
    const known = target ? metasOn.get(target) : undefined;
    if (known) known.push(claim);
    else if (target) metasOn.set(target, [claim]);
  }
  const stack = [...out];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    for (const meta of metasOn.get(id) ?? []) {
      if (out.has(meta.id)) continue;
      out.add(meta.id);
      stack.push(meta.id);
      warnings.add(
        'asserted_after_as_of',
        meta.id,
        `Claim ${quote(meta.id)} speaks of ${quote(id)}, which was not asserted by ${formatTime(asOf)}, and was left out with it.`,
      );
    }
  }
  return claims.filter((claim) => !out.has(claim.id));
}

export function attachEvidence(
  evidence: readonly EvidenceInput[],
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): void {
  for (const item of sortedById(evidence)) {
    const claim = claimById.get(item.claim_id);
    if (!claim) continue;
    const { usual, low, high } = EVIDENCE_WEIGHT;
    const weight = clampWarned(item.weight ?? usual, low, high, 'weight of evidence', item.id, warnings);
    claim.evidence = appended(claim.evidence, { id: item.id, valence: item.valence as Valence, weight });
  }
}

export function readDistinctions(
  input: InvestigationInput,
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): Distinction[] {
  const distinctions: Distinction[] = [];
  for (const distinction of sortedById(input.distinctions ?? [])) {
    const a = claimById.get(distinction.argument_a);
    const b = claimById.get(distinction.argument_b);
    const drop = (why: string) =>
      warnings.add(
        'distinction_dropped',
        distinction.id,
        `Distinction ${quote(distinction.id)} was dropped: ${why}.`,
      );
    if (!a) drop(`argument_a ${quote(distinction.argument_a)} is not among the claims`);
    else if (!b) drop(`argument_b ${quote(distinction.argument_b)} is not among the claims`);
    else if (a === b) drop(`its two arguments are the same claim ${quote(a.id)}`);
    else if (a.status === 'retracted' || b.status === 'retracted')
      drop(`claim ${quote((a.status === 'retracted' ? a : b).id)} is retracted`);
    else {
      (a.distinguishedFrom ??= new Set()).add(b);
      (b.distinguishedFrom ??= new Set()).add(a);
      distinctions.push({
        id: distinction.id,
        a,
        b,
        conditionA: distinction.condition_a,
        conditionB: distinction.condition_b,
      });
    }
  }
  return distinctions;
}
