import { withMetas } from '../verdict/investigation-parts.ts';
import type { Claim } from '../model/model.ts';
import { byCodeUnits, byId, roundForComparison } from '../contract/rounding.ts';
import { describe } from './alternatives.ts';
import type { PairAlternatives } from './alternatives.ts';
import { claimOf } from './contributions.ts';
import type { SmallestChange, VerdictWithout } from './explanation.ts';
import type { IncrementalRemoval } from './incremental-removal.ts';
import type { Spoken } from './spoken.ts';
import type { StepBudget } from '@platform/argumentation';

/** Answers from sums alone that cost as much as reading one claim. */
const PLAIN_ANSWERS_PER_CLAIM = 2;

/**
 * The fewest claims whose removal makes a verdict another; null when none does. Repetitions of a claim count,
 * because one of them would take its place. First an upper bound is found by leaving out the strongest
 * contributions; then all smaller sets are tried by increasing size, up to a size of which the work does not
 * suffice for all.
 */
export function findSmallestChange(
  alternatives: PairAlternatives,
  spoken: readonly Spoken[],
  plain: IncrementalRemoval | null,
  work: StepBudget,
): SmallestChange | null {
  const candidates = new Candidates(alternatives, spoken);
  const search = new Search(alternatives, plain, work, candidates);
  // Where copying can be found, first a bound for the dependence of sources as it is, which then has to hold
  // without it.
  search.keepsDependence = alternatives.all.mayDetectCopying;
  let found = search.bound();
  let asFound = false;
  if (search.keepsDependence) {
    const isConfirmed = found && search.confirms(found);
    asFound = found !== null && isConfirmed === null;
    search.keepsDependence = asFound;
    if (!asFound && !isConfirmed) found = search.bound();
  }
  const foundSize = found && candidates.sizeOf(found);
  const sizeMax = foundSize === null ? candidates.sizeMax : foundSize - 1;
  let size = 1;
  while (!search.keepsDependence && size <= sizeMax) {
    const smaller = search.tryAll(size);
    if (smaller === 'out of work') break;
    if (smaller) {
      found = smaller;
      break;
    }
    size += 1;
  }
  const isExact = !search.keepsDependence && ((found && size === candidates.sizeOf(found)) || size > sizeMax);
  if (!found && isExact) return null;
  const claims = [...(found ?? [])].sort(byId);
  return {
    claim_ids: claims.flatMap((claim) => candidates.inputIdsOf(claim)).sort(byCodeUnits),
    removed_claim_ids: alternatives.all.inputIdsOf(claims),
    // Without the claims, reliabilities would have been learned otherwise.
    is_exact: isExact && alternatives.all.weighed.estimate === null,
    dependence_as_found: asFound,
    ...(found
      ? alternatives.without(claims, asFound)
      : describe(alternatives.verdict, alternatives.all.weighed, null)),
  };
}

/**
 * Claims in the order in which they move a verdict, as far as contributions tell; those of one class side by
 * side. A verdict among many has few claims of its own, so the others are only listed for a search that gets
 * that far.
 */
class Candidates {
  readonly support: readonly Claim[];
  readonly opposition: readonly Claim[];
  /**
   * Both, the leading claim, and whatever else decides the verdict while the dependence of sources stays as
   * found.
   */
  readonly near: readonly Claim[];
  readonly #alternatives: PairAlternatives;
  #all: readonly Claim[] | null = null;

  constructor(alternatives: PairAlternatives, spoken: readonly Spoken[]) {
    const { all, verdict, deciding } = alternatives;
    this.#alternatives = alternatives;
    const strongest = new Map<number, number>();
    const heard = spoken.filter(({ muted }) => muted === null);
    for (const { cls, isSupport, amount } of heard)
      if (cls !== null)
        strongest.set(2 * cls + +isSupport, Math.max(strongest.get(2 * cls + +isSupport) ?? 0, amount));
    const side = (isSupport: boolean) => {
      const entries = heard
        .filter((one) => one.isSupport === isSupport && one.amount > 0)
        .map((one) => {
          const claim =
            claimOf(one) ?? (one.what.route === 'inference' ? one.what.inference.premises[0]! : null)!;
          const weight = one.cls === null ? one.amount : strongest.get(2 * one.cls + +isSupport)!;
          return { claim, weight, amount: one.amount, cls: one.cls ?? -1 };
        })
        .sort(
          (a, b) =>
            roundForComparison(b.weight) - roundForComparison(a.weight) ||
            a.cls - b.cls ||
            roundForComparison(b.amount) - roundForComparison(a.amount) ||
            byId(a.claim, b.claim),
        );
      return [...new Set(entries.map(({ claim }) => claim))].filter((claim) => all.mattering.has(claim));
    };
    this.support = side(true);
    this.opposition = side(false);
    const leading = verdict.leading ? [verdict.leading] : [];
    const others = deciding.filter((claim) => all.mattering.has(claim));
    this.near = [...new Set([...this.support, ...this.opposition, ...leading, ...others])];
  }

