import {
  CALIBRATION,
  CREDIBILITY_FLOOR,
  ESTIMATED_CALIBRATION,
  RIVALS_MAX,
  SOURCES,
  TIED_WITHIN,
} from '../contract/constants.ts';
import type { Claim, EvidenceItem } from '../model/model.ts';
import { CONFLICT, AGREE, relation } from '../model/statements.ts';
import type { Bucket, Pair, StatementGroup } from '../model/statements.ts';
import { isFiner, parseValue, valuesAgree } from '../model/value.ts';
import { bearsOn, countedFor } from '../weighing/counts-for.ts';
import { MaxByGroup } from '../weighing/max-by-group.ts';
import type { GroupAmounts } from '../weighing/max-by-group.ts';
import { isIdentified, isRefutable, metaEvidence, refutation } from '../weighing/claim-weighing.ts';
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
 * each is judged by itself, and then all of them given that. A value that is superseded has the odds by which
 * what is left of its weight exceeds nothing. Source: reasoning model §11; ADR 0036; ADR 0091; ADR 0125; ADR
 * 0130; ADR 0137.
 */
export class Chances {
  readonly #pair: Pair;
  readonly #weighed: Weighed;
  readonly #inferred: { readonly claim: Claim; readonly logOdds: number } | null;
  readonly #strongest: MaxByGroup;
  /** The statements that claims make that may lead, in leading order. */
  readonly #candidates: ReadonlySet<StatementGroup>;
  readonly #leading: StatementGroup | undefined;
  readonly #said = new Map<Bucket, Said>();
  /** By statement, and by bucket where all that is said in it is heard. */
  readonly #hearings = new Map<StatementGroup | Bucket, Hearing>();
  /** The other of yes and no than is stated, where nobody states it and a third answer is given. */
  readonly #unstated = new Map<StatementGroup, StatementGroup | null>();

  /**
   * `ordered`: the claims that may lead, the best of each statement, in leading order; then the denials of
   * values that count as rivals of what is stated. `inferred`: log odds that inferences add to the statement
   * of one of them.
   */
  constructor(
    pair: Pair,
    ordered: readonly Claim[],
    weighed: Weighed,
    inferred: { readonly claim: Claim; readonly logOdds: number } | null = null,
  ) {
    this.#pair = pair;
    this.#weighed = weighed;
    this.#inferred = inferred;
    this.#strongest = new MaxByGroup(weighed.classes.count);
    this.#candidates = new Set(ordered.map((claim) => weighed.groupOf[claim.index]!));
    [this.#leading] = this.#candidates;
  }

  /** The chance of a candidate's statement. */
  of(claim: Claim): number {
    const own = this.#ownOf(claim);
    return own.statement.denies ? 1 - this.#ofDenied(own) : this.#alone(own);
  }

  /**
   * The chance of the other of yes and no than a claim states, where nobody states it, a third answer is
   * given and something speaks for it; else null.
   */
  ofUnstated(claim: Claim): number | null {
    const { statement, hearing } = this.#ownOf(claim);
    const other = this.#unstatedOf(statement, hearing.bucket);
    const measured = other && this.#judged(other, hearing.bucket);
    return measured && measured.support > 0 ? this.#alone(measured) : null;
  }

  /**
   * The chance that a statement of yes or no is wrong because the other is right. Where sources also say
   * something else, that is the chance of the other, whether or not somebody says it.
   */
  ofOpposite(claim: Claim): number {
    const { statement, hearing } = this.#ownOf(claim);
    const { bucket } = hearing;
    if (this.#standing(this.#ownOf(claim)).isClosed) return 1 - this.of(claim);
    const stated = this.#saidIn(bucket).stated.find((other) => isOpposite(statement, other));
    const opposite = stated ?? this.#unstatedOf(statement, bucket)!;
    return this.#alone(this.#judged(opposite, bucket));
  }

  #ownOf(claim: Claim): Measured {
    const bucket = this.#pair.buckets.find(({ scope }) => scope === claim.scope)!;
    const statement = this.#weighed.groupOf[claim.index]!;
    return this.#judged(statement, bucket);
  }

  /** A statement with all that counts for it and against it. */
  #judged(statement: StatementGroup, bucket: Bucket): Measured {
    return this.#measured(statement, this.#hearingOf(statement, bucket));
  }

