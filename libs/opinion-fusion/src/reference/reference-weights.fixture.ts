/** Reliability, ageing, weights and opinions of claims by the text of the reasoning model §4 and §5. */

import {
  agree,
  bears,
  countsFor,
  baseReliability,
  byId,
  clamp,
  competence,
  contradict,
  DAY,
  due,
  FLOOR,
  isContrary,
  same,
  isHalfLife,
  isWithdrawn,
  overlap,
  round12,
  saysAgree,
  sourceRow,
  statement,
} from './reference-claims.fixture.ts';
import type { Cast, ReferenceClaim } from './reference-claims.fixture.ts';
import { instant, valuesRepeat } from './reference-values.fixture.ts';
import type { DistinctionInput, EvidenceInput, InferenceInput } from '../contract/types.ts';

const DOMAIN_DAYS: Readonly<Record<string, number>> = {
  finance: 180,
  news: 90,
  technology: 365,
  geopolitics: 730,
  medicine: 3650,
  science: 9125,
  legal: 7300,
  general: 180,
};
const TYPE_FACTOR: Readonly<Record<string, number>> = {
  factual: 1,
  predictive: 0.5,
  evaluative: 0.75,
  causal: 1.5,
  procedural: 2,
  methodological: 2,
};
const STATUS_FACTOR: Readonly<Record<string, number>> = {
  conjecture: 0.5,
  hypothesis: 1,
  theory: 2,
  law: 100,
  superseded: 0.25,
  retracted: 0,
};
const STATUS_FRESHNESS: Readonly<Record<string, number>> = {
  law: 1,
  theory: 0.9,
  hypothesis: 0.7,
  conjecture: 0.4,
  superseded: 0.1,
  retracted: 0,
};
const RULE_STRENGTH: Readonly<Record<string, number>> = {
  a_fortiori: 0.9,
  expert_testimony: 0.8,
  custom: 0.7,
  generalization: 0.6,
  default: 0.6,
  temporal_precedence: 0.5,
  analogy: 0.5,
};

export interface Ageing {
  readonly halfLife: number;
  readonly decay: number;
  readonly freshness: number;
  readonly origin: number | null;
  readonly ageDays: number;
  readonly count: number;
  readonly independent: number;
  /** The time of the last one, as it is written. */
  readonly last: string | null;
}

export interface Opinion {
  readonly r: number;
  readonly s: number;
  readonly b: number;
  readonly d: number;
  readonly u: number;
  readonly p: number;
}

export interface Scales extends Cast {
  readonly byName: ReadonlyMap<string, ReferenceClaim>;
  readonly halfLifeDays: number;
  readonly distinctions: readonly DistinctionInput[];
  readonly inferences: readonly InferenceInput[];
  classOf(actor: string): string;
  ageing(claim: ReferenceClaim): Ageing;
  /** Below the floor or retracted: zero evidence. */
  isMute(claim: ReferenceClaim): boolean;
  isBelowFloor(claim: ReferenceClaim): boolean;
  /** Whether it may count for others: neither mute nor hanging on a retracted claim. */
  lends(claim: ReferenceClaim): boolean;
  g(claim: ReferenceClaim): number;
  reliability(claim: ReferenceClaim): number;
  kappa(claim: ReferenceClaim): number;
  opinion(claim: ReferenceClaim): Opinion;
  /** The same, with what any claim for its value is still in conflict with. */
  opinionAsLeading(claim: ReferenceClaim, place?: ReferenceClaim | null): Opinion;
  /**
   * The same, where a no leads without what is neither yes nor no; of what is said in the scope and time of
   * another claim, where one is given.
   */
  opinionOfVerdict(claim: ReferenceClaim, place?: ReferenceClaim | null): Opinion;
  /** r from those alone that state the very value of a claim, whenever; 0 for what is near no other. */
  exactSupport(claim: ReferenceClaim, place?: ReferenceClaim | null): number;
  /** Whether it may not lead, because what supersedes it stands. */
  isBarred(claim: ReferenceClaim): boolean;
  /** What supersession leaves of its weight: 1, 0.25 or 0. */
  succession(claim: ReferenceClaim): number;
  fromVoice(claim: ReferenceClaim, factor?: number): Contribution;
  fromMetas(claim: ReferenceClaim, valence: string): Contribution[];
  /** The same, as if no time had passed. */
  undatedMetas(claim: ReferenceClaim, valence: string): Contribution[];
  undatedItems(claim: ReferenceClaim): Contribution[];
  fromRefutingItems(claim: ReferenceClaim): Contribution[];
  conflict(a: ReferenceClaim, b: ReferenceClaim): boolean;
  areDistinguished(a: ReferenceClaim, b: ReferenceClaim): boolean;
  countsFor(claim: ReferenceClaim, other: ReferenceClaim): boolean;
  items(claim: ReferenceClaim, valence: string): EvidenceInput[];
  metas(claim: ReferenceClaim, valence: string): ReferenceClaim[];
  inferred(subject: string, predicate: string): number;
}