  /** The near ones, then all others whose absence may change which sources count as copying. */
  get all(): readonly Claim[] {
    const { mayDetectCopying, mattering } = this.#alternatives.all;
    this.#all ??= mayDetectCopying ? [...new Set([...this.near, ...mattering])] : this.near;
    return this.#all;
  }

  /** No set of candidates has more claims, repetitions included. */
  get sizeMax(): number {
    const { mayDetectCopying, mattering, weighed } = this.#alternatives.all;
    if (!mayDetectCopying) return this.sizeOf(this.near);
    const { claims, input } = weighed.model;
    const others = this.near.filter((claim) => !mattering.has(claim)).length;
    return mattering.size + others + input.claims.length - claims.length;
  }

  /** Ids of a claim and its dropped repetitions. */
  inputIdsOf(claim: Claim): string[] {
    return this.#alternatives.all.parts.inputsOf(claim).map(({ id }) => id);
  }

  /** How many claims of the input a set is, repetitions included. */
  sizeOf(claims: readonly Claim[]): number {
    return claims.reduce((sum, claim) => sum + this.#alternatives.all.parts.inputsOf(claim).length, 0);
  }
}

/** How many sets of `size` there are among `count` things. */
function setsOf(count: number, size: number): number {
  let sets = 1;
  for (let i = 0; i < size; i += 1) sets *= (count - i) / (i + 1);
  return Math.max(0, Math.round(sets));
}

class Search {
  readonly #alternatives: PairAlternatives;
  readonly #plain: IncrementalRemoval | null;
  readonly #work: StepBudget;
  readonly #candidates: Candidates;
  /** Each candidate with the meta-claims that hang on it. */
  readonly #closureOf = new Map<Claim, readonly Claim[]>();
  #plainAnswers = 0;
  /** Whether answers keep the dependence of sources as found. */
  keepsDependence = false;

  constructor(
    alternatives: PairAlternatives,
    plain: IncrementalRemoval | null,
    work: StepBudget,
    candidates: Candidates,
  ) {
    this.#alternatives = alternatives;
    this.#plain = plain;
    this.#work = work;
    this.#candidates = candidates;
  }

  /** Whether leaving claims out leaves the dependence of sources as it is. */
  get #isSettled(): boolean {
    return this.keepsDependence || !this.#alternatives.all.mayDetectCopying;
  }