  /** What is said in a scope, candidates first. */
  #saidIn(bucket: Bucket): Said {
    let said = this.#said.get(bucket);
    if (said) return said;
    const isHeard = (group: StatementGroup) => group.claims.some((claim) => this.#weight(claim) > 0);
    const own = new Set(bucket.groups);
    const candidates = [...this.#candidates].filter((group) => own.has(group));
    const others = bucket.groups.filter((group) => !this.#candidates.has(group) && isHeard(group));
    const ofAll = (denies: boolean) => [...candidates, ...others].filter((group) => group.denies === denies);
    const spokenFor = candidates.filter(({ denies }) => denies);
    const stated = ofAll(false);
    const thirds = [...spokenFor, ...stated].filter(({ value }) => value.kind !== 'boolean');
    // Where nothing but yes and no is said, evidence against the one speaks for the other, standing or not.
    const isDisowned = (group: StatementGroup) =>
      group.value.kind === 'boolean' &&
      !isHeard(group) &&
      group.claims.some((claim) => this.#isRefuted(claim));
    if (thirds.length === 0) stated.push(...bucket.groups.filter(isDisowned));
    said = { stated, denied: ofAll(true), spokenFor, thirds };
    this.#said.set(bucket, said);
    return said;
  }

  /** What is heard where a statement is judged. */
  #hearingOf(statement: StatementGroup, bucket: Bucket): Hearing {
    let hearing = this.#hearings.get(statement);
    if (hearing) return hearing;
    const counts = countedFor(statement, bucket, this.#weighed);
    const groups = bucket.groups.filter((group) => overlaps(group, statement));
    const leftOut = new Set(groups.filter((group) => relation(group, statement) === AGREE && !counts(group)));
    const isWhole = groups.length === bucket.groups.length && leftOut.size === 0;
    hearing = (isWhole && this.#hearings.get(bucket)) || {
      statement,
      bucket,
      groups,
      leftOut,
      effect: this.#designEffect(groups.filter((group) => !leftOut.has(group))),
      measured: new Map(),
      alone: new Map(),
    };
    this.#hearings.set(statement, hearing);
    if (isWhole) this.#hearings.set(bucket, hearing);
    return hearing;
  }

  /**
   * What voices that share errors divide log odds by. The number of voices heard, a crowd's discounted: each
   * class counts one, as far as age and the like have left of its weight, and a superseded one in full; an
   * identified one less reliable than a Journalist counts in proportion, so that one more voice gives more
   * than it takes.
   */
  #designEffect(groups: readonly StatementGroup[]): number {
    const { weighings, classes, successions } = this.#weighed;
    this.#strongest.start();
    for (const { claims } of groups) {
      for (const claim of claims)
        if (this.#weight(claim) > 0) {
          const { reliability } = weighings[claim.index]!;
          const isKnown = isIdentified(claim);
          const whole = isKnown ? Math.max(reliability, SOURCES.Journalist.base) : reliability;
          const left = whole * successions.factorOf(claim);
          this.#strongest.add(classes.of(claim.actor), this.#weight(claim) / left, isKnown);
        }
    }
    return 1 + CALIBRATION.correlation * Math.max(0, this.#strongest.crowdSum() - 1);
  }

  /** A statement with all that is heard for it and against it. */
  #measured(statement: StatementGroup, hearing: Hearing): Measured {
    let measured = hearing.measured.get(statement);
    if (measured) return measured;
    measured = this.#measure(statement, hearing, hearing.groups);
    const inferred = this.#inferred;
    if (inferred && statement === this.#weighed.groupOf[inferred.claim.index])
      measured = {
        ...measured,
        logOdds: measured.logOdds + inferred.logOdds,
        support: measured.support + inferred.logOdds,
        reliability: measured.reliability + Math.max(0, inferred.logOdds) / CALIBRATION.perItem,
      };
    hearing.measured.set(statement, measured);
    return measured;
  }

  /** A statement with its own claims only; a superseded one with the denials of its value, too. */
  #measuredAlone(statement: StatementGroup, hearing: Hearing): Measured {
    let measured = hearing.alone.get(statement);
    if (measured) return measured;
    const denials = this.#isSuperseded(statement) ? hearing.groups.filter(({ denies }) => denies) : [];
    measured = this.#measure(statement, hearing, [statement, ...denials]);
    hearing.alone.set(statement, measured);
    return measured;
  }

  /** Whether a value is stated with weight and every claim that states it is superseded. */
  #isSuperseded(statement: StatementGroup): boolean {
    return !statement.denies && !this.#candidates.has(statement) && statement.claims.length > 0;
  }

  /**
   * The other of yes and no than a candidate states; null where somebody states it or nothing else is said.
   */
  #unstatedOf(statement: StatementGroup, bucket: Bucket): StatementGroup | null {
    let other = this.#unstated.get(statement);
    if (other !== undefined) return other;
    const { stated, thirds } = this.#saidIn(bucket);
    const isLacking =
      this.#candidates.has(statement) &&
      isOpen(statement, thirds) &&
      !stated.some((one) => isOpposite(statement, one));
    const truth = statement.value.kind === 'boolean' && statement.value.truth;
    other = isLacking ? { ...statement, value: parseValue(String(!truth)), claims: [] } : null;
    this.#unstated.set(statement, other);
    return other;
  }

