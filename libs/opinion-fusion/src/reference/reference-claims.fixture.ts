/**
 * Which claims stand, and how they bear on one another, by the text of the reasoning model §2, §3 and §5.
 * Naive on purpose: every rule is one sentence of the page, every question goes through all pairs.
 */

import {
  asNumber,
  eightDigits,
  instant,
  lacksUnit,
  readValue,
  valuesAgree,
  valuesRepeat,
  valuesSame,
} from './reference-values.fixture.ts';
import type { ReferenceValue } from './reference-values.fixture.ts';
import type { ActorInput, ClaimInput, InvestigationInput } from '../contract/types.ts';

export const DAY = 86_400_000;
export const FLOOR = 0.15;

/** Plausible reliability from and to, default, authority multiplier: the table of §2. */
const SOURCES: Readonly<Record<string, readonly [number, number, number, number]>> = {
  regulator: [0.8, 0.95, 0.85, 2],
  expert: [0.75, 0.95, 0.85, 2],
  analyst: [0.5, 0.85, 0.65, 1.25],
  journalist: [0.5, 0.8, 0.7, 1],
  insider: [0.3, 0.7, 0.5, 1],
  institutional: [0.2, 0.7, 0.4, 1],
  anonymous: [0.1, 0.3, 0.2, 0.5],
  socialmedia: [0.1, 0.3, 0.2, 0.5],
  troll: [0.01, 0.15, 0.05, 0.25],
};

export interface ReferenceClaim {
  readonly id: string;
  readonly input: ClaimInput;
  readonly actor: ActorInput;
  readonly subject: string | null;
  readonly target: string | null;
  readonly predicate: string;
  readonly scope: string;
  readonly valence: string;
  readonly type: string;
  readonly value: ReferenceValue;
  readonly start: number;
  readonly end: number;
  /** Null without assertion_time. */
  readonly asserted: number | null;
  readonly relations: readonly { readonly type: string; readonly target: string }[];
  /** What dropped repetitions of it supersede. */
  readonly repeatsSupersede: readonly string[];
  /** As given, until a claim supersedes it. */
  status: string;
}

/** The warnings that are due: a word for the kind, then what it is about; the same twice is one. */
export type Dues = Set<string>;

export interface Cast {
  readonly input: InvestigationInput;
  /** Claims sorted by id. */
  readonly claims: readonly ReferenceClaim[];
  /** [superseding, superseded], those that took effect. */
  readonly supersessions: readonly (readonly [string, string])[];
  readonly t0: number;
  readonly dues: Dues;
}

export const byId = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Numbers are compared as rounded to 12 decimals, with one another and with thresholds. */
export const round12 = (x: number) => Number(x.toFixed(12));
export const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);
export const due = (dues: Dues, kind: string, ...about: readonly string[]) =>
  dues.add([kind, ...about].join('\n'));

export const sourceRow = (actor: ActorInput) =>
  SOURCES[actor.source_type.toLowerCase().replace(/[\s_-]/g, '')]!;
export const baseReliability = (actor: ActorInput) =>
  clamp(actor.base_reliability ?? sourceRow(actor)[2], 0.01, 0.99);
export const competence = (actor: ActorInput, predicate: string) =>
  clamp(actor.competence?.[predicate] ?? actor.default_competence ?? 1, 0, 1);

