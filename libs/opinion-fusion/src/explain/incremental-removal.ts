import { SELF_CONTRADICTION_FACTOR, SELF_CONTRADICTIONS_MAX } from '../contract/constants.ts';
import type { Actor, Claim } from '../model/model.ts';
import { opinionFromEvidence } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import { unitsBesideBareNumbers } from '../model/question-units.ts';
import { isBelowFloor, isStanding } from '../model/reliability.ts';
import { relatedStatements } from '../model/related-statements.ts';
import { AGREE, CONFLICT, relation } from '../model/statements.ts';
import type { Pair, StatementGroup } from '../model/statements.ts';
import { isApart } from '../verdict/rivals.ts';
import { judgePair } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { inBrief } from './alternatives.ts';
import type { PairAlternatives } from './alternatives.ts';
import { claimOf } from './contributions.ts';
import type { VerdictWithout } from './explanation.ts';
import { listSpoken, saysNo } from './spoken.ts';
import type { Spoken } from './spoken.ts';
import { isIdentified } from '../weighing/claim-weighing.ts';
import { uncountedFor } from '../weighing/counts-for.ts';

/** Statements looked at as possible leaders, the strongest by r. */
const LEADS_MAX = 8;
/** Longest list of contributions, of one class or one actor, that is read again for each claim taken out. */
const LIST_READ_MAX = 64;

/** Contributions of one class to one side of a statement, strongest first. */
interface ClassList {
  /** Index of the statement in `#leads`. */
  readonly lead: number;
  readonly isSupport: boolean;
  readonly said: Spoken[];
  /** The removal in which the list was last begun, and the step of it in which it was last summed. */
  seenIn: number;
  summedIn: number;
  /** The strongest amount left in the list in that removal; the class counts with it alone. */
  counted: number;
  /** Index of the first contribution that is left in that removal; all before it were taken out. */
  head: number;
}

/** A statement that leads or could lead in its absence. */
interface Lead {
  readonly group: StatementGroup;
  /** Its claims with weight, by id: the first one there is leads. */
  readonly claims: readonly Claim[];
  /** Evidence of the verdict that it would lead. */
  readonly whole: { readonly r: number; readonly s: number };
  readonly forIsSupport: boolean;
  /**
   * In the current removal: the evidence left, and how many claims at the start of `claims` were taken out.
   */
  r: number;
  s: number;
  gone: number;
}

/**
 * Answers what a verdict would be without some claims by taking their contributions out of the sums of each
 * statement that could lead, where that is all that their absence does: they supersede and refine nothing
 * and, being meta-claims, weigh on nothing but the side that leads then; no inference speaks; no distinction
 * tells claims apart; every claim counts for what it agrees with; no number takes the unit of others; and
 * one statement has the largest r alone. What their actor says besides and contradicts them weighs more
 * without them, where it is a bare claim. Everywhere else the answer is null. The dependence of sources stays
 * as found.
 */
export class IncrementalRemoval {
  readonly #alternatives: PairAlternatives;
  readonly #leads: readonly Lead[];
  /** By claim: the lists that hold what it says about any lead. */
  readonly #listsOf = new Map<Claim, ClassList[]>();
  /** Largest r of the statements not looked at, by whether they deny; absent where there is none. */
  readonly #restR = new Map<boolean, number>();
  /** By claim place: the removal that last took the claim out. */
  readonly #goneIn: Uint32Array;
  /** By actor: all that the actor says in a bucket of the pair, where that is more than one claim. */
  readonly #repeated: ReadonlyMap<Actor, readonly (readonly Claim[])[]>;
  /** Claims that contradict a claim taken out, and the factor above 1 by which they now weigh more. */
  readonly #eased = new Map<Claim, number>();
  /** Statements whose meta-claims were taken out, each with the claim that these were about. */
  readonly #weighedOn = new Map<StatementGroup, Claim>();
  #round = 0;
  #step = 0;
  /** Length of the longest list: of one class on one side, or of one actor in a bucket. */
  #longestList = 0;