  /**
   * Of some statements in leading order, those that exclude another one, each value once. The first ones are
   * measured with all that counts for them, the rest with their own claims only, so that a question with many
   * values stays cheap. That depends on no list of what is told.
   */
  #excludedBy(statement: StatementGroup, statements: readonly StatementGroup[]) {
    const most = RIVALS_MAX - (this.#candidates.has(statement) ? 1 : 0);
    const first: StatementGroup[] = [];
    const rest: StatementGroup[] = [];
    for (const other of statements) {
      if (other === statement || !excludes(statement, other)) continue;
      if (first.some(({ value }) => valuesAgree(value, other.value))) continue;
      if (first.length < most && this.#candidates.has(other)) first.push(other);
      else rest.push(other);
    }
    return { first, rest };
  }

  /**
   * The chance of a value that is denied, given that at most one of the values denied for the same time is
   * right.
   */
  #ofDenied(own: Measured): number {
    const { statement, hearing } = own;
    const { first, rest } = this.#excludedBy(statement, this.#saidIn(hearing.bucket).denied);
    const odds = this.#oddsOfDenied(own);
    let all = 1 + odds;
    for (const other of first) all += this.#oddsOfDenied(this.#measured(other, hearing));
    for (const other of rest) all += this.#oddsOfDenied(this.#measuredAlone(other, hearing));
    return odds / all;
  }