/** The claims that are kept, duplicates and later claims gone, statuses settled. */
export function castOf(written: InvestigationInput, now: Date): Cast {
  const given = withWholeTimes(written);
  const dues: Dues = new Set();
  const asOf = given.as_of ? instant(given.as_of) : Infinity;
  const t0 = Math.min(asOf, now.getTime());
  for (const claim of given.claims)
    if (claim.assertion_time && instant(claim.assertion_time) > now.getTime() + DAY)
      due(dues, 'from the future', claim.id);
  const late = given.claims.filter((claim) => (assertedAt(claim, now) ?? -Infinity) > asOf);
  const present = without(given, new Set(late.map((claim) => claim.id)));
  for (const { id } of given.claims)
    if (!present.claims.some((claim) => claim.id === id)) due(dues, 'late', id);
  for (const claim of present.claims) {
    const ownDays = claim.decay_half_life_days ?? null;
    if (ownDays !== null && !isHalfLife(ownDays)) due(dues, 'claim half-life', claim.id);
    if (statusOf(claim) === 'law' && typeOf(claim) === 'predictive')
      due(dues, 'law on a prediction', claim.id);
  }
  const input = withoutDuplicates(present, present, dues, now);
  const claims = input.claims
    .map((claim) => readClaim(claim, input, present, now))
    .toSorted((a, b) => byId(a.id, b.id));
  const known = new Map(claims.map((claim) => [claim.id, claim]));
  for (const claim of claims) {
    const listed = claim.input.relationships ?? [];
    if (listed.length > 50) due(dues, 'relationships truncated', claim.id);
    for (const { type, target } of claim.relations)
      if (!known.has(target))
        due(dues, type === 'supersedes' ? 'missing superseded' : 'missing target', claim.id, type, target);
    for (const superseded of [claim.input.supersedes_claim_id, ...claim.repeatsSupersede])
      if (superseded && !known.has(superseded))
        due(dues, 'missing superseded', claim.id, 'supersedes', superseded);
  }
  const supersessions = settleSupersession(claims, dues);
  return { input, claims, supersessions, t0, dues };
}

/** Plain dates where timestamps are asked for, as their first instant in UTC (section 11). */
function withWholeTimes(input: InvestigationInput): InvestigationInput {
  const whole = <T extends string | null | undefined>(text: T) =>
    (text && !/t/i.test(text) ? new Date(text).toISOString() : text) as T;
  return {
    ...input,
    as_of: whole(input.as_of),
    claims: input.claims.map((claim) => ({
      ...claim,
      assertion_time: whole(claim.assertion_time),
      corroboration_events: claim.corroboration_events?.map((event) => ({
        ...event,
        time: whole(event.time),
      })),
    })),
  };
}

/** When a claim was asserted: now, where its time lies more than a day ahead (section 11). */
function assertedAt({ assertion_time: written }: ClaimInput, now: Date): number | null {
  if (!written) return null;
  return instant(written) > now.getTime() + DAY ? now.getTime() : instant(written);
}

/** The input without some claims, and without the evidence and the metas that hang on them. */
export function without(input: InvestigationInput, ids: ReadonlySet<string>): InvestigationInput {
  const gone = new Set(ids);
  for (let size = -1; size !== gone.size;) {
    size = gone.size;
    for (const claim of input.claims)
      if (claim.target_claim_id && gone.has(claim.target_claim_id)) gone.add(claim.id);
  }
  return {
    ...input,
    claims: input.claims.filter((claim) => !gone.has(claim.id)),
    evidence: (input.evidence ?? []).filter((item) => !gone.has(item.claim_id)),
  };
}

const statusOf = (claim: ClaimInput) => (claim.epistemic_status ?? 'hypothesis').toLowerCase();
const typeOf = (claim: ClaimInput) => (claim.claim_type ?? 'Factual').toLowerCase();
/** Rule 13: what a claim may set for itself, in days. */
export const isHalfLife = (days: number) => days > 0 && days <= 365_000;
const valenceOf = (claim: ClaimInput) => (claim.valence ?? 'Neutral').toLowerCase();

/** A claim that has taken over what its dropped repetitions supersede of its own actor. */
type Merged = ClaimInput & { readonly repeatsSupersede?: readonly string[] };

const namesAsSuperseded = (claim: Merged): string[] =>
  statusOf(claim) === 'retracted'
    ? []
    : [
        ...(claim.supersedes_claim_id ? [claim.supersedes_claim_id] : []),
        ...(claim.relationships ?? [])
          .slice(0, 50)
          .filter((entry) => entry.relationship_type.toLowerCase() === 'supersedes')
          .map((entry) => entry.target_claim_id),
        ...(claim.repeatsSupersede ?? []),
      ];

