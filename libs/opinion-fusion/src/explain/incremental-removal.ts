import { SELF_CONTRADICTION_FACTOR, SELF_CONTRADICTIONS_MAX } from '../contract/constants.ts';
import type { Actor, Claim } from '../model/model.ts';
import { opinionFromEvidence } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import { unitsBesideBareNumbers } from '../model/question-units.ts';
import { isBelowFloor, isStanding } from '../model/reliability.ts';
import { AGREE, CONFLICT, relation } from '../model/statements.ts';
import type { Pair, StatementGroup } from '../model/statements.ts';
import { judgePair } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { describe } from './alternatives.ts';
import type { PairAlternatives } from './alternatives.ts';
import { claimOf } from './contributions.ts';
import type { VerdictWithout } from './explanation.ts';
import { listSpoken, saysNo } from './spoken.ts';
import type { Spoken } from './spoken.ts';
import { isIdentified } from '../weighing/weighing.ts';

/** Statements looked at as possible leaders, the strongest by r. */
const LEADS_MAX = 8;

/** Contributions of one class to one side, strongest first. */
interface ClassList {
  readonly isSupport: boolean;
  readonly said: Spoken[];
  /** The removal in which the list was last summed again. */
  seenIn: number;
}

/** A statement that leads or could lead in its absence. */
interface Lead {
  readonly group: StatementGroup;
  /** Its claims with weight, by id: the first one there is leads. */
  readonly claims: readonly Claim[];
  /** Evidence of the verdict that it would lead. */
  readonly r: number;
  readonly s: number;
  readonly forIsSupport: boolean;
}

/**
 * Answers what a verdict would be without some claims by taking their contributions out of the sums of each
 * statement that could lead, where that is all that their absence does: they supersede and refine nothing
 * and, being meta-claims, weigh on nothing but the side that leads then; no inference speaks; no distinction
 * tells claims apart; no number takes the unit of others; and one statement has the largest r alone. What
 * their actor says besides and contradicts them weighs more without them, where it is a bare claim.
 * Everywhere else the answer is null. The dependence of sources stays as found.
 */
export class IncrementalRemoval {
  readonly #alternatives: PairAlternatives;
  readonly #leads: readonly Lead[];
  /** By claim: in the order of leads, the lists that hold what it says of the statement. */
  readonly #listsOf = new Map<Claim, readonly ClassList[][]>();
  /** Largest r of the statements not looked at, by whether they deny; absent where there is none. */
  readonly #restR = new Map<boolean, number>();
  /** By claim place: the removal that last took the claim out. */
  readonly #goneIn: Uint32Array;
  readonly #ties = new Map<Claim, boolean>();
  /** By actor: all that the actor says in a bucket of the pair, where that is more than one claim. */
  readonly #repeated: ReadonlyMap<Actor, readonly (readonly Claim[])[]>;
  /** What claims that contradict some that are gone weigh more, as a factor above 1. */
  readonly #eased = new Map<Claim, number>();
  #round = 0;

