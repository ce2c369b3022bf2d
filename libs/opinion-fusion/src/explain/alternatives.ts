import type { StopSignal } from '../contract/types.ts';
import type { DependenceClasses } from '../dependence/dependence-classes.ts';
import { keepInferences } from '../verdict/inference.ts';
import { InvestigationParts, withMetas } from '../verdict/investigation-parts.ts';
import type { JudgedInvestigation } from '../verdict/judge-investigation.ts';
import { buildModelOf } from '../model/build-model.ts';
import { competenceOf } from '../model/model.ts';
import { supersededIds } from '../model/relationships.ts';
import type { Actor, Claim } from '../model/model.ts';
import { countSelfContradictions, effectiveReliabilities, isBelowFloor } from '../model/reliability.ts';
import { BASE_RATE, expectedProbability } from '@platform/subjective-logic';
import { byCodeUnits } from '../contract/rounding.ts';
import { findDependence } from '../dependence/source-dependence.ts';
import { pairsOf } from '../model/statements.ts';
import { truthStatus } from '../verdict/truth-status.ts';
import { isTiedWithin, placeOf, verdictWithin } from '../verdict/rivals.ts';
import { isOnlyDenied, judge } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { Warnings } from '../contract/warnings.ts';
import { weighClaims } from '../weighing/weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';
import type { VerdictWithout } from './explanation.ts';
import { isOtherwise } from './leads-other.ts';
import { mayDetectCopying } from './may-detect-copying.ts';

/** A judged investigation with what all explanations of its verdicts share. */
export class Alternatives {
  readonly weighed: Weighed;
  readonly parts: InvestigationParts;
  /** Whether claims left out can change which sources count as copying. */
  readonly mayDetectCopying: boolean;
  /** Claims read to find the dependence of sources anew; Infinity where that is not done. */
  dependenceWork: number;
  /** Smallest actor id of each dependence class. */
  readonly classNames: readonly string[];
  readonly #byActor = new Map<Actor, Claim[]>();
  /** Of the input, meta-claims by what they name, those that are left out by as_of included. */
  readonly #metaIds = new Map<string, string[]>();
  readonly #signal: StopSignal | undefined;
  #mattering: ReadonlySet<Claim> | null = null;

  constructor({ weighed }: JudgedInvestigation, signal: StopSignal | undefined) {
    this.weighed = weighed;
    this.parts = new InvestigationParts(weighed);
    this.mayDetectCopying = mayDetectCopying(weighed);
    this.dependenceWork = weighed.model.claims.length;
    const classNames: string[] = [];
    for (const actor of weighed.model.actors) classNames[weighed.classes.of(actor)] ??= actor.id;
    this.classNames = classNames;
    for (const claim of weighed.model.claims) {
      const own = this.#byActor.get(claim.actor);
      if (own) own.push(claim);
      else this.#byActor.set(claim.actor, [claim]);
    }
    for (const { id, target_claim_id: target } of weighed.model.input.claims) {
      const known = target ? this.#metaIds.get(target) : undefined;
      if (known) known.push(id);
      else if (target) this.#metaIds.set(target, [id]);
    }
    this.#signal = signal;
  }

  /**
   * Ids of everything in the input that goes with some claims: themselves, their repetitions, and the
   * meta-claims on these.
   */
  inputIdsOf(claims: Iterable<Claim>): string[] {
    const ids = new Set<string>();
    for (const claim of claims) for (const { id } of this.parts.inputsOf(claim)) ids.add(id);
    for (const id of ids) for (const meta of this.#metaIds.get(id) ?? []) ids.add(meta);
    return [...ids].sort(byCodeUnits);
  }

  /** Whether a claim as given, or a dropped repetition of it, names any claim that it supersedes. */
  supersedes(claim: Claim): boolean {
    return this.parts.inputsOf(claim).some((input) => supersededIds(input).length > 0);
  }

  /** The claims whose absence may move some verdict, in the order of claims. */
  get mattering(): ReadonlySet<Claim> {
    // A claim that adds nothing itself, such as a retracted one, still takes weight from its copies.
    const { originals } = this.weighed.successions;
    this.#mattering ??= new Set(
      this.weighed.model.claims.filter(
        (claim) => originals.has(claim) || (!claim.isWithdrawn && !this.#isInert(claim)),
      ),
    );
    return this.#mattering;
  }

  /**
   * True for claims below the floor whatever else is left out, who supersede nothing and whose actor says
   * nothing else on the pair.
   */
  #isInert(claim: Claim): boolean {
    if (!isBelowFloor(claim.actor.base * competenceOf(claim.actor, claim.predicate))) return false;
    if (this.supersedes(claim)) return false;
    return !this.claimsOf(claim.actor).some(
      (other) => other !== claim && other.subject === claim.subject && other.predicate === claim.predicate,
    );
  }