/**
 * Which time it is that the source of each claim says this, having corrected it in between and come back to
 * it; claims are looked at in the order of assertion, each after what it supersedes (ADR 0077).
 */
function timesSaid(input: InvestigationInput, now: Date): ReadonlyMap<string, number> {
  const time = (claim: ClaimInput) => assertedAt(claim, now) ?? Infinity;
  const earliestFirst = input.claims.toSorted((a, b) =>
    time(a) === time(b) ? byId(a.id, b.id) : time(a) - time(b),
  );
  const order: ClaimInput[] = [];
  const entered = new Set<string>();
  const enter = (claim: ClaimInput | undefined) => {
    if (!claim || entered.has(claim.id)) return;
    entered.add(claim.id);
    for (const id of namesAsSuperseded(claim)) enter(input.claims.find((other) => other.id === id));
    order.push(claim);
  };
  earliestFirst.forEach(enter);
  // Each time is a list of claims; it replaces the times of all that its claims supersede.
  const times: ClaimInput[][] = [];
  const timeOf = (id: string) => times.find((said) => said.some((claim) => claim.id === id));
  const replacedBy = (said: readonly ClaimInput[]) =>
    said.flatMap((claim) =>
      namesAsSuperseded(claim)
        .flatMap((id) => [timeOf(id) ?? []])
        .filter((other) => other !== said && other.length > 0),
    );
  const leadsTo = (said: readonly ClaimInput[], goal: readonly ClaimInput[], seen: unknown[] = []): boolean =>
    !seen.includes(said) &&
    replacedBy(said).some((next) => next === goal || leadsTo(next, goal, [...seen, said]));
  for (const claim of order) {
    const isAlike = (said: readonly ClaimInput[]) =>
      !claim.target_claim_id && isDuplicate(said[0]!, claim, input);
    const isExact = (said: readonly ClaimInput[]) =>
      isAlike(said) &&
      said.some(
        (other) =>
          time(other) === time(claim) &&
          JSON.stringify(namesAsSuperseded(other)) === JSON.stringify(namesAsSuperseded(claim)),
      );
    const original = times.find(isExact);
    if (original) {
      original.push(claim);
      continue;
    }
    const latest = times.findLast(isAlike);
    const between = namesAsSuperseded(claim)
      .flatMap((id) => [timeOf(id) ?? []])
      .filter((said) => said !== latest);
    if (latest && !between.some((said) => leadsTo(said, latest))) latest.push(claim);
    else times.push([claim]);
  }
  return new Map(
    times.flatMap((said) =>
      said.map((claim) => {
        const alike = times.filter((other) => isDuplicate(other[0]!, said[0]!, input) || other === said);
        // What is said about another claim is looked at as repetition alone.
        return [claim.id, claim.target_claim_id ? 0 : alike.indexOf(said)] as const;
      }),
    ),
  );
}

/**
 * The input with duplicates dropped and every reference to them led to the claim that stays, which supersedes
 * what they did; numbers take the unit of their question in `written`, which has them all.
 */
function withoutDuplicates(
  input: InvestigationInput,
  written: InvestigationInput,
  dues: Dues,
  now: Date,
  times = timesSaid(written, now),
): InvestigationInput {
  const earliestFirst = input.claims.toSorted((a, b) => {
    const time = (claim: ClaimInput) => assertedAt(claim, now) ?? Infinity;
    return time(a) === time(b) ? byId(a.id, b.id) : time(a) - time(b);
  });
  for (const kept of earliestFirst) {
    for (const other of earliestFirst) {
      if (other === kept || !isDuplicate(kept, other, written)) continue;
      if (times.get(other.id) !== times.get(kept.id)) continue;
      if (earliestFirst.indexOf(other) < earliestFirst.indexOf(kept)) continue;
      due(dues, 'duplicate', other.id);
      return withoutDuplicates(redirect(input, other.id, kept.id), written, dues, now, times);
    }
  }
  return input;
}

