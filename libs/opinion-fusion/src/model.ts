import {
  DEFAULT_COMPETENCE,
  DEPENDENT_REFRESH_FACTOR,
  DOMAIN_HALF_LIFE_DAYS,
  EVIDENCE_WEIGHT,
  OWN_HALF_LIFE_DAYS_MAX,
  RELATIONSHIPS_MAX,
  RELIABILITY_RANGE,
  SOURCES,
} from './constants.ts';
import { quote } from './quote.ts';
import { byCodeUnits, clamp, compared } from './rounding.ts';
import { formatTime, parseTime } from './timestamp.ts';
import type {
  ActorInput,
  ClaimInput,
  EvidenceInput,
  InferenceInput,
  InvestigationInput,
  SubjectInput,
} from './types.ts';
import { parseValue } from './value.ts';
import type { Value } from './value.ts';
import type { ClaimType, Domain, EpistemicStatus, SourceType, Valence } from './vocabulary.ts';
import type { Warnings } from './warnings.ts';

/** A source, its scalars clamped. */
export interface Actor {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly type: SourceType;
  /** Base reliability, clamped. Probability. Rule 1. */
  readonly base: number;
  readonly competence: ReadonlyMap<string, number> | null;
  readonly defaultCompetence: number;
  readonly dependsOn: readonly string[];
}

/** One claim: what it says, parsed once. Fields marked `resolved` are set while the model is built. */
export interface Claim {
  /** Place among the model's claims, which stand by id. Resolved. */
  index: number;
  readonly id: string;
  readonly input: ClaimInput;
  readonly actor: Actor;
  /** Null for a meta-claim. */
  readonly subject: SubjectInput | null;
  readonly predicate: string;
  readonly scope: string;
  readonly value: Value;
  readonly valence: Valence;
  readonly from: number;
  readonly to: number;
  /** Milliseconds; null when not stated. */
  readonly assertedAt: number | null;
  readonly type: ClaimType;
  /** Own half-life in days, valid, else null. */
  readonly ownHalfLifeDays: number | null;
  readonly evidence: EvidenceItem[];
  /** Meta-claims on this claim, kept ones, by id. */
  readonly metas: Claim[];
  /** Resolved: the claim a meta-claim speaks about. */
  target: Claim | null;
  /** Resolved: superseded by a claim of the input, or as it came. */
  status: EpistemicStatus;
  /** Resolved: ties to kept claims, at most RELATIONSHIPS_MAX, supersedes left out. */
  relationships: Relationship[];
  /** Resolved: claims this one supersedes, edges in cycles left out, by id. */
  supersedes: Claim[];
  supersededBy: Claim[];
  /** Resolved: claims from which a distinction tells this one apart. */
  distinguishedFrom: Set<Claim> | null;
}

export interface EvidenceItem {
  readonly id: string;
  readonly valence: Valence;
  /** Items, 0..100. */
  readonly weight: number;
}

export interface Relationship {
  readonly type: 'complements' | 'refines' | 'qualifies' | 'challenges_methodology';
  readonly target: Claim;
}

/** A distinction that takes part. */
export interface Distinction {
  readonly id: string;
  readonly a: Claim;
  readonly b: Claim;
  readonly conditionA: string;
  readonly conditionB: string;
}

export interface Settings {
  readonly domain: Domain;
  /** Half-life before the factors of a claim. Days, > 0. */
  readonly halfLifeDays: number;
  readonly dependentRefreshFactor: number;
  /** t0: the instant the analysis speaks for, milliseconds. */
  readonly now: number;
  readonly detectsCopying: boolean;
}