  /**
   * Whether a set makes the verdict another with the dependence of sources found anew; null when there is no
   * work left to tell.
   */
  confirms(claims: readonly Claim[]): boolean | null {
    if (!this.#work.tryConsume(this.#alternatives.work)) return null;
    return this.#alternatives.isOther(this.#alternatives.without(claims));
  }

  /**
   * A set that makes the verdict another, none of which can be spared where the work suffices to try each;
   * null when none was found.
   */
  bound(): readonly Claim[] | null {
    const { support, opposition } = this.#candidates;
    let best: readonly Claim[] | null = null;
    for (const order of [support, opposition, null]) {
      // Only a start that is shorter than the best one is asked for.
      const sizeMax: number = best ? this.#candidates.sizeOf(best) - 1 : Infinity;
      const found = this.#shortestStart((order ?? this.#reachable()).slice(0, sizeMax));
      if (found && this.#candidates.sizeOf(found) <= sizeMax) best = found;
    }
    return best && this.#spare(best);
  }

  /** Candidates of `size` claims, repetitions included, without which the verdict is another; else null. */
  tryAll(size: number): readonly Claim[] | null | 'out of work' {
    if (!this.#isSettled && this.#work.left < this.#alternatives.work) return 'out of work';
    const chosen: Claim[] = [];
    const candidates = this.#candidates.all;
    if (setsOf(candidates.length, size) > this.#reach(size)) return 'out of work';
    // From each candidate on, how many claims there are.
    const rest = candidates.map((claim) => this.#candidates.sizeOf([claim]));
    for (let i = rest.length - 2; i >= 0; i -= 1) rest[i]! += rest[i + 1]!;
    const sizeOf = (i: number) => rest[i]! - (rest[i + 1] ?? 0);
    const from = (start: number, missing: number): readonly Claim[] | null | 'out of work' => {
      if (missing === 0) {
        const flips = this.#flips(chosen);
        return flips === null ? 'out of work' : flips ? [...chosen] : null;
      }
      for (let i = start; (rest[i] ?? 0) >= missing; i += 1) {
        if (sizeOf(i) > missing) continue;
        chosen.push(candidates[i]!);
        const found = from(i + 1, missing - sizeOf(i));
        if (found) return found;
        chosen.pop();
      }
      return null;
    };
    return from(0, size);
  }

  /** How many sets of so many claims the work may suffice for. */
  #reach(size: number): number {
    const { work, workAsFound } = this.#alternatives;
    if (!this.#isSettled) return this.#work.left / work;
    return (this.#work.left + 1) * (this.#plain ? PLAIN_ANSWERS_PER_CLAIM / size : 1 / workAsFound);
  }

  /**
   * The candidates whose absence can make a difference, or of which one could still be tried: while the
   * dependence of sources stays as found the others move nothing, and without work for one answer none of
   * them is reached.
   */
  #reachable(): readonly Claim[] {
    const isFarMoot = this.#isSettled || this.#work.left < this.#alternatives.work;
    return isFarMoot ? this.#candidates.near : this.#candidates.all;
  }

  /**
   * The start of a list that makes the verdict another while the start one shorter does not; found by
   * doubling, then by halving.
   */
  #shortestStart(order: readonly Claim[]): readonly Claim[] | null {
    if (order.length === 0) return null;
    const flipsWithout = this.#startsOf(order);
    let kept = 0;
    let changed = 0;
    for (let size = 1; changed === 0; size = Math.min(2 * size, order.length)) {
      const flips = flipsWithout(size);
      if (flips === null) return null;
      if (flips) changed = size;
      else if (size === order.length) return null;
      else kept = size;
    }
    while (changed - kept > 1) {
      const middle = (changed + kept) >> 1;
      const flips = flipsWithout(middle);
      if (flips === null) break;
      if (flips) changed = middle;
      else kept = middle;
    }
    return order.slice(0, changed);
  }

  /**
   * Returns `#flips` for the first `size` claims of a list. Where sums give the verdicts, each claim is taken
   * out once, however many sizes are asked for.
   */
  #startsOf(order: readonly Claim[]): (size: number) => boolean | null {
    const known: (boolean | null)[] = [];
    const walk = this.#plain && this.#isSettled ? this.#plain.withoutEver(this.#closures(order)) : null;
    let isWalking = walk !== null;
    return (size) => {
      const ahead = size - known.length;
      if (isWalking && ahead > 0 && !this.#charge(ahead)) return null;
      while (isWalking && known.length < size) {
        const { done, value } = walk!.next();
        if (done) isWalking = false;
        else known.push(value && this.#alternatives.isOther(value));
      }
      return known[size - 1] ?? this.#flips(order.slice(0, size));
    };
  }

  /** Puts back what the change does without, the weakest first. */
  #spare(set: readonly Claim[]): readonly Claim[] {
    const isCheap = this.#plain !== null && this.#isSettled;
    // Of a set so large that not every claim can be tried, a few less tell nobody more.
    if (isCheap && set.length ** 2 > PLAIN_ANSWERS_PER_CLAIM * this.#work.left) return set;
    let needed = set;
    for (let i = set.length - 1; i >= 0 && needed.length > 1; i -= 1) {
      const fewer = needed.filter((claim) => claim !== set[i]);
      const flips = this.#flips(fewer);
      if (flips === null) break;
      if (flips) needed = fewer;
    }
    return needed;
  }

  /** Whether the verdict is another without some claims; null when there is no work left to tell. */
  #flips(claims: readonly Claim[]): boolean | null {
    const answer = this.#answer(claims);
    return answer && this.#alternatives.isOther(answer);
  }

  #answer(claims: readonly Claim[]): VerdictWithout | null {
    const isSettled = this.#isSettled;
    if (this.#plain && isSettled) {
      if (!this.#charge(claims.length)) return null;
      const sums = this.#plain.without(claims.flatMap((claim) => this.#closure(claim)));
      if (sums) return sums;
    }
    const { work, workAsFound } = this.#alternatives;
    if (!this.#work.tryConsume(isSettled ? workAsFound : work)) return null;
    return this.#alternatives.without(claims, isSettled);
  }

  /** Charges the step budget for taking this many claims out of sums; false when the budget is spent. */
  #charge(claims: number): boolean {
    this.#plainAnswers += claims;
    if (this.#plainAnswers < PLAIN_ANSWERS_PER_CLAIM) return true;
    if (!this.#work.tryConsume(Math.floor(this.#plainAnswers / PLAIN_ANSWERS_PER_CLAIM))) return false;
    this.#plainAnswers %= PLAIN_ANSWERS_PER_CLAIM;
    return true;
  }

  *#closures(claims: readonly Claim[]): Generator<readonly Claim[]> {
    for (const claim of claims) yield this.#closure(claim);
  }

  #closure(claim: Claim): readonly Claim[] {
    let closure = this.#closureOf.get(claim);
    if (!closure) this.#closureOf.set(claim, (closure = [...withMetas([claim])]));
    return closure;
  }
}
