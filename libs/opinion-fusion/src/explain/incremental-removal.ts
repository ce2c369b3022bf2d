import type { Claim } from '../model/model.ts';
import { opinionFromEvidence } from '@platform/subjective-logic';
import { roundForComparison } from '../contract/rounding.ts';
import { unitsBesideBareNumbers } from '../model/question-units.ts';
import { AGREE, relation } from '../model/statements.ts';
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
  readonly listsOf: ReadonlyMap<Claim, readonly ClassList[]>;
}

/**
 * Answers what a verdict would be without some claims by taking their contributions out of the sums of each
 * statement that could lead, where that is all that their absence does: they supersede and refine nothing,
 * contradict no other claim of their actor and, being meta-claims, weigh on nothing but the side that leads
 * then; no inference speaks; no distinction tells claims apart; no number takes the unit of others; and one
 * statement has the largest r alone. Everywhere else the answer is null. The dependence of sources stays as
 * found.
 */
export class IncrementalRemoval {
  readonly #alternatives: PairAlternatives;
  readonly #leads: readonly Lead[];
  /** Largest r of the statements not looked at, by whether they deny; absent where there is none. */
  readonly #restR = new Map<boolean, number>();
  /** By claim place: the removal that last took the claim out. */
  readonly #goneIn: Uint32Array;
  readonly #ties = new Map<Claim, boolean>();
  #round = 0;

  private constructor(alternatives: PairAlternatives, pair: Pair) {
    this.#alternatives = alternatives;
    const { weighings, model } = alternatives.all.weighed;
    this.#goneIn = new Uint32Array(model.claims.length);
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
    this.#leads = groups.slice(0, LEADS_MAX).map(({ group, claims }) => {
      const verdict = judgePair(pair, claims[0]!, [], alternatives.all.weighed);
      return {
        group,
        claims,
        r: verdict.r,
        s: verdict.s,
        forIsSupport: !saysNo(group),
        listsOf: listByClass(verdict, alternatives),
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
    for (const list of lists) {
      for (const claim of list) {
        if (!this.#isPlain(claim)) return null;
        if (claim.target && !this.#isGone(claim.target)) weighedOn.push(claim.target);
      }
    }
    let best: { lead: Lead; first: Claim; r: number; s: number } | null = null;
    let bestR = -1;
    let isTied = false;
    for (const lead of this.#leads) {
      if (best && best.lead.group.denies !== lead.group.denies) break;
      const first = lead.claims.find((claim) => !this.#isGone(claim));
      if (!first) continue;
      const { r, s } = this.#sums(lead, lists);
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

  /** r and s of the verdict that a statement leads without the claims of this removal. */
  #sums(lead: Lead, lists: readonly (readonly Claim[])[]): { r: number; s: number } {
    let { r, s } = lead;
    for (const list of lists) {
      for (const claim of list) {
        for (const sums of lead.listsOf.get(claim) ?? []) {
          if (sums.seenIn === this.#round) continue;
          sums.seenIn = this.#round;
          const left = sums.said.find((one) => !this.#isGone(claimOf(one)!))?.amount ?? 0;
          if (sums.isSupport) r += left - sums.said[0]!.amount;
          else s += left - sums.said[0]!.amount;
        }
      }
    }
    return { r: Math.max(0, r), s: Math.max(0, s) };
  }

  #isGone(claim: Claim): boolean {
    return this.#goneIn[claim.index] === this.#round;
  }

  /**
   * False when the absence of a claim changes what other claims weigh, but for κ of the claim that a
   * meta-claim is about.
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
    const { contradictions } = all.weighed;
    for (const other of all.claimsOf(claim.actor)) {
      if (!contradictions[other.index] || this.#isGone(other)) continue;
      if (other.subject === claim.subject && other.predicate === claim.predicate) return false;
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

/** What is said on either side of a verdict, by class, under each claim that says some of it. */
function listByClass(verdict: Verdict, { all }: PairAlternatives): ReadonlyMap<Claim, ClassList[]> {
  const lists = new Map<string, ClassList>();
  const listsOf = new Map<Claim, ClassList[]>();
  for (const one of listSpoken(verdict, all.weighed).spoken) {
    if (one.muted || one.amount === 0) continue;
    const key = one.cls === null ? `${lists.size} alone` : `${one.cls} ${one.isSupport}`;
    let list = lists.get(key);
    if (!list) lists.set(key, (list = { isSupport: one.isSupport, said: [], seenIn: 0 }));
    list.said.push(one);
    const claim = claimOf(one)!;
    const own = listsOf.get(claim);
    if (own) own.push(list);
    else listsOf.set(claim, [list]);
  }
  for (const { said } of lists.values()) said.sort((a, b) => b.amount - a.amount);
  return listsOf;
}
