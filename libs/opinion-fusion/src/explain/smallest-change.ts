import { withMetas } from '../verdict/investigation-parts.ts';
import { competenceOf } from '../model/model.ts';
import type { Claim } from '../model/model.ts';
import { isBelowFloor } from '../model/reliability.ts';
import { byId, roundForComparison } from '../contract/rounding.ts';
import { describe } from './alternatives.ts';
import type { PairAlternatives } from './alternatives.ts';
import { claimOf } from './contributions.ts';
import type { SmallestChange, VerdictWithout } from './explanation.ts';
import type { IncrementalRemoval } from './incremental-removal.ts';
import type { Spoken } from './spoken.ts';
import type { StepBudget } from '@platform/argumentation';

/** Answers from sums alone that cost as much as reading one claim. */
const PLAIN_ANSWERS_PER_CLAIM = 8;

/**
 * The fewest claims whose removal changes the truth status of a verdict; null when none does. First an upper bound is found by
 * leaving out the strongest contributions; then all smaller sets are tried by increasing size, as far as the work reaches.
 */
export function findSmallestChange(
  alternatives: PairAlternatives,
  spoken: readonly Spoken[],
  plain: IncrementalRemoval | null,
  work: StepBudget,
): SmallestChange | null {
  const candidates = listCandidates(alternatives, spoken);
  const search = new Search(alternatives, plain, work, candidates.all);
  // Where copying can be found, first a bound for the dependence of sources as it is, which then has to hold without it.
  search.keepsDependence = alternatives.all.mayDetectCopying;
  let found = search.bound(candidates);
  let asFound = false;
  if (search.keepsDependence) {
    const isConfirmed = found && search.confirms(found);
    asFound = found !== null && isConfirmed === null;
    search.keepsDependence = asFound;
    if (!asFound && !isConfirmed) found = search.bound(candidates);
  }
  const sizeMax = found ? found.length - 1 : candidates.all.length;
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
  const isExact = !search.keepsDependence && (size === found?.length || size > sizeMax);
  if (!found && isExact) return null;
  const claims = [...(found ?? [])].sort(byId);
  return {
    claim_ids: claims.map(({ id }) => id),
    removed_claim_ids: alternatives.all.inputIdsOf(claims),
    is_exact: isExact,
    dependence_as_found: asFound,
    ...(found ? alternatives.without(claims, asFound) : describe(alternatives.verdict)),
  };
}

interface Candidates {
  readonly support: readonly Claim[];
  readonly opposition: readonly Claim[];
  /** The same, then all others that may matter. */
  readonly all: readonly Claim[];
}

/** Claims in the order in which they move the verdict, as far as contributions tell; those of one class side by side. */
function listCandidates(alternatives: PairAlternatives, spoken: readonly Spoken[]): Candidates {
  const { all, verdict, deciding } = alternatives;
  const matters = (claim: Claim) => !claim.isWithdrawn && !isInert(claim, alternatives);
  const strongest = new Map<number, number>();
  for (const { cls, isSupport, amount } of spoken)
    if (cls !== null)
      strongest.set(2 * cls + +isSupport, Math.max(strongest.get(2 * cls + +isSupport) ?? 0, amount));
  const side = (isSupport: boolean) => {
    const entries = spoken
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
    return [...new Set(entries.map(({ claim }) => claim))].filter(matters);
  };
  const support = side(true);
  const opposition = side(false);
  const others = (all.mayDetectCopying ? [...deciding, ...all.weighed.model.claims] : deciding).filter(
    matters,
  );
  const leading = verdict.leading ? [verdict.leading] : [];
  return { support, opposition, all: [...new Set([...support, ...opposition, ...leading, ...others])] };
}

/** True for claims below the floor whatever else is left out, who supersede nothing and whose actor says nothing else on the pair. */
function isInert(claim: Claim, { all }: PairAlternatives): boolean {
  if (!isBelowFloor(claim.actor.base * competenceOf(claim.actor, claim.predicate))) return false;
  if (all.supersedes(claim)) return false;
  return !all
    .claimsOf(claim.actor)
    .some(
      (other) => other !== claim && other.subject === claim.subject && other.predicate === claim.predicate,
    );
}

class Search {
  readonly #alternatives: PairAlternatives;
  readonly #plain: IncrementalRemoval | null;
  readonly #work: StepBudget;
  readonly #candidates: readonly Claim[];
  /** Each candidate with the meta-claims that hang on it. */
  readonly #closures = new Map<Claim, readonly Claim[]>();
  #plainAnswers = 0;
  /** Whether answers keep the dependence of sources as found. */
  keepsDependence = false;