  private constructor(alternatives: PairAlternatives, pair: Pair) {
    this.#alternatives = alternatives;
    const { weighings, model } = alternatives.all.weighed;
    this.#goneIn = new Uint32Array(model.claims.length);
    this.#repeated = repeatersOf(pair);
    const groups = pair.buckets
      .flatMap((bucket) => bucket.groups)
      .map((group) => ({
        group,
        claims: group.claims.filter((claim) => weighings[claim.index]!.weight > 0),
      }))
      .filter(({ claims }) => claims.length > 0)
      .map((entry) => ({ ...entry, r: weighings[entry.claims[0]!.index]!.r }))
      .sort((a, b) => Number(a.group.denies) - Number(b.group.denies) || b.r - a.r);
    for (const { group, r } of groups.slice(LEADS_MAX))
      this.#restR.set(group.denies, Math.max(this.#restR.get(group.denies) ?? 0, roundForComparison(r)));
    this.#leads = groups.slice(0, LEADS_MAX).map(({ group, claims }, index, { length }) => {
      const verdict = judgePair(pair, claims[0]!, [], alternatives.all.weighed);
      for (const [claim, list] of listByClass(verdict, alternatives)) {
        let lists = this.#listsOf.get(claim);
        if (!lists) this.#listsOf.set(claim, (lists = Array.from({ length }, () => [])));
        lists[index]!.push(list);
      }
      return {
        group,
        claims,
        r: verdict.r,
        s: verdict.s,
        forIsSupport: !saysNo(group),
      };
    });
  }

  /** Null for verdicts that cannot be computed this way. */
  static of(alternatives: PairAlternatives): IncrementalRemoval | null {
    const { pair, inferences } = alternatives.verdict;
    if (!pair || inferences.length > 0) return null;
    const { valueOf } = alternatives.all.weighed.model;
    return pair.claims.some((claim) => claim.distinguishedFrom) ||
      unitsBesideBareNumbers(pair.claims, valueOf) > 0 ||
      hasCrowdOrCopies(pair, alternatives)
      ? null
      : new IncrementalRemoval(alternatives, pair);
  }

  /**
   * The verdict without the claims of each list, each of which holds the meta-claims on its claims; null
   * where that takes more.
   */
  without(lists: readonly (readonly Claim[])[]): VerdictWithout | null {
    this.#round += 1;
    for (const list of lists) for (const claim of list) this.#goneIn[claim.index] = this.#round;
    const weighedOn: Claim[] = [];
    this.#eased.clear();
    for (const list of lists) {
      for (const claim of list) {
        if (!this.#isPlain(claim) || !this.#ease(claim)) return null;
        if (claim.target && !this.#isGone(claim.target)) weighedOn.push(claim.target);
      }
    }
    if (this.#eased.size > 0 && this.#restR.size > 0) return null;
    const touched = this.#touched(lists);
    let best: { lead: Lead; first: Claim; r: number; s: number } | null = null;
    let bestR = -1;
    let isTied = false;
    for (const [index, lead] of this.#leads.entries()) {
      if (best && best.lead.group.denies !== lead.group.denies) break;
      const first = lead.claims.find((claim) => !this.#isGone(claim));
      if (!first) continue;
      const { r, s } = this.#sums(lead, index, touched);
      const ownR = roundForComparison(lead.forIsSupport ? r : s);
      if (ownR === bestR) isTied = true;
      if (ownR <= bestR) continue;
      best = { lead, first, r, s };
      bestR = ownR;
      isTied = false;
    }
    if (!best) return this.#restR.size > 0 ? null : describe(undefined);
    const { group } = best.lead;
    if (isTied || (group.denies && this.#restR.has(false)) || bestR <= (this.#restR.get(group.denies) ?? -1))
      return null;
    if (!weighedOn.every((target) => this.#agrees(target, best.first))) return null;
    return describe({
      opinion: opinionFromEvidence(best.r, best.s),
      leadingValue: group.value.kind === 'boolean' ? 'true' : best.first.input.value,
    });
  }

  /** What the claims of this removal say, and those that weigh more without them; in the order of leads. */
  #touched(lists: readonly (readonly Claim[])[]): (readonly ClassList[][])[] {
    const touched: (readonly ClassList[][])[] = [];
    const add = (claim: Claim) => {
      const own = this.#listsOf.get(claim);
      if (own) touched.push(own);
    };
    for (const list of lists) for (const claim of list) add(claim);
    for (const claim of this.#eased.keys()) add(claim);
    return touched;
  }

  /** r and s of the verdict that a statement leads without the claims of this removal. */
  #sums(lead: Lead, index: number, touched: readonly (readonly ClassList[][])[]): { r: number; s: number } {
    let { r, s } = lead;
    for (const lists of touched) {
      for (const sums of lists[index]!) {
        if (sums.seenIn === this.#round) continue;
        sums.seenIn = this.#round;
        const change = this.#strongest(sums.said) - sums.said[0]!.amount;
        if (sums.isSupport) r += change;
        else s += change;
      }
    }
    return { r: Math.max(0, r), s: Math.max(0, s) };
  }

  /** The strongest of what is left of a list; 0 when nothing is. */
  #strongest(said: readonly Spoken[]): number {
    let strongest = 0;
    for (const one of said) {
      const claim = claimOf(one)!;
      if (this.#isGone(claim)) continue;
      // They stand by amount, strongest first.
      if (this.#eased.size === 0) return one.amount;
      strongest = Math.max(strongest, one.amount * (this.#eased.get(claim) ?? 1));
    }
    return strongest;
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
    let isTied = this.#ties.get(claim);
    if (isTied === undefined) {
      isTied = all.supersedes(claim) || claim.relationships.some(({ type }) => type === 'refines');
      this.#ties.set(claim, isTied);
    }
    if (isTied) return false;
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
   * Notes what the claims of the same actor that contradict this one weigh more without it; false where that
   * moves more than their own voices.
   */
  #ease(gone: Claim): boolean {
    const { contradictions, groupOf, weighings } = this.#alternatives.all.weighed;
    for (const own of this.#repeated.get(gone.actor) ?? []) {
      for (const claim of own) {
        const before = contradictions[claim.index]!;
        if (before === 0 || this.#isGone(claim) || this.#eased.has(claim)) continue;
        const conflicts = (other: Claim) =>
          isStanding(other) &&
          !this.#isGone(other) &&
          relation(groupOf[claim.index]!, groupOf[other.index]!) === CONFLICT;
        const left = Math.min(own.filter(conflicts).length, SELF_CONTRADICTIONS_MAX);
        if (left === before) continue;
        const factor = SELF_CONTRADICTION_FACTOR ** (left - before);
        const { belowFloor, credibility, weight } = weighings[claim.index]!;
        if (belowFloor && !isBelowFloor(credibility * factor)) return false;
        if (weight === 0) continue;
        if (claim.evidence.length > 0 || claim.metas.length > 0) return false;
        this.#eased.set(claim, factor);
      }
    }
    return true;
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
    for (const own of bucket.repeaters) {
      const { actor } = own[0]!;
      const known = repeaters.get(actor);
      if (known) known.push(own);
      else repeaters.set(actor, [own]);
    }
  }
  return repeaters;
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

/** What is said on either side of a verdict, by class: each list with each claim that says some of it. */
function listByClass(verdict: Verdict, { all }: PairAlternatives): [Claim, ClassList][] {
  const lists = new Map<string, ClassList>();
  const entries: [Claim, ClassList][] = [];
  for (const one of listSpoken(verdict, all.weighed).spoken) {
    if (one.muted || one.amount === 0) continue;
    const key = one.cls === null ? `${lists.size} alone` : `${one.cls} ${one.isSupport}`;
    let list = lists.get(key);
    if (!list) lists.set(key, (list = { isSupport: one.isSupport, said: [], seenIn: 0 }));
    list.said.push(one);
    entries.push([claimOf(one)!, list]);
  }
  for (const { said } of lists.values()) said.sort((a, b) => b.amount - a.amount);
  return entries;
}