export function opinionOf(r: number, s: number): Opinion {
  const total = r + s + 2;
  return { r, s, b: r / total, d: s / total, u: 2 / total, p: r / total + (0.5 * 2) / total };
}

export interface Contribution {
  readonly of: string;
  readonly amount: number;
  readonly isIdentified: boolean;
}

/** Within a class the strongest counts. */
function strongestOf(contributions: readonly Contribution[]): number[] {
  const classes = [...new Set(contributions.map(({ of }) => of))];
  return classes.map((name) =>
    Math.max(...contributions.filter(({ of }) => of === name).map(({ amount }) => amount)),
  );
}

/** Evidence of different classes is added up. */
const fused = (contributions: readonly Contribution[]) =>
  strongestOf(contributions).reduce((sum, amount) => sum + amount, 0);

/** Section 11: the i-th strongest class without an identified source counts 0.9^(i − 1). */
export function fusedCrowds(contributions: readonly Contribution[]): number {
  const heard = contributions.filter(({ amount }) => amount > 0);
  const named = new Set(heard.filter(({ isIdentified }) => isIdentified).map(({ of }) => of));
  const crowd = strongestOf(heard.filter(({ of }) => !named.has(of))).toSorted((a, b) => b - a);
  return (
    fused(heard.filter(({ of }) => named.has(of))) +
    crowd.reduce((sum, amount, index) => sum + amount * 0.9 ** index, 0)
  );
}

const UNIDENTIFIED = ['anonymous', 'socialmedia', 'troll'];
const isIdentified = ({ actor }: ReferenceClaim) =>
  !UNIDENTIFIED.includes(actor.source_type.toLowerCase().replace(/[\s_-]/g, ''));

function memo<T>(compute: (claim: ReferenceClaim) => T): (claim: ReferenceClaim) => T {
  const known = new Map<string, T>();
  return (claim) => {
    if (!known.has(claim.id)) known.set(claim.id, compute(claim));
    return known.get(claim.id)!;
  };
}