/**
 * The value of a claim; a number without a unit has the unit of its question whose sources weigh most, the
 * identified ones where there are any (section 11, ADR 0043).
 */
function valueIn(claim: ClaimInput, { claims, actors }: InvestigationInput): ReferenceValue {
  const value = compactIn(claim, { claims, actors }) ?? readValue(claim.value);
  if (!claim.subject_id || !lacksUnit(value)) return value;
  const behind = new Map<string, Map<string, number>>();
  for (const other of claims) {
    const read = readValue(other.value);
    const actor = actors.find(({ id }) => id === other.actor_id)!;
    if (other.subject_id !== claim.subject_id || other.predicate !== claim.predicate) continue;
    if (read.form !== 'number' || read.unit === '' || statusOf(other) === 'retracted') continue;
    const weight = baseReliability(actor) * competence(actor, other.predicate);
    if (round12(weight) < FLOOR) continue;
    behind.set(read.unit, (behind.get(read.unit) ?? new Map<string, number>()).set(actor.id, weight));
  }
  const isKnown = (id: string) =>
    !['anonymous', 'socialmedia', 'troll'].includes(
      actors
        .find((actor) => actor.id === id)!
        .source_type.toLowerCase()
        .replace(/[\s_-]/g, ''),
    );
  const anyKnown = [...behind.values()].some((weights) => [...weights.keys()].some(isKnown));
  const sums = [...behind].map(([unit, weights]) => {
    const counted = [...weights]
      .filter(([id]) => !anyKnown || isKnown(id))
      .toSorted(([a], [c]) => byId(a, c));
    return { unit, sum: round12(counted.reduce((total, [, weight]) => total + weight, 0)) };
  });
  const [first, second] = sums.toSorted((a, c) => c.sum - a.sum);
  const isAlone = first !== undefined && first.sum > (second?.sum ?? 0);
  return isAlone ? ({ ...asNumber(value), unit: first.unit } as ReferenceValue) : value;
}

/** Eight digits as the day they name, where the others on the question make it one; else null. */
function compactIn(
  claim: ClaimInput,
  { claims, actors }: Pick<InvestigationInput, 'claims' | 'actors'>,
): ReferenceValue | null {
  const day = eightDigits(claim.value);
  if (!claim.subject_id || !day) return null;
  const deciding = claims.filter(
    (other) =>
      other.subject_id === claim.subject_id &&
      other.predicate === claim.predicate &&
      statusOf(other) !== 'retracted' &&
      round12(
        baseReliability(actors.find(({ id }) => id === other.actor_id)!) *
          competence(
            actors.find(({ id }) => id === other.actor_id)!,
            other.predicate,
          ),
      ) >= FLOOR,
  );
  const days = new Set(deciding.map((other) => eightDigits(other.value)).filter((one) => one !== null));
  const rest = deciding.filter((other) => !eightDigits(other.value)).map((other) => readValue(other.value));
  const isDate =
    rest.some((one) => one.form === 'date' && one.precision > 4) ||
    (rest.every((one) => one.form !== 'number') &&
      (rest.some((one) => one.form === 'date') || days.size > 1));
  return isDate ? readValue(day) : null;
}

function isDuplicate(a: ClaimInput, b: ClaimInput, input: InvestigationInput): boolean {
  const moment = (text: string | null | undefined) => (text ? instant(text) : null);
  const polarity = (claim: ClaimInput) =>
    claim.target_claim_id ? valenceOf(claim) : valenceOf(claim) === 'refutes';
  return (
    statusOf(a) !== 'retracted' &&
    statusOf(b) !== 'retracted' &&
    a.actor_id === b.actor_id &&
    (a.subject_id || null) === (b.subject_id || null) &&
    (a.target_claim_id || null) === (b.target_claim_id || null) &&
    a.predicate === b.predicate &&
    (a.scope || '') === (b.scope || '') &&
    polarity(a) === polarity(b) &&
    moment(a.event_start_time) === moment(b.event_start_time) &&
    moment(a.event_end_time) === moment(b.event_end_time) &&
    valuesRepeat(valueIn(a, input), valueIn(b, input))
  );
}

