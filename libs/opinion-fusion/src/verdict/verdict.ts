import { inferredEvidence } from './inference.ts';
import type { KeptInference } from './inference.ts';
import type { Actor, Claim } from '../model/model.ts';
import { expectedProbability, opinionFromEvidence } from '@platform/subjective-logic';
import type { Opinion } from '@platform/subjective-logic';
import { RIVALS_MAX } from '../contract/constants.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import { AGREE, CONFLICT, isOtherAnswer, NEITHER, relation } from '../model/statements.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import type { Pair, StatementGroup } from '../model/statements.ts';
import { repeatKey } from '../model/value.ts';
import type { Value } from '../model/value.ts';
import type { OpinionSummary, SubjectInput } from '../contract/types.ts';
import { challenge, isIdentified, metaEvidence, refuted } from '../weighing/claim-weighing.ts';
import { bearsOn, countedFor } from '../weighing/counts-for.ts';
import { addMetas } from '../weighing/claims-about-claims.ts';
import type { Evidence } from '../weighing/claim-weighing.ts';
import { isToldApart } from '../weighing/weigh-bucket.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { questionKey } from '../model/question-key.ts';

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

/**
 * Verdicts of all pairs, those that only an inference makes included, by subject id, then predicate; where
 * nothing changed, the earlier one. Reasoning model §6.
 */