  private constructor(alternatives: PairAlternatives, pair: Pair) {
    this.#alternatives = alternatives;
    const { weighings, model } = alternatives.all.weighed;
    this.#goneIn = new Uint32Array(model.claims.length);
    this.#repeated = repeatersOf(pair);
    for (const lists of this.#repeated.values())
      for (const own of lists) this.#longestList = Math.max(this.#longestList, own.length);
    const { leading } = alternatives.verdict;
    // What is said in other scopes and of other times leads nothing in those of the verdict.
    const isThere = (claim: Claim) =>
      weighings[claim.index]!.weight > 0 && (!leading || !isApart(claim, leading));
    const groups = pair.buckets
      .flatMap((bucket) => bucket.groups)
      .map((group) => ({ group, claims: group.claims.filter(isThere) }))
      .filter(({ claims }) => claims.length > 0)
      .map((entry) => ({ ...entry, r: weighings[entry.claims[0]!.index]!.r }))
      .sort((a, b) => Number(a.group.denies) - Number(b.group.denies) || b.r - a.r);
    for (const { group, r } of groups.slice(LEADS_MAX))
      this.#restR.set(group.denies, Math.max(this.#restR.get(group.denies) ?? 0, roundForComparison(r)));
    this.#leads = groups.slice(0, LEADS_MAX).map(({ group, claims }, lead) => {
      const { r, s } = this.#listsFor(lead, judgePair(pair, claims[0]!, [], alternatives.all.weighed));
      return { group, claims, whole: { r, s }, forIsSupport: !saysNo(group), r, s, gone: 0 };
    });
  }

  /** Null for verdicts that cannot be computed this way. */
  static of(alternatives: PairAlternatives): IncrementalRemoval | null {
    const { pair, inferences } = alternatives.verdict;
    if (!pair || inferences.length > 0) return null;
    const { valueOf } = alternatives.all.weighed.model;
    return pair.claims.some((claim) => claim.distinguishedFrom) ||
      unitsBesideBareNumbers(pair.claims, valueOf) > 0 ||
      hasCrowdOrCopies(pair, alternatives) ||
      isPartlyCounted(pair, alternatives)
      ? null
      : new IncrementalRemoval(alternatives, pair);
  }

  /**
   * The verdict without `claims`, which must include the meta-claims on them; null where sums do not give it.
   */
  without(claims: readonly Claim[]): VerdictWithout | null {
    this.#begin();
    return this.#takeOut(claims) ? this.#verdict() : null;
  }

  /**
   * Yields the verdict without the first list, then without the first two lists, and so on. Ends early where
   * a verdict cannot be had by taking one more list out of the previous sums.
   */
  *withoutEver(lists: Iterable<readonly Claim[]>): Generator<VerdictWithout | null, void> {
    if (this.#repeated.size > 0 && this.#longestList > LIST_READ_MAX) return;
    this.#begin();
    for (const claims of lists) {
      if (!this.#takeOut(claims)) return;
      yield this.#verdict();
    }
  }

  #begin(): void {
    this.#round += 1;
    this.#eased.clear();
    this.#weighedOn.clear();
    for (const lead of this.#leads) {
      lead.r = lead.whole.r;
      lead.s = lead.whole.s;
      lead.gone = 0;
    }
  }

  /** Takes more claims out in the current removal; false where sums do not give the verdict that is left. */
  #takeOut(claims: readonly Claim[]): boolean {
    this.#step += 1;
    for (const claim of claims) this.#goneIn[claim.index] = this.#round;
    const { groupOf } = this.#alternatives.all.weighed;
    const eased: Claim[] = [];
    for (const claim of claims) {
      if (!this.#isPlain(claim) || !this.#ease(claim, eased)) return false;
      const { target } = claim;
      if (target && !this.#isGone(target)) this.#weighedOn.set(groupOf[target.index]!, target);
    }
    if (this.#eased.size > 0 && this.#restR.size > 0) return false;
    for (const claim of claims) this.#sumAgain(claim);
    for (const claim of eased) this.#sumAgain(claim);
    return true;
  }

  /** Recomputes every sum that the claim contributes to. */
  #sumAgain(claim: Claim): void {
    const lists = this.#listsOf.get(claim);
    if (!lists) return;
    for (const list of lists) {
      if (list.summedIn === this.#step) continue;
      list.summedIn = this.#step;
      if (list.seenIn !== this.#round) {
        list.seenIn = this.#round;
        list.counted = list.said[0]!.amount;
        list.head = 0;
      }
      const counted = this.#strongest(list);
      const change = counted - list.counted;
      list.counted = counted;
      if (list.isSupport) this.#leads[list.lead]!.r += change;
      else this.#leads[list.lead]!.s += change;
    }
  }

  /** The verdict of what is left in the current removal; null where sums do not tell which value leads. */
  #verdict(): VerdictWithout | null {
    let best: Lead | null = null;
    let bestR = -1;
    let isTied = false;
    for (const lead of this.#leads) {
      if (best && best.group.denies !== lead.group.denies) break;
      while (lead.gone < lead.claims.length && this.#isGone(lead.claims[lead.gone]!)) lead.gone += 1;
      if (lead.gone === lead.claims.length) continue;
      const ownR = roundForComparison(Math.max(0, lead.forIsSupport ? lead.r : lead.s));
      if (ownR === bestR) isTied = true;
      if (ownR <= bestR) continue;
      best = lead;
      bestR = ownR;
      isTied = false;
    }
    const { leading } = this.#alternatives.verdict;
    if (!best) return this.#restR.size > 0 ? null : inBrief(undefined, leading);
    const { group } = best;
    // Some of what is said of a longer time is of none of the answer's.
    if (leading && (group.from < leading.from || leading.to < group.to)) return null;
    if (isTied || (group.denies && this.#restR.has(false)) || bestR <= (this.#restR.get(group.denies) ?? -1))
      return null;
    const first = best.claims[best.gone]!;
    for (const target of this.#weighedOn.values()) if (!this.#agrees(target, first)) return null;
    const verdict = {
      opinion: opinionFromEvidence(Math.max(0, best.r), Math.max(0, best.s)),
      leadingValue: group.value.kind === 'boolean' ? 'true' : first.input.value,
    };
    return inBrief(verdict, first, group.denies);
  }

  /** The strongest of what is left of a list; 0 when nothing is. */
  #strongest(list: ClassList): number {
    const { said } = list;
    while (list.head < said.length && this.#isGone(claimOf(said[list.head]!)!)) list.head += 1;
    let strongest = said[list.head]?.amount ?? 0;
    if (this.#eased.size === 0) return strongest;
    for (let i = list.head; i < said.length; i += 1) {
      const claim = claimOf(said[i]!)!;
      const factor = this.#eased.get(claim);
      if (factor && !this.#isGone(claim)) strongest = Math.max(strongest, said[i]!.amount * factor);
    }
    return strongest;
  }

  /** Lists by class what is said on either side of a verdict, and returns the verdict. */
  #listsFor(lead: number, verdict: Verdict): Verdict {
    const byClass = new Map<number, ClassList>();
    for (const one of listSpoken(verdict, this.#alternatives.all.weighed).spoken) {
      if (one.muted || one.amount === 0) continue;
      let list = one.cls === null ? undefined : byClass.get(2 * one.cls + +one.isSupport);
      if (!list) {
        list = { lead, isSupport: one.isSupport, said: [], seenIn: 0, summedIn: 0, counted: 0, head: 0 };
        if (one.cls !== null) byClass.set(2 * one.cls + +one.isSupport, list);
      }
      list.said.push(one);
      const claim = claimOf(one)!;
      const known = this.#listsOf.get(claim);
      if (known) known.push(list);
      else this.#listsOf.set(claim, [list]);
    }
    for (const { said } of byClass.values()) {
      if (said.length > 1) said.sort((a, b) => b.amount - a.amount);
      this.#longestList = Math.max(this.#longestList, said.length);
    }
    return verdict;
  }

  #isGone(claim: Claim): boolean {
    return this.#goneIn[claim.index] === this.#round;
  }

  /**
   * False when the absence of a claim changes what other claims weigh, but for κ of the claim that a
   * meta-claim is about and for claims of the pair that contradict it.
   */
  #isPlain(claim: Claim): boolean {
    const { all } = this.#alternatives;
    if (all.supersedes(claim) || claim.relationships.some(({ type }) => type === 'refines')) return false;
    const { target } = claim;
    if (target) return this.#isGone(target) || target.target === null;
    const { pair } = this.#alternatives.verdict;
    if (claim.subject === pair!.subject && claim.predicate === pair!.predicate) return true;
    const { contradictions } = all.weighed;
    for (const other of all.claimsOf(claim.actor)) {
      if (!contradictions[other.index] || this.#isGone(other)) continue;
      if (other.subject === claim.subject && other.predicate === claim.predicate) return false;
    }
    return true;
  }

  /**
   * Without this claim, the claims of the same actor that contradict it weigh more: records their factors and
   * adds the claims to `eased`. False where the change would reach beyond their own contributions.
   */
  #ease(gone: Claim, eased: Claim[]): boolean {
    const repeated = this.#repeated.get(gone.actor);
    if (!repeated) return true;
    const { contradictions, weighings } = this.#alternatives.all.weighed;
    for (const own of repeated) {
      for (const claim of own) {
        const before = contradictions[claim.index]!;
        if (before === 0 || this.#isGone(claim)) continue;
        const left = this.#contradictionsLeft(claim, own);
        if (left === before) continue;
        const factor = SELF_CONTRADICTION_FACTOR ** (left - before);
        const { belowFloor, credibility, weight } = weighings[claim.index]!;
        if (belowFloor && !isBelowFloor(credibility * factor)) return false;
        if (weight === 0) continue;
        if (claim.evidence.length > 0 || claim.metas.length > 0) return false;
        if (this.#eased.get(claim) === factor) continue;
        this.#eased.set(claim, factor);
        eased.push(claim);
      }
    }
    return true;
  }

  /** How many of the actor's own claims that are left contradict one, as far as they count. */
  #contradictionsLeft(claim: Claim, own: readonly Claim[]): number {
    const { groupOf } = this.#alternatives.all.weighed;
    const group = groupOf[claim.index]!;
    let left = 0;
    for (const other of own) {
      if (!isStanding(other) || this.#isGone(other)) continue;
      if (relation(group, groupOf[other.index]!) === CONFLICT) left += 1;
      if (left === SELF_CONTRADICTIONS_MAX) break;
    }
    return left;
  }

  #agrees(claim: Claim, leading: Claim): boolean {
    if (claim.subject !== leading.subject || claim.predicate !== leading.predicate) return false;
    const { groupOf } = this.#alternatives.all.weighed;
    return (
      claim.scope === leading.scope && relation(groupOf[leading.index]!, groupOf[claim.index]!) === AGREE
    );
  }
}

/** What each actor says in a bucket, where that is more than one claim. */
function repeatersOf({ buckets }: Pair): ReadonlyMap<Actor, readonly (readonly Claim[])[]> {
  const repeaters = new Map<Actor, (readonly Claim[])[]>();
  for (const bucket of buckets) {
    for (const [actor, own] of bucket.repeaters) {
      const known = repeaters.get(actor);
      if (known) known.push(own);
      else repeaters.set(actor, [own]);
    }
  }
  return repeaters;
}

/**
 * Whether a claim that agrees with a statement, or what is brought against one, does not count for the
 * statement: without what is said of another time, it could.
 */
function isPartlyCounted({ buckets }: Pair, { all }: PairAlternatives): boolean {
  return buckets.some((bucket) => {
    const uncounted = uncountedFor(bucket, relatedStatements(bucket.groups), all.weighed.weighings);
    const [first] = bucket.groups;
    const isSequence = bucket.groups.some(({ from, to }) => from !== first!.from || to !== first!.to);
    const isDisputed = bucket.claims.some(({ evidence, metas }) =>
      [...evidence, ...metas].some(({ valence }) => valence === 'Refutes'),
    );
    return (isSequence && isDisputed) || bucket.groups.some(({ index }) => uncounted(index).length > 0);
  });
}

/**
 * True where sums by class do not tell what counts: with several unidentified speakers each one's share
 * depends on the others, and with superseded claims or copies the weight of one claim depends on another.
 */
function hasCrowdOrCopies({ claims }: Pair, { all }: PairAlternatives): boolean {
  const { successions } = all.weighed;
  let unidentified = 0;
  for (const claim of claims) {
    if (successions.factorOf(claim) < 1 || successions.copied.has(claim)) return true;
    for (const speaker of [claim, ...claim.metas]) if (!isIdentified(speaker)) unidentified += 1;
  }
  return unidentified > 1;
}