/** The input as the rules see it: clamped, without left-out claims, duplicates merged, references resolved, all lists by id. */
export interface Model {
  readonly input: InvestigationInput;
  readonly settings: Settings;
  readonly actors: readonly Actor[];
  readonly actorById: ReadonlyMap<string, Actor>;
  readonly subjects: readonly SubjectInput[];
  readonly claims: readonly Claim[];
  /** The kept claim an id stands for; ids of dropped duplicates lead to the one kept. */
  readonly claimById: ReadonlyMap<string, Claim>;
  readonly inferences: readonly InferenceInput[];
  readonly distinctions: readonly Distinction[];
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => byCodeUnits(a.id, b.id);

/** Builds the model from a valid input; everything non-fatal becomes a warning. Source: reasoning model §2. Never throws. */
export function buildModel(input: InvestigationInput, nowMs: number, warnings: Warnings): Model {
  const asOf = input.as_of == null ? Infinity : parseTime(input.as_of)!.ms;
  const settings = readSettings(input, Math.min(asOf, nowMs), warnings);
  const actors = input.actors.toSorted(byId).map((actor, index) => readActor(actor, index, warnings));
  const actorById = new Map(actors.map((actor) => [actor.id, actor]));
  return buildModelOf(input, { settings, actors, actorById }, warnings);
}

/** The model of a part of an investigation whose settings and actors are known. Never throws. */
export function buildModelOf(
  input: InvestigationInput,
  { settings, actors, actorById }: Pick<Model, 'settings' | 'actors' | 'actorById'>,
  warnings: Warnings,
): Model {
  const subjects = input.subjects.toSorted(byId);
  const subjectById = new Map(subjects.map((subject) => [subject.id, subject]));

  const values = new Map<string, Value>();
  const valueOf = (raw: string): Value => {
    let value = values.get(raw);
    if (!value) values.set(raw, (value = parseValue(raw)));
    return value;
  };
  const all = input.claims
    .map((claim) => readClaim(claim, actorById, subjectById, valueOf, warnings))
    .sort(byId);
  const asserted = input.as_of == null ? all : leaveOutLater(all, settings.now, warnings);
  const { claims, claimById } = mergeDuplicates(asserted, warnings);
  attachEvidence(input.evidence ?? [], claimById, warnings);
  resolveRelationships(claims, claimById, warnings);
  const distinctions = readDistinctions(input, claimById, warnings);
  return {
    input,
    settings,
    actors,
    actorById,
    subjects,
    claims,
    claimById,
    inferences: (input.inferences ?? []).toSorted(byId),
    distinctions,
  };
}

function readSettings(input: InvestigationInput, now: number, warnings: Warnings): Settings {
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
    now,
    detectsCopying: input.dependence !== 'declared',
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
    warnings.add(
      'scalar_clamped',
      id,
      `The ${what}${of} is ${x}; it was moved to ${clamped}, the nearest of ${low} to ${high}.`,
    );
  }
  return clamped;
}

function readActor(input: ActorInput, index: number, warnings: Warnings): Actor {
  const type = input.source_type as SourceType;
  const plausible = SOURCES[type];
  const { low, high } = RELIABILITY_RANGE;
  const base =
    input.base_reliability == null
      ? plausible.base
      : clampWarned(input.base_reliability, low, high, 'base_reliability', input.id, warnings);
  if (compared(base) < plausible.low || compared(base) > plausible.high) {
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
    base,
    competence,
    defaultCompetence,
    dependsOn: input.depends_on ?? [],
  };
}

/** Competence of an actor for a predicate: as listed, else the default. Share, 0..1. Rule 2. */
export function competenceOf(actor: Actor, predicate: string): number {
  return actor.competence?.get(predicate) ?? actor.defaultCompetence;
}

function readClaim(
  input: ClaimInput,
  actorById: ReadonlyMap<string, Actor>,
  subjectById: ReadonlyMap<string, SubjectInput>,
  valueOf: (raw: string) => Value,
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
  return {
    index: -1,
    id: input.id,
    input,
    actor: actorById.get(input.actor_id)!,
    subject: input.subject_id ? subjectById.get(input.subject_id)! : null,
    predicate: input.predicate,
    scope: input.scope ?? '',
    value: valueOf(input.value),
    valence: (input.valence ?? 'Neutral') as Valence,
    from: input.event_start_time == null ? -Infinity : parseTime(input.event_start_time)!.ms,
    to: input.event_end_time == null ? Infinity : parseTime(input.event_end_time)!.ms,
    assertedAt: input.assertion_time == null ? null : parseTime(input.assertion_time)!.ms,
    type,
    ownHalfLifeDays,
    evidence: [],
    metas: [],
    target: null,
    status,
    relationships: [],
    supersedes: [],
    supersededBy: [],
    distinguishedFrom: null,
  };
}