export function weigh(cast: Cast, isUnaged = false): Scales {
  const { input, claims, dues, t0 } = cast;
  const byName = new Map(claims.map((claim) => [claim.id, claim]));
  const actors = new Map(input.actors.map((actor) => [actor.id, actor]));

  const sameVoice = (id: string, seen: Set<string>): Set<string> => {
    seen.add(id);
    for (const actor of input.actors) {
      const joined =
        actor.depends_on?.includes(id) || actors.get(id)!.depends_on?.some((other) => other === actor.id);
      if (joined && !seen.has(actor.id)) sameVoice(actor.id, seen);
    }
    return seen;
  };
  const classes = new Map(input.actors.map(({ id }) => [id, [...sameVoice(id, new Set())].sort(byId)[0]!]));
  const classOf = (id: string) => classes.get(id)!;

  // Section 2: what is out of range is moved, with a warning.
  for (const actor of input.actors) {
    const given = actor.base_reliability ?? null;
    if (given !== null && given !== clamp(given, 0.01, 0.99)) due(dues, 'clamped', actor.id, 'base');
    const base = baseReliability(actor);
    if (given !== null && (base < sourceRow(actor)[0] || base > sourceRow(actor)[1]))
      due(dues, 'implausible', actor.id);
    for (const [name, share] of [
      ['default', actor.default_competence ?? 1] as const,
      ...Object.entries(actor.competence ?? {}),
    ])
      if (share !== clamp(share, 0, 1)) due(dues, 'clamped', actor.id, name);
  }
  for (const item of input.evidence ?? [])
    if (item.weight != null && item.weight !== clamp(item.weight, 0, 100)) due(dues, 'clamped', item.id);
  const refresh = clamp(input.dependent_refresh_factor ?? 0.5, 0, 1);
  if (refresh !== (input.dependent_refresh_factor ?? 0.5)) due(dues, 'clamped', 'refresh');
  const override = input.decay_half_life_days ?? null;
  if (override !== null && override <= 0) due(dues, 'investigation half-life');
  const halfLifeDays =
    override !== null && override > 0 ? override : DOMAIN_DAYS[(input.domain ?? 'General').toLowerCase()]!;

  // Distinctions that are kept.
  const distinctions = (input.distinctions ?? []).filter(({ id, argument_a, argument_b }) => {
    const sides = [byName.get(argument_a), byName.get(argument_b)];
    const kept = argument_a !== argument_b && sides.every((claim) => claim && claim.status !== 'retracted');
    if (!kept) due(dues, 'distinction', id);
    return kept;
  });
  const areDistinguished = (a: ReferenceClaim, b: ReferenceClaim) =>
    distinctions.some(
      ({ argument_a: x, argument_b: y }) => (x === a.id && y === b.id) || (x === b.id && y === a.id),
    );
  const conflict = (a: ReferenceClaim, b: ReferenceClaim) => contradict(a, b) && !areDistinguished(a, b);

  const items = (claim: ReferenceClaim, valence: string) =>
    (input.evidence ?? []).filter(
      (item) => item.claim_id === claim.id && item.valence.toLowerCase() === valence,
    );
  const weightOf = (item: EvidenceInput) => clamp(item.weight ?? 1, 0, 100);

  // Section 4: reliability.
  const isStanding = (claim: ReferenceClaim) => claim.status !== 'retracted' && claim.status !== 'superseded';
  const reliability = memo((claim) => {
    const k = claims.filter(
      (other) =>
        other !== claim && other.actor === claim.actor && isStanding(other) && conflict(claim, other),
    ).length;
    const { actor, predicate } = claim;
    return baseReliability(actor) * competence(actor, predicate) * 0.8 ** Math.min(k, 3);
  });
  const isBelowFloor = (claim: ReferenceClaim) => round12(reliability(claim)) < FLOOR;
  // Section 11: what supersession leaves of a claim, and of what copies it.
  const successors = (id: string): ReferenceClaim[] => {
    const direct = cast.supersessions.filter(([, older]) => older === id).map(([newer]) => newer);
    return direct.flatMap((newer) => [byName.get(newer)!, ...successors(newer)]);
  };
  const ownFactor = (claim: ReferenceClaim): number => {
    if (claim.status === 'retracted') return 0;
    const standing = successors(claim.id).filter(isStanding);
    if (standing.some(({ actor }) => actor === claim.actor)) return 0;
    return standing.some((other) => !isBelowFloor(other)) ? 0.25 : 1;
  };
  const dependsOn = (id: string, seen: Set<string> = new Set()): Set<string> => {
    for (const other of actors.get(id)!.depends_on ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      dependsOn(other, seen);
    }
    return seen;
  };
  const originals = memo((copy) =>
    claims.filter(
      (old) =>
        ownFactor(old) < 1 &&
        copy.status !== 'retracted' &&
        old.actor !== copy.actor &&
        dependsOn(copy.actor.id).has(old.actor.id) &&
        !(copy.asserted !== null && old.asserted !== null && copy.asserted < old.asserted) &&
        agree(copy, old) &&
        !successors(old.id).some((other) => other === copy || agree(copy, other)),
    ),
  );
  // Its source gives another answer now, against which what refutes it would count.
  const isReplacedByAgreeing = (claim: ReferenceClaim) =>
    claim.status !== 'retracted' &&
    successors(claim.id).some(
      (other) =>
        isStanding(other) &&
        other.actor === claim.actor &&
        agree(other, claim) &&
        !same(other, claim) &&
        bears(claim, other),
    );
  const isReworded = (claim: ReferenceClaim) => [claim, ...originals(claim)].some(isReplacedByAgreeing);
  const factor = memo((claim) => Math.min(ownFactor(claim), ...originals(claim).map(ownFactor)));
  const isBarred = (claim: ReferenceClaim) =>
    [claim, ...originals(claim)].some((each) => ownFactor(each) === 0.25);
  for (const claim of claims)
    if (claim.status !== 'retracted' && factor(claim) < ownFactor(claim)) due(dues, 'copy', claim.id);
  const isMute = (claim: ReferenceClaim) =>
    isBelowFloor(claim) || claim.status === 'retracted' || factor(claim) === 0;
  for (const { id, argument_a, argument_b } of distinctions) {
    const [a, b] = [byName.get(argument_a)!, byName.get(argument_b)!];
    const isOneQuestion = a.subject !== null && a.subject === b.subject && a.predicate === b.predicate;
    if (isOneQuestion && (isMute(a) || isMute(b))) due(dues, 'distinction', id);
  }
  const lends = (claim: ReferenceClaim) => !isMute(claim) && !isWithdrawn(claim, claims);
  for (const claim of claims) if (isBelowFloor(claim)) due(dues, 'floor', claim.id);

  // Section 5: time.
  const ageing = memo((claim): Ageing => {
    const own = claim.input.decay_half_life_days ?? null;
    const isOwn = own !== null && isHalfLife(own);
    const settled =
      halfLifeDays * TYPE_FACTOR[claim.type]! * sourceRow(claim.actor)[3] * STATUS_FACTOR[claim.status]!;
    const overridden = (own ?? 0) * (claim.status === 'superseded' ? 0.25 : 1);
    const halfLife = claim.status === 'retracted' ? 0 : isOwn ? overridden : settled;
    const faded = (ms: number) => {
      const age = Math.max(ms, 0) / DAY;
      return age < 1_000 * halfLife ? 0.5 ** (age / halfLife) : 0;
    };

    const { asserted } = claim;
    const events = (claim.input.corroboration_events ?? [])
      .map((event) => ({ ...event, at: instant(event.time) }))
      .filter((event) => {
        const kind =
          event.actor_id === claim.actor.id
            ? 'own corroboration'
            : asserted !== null && event.at < asserted
              ? 'early corroboration'
              : event.at > t0
                ? 'late corroboration'
                : null;
        if (kind) due(dues, kind, claim.id, event.actor_id, event.time);
        return !kind;
      })
      .toSorted((a, b) => a.at - b.at || byId(a.actor_id, b.actor_id));
    if (events.length > 100) due(dues, 'corroborations truncated', claim.id);
    const kept = events.slice(-100).map((event) => {
      const actor = actors.get(event.actor_id);
      if (!actor) due(dues, 'stranger', claim.id, event.actor_id);
      const isIndependent =
        actor !== undefined &&
        classOf(actor.id) !== classOf(claim.actor.id) &&
        round12(baseReliability(actor) * competence(actor, claim.predicate)) >= FLOOR;
      return { ...event, isIndependent };
    });
    let origin = asserted;
    for (const { at, isIndependent } of kept)
      if (origin !== null) origin = isIndependent ? at : origin + Math.round(refresh * (at - origin));
    const last = kept.at(-1);
    const decay = isUnaged ? 1 : origin === null ? (halfLife === 0 ? 0 : 1) : faded(t0 - origin);
    const recency = last ? faded(t0 - last.at) : 0;
    return {
      halfLife,
      decay,
      freshness: 0.7 * decay + 0.2 * recency + 0.1 * STATUS_FRESHNESS[claim.status]!,
      origin,
      ageDays: origin === null ? 0 : Math.max(t0 - origin, 0) / DAY,
      count: kept.length,
      independent: kept.filter(({ isIndependent }) => isIndependent).length,
      last: last?.time ?? null,
    };
  });

  // Section 4: weight, voice, κ.
  const isRefined = (claim: ReferenceClaim) =>
    claims.some(
      (other) =>
        other !== claim &&
        isStanding(other) &&
        !isBelowFloor(other) &&
        other.subject !== null &&
        other.subject === claim.subject &&
        other.predicate === claim.predicate &&
        other.relations.some(({ type, target }) => type === 'refines' && target === claim.id) &&
        saysAgree(other, claim) &&
        overlap(other, claim),
    );
  const g = memo((claim) =>
    isMute(claim)
      ? 0
      : reliability(claim) * ageing(claim).decay * factor(claim) * (isRefined(claim) ? 0.9 : 1),
  );
  const voice = memo((claim) => {
    const backed = items(claim, 'supports').reduce((sum, item) => sum + weightOf(item), 1);
    return Math.min(g(claim) * backed, (2 * g(claim)) / (1 - reliability(claim)));
  });
  const metas = (claim: ReferenceClaim, valence: string) =>
    claims.filter((meta) => meta.target === claim.id && meta.valence === valence && !isMute(meta));
  const fromMetas = (claim: ReferenceClaim, valence: string): Contribution[] =>
    metas(claim, valence).map((meta) => ({
      of: `class ${classOf(meta.actor.id)}`,
      amount: g(meta) * kappa(meta),
      isIdentified: isIdentified(meta),
    }));
  const undatedMetas = (claim: ReferenceClaim, valence: string): Contribution[] =>
    metas(claim, valence)
      .filter((meta) => g(meta) > 0)
      .map((meta) => ({
        of: `class ${classOf(meta.actor.id)}`,
        amount: reliability(meta) * kappa(meta),
        isIdentified: isIdentified(meta),
      }));
  const fromVoice = (claim: ReferenceClaim, factor = 1): Contribution => ({
    of: `class ${classOf(claim.actor.id)}`,
    amount: voice(claim) * factor,
    isIdentified: isIdentified(claim),
  });
  // What refutes a claim counts also where its own source has replaced it.
  const refutes = (claim: ReferenceClaim) =>
    isBelowFloor(claim) || claim.status === 'retracted' || isReworded(claim) ? [] : items(claim, 'refutes');
  const fromRefutingItems = (claim: ReferenceClaim): Contribution[] =>
    refutes(claim).map((item) => ({
      of: `item ${item.id}`,
      amount: ageing(claim).decay * weightOf(item),
      isIdentified: true,
    }));
  const undatedItems = (claim: ReferenceClaim): Contribution[] =>
    refutes(claim).map((item) => ({
      of: `item ${item.id}`,
      amount: weightOf(item),
      isIdentified: true,
    }));
  const kappa: (claim: ReferenceClaim) => number = memo((claim) => {
    const pro = fused([fromVoice(claim), ...fromMetas(claim, 'supports')]);
    const contra = fused([...fromRefutingItems(claim), ...fromMetas(claim, 'refutes')]);
    return pro === 0 ? 0 : pro / (pro + contra);
  });

  const unmuted = claims.filter((claim) => !isMute(claim));
  const opinionAgainst = (
    claim: ReferenceClaim,
    isHeard: (claim: ReferenceClaim, other: ReferenceClaim, agreeing: readonly ReferenceClaim[]) => boolean,
    among = claims,
  ) => {
    if (isMute(claim)) return opinionOf(0, 0);
    const agreeing = among.filter((other) => other === claim || (lends(other) && agree(claim, other)));
    const heard = among.filter((other) => !isMute(other));
    const counted = agreeing.filter((other) => other === claim || countsFor(other, claim, heard));
    const opposed = among.filter((other) => lends(other) && isHeard(claim, other, counted));
    const replaced = among.filter((other) => other !== claim && isMute(other) && other.target === null);
    const pro = [
      ...counted.flatMap((other) => [fromVoice(other), ...fromMetas(other, 'supports')]),
      ...replaced
        .filter((other) => contradict(other, claim) && isContrary(other, claim))
        .flatMap(fromRefutingItems),
    ];
    const contra = [
      ...replaced.filter((other) => agree(other, claim) && bears(other, claim)).flatMap(fromRefutingItems),
      ...agreeing
        .filter((other) => bears(other, claim))
        .flatMap((other) => [...fromRefutingItems(other), ...fromMetas(other, 'refutes')]),
      ...opposed.map((other) => fromVoice(other, kappa(other))),
    ];
    return opinionOf(fusedCrowds(pro), fusedCrowds(contra));
  };
  const opinion = memo((claim) => opinionAgainst(claim, conflict));
  const isInConflict = (
    one: ReferenceClaim,
    other: ReferenceClaim,
    agreeing: readonly ReferenceClaim[],
  ): boolean => contradict(one, other) && agreeing.some((each) => g(each) > 0 && conflict(each, other));
  const opinionAnywhere = memo((claim) => opinionAgainst(claim, isInConflict));
  /** The claims that are about some of the scope and time of another. */
  const within = (place: ReferenceClaim | null) =>
    place === null ? claims : claims.filter((other) => other.scope === place.scope && overlap(other, place));
  const opinionAsLeading = (claim: ReferenceClaim, place: ReferenceClaim | null = null) =>
    place === null ? opinionAnywhere(claim) : opinionAgainst(claim, isInConflict, within(place));
  const opinionOfVerdict = (claim: ReferenceClaim, place: ReferenceClaim | null = null) => {
    const { says } = statement(claim);
    const saysNo = says.form === 'boolean' && !says.truth;
    return opinionAgainst(
      claim,
      (one, other, agreeing) =>
        (!saysNo || statement(other).says.form === 'boolean') && isInConflict(one, other, agreeing),
      within(place),
    );
  };

  const exactSupport = (claim: ReferenceClaim, place: ReferenceClaim | null = null) => {
    const { says, affirms } = statement(claim);
    if (says.form !== 'number' && says.form !== 'date') return 0;
    const same = within(place).filter(
      (other) =>
        lends(other) &&
        other.subject === claim.subject &&
        other.predicate === claim.predicate &&
        other.scope === claim.scope &&
        statement(other).affirms === affirms &&
        valuesRepeat(statement(other).says, says),
    );
    return fusedCrowds(same.flatMap((other) => [fromVoice(other), ...fromMetas(other, 'supports')]));
  };

  const inferences = (input.inferences ?? []).filter((inference) => {
    const premises = inference.premise_claim_ids.map((id) => byName.get(id));
    const isKept =
      premises.length > 0 &&
      premises.every((premise) => premise && lends(premise)) &&
      followsItsRule(inference, premises as ReferenceClaim[]);
    if (!isKept) due(dues, 'inference', inference.id);
    return isKept;
  });
  const inferred = (subject: string, predicate: string) => {
    const parts = inferences
      .filter((inference) => inference.subject_id === subject && inference.predicate === predicate)
      .map(({ rule_type, premise_claim_ids: premises }) => {
        const weakest = Math.min(...premises.map((id) => opinion(byName.get(id)!).b));
        return RULE_STRENGTH[rule_type.toLowerCase()]! * weakest;
      });
    return Math.min(
      1,
      parts.reduce((sum, part) => sum + part, 0),
    );
  };

  return {
    ...cast,
    byName,
    halfLifeDays,
    distinctions,
    inferences,
    classOf,
    ageing,
    isMute,
    isBelowFloor,
    lends,
    g,
    reliability,
    kappa,
    opinion,
    opinionAsLeading,
    opinionOfVerdict,
    exactSupport,
    isBarred,
    succession: factor,
    fromVoice,
    fromMetas,
    undatedMetas,
    undatedItems,
    fromRefutingItems,
    conflict,
    areDistinguished,
    countsFor: (claim, other) => countsFor(claim, other, unmuted),
    items,
    metas,
    inferred,
  };
}

/** Rule errors of §4. */
function followsItsRule(inference: InferenceInput, premises: readonly ReferenceClaim[]): boolean {
  const given = (text: string | null | undefined) => Boolean(text?.trim());
  const different = new Set(premises).size;
  switch (inference.rule_type.toLowerCase()) {
    case 'a_fortiori':
    case 'analogy':
    case 'default':
      return given(inference.rule_param);
    case 'generalization':
      return given(inference.rule_param) && different > 1;
    case 'custom':
      return given(inference.rule_param) && given(inference.rule_param2);
    case 'temporal_precedence': {
      const times = premises.map(({ input, start, asserted }) => (input.event_start_time ? start : asserted));
      return (
        different > 1 &&
        times.every((time, index) => time !== null && (index === 0 || times[index - 1]! < time))
      );
    }
    default:
      return premises.every((premise) =>
        ['expert', 'regulator', 'analyst'].includes(premise.actor.source_type.toLowerCase()),
      );
  }
}
