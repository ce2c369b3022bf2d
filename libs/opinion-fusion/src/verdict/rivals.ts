import { expectedProbability, opinionFromEvidence } from '@platform/subjective-logic';
import { CALIBRATION, ESTIMATION, RIVALS_MAX, TIED_WITHIN } from '../contract/constants.ts';
import type { RivalValue } from '../contract/types.ts';
import type { Claim } from '../model/model.ts';
import { CONFLICT, AGREE, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { valuesAgree } from '../model/value.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import { metaEvidence, refutation } from '../weighing/weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';
import { inferredEvidence } from './inference.ts';
import { candidatesOf, countSources } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** What a verdict says besides its opinion: the values that rival for the lead and the chance that the leading one is right. */
export interface Rivalry {
  readonly calibrated: number;
  /** Leading value first, at most RIVALS_MAX; empty where nothing leads. */
  readonly rivals: readonly RivalValue[];
  readonly isTied: boolean;
}

/** The rivals of a verdict. Source: reasoning model §11. Never throws. */
export function rivalryOf(verdict: Verdict, weighed: Weighed): Rivalry {
  const { pair, leading, inferences } = verdict;
  const inferred = CALIBRATION.perVoice * Math.log1p(inferredEvidence(inferences));
  if (!pair || !leading) return { calibrated: logistic(inferred), rivals: [], isTied: false };
  const candidates = candidatesOf(pair, weighed);
  const best = distinctValues([leading, ...candidates.filter((claim) => claim !== leading)], weighed);
  const chances = new Chances(pair, best, weighed);
  const rivals = best.map((claim) => describe(claim, chances.of(claim), pair, weighed));
  const group = weighed.groupOf[leading.index]!;
  const saysFalse = group.value.kind === 'boolean' && !group.value.truth;
  const evidenceOf = (claim: Claim | undefined) => (claim ? weighed.weighings[claim.index]!.r : -Infinity);
  const isTied = Math.abs(evidenceOf(best[0]) - evidenceOf(best[1])) < TIED_WITHIN;
  if (!saysFalse)
    return {
      calibrated: group.denies ? 1 - chances.of(leading, -inferred) : chances.of(leading, inferred),
      rivals,
      isTied,
    };
  const calibrated = 1 - chances.of(leading, -inferred);
  const isTrue = ({ value }: RivalValue) => value === 'true';
  const forTrue = rivals.find(isTrue) ?? { source_count: 0, independent_source_count: 0 };
  const first: RivalValue = {
    ...forTrue,
    value: 'true',
    expected_probability: expectedProbability(verdict.opinion),
    calibrated_probability: calibrated,
  };
  return { calibrated, rivals: [first, ...rivals.filter((rival) => !isTrue(rival))], isTied };
}

/** The candidates in leading order, each agreeing with none listed before, whatever their scope; at most RIVALS_MAX. */
function distinctValues(candidates: readonly Claim[], { groupOf }: Weighed): readonly Claim[] {
  const distinct: Claim[] = [];
  for (const claim of candidates) {
    const { value } = groupOf[claim.index]!;
    if (distinct.some((other) => valuesAgree(groupOf[other.index]!.value, value))) continue;
    distinct.push(claim);
    if (distinct.length === RIVALS_MAX) break;
  }
  return distinct;
}

function describe(claim: Claim, chance: number, pair: Pair, weighed: Weighed): RivalValue {
  const { r, s } = weighed.weighings[claim.index]!;
  const { denies, value } = weighed.groupOf[claim.index]!;
  const { sources, independentSources } = countSources(claim, pair, weighed);
  return {
    value: value.kind === 'boolean' ? String(value.truth) : claim.input.value,
    expected_probability: expectedProbability(denies ? opinionFromEvidence(s, r) : opinionFromEvidence(r, s)),
    calibrated_probability: denies ? 1 - chance : chance,
    source_count: sources,
    independent_source_count: independentSources,
  };
}

/**
 * The chance that each of some rival statements is right: the posterior over the statements that conflict with it and
 * something nobody says. The log odds of a statement are the sum over dependence classes of `perVoice` · ln(1 + strongest
 * contribution), less the same of what is brought against it alone; divided by the design effect of the classes heard.
 */
class Chances {
  readonly #weighed: Weighed;
  readonly #strongest: MaxByGroup;
  readonly #logOdds = new Map<StatementGroup, number>();
  readonly #bucketOf = new Map<StatementGroup, Bucket>();
  readonly #designEffect = new Map<Bucket, number>();

  constructor(pair: Pair, best: readonly Claim[], weighed: Weighed) {
    this.#weighed = weighed;
    this.#strongest = new MaxByGroup(weighed.classes.count);
    const named = new Set(best.map((claim) => weighed.groupOf[claim.index]!));
    for (const bucket of pair.buckets) {
      const heard = new Set<number>();
      for (const group of bucket.groups) {
        this.#bucketOf.set(group, bucket);
        for (const claim of group.claims)
          if (this.#weight(claim) > 0) heard.add(weighed.classes.of(claim.actor));
      }
      const { correlation } = weighed.estimate ? ESTIMATION : CALIBRATION;
      this.#designEffect.set(bucket, 1 + correlation * Math.max(0, heard.size - 1));
      // Statements beyond the named ones count with their own claims only, so that a question with many values stays cheap.
      const rivals = bucket.groups.filter((group) => named.has(group));
      for (const group of rivals) this.#logOdds.set(group, this.#logOddsOf(group, bucket.groups));
      for (const group of bucket.groups) {
        if (named.has(group) || rivals.some((rival) => relation(rival, group) === AGREE)) continue;
        if (group.claims.some((claim) => this.#weight(claim) > 0))
          this.#logOdds.set(group, this.#logOddsOf(group, [group]));
      }
    }
  }

  /** The chance of a candidate's statement; `more` is added to its log odds. */
  of(claim: Claim, more = 0): number {
    const group = this.#weighed.groupOf[claim.index]!;
    const bucket = this.#bucketOf.get(group)!;
    const effect = this.#designEffect.get(bucket)!;
    const own = (this.#logOdds.get(group)! + more) / effect;
    let others = 0;
    let isOpposed = false;
    for (const other of bucket.groups) {
      const logOdds = this.#logOdds.get(other);
      if (logOdds === undefined || other.denies || relation(group, other) !== CONFLICT) continue;
      isOpposed = true;
      others += Math.exp(logOdds / effect - own);
    }
    // A boolean has no third value; for all others, something that nobody says may be right.
    const unsaid = group.value.kind === 'boolean' && isOpposed ? 0 : Math.exp(-own);
    return 1 / (1 + others + unsaid);
  }

  #logOddsOf(group: StatementGroup, among: readonly StatementGroup[]): number {
    const { weighings, classes } = this.#weighed;
    const agreeing = among.filter((other) => other === group || relation(group, other) === AGREE);
    this.#strongest.start();
    for (const other of agreeing) {
      for (const claim of other.claims) {
        if (weighings[claim.index]!.silent) continue;
        this.#strongest.add(classes.of(claim.actor), this.#voice(claim));
        this.#addMetas(claim, 'Supports');
      }
    }
    let logOdds = this.#sumOfLogs();
    this.#strongest.start();
    for (const other of agreeing) {
      for (const claim of other.claims) {
        if (weighings[claim.index]!.silent) continue;
        for (const item of claim.evidence)
          if (item.valence === 'Refutes') logOdds -= perVoice(refutation(weighings[claim.index]!, item));
        this.#addMetas(claim, 'Refutes');
      }
    }
    for (const other of among) {
      if (other.denies === group.denies || relation(group, other) !== CONFLICT) continue;
      for (const claim of other.claims) this.#strongest.add(classes.of(claim.actor), this.#voice(claim));
    }
    return logOdds - this.#sumOfLogs();
  }

  #addMetas(claim: Claim, valence: 'Supports' | 'Refutes'): void {
    const { weighings, classes } = this.#weighed;
    for (const meta of claim.metas)
      if (meta.valence === valence)
        this.#strongest.add(classes.of(meta.actor), metaEvidence(weighings[meta.index]!));
  }

  #sumOfLogs(): number {
    let sum = 0;
    for (const amount of this.#strongest.amounts()) sum += perVoice(amount);
    return sum;
  }

  /** The claim's voice; where reliability is learned, the one that brings the log odds learned, less what age leaves of it. */
  #voice(claim: Claim): number {
    const { voice, weight, reliability } = this.#weighed.weighings[claim.index]!;
    const estimated = this.#weighed.estimate?.statements.get(claim.id);
    if (!estimated || weight === 0) return voice;
    return Math.expm1((estimated.logOdds * (weight / reliability)) / CALIBRATION.perVoice) * (voice / weight);
  }

  #weight(claim: Claim): number {
    return this.#weighed.weighings[claim.index]!.weight;
  }
}

function perVoice(amount: number): number {
  return CALIBRATION.perVoice * Math.log1p(amount);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