  constructor(
    alternatives: PairAlternatives,
    plain: IncrementalRemoval | null,
    work: StepBudget,
    candidates: readonly Claim[],
  ) {
    this.#alternatives = alternatives;
    this.#plain = plain;
    this.#work = work;
    this.#candidates = candidates;
  }

  /** Whether a set changes the status with the dependence of sources found anew; null when there is no work left to tell. */
  confirms(claims: readonly Claim[]): boolean | null {
    if (!this.#work.tryConsume(this.#alternatives.work)) return null;
    return this.#alternatives.without(claims).truth_status !== this.#alternatives.status;
  }

  /** A set that changes the status, none of which can be spared while there is work left; null when none was found. */
  bound({ support, opposition, all }: Candidates): readonly Claim[] | null {
    let best: readonly Claim[] | null = null;
    for (const order of [support, opposition, all]) {
      const found = this.#shortestStart(order);
      if (found && (!best || found.length < best.length)) best = found;
    }
    return best && this.#spare(best);
  }

  /** Some set of `size` candidates that changes the status; null when none does. */
  tryAll(size: number): readonly Claim[] | null | 'out of work' {
    const chosen: Claim[] = [];
    const from = (start: number): readonly Claim[] | null | 'out of work' => {
      if (chosen.length === size) {
        const flips = this.#flips(chosen);
        return flips === null ? 'out of work' : flips ? [...chosen] : null;
      }
      const last = this.#candidates.length - (size - chosen.length);
      for (let i = start; i <= last; i += 1) {
        chosen.push(this.#candidates[i]!);
        const found = from(i + 1);
        if (found) return found;
        chosen.pop();
      }
      return null;
    };
    return from(0);
  }

  /** The start of a list that changes the status while the start one shorter does not; found by doubling, then by halving. */
  #shortestStart(order: readonly Claim[]): readonly Claim[] | null {
    let kept = 0;
    let changed = 0;
    for (let size = 1; changed === 0; size = Math.min(2 * size, order.length)) {
      const flips = order.length === 0 ? null : this.#flips(order.slice(0, size));
      if (flips === null) return null;
      if (flips) changed = size;
      else if (size === order.length) return null;
      else kept = size;
    }
    while (changed - kept > 1) {
      const middle = (changed + kept) >> 1;
      const flips = this.#flips(order.slice(0, middle));
      if (flips === null) break;
      if (flips) changed = middle;
      else kept = middle;
    }
    return order.slice(0, changed);
  }

  /** Puts back what the change does without, the weakest first. */
  #spare(set: readonly Claim[]): readonly Claim[] {
    let needed = set;
    for (let i = set.length - 1; i >= 0 && needed.length > 1; i -= 1) {
      const fewer = needed.filter((claim) => claim !== set[i]);
      const flips = this.#flips(fewer);
      if (flips === null) break;
      if (flips) needed = fewer;
    }
    return needed;
  }

  /** Whether the status changes without some claims; null when there is no work left to tell. */
  #flips(claims: readonly Claim[]): boolean | null {
    const answer = this.#answer(claims);
    return answer && answer.truth_status !== this.#alternatives.status;
  }

  #answer(claims: readonly Claim[]): VerdictWithout | null {
    const isSettled = this.keepsDependence || !this.#alternatives.all.mayDetectCopying;
    if (this.#plain && isSettled) {
      this.#plainAnswers += claims.length;
      if (this.#plainAnswers >= PLAIN_ANSWERS_PER_CLAIM) {
        if (!this.#work.tryConsume(Math.floor(this.#plainAnswers / PLAIN_ANSWERS_PER_CLAIM))) return null;
        this.#plainAnswers %= PLAIN_ANSWERS_PER_CLAIM;
      }
      const sums = this.#plain.without(claims.map((claim) => this.#closure(claim)));
      if (sums) return sums;
    }
    const { work, workAsFound } = this.#alternatives;
    if (!this.#work.tryConsume(isSettled ? workAsFound : work)) return null;
    return this.#alternatives.without(claims, isSettled);
  }

  #closure(claim: Claim): readonly Claim[] {
    let closure = this.#closures.get(claim);
    if (!closure) this.#closures.set(claim, (closure = [...withMetas([claim])]));
    return closure;
  }
}