/** Claims asserted after t0 go, and with them the meta-claims on them; evidence on them finds no claim later. */
function leaveOutLater(claims: Claim[], now: number, warnings: Warnings): Claim[] {
  const out = new Set(
    claims.filter((claim) => claim.assertedAt !== null && claim.assertedAt > now).map((claim) => claim.id),
  );
  if (out.size === 0) return claims;
  for (const id of out)
    warnings.add(
      'asserted_after_as_of',
      id,
      `Claim ${quote(id)} was asserted after ${formatTime(now)} and was left out.`,
    );
  const metasOn = new Map<string, Claim[]>();
  for (const claim of claims) {
    const target = claim.input.target_claim_id;
    if (target) metasOn.set(target, [...(metasOn.get(target) ?? []), claim]);
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
        `Claim ${quote(meta.id)} speaks of ${quote(id)}, which was not asserted by ${formatTime(now)}, and was left out with it.`,
      );
    }
  }
  return claims.filter((claim) => !out.has(claim.id));
}

/**
 * Drops what an actor says twice; the earliest assertion stays. Targets come before the meta-claims on them, so that
 * meta-claims on duplicates meet on the one kept. Rule 4; reasoning model §2 and §10.
 */
function mergeDuplicates(
  all: readonly Claim[],
  warnings: Warnings,
): { claims: Claim[]; claimById: Map<string, Claim> } {
  const kept = new Map<string, Claim>();
  const claimById = new Map<string, Claim>();
  const claims: Claim[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    let number = numbers.get(text);
    if (number === undefined) numbers.set(text, (number = numbers.size));
    return number;
  };
  const settle = (claim: Claim, home: string, polarity: string) => {
    if (claim.status !== 'retracted') {
      const what = `${numberOf(home)} ${numberOf(claim.predicate)} ${numberOf(claim.value.key)} ${numberOf(claim.scope)}`;
      const key = `${claim.actor.index} ${what} ${polarity} ${claim.from} ${claim.to}`;
      const first = kept.get(key);
      if (first) {
        claimById.set(claim.id, first);
        warnings.add(
          'duplicate_claim',
          claim.id,
          `Claim ${quote(claim.id)} repeats ${quote(first.id)} of the same actor and was dropped.`,
        );
        return;
      }
      kept.set(key, claim);
    }
    claimById.set(claim.id, claim);
    claims.push(claim);
  };
  // Two missing times differ by NaN, which is falsy as 0 is: the id decides.
  const earliestFirst = (a: Claim, b: Claim) =>
    (a.assertedAt ?? Infinity) - (b.assertedAt ?? Infinity) || byCodeUnits(a.id, b.id);

  const plain = all.filter((claim) => claim.subject !== null).sort(earliestFirst);
  for (const claim of plain)
    settle(claim, `s${claim.subject!.id}`, claim.valence === 'Refutes' ? 'denies' : 'asserts');
  const depth = metaDepths(all);
  const metas = all.filter((claim) => claim.subject === null);
  metas.sort((a, b) => depth.get(a.id)! - depth.get(b.id)! || earliestFirst(a, b));
  for (const meta of metas) {
    meta.target = claimById.get(meta.input.target_claim_id!)!;
    settle(meta, `c${meta.target.id}`, meta.valence);
  }
  claims.sort(byId);
  claims.forEach((claim, index) => {
    claim.index = index;
    claim.target?.metas.push(claim);
  });
  return { claims, claimById };
}

/** How many steps a meta-claim stands above the claim about a subject that it finally speaks of. */
function metaDepths(all: readonly Claim[]): ReadonlyMap<string, number> {
  const claimOf = new Map(all.map((claim) => [claim.id, claim]));
  const depth = new Map<string, number>();
  const path: Claim[] = [];
  for (const claim of all) {
    let at = claim;
    while (!depth.has(at.id) && at.subject === null) {
      path.push(at);
      at = claimOf.get(at.input.target_claim_id!)!;
    }
    let level = depth.get(at.id) ?? 0;
    for (let meta = path.pop(); meta; meta = path.pop()) depth.set(meta.id, (level += 1));
  }
  return depth;
}

function attachEvidence(
  evidence: readonly EvidenceInput[],
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): void {
  for (const item of evidence.toSorted(byId)) {
    const { usual, low, high } = EVIDENCE_WEIGHT;
    const weight = clampWarned(item.weight ?? usual, low, high, 'weight of evidence', item.id, warnings);
    claimById.get(item.claim_id)?.evidence.push({ id: item.id, valence: item.valence as Valence, weight });
  }
}

/**
 * Resolves relationships and supersession. Only the first RELATIONSHIPS_MAX relationships of a claim count; an unknown
 * target is a warning; a retracted claim relates to nothing and stays retracted whatever names it. Reasoning model §2, §4.
 */