function redirect(input: InvestigationInput, from: string, to: string): InvestigationInput {
  const follow = <T extends string | null | undefined>(id: T) => (id === from ? to : id) as T;
  const gone = input.claims.find((claim) => claim.id === from)!;
  // A source's corrections of itself only; what is not in the input is warned of.
  const isOwn = (id: string) =>
    input.claims.every((claim) => claim.id !== id || claim.actor_id === gone.actor_id);
  const takenOver = (claim: Merged) => [
    ...(claim.repeatsSupersede ?? []),
    ...(claim.id === to ? namesAsSuperseded(gone).filter(isOwn) : []),
  ];
  return {
    ...input,
    claims: input.claims
      .filter((claim) => claim.id !== from)
      .map((claim) => ({
        ...claim,
        repeatsSupersede: takenOver(claim).map(follow),
        target_claim_id: follow(claim.target_claim_id),
        supersedes_claim_id: follow(claim.supersedes_claim_id),
        relationships: claim.relationships?.map((entry) => ({
          ...entry,
          target_claim_id: follow(entry.target_claim_id),
        })),
      })),
    evidence: input.evidence?.map((item) => ({ ...item, claim_id: follow(item.claim_id) })),
    inferences: input.inferences?.map((inference) => ({
      ...inference,
      premise_claim_ids: inference.premise_claim_ids.map(follow),
    })),
    distinctions: input.distinctions?.map((distinction) => ({
      ...distinction,
      argument_a: follow(distinction.argument_a),
      argument_b: follow(distinction.argument_b),
    })),
  };
}

function readClaim(
  claim: ClaimInput,
  input: InvestigationInput,
  written: InvestigationInput,
  now: Date,
): ReferenceClaim {
  return {
    id: claim.id,
    input: claim,
    actor: input.actors.find((actor) => actor.id === claim.actor_id)!,
    subject: claim.subject_id || null,
    target: claim.target_claim_id || null,
    predicate: claim.predicate,
    scope: claim.scope || '',
    valence: valenceOf(claim),
    type: typeOf(claim),
    value: valueIn(claim, written),
    start: claim.event_start_time ? instant(claim.event_start_time) : -Infinity,
    end: claim.event_end_time ? instant(claim.event_end_time) : Infinity,
    asserted: assertedAt(claim, now),
    relations: (claim.relationships ?? [])
      .slice(0, 50)
      .map((entry) => ({ type: entry.relationship_type.toLowerCase(), target: entry.target_claim_id })),
    repeatsSupersede: ((claim as Merged).repeatsSupersede ?? []).filter((id) => id !== claim.id),
    status: statusOf(claim),
  };
}

/**
 * Whether a meta hangs, directly or through others, on a retracted claim: it then lends nothing to others.
 */
export function isWithdrawn(claim: ReferenceClaim, claims: readonly ReferenceClaim[]): boolean {
  const target = claims.find((other) => other.id === claim.target);
  return target !== undefined && (target.status === 'retracted' || isWithdrawn(target, claims));
}

/** Sets the status of what is superseded; returns the edges that took effect. */
function settleSupersession(claims: readonly ReferenceClaim[], dues: Dues): (readonly [string, string])[] {
  const isOut = (claim: ReferenceClaim) => claim.status === 'retracted' || isWithdrawn(claim, claims);
  const edges = new Map<string, readonly [string, string]>();
  for (const claim of claims) {
    if (isOut(claim)) continue;
    const named = claim.relations.filter(({ type }) => type === 'supersedes').map(({ target }) => target);
    for (const target of [claim.input.supersedes_claim_id, ...named, ...claim.repeatsSupersede])
      if (claims.some((other) => other.id === target && !isOut(other)))
        edges.set(JSON.stringify([claim.id, target]), [claim.id, target!]);
  }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const [source, target] of edges.values())
      if (source === from && !seen.has(target)) {
        seen.add(target);
        reached(target, seen);
      }
    return seen;
  };
  const all = [...edges.values()];
  const effective = all.filter(([source, target]) => source !== target && !reached(target).has(source));
  for (const edge of all) if (!effective.includes(edge)) due(dues, 'supersession in a circle', ...edge);
  for (const [, target] of effective) claims.find((claim) => claim.id === target)!.status = 'superseded';
  return effective;
}