export function judge(
  weighed: Weighed,
  inferences: readonly KeptInference[],
  earlier: (pair: Pair) => Verdict | null = () => null,
): Verdict[] {
  const byPair = new Map<string, KeptInference[]>();
  for (const inference of inferences) {
    const key = questionKey(inference.input.subject_id, inference.input.predicate);
    const list = byPair.get(key);
    if (list) list.push(inference);
    else byPair.set(key, [inference]);
  }
  const verdicts = weighed.pairs.map((pair) => {
    const key = questionKey(pair.subject.id, pair.predicate);
    const own = byPair.get(key) ?? [];
    byPair.delete(key);
    const known = earlier(pair);
    if (known) return { ...known, inferences: own };
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

/**
 * Whether a question asks for a value and has none that counts: its claims, none of which says yes or no,
 * are retracted, below the credibility floor or without weight. An even chance would be that of a yes that
 * nobody said. An inference answers by yes. Source: RM-6.4. Pure.
 */
export const noValueCounts = ({ pair, leading, inferences }: Verdict): boolean =>
  leading === null &&
  inferences.length === 0 &&
  (pair?.claims.every(({ value }) => value.kind !== 'boolean') ?? false);

/** Whether a statement speaks against what its verdict is about: it denies a value, or says false. */
export const saysNo = ({ denies, value }: Pick<StatementGroup, 'denies' | 'value'>): boolean =>
  denies || (value.kind === 'boolean' && !value.truth);

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
    const own = asLeading(leading, weighed);
    const group = weighed.groupOf[leading.index]!;
    [r, s] = saysNo(group) ? [evidenceForYes(leading, pair, weighed), own.r] : [own.r, own.s];
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
 * The evidence against a leading denial or no, in items; other answers than yes and no are none for the yes,
 * although they conflict with the no. ADR 0135.
 */
function evidenceForYes(leading: Claim, pair: Pair, weighed: Weighed): number {
  const own = weighed.groupOf[leading.index]!;
  const bucket = pair.buckets.find(({ scope }) => scope === leading.scope)!;
  const opposing = bucket.groups.filter((group) => relation(own, group) === CONFLICT);
  const speaking = opposing.filter((group) => !isOtherAnswer(own, group));
  if (speaking.length === opposing.length) return asLeading(leading, weighed).s;
  const voices = speaking.flatMap(({ claims }) =>
    claims.filter(
      (claim) => !weighed.weighings[claim.index]!.silent && !isToldApart(claim, own, bucket, weighed),
    ),
  );
  return broughtAgainst(leading, pair, weighed, voices);
}

/**
 * What evidence, claims about claims and the claims given bring against what a claim states. Evidence items.
 * Never throws.
 */
export function broughtAgainst(
  claim: Claim,
  pair: Pair,
  weighed: Weighed,
  voices: readonly Claim[] = [],
): number {
  const { weighings, classes } = weighed;
  const strongest = new MaxByGroup(classes.count);
  strongest.start();
  const disputed = [...agreeingClaims(claim, pair, weighed)].filter((one) => bearsOn(one, claim));
  for (const one of disputed)
    if (!weighings[one.index]!.silent) addMetas(one, 'Refutes', weighings, classes, strongest);
  for (const one of voices)
    strongest.add(classes.of(one.actor), challenge(weighings[one.index]!), isIdentified(one));
  return refuted(disputed, weighings) + strongest.crowdSum();
}

/**
 * The claims that may lead a pair, the best of each statement, best first: those that affirm a value with
 * weight, or the denials where nothing is affirmed; by r, then by P, then, where copying was detected, by how
 * often their voices were found right (ADR 0007), then by the evidence of the claims that state exactly that
 * value (ADR 0074), then by scope and time (ADR 0078), then yes, no and other answers (ADR 0126), then by id.
 * A superseded claim whose superseder stands is none of them. Source: reasoning model §6, §11.
 */
export function candidatesOf(pair: Pair, weighed: Weighed): readonly Claim[] {
  let known = weighed.candidates.get(pair);
  if (!known) weighed.candidates.set(pair, (known = findCandidates(pair, weighed)));
  return known.claims;
}

/** The same of the claims that pass a test alone. */
export function findCandidates(
  pair: Pair,
  weighed: Weighed,
  passes: (claim: Claim) => boolean = () => true,
): { readonly claims: readonly Claim[]; readonly asksAccuracy: boolean } {
  const { weighings, classes, barred, groupOf } = weighed;
  const bestOf = (denies: boolean): Ranked[] => {
    const best: Ranked[] = [];
    for (const bucket of pair.buckets) {
      for (const group of bucket.groups) {
        if (group.denies !== denies) continue;
        let first: Ranked | null = null;
        for (const claim of group.claims) {
          if (weighings[claim.index]!.weight <= 0 || barred.has(claim) || !passes(claim)) continue;
          const { r, opinion } = asLeading(claim, weighed);
          const [ownR, P] = [roundForComparison(r), roundForComparison(expectedProbability(opinion))];
          if (!first || ownR > first.r || (ownR === first.r && P > first.P)) first = { claim, r: ownR, P };
        }
        if (first) best.push(first);
      }
    }
    return best;
  };
  let best = bestOf(false);
  if (best.length === 0) best = bestOf(true);
  const proven = new Map<Claim, number>();
  let asksAccuracy = false;
  const provenOf = (claim: Claim): number => {
    asksAccuracy = true;
    if (!classes.knowsAccuracy) return 0;
    let amount = proven.get(claim);
    if (amount === undefined) proven.set(claim, (amount = provenSupport(claim, pair, weighed)));
    return amount;
  };
  const exactOf = exactSupport(pair, weighed);
  best.sort(
    (a, b) =>
      b.r - a.r ||
      b.P - a.P ||
      provenOf(b.claim) - provenOf(a.claim) ||
      exactOf(b.claim) - exactOf(a.claim) ||
      byPlace(a.claim, b.claim) ||
      truthRank(groupOf[a.claim.index]!) - truthRank(groupOf[b.claim.index]!) ||
      a.claim.index - b.claim.index,
  );
  return { claims: best.map(({ claim }) => claim), asksAccuracy };
}

/** The evidence of a claim as the verdict counts it that the claim leads. Source: ADR 0126. Never throws. */
export function asLeading(claim: Claim, { weighings }: Pick<Weighed, 'weighings'>): Evidence {
  const weighing = weighings[claim.index]!;
  return weighing.asLeading ?? weighing;
}

const truthRank = ({ value }: StatementGroup) => (value.kind !== 'boolean' ? 2 : value.truth ? 0 : 1);

/** No scope before any, then the scope, then the time that claims are about, the earliest first. */
function byPlace(a: Claim, b: Claim): number {
  const earlier = (x: number, y: number) => (x === y ? 0 : x - y);
  return byCodeUnits(a.scope, b.scope) || earlier(a.from, b.from) || earlier(a.to, b.to);
}

interface Ranked {
  readonly claim: Claim;
  /** The weight for, rounded for comparison. */
  readonly r: number;
  readonly P: number;
}

/** The claim that leads a pair; null when none may. */
export function leadingClaim(pair: Pair, weighed: Weighed): Claim | null {
  return candidatesOf(pair, weighed)[0] ?? null;
}

/** r of a claim's own side with each voice times how often its actor was found right. Evidence items. */
function provenSupport(claim: Claim, pair: Pair, weighed: Weighed): number {
  const { weighings, classes } = weighed;
  const strongest = new MaxByGroup(classes.count);
  strongest.start();
  for (const other of claimsFor(claim, pair, weighed))
    strongest.add(classes.of(other.actor), weighings[other.index]!.voice * classes.accuracyOf(other.actor));
  return roundForComparison(strongest.sum());
}

/**
 * r of a claim, counting only claims that state exactly its value, at any time, and none that state a near
 * one. 0 for values other than numbers and dates. Evidence items.
 */
function exactSupport(pair: Pair, { weighings, classes, groupOf }: Weighed): (claim: Claim) => number {
  let claimsBy: Map<string, Claim[]> | null = null;
  const amounts = new Map<string, number>();
  return (candidate) => {
    const { denies, value } = groupOf[candidate.index]!;
    if (value.kind !== 'number' && value.kind !== 'date') return 0;
    const key = exactKey(denies, value, candidate.scope);
    let amount = amounts.get(key);
    if (amount !== undefined) return amount;
    claimsBy ??= byExactValue(pair);
    const speaking = claimsBy.get(key)!.filter((claim) => !weighings[claim.index]!.silent);
    // Classes are renumbered from 0, because few of all classes speak on one question.
    const numbers = new Map<number, number>();
    const numbered = {
      of: (actor: Actor) => {
        const cls = classes.of(actor);
        if (!numbers.has(cls)) numbers.set(cls, numbers.size);
        return numbers.get(cls)!;
      },
    };
    const strongest = new MaxByGroup(speaking.reduce((most, { metas }) => most + 1 + metas.length, 0));
    strongest.start();
    for (const claim of speaking) {
      strongest.add(numbered.of(claim.actor), weighings[claim.index]!.voice, isIdentified(claim));
      addMetas(claim, 'Supports', weighings, numbered, strongest);
    }
    amounts.set(key, (amount = roundForComparison(strongest.crowdSum())));
    return amount;
  };
}

function byExactValue({ buckets }: Pair): Map<string, Claim[]> {
  const claimsBy = new Map<string, Claim[]>();
  for (const { scope, groups } of buckets) {
    for (const { denies, value, claims } of groups) {
      const key = exactKey(denies, value, scope);
      const known = claimsBy.get(key);
      if (known) for (const claim of claims) known.push(claim);
      else claimsBy.set(key, [...claims]);
    }
  }
  return claimsBy;
}

const exactKey = (denies: boolean, value: Value, scope: string) => `${denies} ${repeatKey(value)} ${scope}`;

/** The claims of a pair that agree with one of them, itself included. */
function* agreeingClaims(claim: Claim, pair: Pair, { groupOf }: Weighed): Iterable<Claim> {
  const bucket = pair.buckets.find((candidate) => candidate.scope === claim.scope)!;
  const statement = groupOf[claim.index]!;
  for (const group of bucket.groups) if (relation(statement, group) === AGREE) yield* group.claims;
}

/** Those of them that count for it. */
function claimsFor(claim: Claim, pair: Pair, weighed: Weighed): readonly Claim[] {
  const bucket = pair.buckets.find((candidate) => candidate.scope === claim.scope)!;
  const counts = countedFor(weighed.groupOf[claim.index]!, bucket, weighed);
  return [...agreeingClaims(claim, pair, weighed)].filter(counts);
}

/** Actors, and classes of actors, of the claims with weight that agree with the leading one. */
export function countSources(leading: Claim, pair: Pair, weighed: Weighed) {
  return countActors(claimsFor(leading, pair, weighed), weighed);
}

/** Actors, and classes of actors, of those of the claims that have weight. */
export function countActors(claims: Iterable<Claim>, { weighings, classes }: Weighed) {
  const actors = new Set<number>();
  const voices = new Set<number>();
  for (const claim of claims) {
    if (weighings[claim.index]!.weight <= 0) continue;
    actors.add(claim.actor.index);
    voices.add(classes.of(claim.actor));
  }
  return { sources: actors.size, independentSources: voices.size };
}

/** Whether a verdict is about a value that claims deny and none asserts with weight. Never throws. */
export function isOnlyDenied({ leading }: Pick<Verdict, 'leading'>, { groupOf }: Weighed): boolean {
  return leading !== null && groupOf[leading.index]!.denies;
}

/** Who speaks on one side of a verdict: by what stands, and by what is superseded with its amount. */
class Side {
  readonly standing = new Set<Actor>();
  readonly replaced = new Map<Actor, number>();
  readonly #weighed: Weighed;

  constructor(weighed: Weighed) {
    this.#weighed = weighed;
  }

  get size(): number {
    return new Set([...this.standing, ...this.replaced.keys()]).size;
  }

  add(claim: Claim, amount: number): void {
    const { actor } = claim;
    // A copy of a superseded claim is superseded with it.
    if (this.#weighed.successions.factorOf(claim) === 1) this.standing.add(actor);
    else this.replaced.set(actor, Math.max(amount, this.replaced.get(actor) ?? 0));
  }

  /** Adds who supports a claim with weight, and who supports that. Iterative, because chains may be long. */
  addSupporters(claim: Claim): void {
    const waiting = [claim];
    for (const { metas } of waiting) {
      for (const meta of metas) {
        const amount = metaEvidence(this.#weighed.weighings[meta.index]!);
        if (meta.valence !== 'Supports' || amount <= 0) continue;
        this.add(meta, amount);
        waiting.push(meta);
      }
    }
  }
}

/**
 * The distinct actors who speak for a verdict and against it with weight, those told apart by a distinction
 * included, and those of other answers than a no that leads on neither side; and those of whom all of it is
 * superseded, the weightiest first, and of copies their origin. Never throws.
 */
export function countSides({ pair, leading, inferences }: Verdict, weighed: Weighed) {
  const { weighings, groupOf } = weighed;
  const [ours, theirs, aside] = [new Side(weighed), new Side(weighed), new Side(weighed)];
  const copying = new Set<Actor>();
  let hasItems = inferences.length > 0;
  const own = leading && groupOf[leading.index]!;
  const bucket = own && pair?.buckets.find(({ scope }) => scope === leading.scope);
  const counts = own && bucket ? countedFor(own, bucket, weighed) : () => true;
  for (const group of bucket?.groups ?? []) {
    const isOther = isOtherAnswer(own!, group);
    const is = relation(own!, group);
    for (const claim of is === NEITHER ? [] : group.claims) {
      const weighing = weighings[claim.index]!;
      const bears = is === AGREE && bearsOn(claim, own!);
      hasItems ||= bears && refuted([claim], weighings) > 0;
      if (weighing.weight <= 0) continue;
      if (weighed.successions.copied.has(claim)) copying.add(claim.actor);
      if (is !== AGREE) {
        const amount = challenge(weighing);
        const side = isOther ? aside : theirs;
        if (amount > 0) {
          hasItems ||= !isOther && claim.evidence.length > 0;
          side.add(claim, amount);
        }
        side.addSupporters(claim);
        continue;
      }
      if (counts(claim)) {
        if (weighing.voice > 0) ours.add(claim, weighing.voice);
        ours.addSupporters(claim);
      }
      for (const meta of bears ? claim.metas : []) {
        const amount = metaEvidence(weighings[meta.index]!);
        if (meta.valence !== 'Refutes' || amount <= 0) continue;
        theirs.add(meta, amount);
        theirs.addSupporters(meta);
      }
    }
  }
  const [supporting, opposing] = own && saysNo(own) ? [theirs, ours] : [ours, theirs];
  const sides = [ours, theirs, aside];
  const replaced = new Map(sides.flatMap((side) => [...side.replaced]));
  for (const { standing } of sides) for (const actor of standing) replaced.delete(actor);
  const sources = [...replaced]
    .map(([actor, amount]) => ({ actor, amount: roundForComparison(amount) }))
    .toSorted(
      (a, b) =>
        Number(copying.has(a.actor)) - Number(copying.has(b.actor)) ||
        b.amount - a.amount ||
        byCodeUnits(a.actor.name, b.actor.name),
    );
  const countIn = (side: Side) => sources.filter(({ actor }) => side.replaced.has(actor)).length;
  return {
    counts: {
      supporting_source_count: supporting.size - countIn(supporting),
      opposing_source_count: opposing.size - countIn(opposing),
    },
    superseded:
      sources.length === 0
        ? null
        : {
            source_count: sources.length,
            supporting_source_count: countIn(supporting),
            opposing_source_count: countIn(opposing),
            sources: sources.slice(0, RIVALS_MAX).map(({ actor }) => actor.name),
            ...(theirs.standing.size === 0 && !hasItems && { is_all: true as const }),
          },
  };
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