function resolveRelationships(
  claims: readonly Claim[],
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): void {
  for (const claim of claims) {
    const listed = claim.input.relationships ?? [];
    if (listed.length > RELATIONSHIPS_MAX) {
      warnings.add(
        'relationships_truncated',
        claim.id,
        `Claim ${quote(claim.id)} has ${listed.length} relationships; the first ${RELATIONSHIPS_MAX} are kept.`,
      );
    }
    const superseded = new Set<Claim>();
    if (claim.input.supersedes_claim_id)
      addSuperseded(claim, claim.input.supersedes_claim_id, superseded, claimById, warnings);
    for (const { relationship_type: type, target_claim_id: id } of listed.slice(0, RELATIONSHIPS_MAX)) {
      if (type === 'supersedes') {
        addSuperseded(claim, id, superseded, claimById, warnings);
        continue;
      }
      const target = claimById.get(id);
      if (!target) {
        warnings.add(
          'relationship_target_missing',
          claim.id,
          `Claim ${quote(claim.id)} ${type} ${quote(id)}, which is not among the claims; the relationship was ignored.`,
        );
      } else if (claim.status !== 'retracted' && target !== claim) {
        claim.relationships.push({ type: type as Relationship['type'], target });
      }
    }
    if (claim.status !== 'retracted')
      claim.supersedes = [...superseded].filter((target) => target.status !== 'retracted');
  }
  breakSupersessionCycles(claims, warnings);
  for (const claim of claims) for (const target of claim.supersedes) target.supersededBy.push(claim);
  for (const claim of claims) if (claim.supersededBy.length > 0) claim.status = 'superseded';
}

function addSuperseded(
  claim: Claim,
  id: string,
  superseded: Set<Claim>,
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): void {
  const target = claimById.get(id);
  if (target) superseded.add(target);
  else
    warnings.add(
      'supersession_target_missing',
      claim.id,
      `Claim ${quote(claim.id)} supersedes ${quote(id)}, which is not among the claims; nothing was superseded.`,
    );
}

/** Removes supersession edges inside a cycle, a claim that names itself included, each claim with a warning. */
function breakSupersessionCycles(claims: readonly Claim[], warnings: Warnings): void {
  const superseding = claims.filter((claim) => claim.supersedes.length > 0);
  if (superseding.length === 0) return;
  const component = stronglyConnected(superseding, (claim) => claim.supersedes);
  for (const claim of superseding) {
    const inside = claim.supersedes.filter(
      (target) => target === claim || component.get(target) === component.get(claim),
    );
    if (inside.length === 0) continue;
    claim.supersedes = claim.supersedes.filter((target) => !inside.includes(target));
    for (const target of inside)
      warnings.add(
        'supersession_cycle',
        claim.id,
        `Claim ${quote(claim.id)} and ${quote(target.id)} supersede each other in a circle; this supersession was ignored.`,
      );
  }
}

/** Strongly connected components, numbered; R. Tarjan 1972, with its own stack, so that depth costs no call stack. */
function stronglyConnected<T>(nodes: readonly T[], next: (node: T) => readonly T[]): Map<T, number> {
  const order = new Map<T, number>();
  const low = new Map<T, number>();
  const component = new Map<T, number>();
  const open: T[] = [];
  for (const root of nodes) {
    if (order.has(root)) continue;
    const path: { node: T; at: number }[] = [{ node: root, at: 0 }];
    while (path.length > 0) {
      const frame = path[path.length - 1]!;
      const { node } = frame;
      if (frame.at === 0) {
        order.set(node, order.size);
        low.set(node, order.get(node)!);
        open.push(node);
      }
      const target = next(node)[frame.at];
      frame.at += 1;
      if (target !== undefined) {
        if (!order.has(target)) path.push({ node: target, at: 0 });
        else if (!component.has(target)) low.set(node, Math.min(low.get(node)!, order.get(target)!));
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(node)!));
      if (low.get(node) === order.get(node)) {
        const id = component.size;
        for (let member = open.pop()!; ; member = open.pop()!) {
          component.set(member, id);
          if (member === node) break;
        }
      }
    }
  }
  return component;
}

function readDistinctions(
  input: InvestigationInput,
  claimById: ReadonlyMap<string, Claim>,
  warnings: Warnings,
): Distinction[] {
  const distinctions: Distinction[] = [];
  for (const distinction of (input.distinctions ?? []).toSorted(byId)) {
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