  /** Odds of a denied value by itself; finite, so that they can be summed and divided. */
  #oddsOfDenied(own: Measured): number {
    const chance = this.#alone(own);
    return chance / Math.max(1 - chance, 1e-300);
  }

  /** The chance of the value of a statement among those asserted that conflict with it. */
  #alone(own: Measured): number {
    const { held, others, against, isClosed, unsaid } = this.#standing(own);
    const posterior = 1 / (1 + others + (isClosed && against !== null ? 0 : unsaid));
    if (!this.#weighed.estimate) {
      if (isClosed) return posterior;
      const share = this.#shareOf(own);
      return share < 1 ? 1 / (1 + (others + unsaid) / share) : posterior;
    }
    const { mixture, doubt } = ESTIMATED_CALIBRATION;
    // The doubt is spread over all that may be right: the two of a boolean, or values too many to count.
    const share = (held + (isClosed ? doubt / 2 : 0)) / (held + (against ?? 0) + doubt);
    return (1 - mixture) * posterior + mixture * share;
  }

  /** What is left of the odds of a value where its sources are seldom right, 0..1. */
  #shareOf({ reliability, support, hearing }: Measured): number {
    const most = Math.max(CREDIBILITY_FLOOR, reliability);
    if (this.#weighed.estimate || most >= 1) return 1;
    return Math.min(1, most / (1 - most) / Math.exp(this.#temper(hearing) * support));
  }

  /** What log odds are multiplied by before they become a posterior, 0..1. */
  #temper({ effect }: Hearing): number {
    return this.#weighed.estimate ? ESTIMATED_CALIBRATION.temper : 1 / effect;
  }

  /** A statement among those that conflict with it. */
  #standing(own: Measured): Standing {
    const { statement, hearing } = own;
    const { bucket } = hearing;
    const temper = this.#temper(hearing);
    const { stated, spokenFor } = this.#saidIn(bucket);
    const { first, rest } = this.#excludedBy(statement, stated);
    // What else is denied is weighed against a denied value in its last step.
    const denied = statement.denies ? [] : this.#excludedBy(statement, spokenFor).first;
    const unstated = [statement, ...first]
      .flatMap((one) => this.#unstatedOf(one, bucket) ?? [])
      .filter((other) => other !== statement && excludes(statement, other))
      .map((other) => this.#measured(other, hearing))
      .filter(({ support }) => support > 0);
    const notStated = [...denied.map((other) => this.#measured(other, hearing)), ...unstated];
    const rivals = [
      ...first.map((other) => this.#measured(other, hearing)),
      ...rest.map((other) => this.#measuredAlone(other, hearing)),
      ...notStated,
    ];
    const crowd = this.#crowdAmong([own, ...rivals], temper);
    const isClosed =
      !statement.denies && [own, ...rivals].every((one) => one.statement.value.kind === 'boolean');
    const logOddsOf = (other: Measured) =>
      temper * other.logOdds - (isClosed ? this.#excess(other, temper) : 0);
    const ownLogOdds = logOddsOf(own);
    // A superseded value is one of those that nobody says, but for what is left of its weight.
    const unsaidOf = (other: Measured) =>
      !isClosed && this.#isSuperseded(other.statement) ? Math.exp(-ownLogOdds) : 0;
    const massOf = (other: Measured) =>
      Math.max(0, Math.exp(logOddsOf(other) - ownLogOdds) - unsaidOf(other)) *
      (crowd.measured.has(other) ? crowd.mass : 1) *
      (notStated.includes(other) ? this.#shareOf(other) : 1);
    const heldOf = (other: Measured) =>
      Math.max(0, other.logOdds) * (crowd.measured.has(other) ? crowd.share : 1);
    const mass = massOf(own);
    return {
      held: heldOf(own),
      others: rivals.reduce((sum, other) => sum + massOf(other), 0) / mass,
      against: rivals.length === 0 ? null : rivals.reduce((sum, other) => sum + heldOf(other), 0),
      isClosed,
      unsaid: Math.exp(-ownLogOdds) / mass,
    };
  }

  /** What the sources of one of two answers say for it, in tempered log odds, beyond their reliability. */
  #excess({ reliability, support }: Measured, temper: number): number {
    const most = Math.max(0.5, reliability);
    if (this.#weighed.estimate || most >= 1) return 0;
    return Math.max(0, temper * support - Math.log(most / (1 - most)));
  }

  /**
   * The statements that only unidentified sources make, but for the likeliest of all, and what is left of
   * each where together they count as if their sources made one: of its odds, and of its log odds.
   */
  #crowdAmong(all: readonly Measured[], temper: number) {
    const { measured, likeliest } = this.#scatteredAmong(all, temper);
    if (measured.size + (likeliest ? 1 : 0) < 2) return { measured, mass: 1, share: 1 };
    this.#strongest.start();
    if (likeliest) this.#strongest.addAll(this.#voicesLeft(likeliest));
    const first = this.#strongest.crowdSum();
    let odds = 0;
    let sum = 0;
    for (const one of measured) {
      this.#strongest.addAll(this.#voicesLeft(one));
      odds += Math.exp(temper * one.logOdds);
      sum += Math.max(0, one.logOdds);
    }
    const together = this.#strongest.crowdSum();
    const most = Math.exp(temper * together) - (likeliest ? Math.exp(temper * first) : 0);
    return {
      measured,
      mass: Math.min(1, most / odds),
      share: Math.min(1, sum > 0 ? (together - first) / sum : 1),
    };
  }

  /**
   * The statements that share one crowd: those that only unidentified sources make. The one that leads keeps
   * its odds, and so do those that are as likely; the likeliest does too, but what it has is taken from what
   * the others may have together.
   */
  #scatteredAmong(all: readonly Measured[], temper: number) {
    const oddsOf = (one: Measured) => temper * one.logOdds + Math.log(this.#shareOf(one));
    const most = all.reduce((high, one) => Math.max(high, oddsOf(one)), -Infinity);
    const likeliest = all.filter((one) => oddsOf(one) >= most - TIED_WITHIN);
    const leading = all.find(({ statement }) => statement === this.#leading) ?? likeliest[0]!;
    const isKept = (one: Measured) => Math.abs(oddsOf(one) - oddsOf(leading)) < TIED_WITHIN;
    const crowd = all.filter((one) => !isKept(one) && this.#isOfCrowd(one));
    const first = likeliest.length === 1 && crowd.includes(likeliest[0]!) ? likeliest[0]! : null;
    return { measured: new Set(crowd.filter((one) => one !== first)), likeliest: first };
  }

  /** What a statement's sources say for it, as far as what is brought against it leaves of that. */
  #voicesLeft({ support, logOdds, voices }: Measured): GroupAmounts {
    const left = support > 0 ? Math.min(1, Math.max(0, logOdds / support)) : 0;
    return voices.map((amount, at) => (at % 3 === 1 ? amount * left : amount));
  }

  /** Whether only unidentified sources speak for a value, and no evidence against its denial. */
  #isOfCrowd({ statement, isProven, voices }: Measured): boolean {
    if (statement.denies || isProven) return false;
    return voices.every((isIdentified, at) => at % 3 !== 2 || isIdentified === 0);
  }

  /** A statement with what those of some statements say for it and against it. */
  #measure(statement: StatementGroup, hearing: Hearing, groups: readonly StatementGroup[]): Measured {
    const { bucket, effect } = hearing;
    const scale = this.#weighed.estimate ? 1 : effect;
    const claimsAbout = (denies: boolean) =>
      groups.flatMap((other) => {
        if (other.denies !== denies) return [];
        if (denies !== statement.denies) return relation(statement, other) === CONFLICT ? other.claims : [];
        return other === statement || relation(statement, other) === AGREE ? other.claims : [];
      });
    const [asserting, denying] = [claimsAbout(false), claimsAbout(true)];
    // What is brought against a claim that agrees counts by the claim's time, whether or not the claim does.
    const counted = (claims: readonly Claim[]) =>
      this.#heardOf(claims).filter(
        ({ index }) => statement !== hearing.statement || !hearing.leftOut.has(this.#weighed.groupOf[index]!),
      );
    // Of yes and no, what is brought against the one speaks for the other; where nothing else is said, their
    // odds to each other have it already.
    const bearing = (claims: readonly Claim[], denies: boolean) =>
      claims.filter((claim) =>
        denies === statement.denies ? bearsOn(claim, statement) : !isFiner(claim.value, statement.value),
      );
    const denials = bearing(denying, true);
    const refuted = isOpen(statement, this.#saidIn(bucket).thirds)
      ? [...denials, ...groups.flatMap((other) => (isOpposite(statement, other) ? other.claims : []))]
      : denials;
    const reliability = this.#reliabilityOf(counted(asserting), refuted);
    const support = this.#logOddsFor(counted(asserting), refuted, scale);
    const voices = this.#strongest.entries();
    const logOdds = support - this.#logOddsFor(counted(denying), bearing(asserting, false), scale);
    const isProven = refuted.some((claim) => this.#isRefuted(claim));
    return { statement, hearing, logOdds, reliability, support, voices, isProven };
  }

  #isRefuted(claim: Claim): boolean {
    const weighing = this.#weighed.weighings[claim.index]!;
    return this.#refutations(claim).some((item) => refutation(weighing, item) > 0);
  }

  /** The evidence against a claim that counts. */
  #refutations(claim: Claim): readonly EvidenceItem[] {
    const weighing = this.#weighed.weighings[claim.index]!;
    return isRefutable(claim, weighing) ? claim.evidence.filter(({ valence }) => valence === 'Refutes') : [];
  }

  /**
   * What sources say for a side in log odds, and what is brought against the other; the latter times `scale`,
   * so that the temper does not lessen it.
   */
  #logOddsFor(side: readonly Claim[], other: readonly Claim[], scale: number): number {
    const { weighings } = this.#weighed;
    this.#strongest.start();
    let refuted = 0;
    for (const claim of other) {
      for (const item of this.#refutations(claim))
        refuted += logOddsFor(refutation(weighings[claim.index]!, item));
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
      if (weighings[claim.index]!.silent) return;
      for (const meta of claim.metas)
        if (meta.valence === valence && this.#weight(meta) > 0) add(meta, weighings[meta.index]!.kappa);
    };
    let refuted = 0;
    for (const claim of denying) {
      for (const item of this.#refutations(claim)) refuted += item.weight;
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
    if (weighings[claim.index]!.silent) return;
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

/** The statements of one scope that are heard, candidates first, in leading order. */
interface Said {
  readonly stated: readonly StatementGroup[];
  readonly denied: readonly StatementGroup[];
  /** Values that are denied and something speaks for: rivals of those stated. */
  readonly spokenFor: readonly StatementGroup[];
  /** What is said besides yes and no. */
  readonly thirds: readonly StatementGroup[];
}

/** What is heard where a statement is judged, and what it makes of it and its rivals. */
interface Hearing {
  readonly statement: StatementGroup;
  readonly bucket: Bucket;
  /** The statements that share some time with it. */
  readonly groups: readonly StatementGroup[];
  /** Those of them that agree with it and do not count for it. */
  readonly leftOut: ReadonlySet<StatementGroup>;
  /** What log odds are divided by where reliability is declared, 1 or more. */
  readonly effect: number;
  readonly measured: Map<StatementGroup, Measured>;
  readonly alone: Map<StatementGroup, Measured>;
}

/** What speaks for the value of a statement and against it. */
interface Measured {
  readonly statement: StatementGroup;
  readonly hearing: Hearing;
  /** Log odds of the value that the statement asserts or denies. */
  readonly logOdds: number;
  /** Log odds without what is brought against it. */
  readonly support: number;
  /** The reliabilities of those who make the statement, summed as its log odds are. */
  readonly reliability: number;
  /** What each class says for the value, in log odds. */
  readonly voices: GroupAmounts;
  /** Whether evidence against a denial or the other of yes and no speaks for it. */
  readonly isProven: boolean;
}

/** Whether two statements are about values of which only one can be right at some time. */
function excludes(a: StatementGroup, b: StatementGroup): boolean {
  return overlaps(a, b) && !valuesAgree(a.value, b.value);
}

function overlaps(a: StatementGroup, b: StatementGroup): boolean {
  return a.from < b.to && b.from < a.to;
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
