import type { Claim } from '../model.ts';
import { opinionFromEvidence } from '../opinion.ts';
import { compared } from '../rounding.ts';
import { AGREE, relation } from '../statements.ts';
import { describe } from './alternatives.ts';
import type { PairAlternatives } from './alternatives.ts';
import { claimOf } from './contributions.ts';
import type { VerdictWithout } from './explanation.ts';
import type { Spoken } from './spoken.ts';

/** Contributions of one class to one side, strongest first. */
interface ClassList {
  readonly isSupport: boolean;
  readonly said: Spoken[];
  /** The removal in which the list was last summed again. */
  seenIn: number;
}

/**
 * Answers what a verdict would be without some claims by taking their contributions out of its sums, where that is all that
 * their absence does: they supersede and refine nothing, contradict no other claim of their actor and, being meta-claims, weigh
 * on nothing but the leading side; no inference speaks; and the leading statement stays the strongest by r, which the
 * absence of claims can only lower. Everywhere else the answer is null.
 */
export class PlainRemovals {
  readonly #alternatives: PairAlternatives;
  /** By claim place: where the claim's contributions are listed. */
  readonly #listsOf = new Map<Claim, ClassList[]>();
  /** By claim place: the removal that last took the claim out. */
  readonly #goneIn: Uint32Array;
  readonly #ties = new Map<Claim, boolean>();
  /** r of the leading claim, and the largest of the statements that could lead in its place. */
  readonly #leadingIsSupport: boolean;
  readonly #rivalR: number;
  /** The claims with weight that say the very same as the leading one, by id. */
  readonly #leaders: readonly Claim[];
  #round = 0;

  private constructor(alternatives: PairAlternatives, spoken: readonly Spoken[]) {
    this.#alternatives = alternatives;
    const { verdict, all } = alternatives;
    const { weighings, groupOf, model } = all.weighed;
    this.#goneIn = new Uint32Array(model.claims.length);
    const group = groupOf[verdict.leading!.index]!;
    this.#leadingIsSupport = !(group.denies || (group.value.kind === 'boolean' && !group.value.truth));
    this.#leaders = group.claims.filter((claim) => weighings[claim.index]!.weight > 0);
    let rivalR = 0;
    for (const claim of verdict.pair!.claims) {
      const other = groupOf[claim.index]!;
      if (other === group || other.denies !== group.denies || weighings[claim.index]!.weight <= 0) continue;
      rivalR = Math.max(rivalR, weighings[claim.index]!.r);
    }
    this.#rivalR = compared(rivalR);
    const lists = new Map<string, ClassList>();
    for (const one of spoken) {
      if (one.muted || one.amount === 0) continue;
      const claim = claimOf(one)!;
      const key = one.cls === null ? `${lists.size} alone` : `${one.cls} ${one.isSupport}`;
      let list = lists.get(key);
      if (!list) lists.set(key, (list = { isSupport: one.isSupport, said: [], seenIn: 0 }));
      list.said.push(one);
      const own = this.#listsOf.get(claim);
      if (own) own.push(list);
      else this.#listsOf.set(claim, [list]);
    }
    for (const { said } of lists.values()) said.sort((a, b) => b.amount - a.amount);
  }

  /** Null for verdicts of which nothing can be told this way. */
  static of(alternatives: PairAlternatives, spoken: readonly Spoken[]): PlainRemovals | null {
    const { verdict, all } = alternatives;
    if (all.mayCopy || !verdict.pair || !verdict.leading || verdict.inferences.length > 0) return null;
    const group = all.weighed.groupOf[verdict.leading.index]!;
    if (group.claims.some((claim) => claim.distinguishedFrom)) return null;
    return new PlainRemovals(alternatives, spoken);
  }

  /** The verdict without the claims of each list, each of which holds the meta-claims on its claims; null where that takes more. */
  without(lists: readonly (readonly Claim[])[]): VerdictWithout | null {
    this.#round += 1;
    const round = this.#round;
    const gone = this.#goneIn;
    for (const list of lists) for (const claim of list) gone[claim.index] = round;
    let r = this.#alternatives.verdict.r;
    let s = this.#alternatives.verdict.s;
    for (const list of lists) {
      for (const claim of list) {
        if (!this.#isPlain(claim)) return null;
        for (const sums of this.#listsOf.get(claim) ?? []) {
          if (sums.seenIn === round) continue;
          sums.seenIn = round;
          const left = sums.said.find((one) => gone[claimOf(one)!.index] !== round)?.amount ?? 0;
          if (sums.isSupport) r += left - sums.said[0]!.amount;
          else s += left - sums.said[0]!.amount;
        }
      }
    }
    const leading = this.#leaders.find((claim) => gone[claim.index] !== round);
    if (!leading || compared(this.#leadingIsSupport ? r : s) <= this.#rivalR) return null;
    const isBoolean = leading.value.kind === 'boolean';
    return describe({
      opinion: opinionFromEvidence(Math.max(0, r), Math.max(0, s)),
      leadingValue: isBoolean ? 'true' : leading.input.value,
    });
  }

  #isPlain(claim: Claim): boolean {
    let isTied = this.#ties.get(claim);
    if (isTied === undefined) this.#ties.set(claim, (isTied = this.#bindsOthers(claim)));
    if (isTied) return false;
    const isGone = (other: Claim) => this.#goneIn[other.index] === this.#round;
    const { target } = claim;
    if (target) return isGone(target) || this.#isOnLeadingSide(target);
    const { contradictions } = this.#alternatives.all.weighed;
    for (const other of this.#alternatives.all.claimsOf(claim.actor)) {
      if (contradictions[other.index]! === 0 || isGone(other)) continue;
      if (other.subject === claim.subject && other.predicate === claim.predicate) return false;
    }
    return true;
  }

  /** True when a claim changes what other claims weigh by superseding or refining them. */
  #bindsOthers(claim: Claim): boolean {
    return (
      this.#alternatives.all.supersedes(claim) || claim.relationships.some(({ type }) => type === 'refines')
    );
  }

  #isOnLeadingSide(claim: Claim): boolean {
    const { verdict, all } = this.#alternatives;
    const leading = verdict.leading!;
    if (claim.subject !== leading.subject || claim.predicate !== leading.predicate) return false;
    const { groupOf } = all.weighed;
    return (
      claim.scope === leading.scope && relation(groupOf[leading.index]!, groupOf[claim.index]!) === AGREE
    );
  }
}