/**
 * A statement after "denying a boolean value is asserting the other": what it says, and whether it affirms
 * it.
 */
export function statement(claim: ReferenceClaim): { says: ReferenceValue; affirms: boolean } {
  const denies = claim.valence === 'refutes';
  if (denies && claim.value.form === 'boolean')
    return { says: { form: 'boolean', truth: !claim.value.truth }, affirms: true };
  return { says: claim.value, affirms: !denies };
}

export const overlap = (a: ReferenceClaim, b: ReferenceClaim) => a.start < b.end && b.start < a.end;
export const saysAgree = (a: ReferenceClaim, b: ReferenceClaim) =>
  valuesAgree(statement(a).says, statement(b).says);

function comparable(a: ReferenceClaim, b: ReferenceClaim): boolean {
  if (a.subject === null || b.subject === null) return false;
  return a.subject === b.subject && a.predicate === b.predicate && a.scope === b.scope && overlap(a, b);
}

export function agree(a: ReferenceClaim, b: ReferenceClaim): boolean {
  if (!comparable(a, b) || statement(a).affirms !== statement(b).affirms || !saysAgree(a, b)) return false;
  return statement(a).affirms || !(isFiner(a, b) || isFiner(b, a));
}

/** Whether one gives a date, and the other a part of it: its month, its year or a year said to be inexact. */
export function isFiner(a: ReferenceClaim, b: ReferenceClaim): boolean {
  const [x, y] = [a.value, b.value];
  if (x.form !== 'date' || !saysAgree(a, b)) return false;
  return y.form === 'date' ? x.precision > y.precision : x.precision > 4;
}

/**
 * Whether a claim that agrees with another counts for what that one states: not where some claim that is
 * heard contradicts the other and shares no time with it.
 */
export function countsFor(
  claim: ReferenceClaim,
  other: ReferenceClaim,
  heard: readonly ReferenceClaim[],
): boolean {
  return !heard.some((one) => contradict(one, other) && !overlap(one, claim));
}

/** Whether what is brought against a claim counts against another with which it agrees. */
export function bears(claim: ReferenceClaim, other: ReferenceClaim): boolean {
  if (isFiner(claim, other)) return false;
  const isUndated = claim.start === -Infinity && claim.end === Infinity;
  return isUndated || (claim.start >= other.start && claim.end <= other.end);
}

/** Whether two claims about a question make the same statement. */
export function same(a: ReferenceClaim, b: ReferenceClaim): boolean {
  return (
    statement(a).affirms === statement(b).affirms &&
    valuesSame(statement(a).says, statement(b).says) &&
    a.scope === b.scope &&
    a.start === b.start &&
    a.end === b.end
  );
}

/** Whether one of two claims is right where the other is shown to be wrong. */
export function isContrary(shown: ReferenceClaim, other: ReferenceClaim): boolean {
  const [x, y] = [statement(shown), statement(other)];
  const isYesAndNo = x.says.form === 'boolean' && y.says.form === 'boolean';
  return (x.affirms !== y.affirms || isYesAndNo) && !isFiner(shown, other);
}

/** Whether two claims contradict each other, distinctions left out. */
export function contradict(a: ReferenceClaim, b: ReferenceClaim): boolean {
  if (!comparable(a, b)) return false;
  const [x, y] = [statement(a).affirms, statement(b).affirms];
  if (x && y) return !saysAgree(a, b);
  return x !== y && saysAgree(a, b) && !(x ? isFiner(b, a) : isFiner(a, b));
}
