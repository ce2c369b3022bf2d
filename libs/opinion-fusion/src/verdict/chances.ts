import { CALIBRATION, ESTIMATED_CALIBRATION } from '../contract/constants.ts';
import type { Claim } from '../model/model.ts';
import { CONFLICT, AGREE, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import { metaEvidence, refutation } from '../weighing/weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * The chance that each of some rival statements is right: the posterior over the statements that conflict
 * with it and something nobody says. The log odds of a statement are the sum over dependence classes of
 * `perVoice` · ln(1 + strongest contribution), less the same of what is brought against it alone; divided by
 * the design effect of the classes heard. Where reliability is estimated, the log odds are those learned, and
 * the chance is a mixture: the posterior, as if errors on a question were independent, and the share of all
 * log odds, as if they had one cause. Source: reasoning model §11.
 */
export class Chances {
  readonly #weighed: Weighed;
  readonly #strongest: MaxByGroup;
  readonly #logOdds = new Map<StatementGroup, number>();
  readonly #bucketOf = new Map<StatementGroup, Bucket>();
  /** What the log odds of a bucket's statements are multiplied by before they become a posterior, 0..1. */
  readonly #temper = new Map<Bucket, number>();

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
      const designEffect = 1 + CALIBRATION.correlation * Math.max(0, heard.size - 1);
      this.#temper.set(bucket, weighed.estimate ? ESTIMATED_CALIBRATION.temper : 1 / designEffect);
      // Statements beyond the named ones count with their own claims only, so that a question with many
      // values stays cheap.
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
    const temper = this.#temper.get(bucket)!;
    const logOdds = this.#logOdds.get(group)! + more;
    let others = 0;
    let against = 0;
    let isOpposed = false;
    for (const other of bucket.groups) {
      const rival = this.#logOdds.get(other);
      if (rival === undefined || other.denies || relation(group, other) !== CONFLICT) continue;
      isOpposed = true;
      others += Math.exp(temper * (rival - logOdds));
      against += Math.max(0, rival);
    }
    // A boolean has no third value; for all others, something that nobody says may be right.
    const isBoolean = group.value.kind === 'boolean';
    const unsaid = isBoolean && isOpposed ? 0 : Math.exp(-temper * logOdds);
    const posterior = 1 / (1 + others + unsaid);
    if (!this.#weighed.estimate) return posterior;
    const { mixture, doubt } = ESTIMATED_CALIBRATION;
    const held = Math.max(0, logOdds);
    // The doubt is spread over all values that may be right: the two of a boolean, or too many to count.
    const share = (held + (isBoolean ? doubt / 2 : 0)) / (held + against + doubt);
    return (1 - mixture) * posterior + mixture * share;
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

  /**
   * The claim's voice; where reliability is learned, the one that brings the log odds learned, less what age
   * leaves of it.
   */
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