  claimsOf(actor: Actor): readonly Claim[] {
    return this.#byActor.get(actor) ?? [];
  }

  /** The alternatives to one verdict. */
  to(verdict: Verdict): PairAlternatives {
    return new PairAlternatives(verdict, this);
  }

  /** Throws the signal's reason once it is aborted. */
  checkStop(): void {
    if (this.#signal?.aborted) throw this.#signal.reason ?? new Error('the explanation was aborted');
  }

  /** Which sources depend on which when some claims, and what hangs on them, were never made. */
  classesWithout(out: ReadonlySet<Claim>): DependenceClasses {
    const { model } = this.weighed;
    const kept = model.claims.filter((claim) => !out.has(claim));
    const silent = new Warnings();
    const rest = buildModelOf(this.parts.inputOf(kept, null), model, silent);
    const { pairs, groupOf } = pairsOf(rest.claims);
    const reliability = effectiveReliabilities(
      rest.claims,
      countSelfContradictions(rest.claims, pairs, groupOf),
    );
    return findDependence(rest, pairs, reliability, silent).classes;
  }
}

/**
 * The verdict of one pair without some claims: the engine's own steps on the rest of what decides the pair.
 */
export class PairAlternatives {
  readonly all: Alternatives;
  readonly verdict: Verdict;
  readonly #now: VerdictWithout;
  /** Whether something else leads of what is said in the scope and time of the verdict alone. */
  readonly #keepsLeader: boolean;
  /** The claims that can move the verdict while the dependence of sources stays, by id. */
  readonly deciding: readonly Claim[];

  constructor(verdict: Verdict, all: Alternatives) {
    this.all = all;
    this.verdict = verdict;
    this.#now = describe(verdict, all.weighed, null);
    this.#keepsLeader = this.isOther(this.#describeThere(verdict, all.weighed));
    this.deciding = [...all.parts.deciding(verdict)].sort((a, b) => a.index - b.index);
  }

  /** Whether a verdict without some claims is another than this one. */
  isOther(without: VerdictWithout): boolean {
    return isOtherwise(without, this.#now);
  }

  /** Claims read for one answer of `without`: its work. */
  get work(): number {
    return this.workAsFound + (this.all.mayDetectCopying ? this.all.dependenceWork : 0);
  }

  /** The same where the dependence of sources stays as found. */
  get workAsFound(): number {
    return this.deciding.length + 1;
  }

  /**
   * The verdict in its scope and time when some claims, and what hangs on them, were never made; exact. With
   * `asFound` the dependence of sources stays as it is with these claims.
   */
  without(claims: Iterable<Claim>, asFound = false): VerdictWithout {
    this.all.checkStop();
    const { subject, predicate } = this.verdict;
    const { weighed, parts } = this.all;
    const out = withMetas(claims);
    const classes = this.all.mayDetectCopying && !asFound ? this.all.classesWithout(out) : weighed.classes;
    const kept = this.deciding.filter((claim) => !out.has(claim));
    const silent = new Warnings();
    const model = buildModelOf(parts.inputOf(kept, this.verdict), weighed.model, silent);
    const part = weighClaims(
      model,
      () => classes,
      () => weighed.estimate,
      silent,
    );
    const verdict = judge(part, keepInferences(part, silent)).find(
      (one) => one.subject.id === subject.id && one.predicate === predicate,
    );
    return this.#describeThere(verdict, part);
  }

  /** A verdict in the scope and time of this one. */
  #describeThere(verdict: Verdict | undefined, weighed: Weighed): VerdictWithout {
    const { leading: place } = this.verdict;
    if (!verdict || !place) return describe(verdict, weighed, place);
    const there = verdictWithin(place, verdict, weighed, this.#keepsLeader);
    return describe(there?.verdict, there?.weighed ?? weighed, place);
  }
}

/** A verdict in few words, of the scope and time of a claim where there is none. */
export function describe(
  verdict: Verdict | undefined,
  weighed: Weighed,
  place: Claim | null,
): VerdictWithout {
  return {
    ...inBrief(verdict, verdict?.leading ?? place, verdict && isOnlyDenied(verdict, weighed)),
    ...(verdict && isTiedWithin(verdict, weighed, place) && { tied: true }),
  };
}

/** The same, ties aside, with where it holds; the absence of a verdict is no information. */
export function inBrief(
  verdict: Pick<Verdict, 'opinion' | 'leadingValue'> | undefined,
  place: Claim | null,
  isDenied = false,
): VerdictWithout {
  const where = place ? placeOf(place) : {};
  if (!verdict)
    return { truth_status: 'Neither', expected_probability: BASE_RATE, leading_value: null, ...where };
  return {
    truth_status: truthStatus(verdict.opinion),
    expected_probability: expectedProbability(verdict.opinion),
    leading_value: verdict.leadingValue,
    ...where,
    ...(isDenied && { denied: true }),
  };
}
