import {
  CALIBRATION,
  CREDIBILITY_FLOOR,
  ESTIMATED_CALIBRATION,
  SOURCES,
  TIED_WITHIN,
} from '../contract/constants.ts';
import type { Claim } from '../model/model.ts';
import { CONFLICT, AGREE, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { parseValue, valuesAgree } from '../model/value.ts';
import { countedFor } from '../weighing/counts-for.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import type { GroupAmounts } from '../weighing/max-by-group.ts';
import { isIdentified, metaEvidence, refutation } from '../weighing/claim-weighing.ts';
import type { Weighed } from '../weighing/weighing.ts';

/**
 * The chance that each of some rival statements is right: one posterior over the statements that conflict
 * with it and something nobody says; where sources say nothing but yes or no, there is nothing else to say.
 * The log odds of a statement are the sum over dependence classes of the strongest contribution, as in r and
 * with the same discount for crowds of unidentified sources, less the same of what is brought against it
 * alone; divided by the design effect of the classes heard. So bare voices rank by chance as they do by
 * weight; evidence, which only the chance takes off, can part the two. The values that only unidentified
 * sources state, but for the likeliest of all, weigh no more together than if these sources all stated one,
 * so that a crowd does not gain by scattering. A value is right only if one of those who state it is, so that
 * with reliability declared its chance is at most the sum of their reliabilities (Boole's inequality), and
 * what speaks against it lowers its odds from there; a value that is only denied begins at the credibility
 * floor, the least that who states it could be worth. Of yes or no, what the sources of each side contribute
 * is at most that sum or nothing; who is seldom right says nothing for the other side. What evidence and
 * claims about claims bring against a statement is divided by nothing, so that one more voice does not weaken
 * it; brought against a denial, it speaks for the value. Where reliability is estimated, the log odds are
 * those learned, and the chance is a mixture: the posterior, as if errors on a question were independent, and
 * the share of all log odds, as if they had one cause. Of values that are only denied, at most one is right:
 * each is judged by itself, and then all of them given that. Source: reasoning model §11; ADR 0036; ADR 0091;
 * ADR 0125; ADR 0130.
 */
export class Chances {
  readonly #weighed: Weighed;
  readonly #strongest: MaxByGroup;
  readonly #logOdds = new Map<StatementGroup, number>();
  /** The reliabilities of those who make a statement, summed as its log odds are. */
  readonly #reliability = new Map<StatementGroup, number>();
  /** Log odds of a statement without what is brought against it. */
  readonly #support = new Map<StatementGroup, number>();
  /** What each class says for a statement, in log odds. */
  readonly #voices = new Map<StatementGroup, GroupAmounts>();
  /** Statements for which evidence against a denial or the other of yes and no speaks. */
  readonly #proven = new Set<StatementGroup>();
  readonly #hearingOf = new Map<StatementGroup, Hearing>();
  /** The other of yes and no than is stated, where nobody states it and a third answer is given. */
  readonly #unstated = new Map<StatementGroup, StatementGroup>();
  readonly #leading: StatementGroup | undefined;

  /**
   * `best`: the leading claim first, and those of the values denied that count as rivals of what is stated.
   * `inferred`: log odds that inferences add to the statement of one of them.
   */
  constructor(
    pair: Pair,
    best: readonly Claim[],
    weighed: Weighed,
    inferred: { readonly claim: Claim; readonly logOdds: number } | null = null,
  ) {
    this.#weighed = weighed;
    this.#strongest = new MaxByGroup(weighed.classes.count);
    const named = new Set(best.map((claim) => weighed.groupOf[claim.index]!));
    [this.#leading] = named;
    for (const bucket of pair.buckets) {
      // The number of voices heard, a crowd's discounted: each class counts one, as far as age and the like
      // have left of its weight; an identified one less reliable than a Journalist counts in proportion, so
      // that one more voice gives more than it takes.
      this.#strongest.start();
      for (const group of bucket.groups) {
        for (const claim of group.claims)
          if (this.#weight(claim) > 0) {
            const { reliability } = weighed.weighings[claim.index]!;
            const isKnown = isIdentified(claim);
            const whole = isKnown ? Math.max(reliability, SOURCES.Journalist.base) : reliability;
            this.#strongest.add(weighed.classes.of(claim.actor), this.#weight(claim) / whole, isKnown);
          }
      }
      const designEffect = 1 + CALIBRATION.correlation * Math.max(0, this.#strongest.crowdSum() - 1);
      const temper = weighed.estimate ? ESTIMATED_CALIBRATION.temper : 1 / designEffect;
      const scale = weighed.estimate ? 1 : designEffect;
      // Statements beyond the named ones count with their own claims only, so that a question with many
      // values stays cheap.
      const rivals = bucket.groups.filter((group) => named.has(group));
      const isHeard = (group: StatementGroup) => group.claims.some((claim) => this.#weight(claim) > 0);
      const spokenFor = rivals.filter(({ denies }) => denies);
      const thirds = [
        ...spokenFor,
        ...bucket.groups.filter((group) => !group.denies && isHeard(group)),
      ].filter(({ value }) => value.kind !== 'boolean');
      for (const group of rivals) this.#logOdds.set(group, this.#logOddsOf(group, bucket, scale, thirds));
      for (const group of bucket.groups) {
        if (named.has(group) || rivals.some((rival) => relation(rival, group) === AGREE)) continue;
        if (isHeard(group))
          this.#logOdds.set(group, this.#logOddsOf(group, { ...bucket, groups: [group] }, scale, thirds));
      }
      const heard = bucket.groups.filter((group) => this.#logOdds.has(group));
      const asserted = heard.filter(({ denies }) => !denies);
      const denied = heard.filter(({ denies }) => denies);
      const unstated: StatementGroup[] = [];
      for (const group of asserted) {
        if (!named.has(group) || !isOpen(group, thirds)) continue;
        if (asserted.some((other) => isOpposite(group, other))) continue;
        const truth = group.value.kind === 'boolean' && group.value.truth;
        const other: StatementGroup = { ...group, value: parseValue(String(!truth)), claims: [] };
        this.#logOdds.set(other, this.#logOddsOf(other, bucket, scale, thirds));
        this.#unstated.set(group, other);
        unstated.push(other);
      }
      const hearing = {
        temper,
        asserted,
        denied,
        spokenFor: [...spokenFor, ...unstated.filter((group) => this.#support.get(group)! > 0)],
      };
      for (const group of [...heard, ...unstated]) this.#hearingOf.set(group, hearing);
    }
    if (!inferred) return;
    const led = weighed.groupOf[inferred.claim.index]!;
    this.#logOdds.set(led, this.#logOdds.get(led)! + inferred.logOdds);
    this.#support.set(led, this.#support.get(led)! + inferred.logOdds);
    this.#reliability.set(
      led,
      this.#reliability.get(led)! + Math.max(0, inferred.logOdds) / CALIBRATION.perItem,
    );
  }

  /** The chance of a candidate's statement. */
  of(claim: Claim): number {
    const group = this.#weighed.groupOf[claim.index]!;
    return group.denies ? 1 - this.#ofDenied(group) : this.#alone(group);
  }

  /**
   * The chance of the other of yes and no than a claim states, where nobody states it, a third answer is
   * given and something speaks for it; else null.
   */
  ofUnstated(claim: Claim): number | null {
    const other = this.#unstated.get(this.#weighed.groupOf[claim.index]!);
    return other && this.#support.get(other)! > 0 ? this.#alone(other) : null;
  }

  /**
   * The chance of a value that is denied, given that at most one of the values denied for the same time is
   * right.
   */
  #ofDenied(group: StatementGroup): number {
    const own = this.#oddsOfDenied(group);
    let all = 1 + own;
    for (const other of this.#hearingOf.get(group)!.denied)
      if (other !== group && excludes(group, other)) all += this.#oddsOfDenied(other);
    return own / all;
  }

  /** Odds of a denied value by itself; finite, so that they can be summed and divided. */
  #oddsOfDenied(group: StatementGroup): number {
    const chance = this.#alone(group);
    return chance / Math.max(1 - chance, 1e-300);
  }

  /** The chance of the value of a statement among those asserted that conflict with it. */
  #alone(group: StatementGroup): number {
    const { temper, held, others, against, isClosed, unsaid } = this.#standing(group);
    const posterior = 1 / (1 + others + (isClosed && against !== null ? 0 : unsaid));
    if (!this.#weighed.estimate) {
      if (isClosed) return posterior;
      const share = this.#shareOf(group, temper);
      return share < 1 ? 1 / (1 + (others + unsaid) / share) : posterior;
    }
    const { mixture, doubt } = ESTIMATED_CALIBRATION;
    // The doubt is spread over all that may be right: the two of a boolean, or values too many to count.
    const share = (held + (isClosed ? doubt / 2 : 0)) / (held + (against ?? 0) + doubt);
    return (1 - mixture) * posterior + mixture * share;
  }

  /** What is left of the odds of a value where its sources are seldom right, 0..1. */
  #shareOf(group: StatementGroup, temper: number): number {
    const most = Math.max(CREDIBILITY_FLOOR, this.#reliability.get(group)!);
    if (this.#weighed.estimate || most >= 1) return 1;
    return Math.min(1, most / (1 - most) / Math.exp(temper * this.#support.get(group)!));
  }

  /**
   * The chance that a statement of yes or no is wrong because the other is right. Where sources also say
   * something else, that is the chance of the other, whether or not somebody says it.
   */
  ofOpposite(claim: Claim, candidates: readonly Claim[]): number {
    const { groupOf } = this.#weighed;
    const group = groupOf[claim.index]!;
    if (this.#standing(group).isClosed) return 1 - this.of(claim);
    const { asserted } = this.#hearingOf.get(group)!;
    const isHere = (other: StatementGroup) => asserted.includes(other) && isOpposite(group, other);
    const stated = candidates.map(({ index }) => groupOf[index]!).find(isHere) ?? asserted.find(isHere);
    return this.#alone(stated ?? this.#unstated.get(group)!);
  }

  /** A statement among those that conflict with it. */
  #standing(group: StatementGroup): Standing {
    const { temper, asserted, spokenFor } = this.#hearingOf.get(group)!;
    const isRival = (other: StatementGroup) => other !== group && excludes(group, other);
    // What else is denied is weighed against a denied value in its last step.
    const notStated = spokenFor.filter((other) => isRival(other) && !(group.denies && other.denies));
    const rivals = [...asserted.filter(isRival), ...notStated];
    const crowd = this.#crowdAmong([group, ...rivals], temper);
    const isClosed = !group.denies && [group, ...rivals].every(({ value }) => value.kind === 'boolean');
    const logOddsOf = (other: StatementGroup) =>
      temper * this.#logOdds.get(other)! - (isClosed ? this.#excess(other, temper) : 0);
    const ownLogOdds = logOddsOf(group);
    const massOf = (other: StatementGroup) =>
      Math.exp(logOddsOf(other) - ownLogOdds) *
      (crowd.groups.has(other) ? crowd.mass : 1) *
      (notStated.includes(other) ? this.#shareOf(other, temper) : 1);
    const heldOf = (other: StatementGroup) =>
      Math.max(0, this.#logOdds.get(other)!) * (crowd.groups.has(other) ? crowd.share : 1);
    const own = massOf(group);
    return {
      temper,
      held: heldOf(group),
      others: rivals.reduce((sum, other) => sum + massOf(other), 0) / own,
      against: rivals.length === 0 ? null : rivals.reduce((sum, other) => sum + heldOf(other), 0),
      isClosed,
      unsaid: Math.exp(-ownLogOdds) / own,
    };
  }

  /** What the sources of one of two answers say for it, in tempered log odds, beyond their reliability. */
  #excess(group: StatementGroup, temper: number): number {
    const most = Math.max(0.5, this.#reliability.get(group)!);
    if (this.#weighed.estimate || most >= 1) return 0;
    return Math.max(0, temper * this.#support.get(group)! - Math.log(most / (1 - most)));
  }

  /**
   * The statements that only unidentified sources make, but for the likeliest of all, and what is left of
   * each where together they count as if their sources made one: of its odds, and of its log odds.
   */
  #crowdAmong(statements: readonly StatementGroup[], temper: number) {
    const { groups, likeliest } = this.#scatteredAmong(statements, temper);
    if (groups.size + (likeliest ? 1 : 0) < 2) return { groups, mass: 1, share: 1 };
    this.#strongest.start();
    if (likeliest) this.#strongest.addAll(this.#voicesLeft(likeliest));
    const first = this.#strongest.crowdSum();
    let odds = 0;
    let sum = 0;
    for (const group of groups) {
      const logOdds = this.#logOdds.get(group)!;
      this.#strongest.addAll(this.#voicesLeft(group));
      odds += Math.exp(temper * logOdds);
      sum += Math.max(0, logOdds);
    }
    const together = this.#strongest.crowdSum();
    const most = Math.exp(temper * together) - (likeliest ? Math.exp(temper * first) : 0);
    return {
      groups,
      mass: Math.min(1, most / odds),
      share: Math.min(1, sum > 0 ? (together - first) / sum : 1),
    };
  }

  /**
   * The statements that share one crowd: those that only unidentified sources make. The one that leads keeps
   * its odds, and so do those that are as likely; the likeliest does too, but what it has is taken from what
   * the others may have together.
   */
  #scatteredAmong(statements: readonly StatementGroup[], temper: number) {
    const oddsOf = (group: StatementGroup) =>
      temper * this.#logOdds.get(group)! + Math.log(this.#shareOf(group, temper));
    const most = statements.reduce((high, group) => Math.max(high, oddsOf(group)), -Infinity);
    const likeliest = statements.filter((group) => oddsOf(group) >= most - TIED_WITHIN);
    const leading = this.#leading && statements.includes(this.#leading) ? this.#leading : likeliest[0]!;
    const isKept = (group: StatementGroup) => Math.abs(oddsOf(group) - oddsOf(leading)) < TIED_WITHIN;
    const crowd = statements.filter((group) => !isKept(group) && this.#isOfCrowd(group));
    const first = likeliest.length === 1 && crowd.includes(likeliest[0]!) ? likeliest[0]! : null;
    return { groups: new Set(crowd.filter((group) => group !== first)), likeliest: first };
  }

  /** What a statement's sources say for it, as far as what is brought against it leaves of that. */
  #voicesLeft(group: StatementGroup): GroupAmounts {
    const support = this.#support.get(group)!;
    const left = support > 0 ? Math.min(1, Math.max(0, this.#logOdds.get(group)! / support)) : 0;
    return this.#voices.get(group)!.map((amount, at) => (at % 3 === 1 ? amount * left : amount));
  }

  /** Whether only unidentified sources speak for a value, and no evidence against its denial. */
  #isOfCrowd(group: StatementGroup): boolean {
    if (group.denies || this.#proven.has(group)) return false;
    return this.#voices.get(group)!.every((isIdentified, at) => at % 3 !== 2 || isIdentified === 0);
  }

  /**
   * Log odds of the value that a statement asserts or denies. `scale`: what evidence and claims about claims
   * that are brought against a statement are multiplied by, which the temper shall not lessen; `thirds`: what
   * is said besides yes and no.
   */
  #logOddsOf(
    group: StatementGroup,
    bucket: Bucket,
    scale: number,
    thirds: readonly StatementGroup[],
  ): number {
    const counts = countedFor(group, bucket, this.#weighed);
    const claimsAbout = (denies: boolean) =>
      bucket.groups.flatMap((other) => {
        if (other.denies !== denies) return [];
        if (denies !== group.denies) return relation(group, other) === CONFLICT ? other.claims : [];
        return other === group || relation(group, other) === AGREE ? other.claims.filter(counts) : [];
      });
    const asserting = this.#heardOf(claimsAbout(false));
    const denying = this.#heardOf(claimsAbout(true));
    // Of yes and no, what is brought against the one speaks for the other; where nothing else is said, their
    // odds to each other have it already.
    const refuted = isOpen(group, thirds)
      ? [
          ...denying,
          ...bucket.groups.flatMap((other) => (isOpposite(group, other) ? this.#heardOf(other.claims) : [])),
        ]
      : denying;
    if (refuted.some((claim) => this.#isRefuted(claim))) this.#proven.add(group);
    this.#reliability.set(group, this.#reliabilityOf(asserting, refuted));
    const support = this.#logOddsFor(asserting, refuted, scale);
    this.#support.set(group, support);
    this.#voices.set(group, this.#strongest.entries());
    return support - this.#logOddsFor(denying, asserting, scale);
  }

  #isRefuted({ index, evidence }: Claim): boolean {
    const weighing = this.#weighed.weighings[index]!;
    return evidence.some((item) => item.valence === 'Refutes' && refutation(weighing, item) > 0);
  }

  /** What sources say for a side in log odds, and what is brought against the other. */
  #logOddsFor(side: readonly Claim[], other: readonly Claim[], scale: number): number {
    const { weighings } = this.#weighed;
    this.#strongest.start();
    let refuted = 0;
    for (const claim of other) {
      for (const item of claim.evidence)
        if (item.valence === 'Refutes') refuted += logOddsFor(refutation(weighings[claim.index]!, item));
      this.#addMetas(claim, 'Refutes');
    }
    const disputed = this.#strongest.crowdSum();
    for (const claim of side) {
      this.#addVoice(claim);
      this.#addMetas(claim, 'Supports');
    }
    return this.#strongest.crowdSum() - disputed + scale * (refuted + disputed);
  }

  /**
   * The reliabilities of those who assert a value or dispute its denial, evidence of their own included, and
   * age left out.
   */
  #reliabilityOf(asserting: readonly Claim[], denying: readonly Claim[]): number {
    const { weighings, classes } = this.#weighed;
    this.#strongest.start();
    const add = (claim: Claim, share: number) =>
      this.#strongest.add(
        classes.of(claim.actor),
        weighings[claim.index]!.reliability * share,
        isIdentified(claim),
      );
    const addMetas = (claim: Claim, valence: 'Supports' | 'Refutes') => {
      for (const meta of claim.metas)
        if (meta.valence === valence && this.#weight(meta) > 0) add(meta, weighings[meta.index]!.kappa);
    };
    let refuted = 0;
    for (const claim of denying) {
      for (const item of claim.evidence) if (item.valence === 'Refutes') refuted += item.weight;
      addMetas(claim, 'Refutes');
    }
    for (const claim of asserting) {
      const { voice, weight } = weighings[claim.index]!;
      if (weight > 0) add(claim, voice / weight);
      addMetas(claim, 'Supports');
    }
    return this.#strongest.crowdSum() + refuted;
  }

  /** Those of some claims that are neither retracted nor below the floor. */
  #heardOf(claims: readonly Claim[]): readonly Claim[] {
    const { weighings } = this.#weighed;
    return claims.filter(({ index }) => !weighings[index]!.silent);
  }

  #addMetas(claim: Claim, valence: 'Supports' | 'Refutes'): void {
    const { weighings, classes } = this.#weighed;
    for (const meta of claim.metas)
      if (meta.valence === valence)
        this.#strongest.add(
          classes.of(meta.actor),
          logOddsFor(metaEvidence(weighings[meta.index]!)),
          isIdentified(meta),
        );
  }

  #addVoice(claim: Claim): void {
    const { weighings, classes, estimate } = this.#weighed;
    const learned = estimate?.statements.get(claim.id);
    // A claim without weight adds nothing, also where nothing was learned of its source.
    const perItem = learned && learned.base > 0 ? learned.logOdds / learned.base : CALIBRATION.perItem;
    const amount = logOddsFor(weighings[claim.index]!.voice, perItem);
    this.#strongest.add(classes.of(claim.actor), amount, isIdentified(claim));
  }

  #weight(claim: Claim): number {
    return this.#weighed.weighings[claim.index]!.weight;
  }
}

/** The statements of one scope that the chances are shared among. */
interface Hearing {
  /** What log odds are multiplied by before they become a posterior, 0..1. */
  readonly temper: number;
  readonly asserted: readonly StatementGroup[];
  readonly denied: readonly StatementGroup[];
  /** Values that nobody states and something speaks for: rivals of those asserted. */
  readonly spokenFor: readonly StatementGroup[];
}

/** Whether two statements are about values of which only one can be right at some time. */
function excludes(a: StatementGroup, b: StatementGroup): boolean {
  return a.from < b.to && b.from < a.to && !valuesAgree(a.value, b.value);
}

/** Whether two statements of one scope say yes and no. */
function isOpposite(group: StatementGroup, other: StatementGroup): boolean {
  const isBoolean = group.value.kind === 'boolean' && other.value.kind === 'boolean';
  return isBoolean && relation(group, other) === CONFLICT;
}

/** Whether a statement says yes or no where others say something else. */
function isOpen(group: StatementGroup, thirds: readonly StatementGroup[]): boolean {
  return group.value.kind === 'boolean' && thirds.some((third) => excludes(group, third));
}

interface Standing {
  /** What log odds are multiplied by, 0..1. */
  readonly temper: number;
  /** Its log odds, at least 0. */
  readonly held: number;
  /** Odds of all that conflicts with it to its own, tempered. */
  readonly others: number;
  /** Log odds of all that conflicts with it, those below 0 left out; null where nothing does. */
  readonly against: number | null;
  /** Whether nothing but yes and no is said. */
  readonly isClosed: boolean;
  /** Odds of what nobody says to its own, tempered. */
  readonly unsaid: number;
}

/**
 * Log odds of one contribution: in proportion up to one item, which no bare voice exceeds; beyond, where
 * evidence of a source's own adds to its voice, by the logarithm, with the same slope where the two meet.
 */
export function logOddsFor(items: number, perItem: number = CALIBRATION.perItem): number {
  return perItem * (items <= 1 ? items : 1 + Math.log(items));
}
