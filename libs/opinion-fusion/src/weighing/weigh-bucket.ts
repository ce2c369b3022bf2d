import { bucketScale } from './bucket-scale.ts';
import type { GroupVoice } from './bucket-scale.ts';
import { bearsOn, countedFor, isContrary, uncountedFor } from './counts-for.ts';
import type { Placed } from './counts-for.ts';
import { challenge, isIdentified, refuted, setOpinion } from './claim-weighing.ts';
import type { Evidence, Weighing } from './claim-weighing.ts';
import { addMetas } from './claims-about-claims.ts';
import type { DependenceClasses } from '../dependence/dependence-classes.ts';
import type { MaxByGroup } from './max-by-group.ts';
import type { Claim } from '../model/model.ts';
import { relatedStatements } from '../model/related-statements.ts';
import type { RelatedStatements } from '../model/related-statements.ts';
import { AGREE, byStatement, CONFLICT, relation } from '../model/statements.ts';
import type { Bucket, StatementGroup } from '../model/statements.ts';
import { opinionFromEvidence } from '@platform/subjective-logic';

/**
 * Opinions and counts of the claims of one bucket; true when all its different statements conflict with each
 * other.
 */
export function weighBucket(
  bucket: Bucket,
  groupOf: readonly (StatementGroup | null)[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): boolean {
  const { groups } = bucket;
  const voices = groups.map(({ claims }) => groupVoice(claims, weighings, classes, strongest));
  const related = relatedStatements(groups);
  const bears = {
    against: (index: number, position: number) => bearsOn(groups[index]!, groups[position]!),
    for: (index: number, position: number) => isContrary(groups[index]!, groups[position]!),
  };
  const weigh = bucketScale(voices, related, bears, strongest);
  const uncounted = uncountedFor(bucket, related, weighings);
  let plain = true;
  for (const group of groups) {
    const { speaking } = voices[group.index]!;
    if (speaking.length === 0 && !plain) continue;
    const { r, s, agreed, challenged, conflicts } = weigh(group.index, new Set(uncounted(group.index)));
    if (conflicts < groups.length - 1) plain = false;

    const opinion = opinionFromEvidence(r, s);
    let asLeading: Evidence | null = null;
    for (const claim of speaking) {
      const weighing = weighings[claim.index]!;
      setOpinion(weighing, r, s, opinion);
      weighing.supporting += agreed;
      weighing.refuting += challenged;
      const { distinguishedFrom: apart } = claim;
      if (!apart) continue;
      const against = (isApart: (other: Claim) => boolean) =>
        challengesBut(isApart, group.index, bears.against, related, voices, weighings, classes, strongest);
      for (const index of related.conflicting(group.index))
        for (const other of voices[index]!.speaking) if (apart.has(other)) weighing.refuting -= 1;
      setOpinion(
        weighing,
        r,
        against((other) => apart.has(other)),
      );
      if (!asLeading) {
        const rest = against((other) => isToldApart(other, group, bucket, { weighings, groupOf }));
        asLeading = { r, s: rest, opinion: opinionFromEvidence(r, rest) };
      }
      weighing.asLeading = asLeading;
    }
  }
  countOwnAgreement(bucket, groupOf, weighings);
  return plain;
}

function groupVoice(
  claims: readonly Claim[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): GroupVoice {
  const speaking = claims.filter((claim) => !weighings[claim.index]!.silent);
  strongest.start();
  for (const claim of speaking) {
    strongest.add(classes.of(claim.actor), weighings[claim.index]!.voice, isIdentified(claim));
  }
  for (const claim of speaking) addMetas(claim, 'Supports', weighings, classes, strongest);
  const support = strongest.entries();
  strongest.start();
  for (const claim of speaking) addMetas(claim, 'Refutes', weighings, classes, strongest);
  const refutedByMetas = strongest.entries();
  strongest.start();
  for (const claim of speaking)
    strongest.add(classes.of(claim.actor), challenge(weighings[claim.index]!), isIdentified(claim));
  const silent = claims.filter((claim) => weighings[claim.index]!.silent);
  return {
    speaking,
    support,
    refutedByMetas,
    refutedByItems: refuted(claims, weighings),
    disowned: refuted(silent, weighings),
    challenges: strongest.entries(),
  };
}

/** Evidence against one statement without what claims say from which it is told apart. Items. */
function challengesBut(
  isApart: (other: Claim) => boolean,
  position: number,
  bears: (index: number, position: number) => boolean,
  related: RelatedStatements,
  voices: readonly GroupVoice[],
  weighings: readonly Weighing[],
  classes: DependenceClasses,
  strongest: MaxByGroup,
): number {
  let items = 0;
  strongest.start();
  for (const index of related.agreeing(position)) {
    if (!bears(index, position)) continue;
    const { refutedByItems, refutedByMetas } = voices[index]!;
    items += refutedByItems;
    strongest.addAll(refutedByMetas);
  }
  for (const index of related.conflicting(position)) {
    const { speaking, challenges } = voices[index]!;
    if (!speaking.some(isApart)) {
      strongest.addAll(challenges);
      continue;
    }
    for (const other of speaking)
      if (!isApart(other))
        strongest.add(classes.of(other.actor), challenge(weighings[other.index]!), isIdentified(other));
  }
  return strongest.crowdSum() + items;
}

/**
 * Whether distinctions end the conflict of a claim with every claim of weight for a statement of its bucket:
 * those that agree with the statement and would conflict with the claim. ADR 0126. Never throws.
 */
export function isToldApart(
  claim: Claim,
  statement: StatementGroup,
  bucket: Bucket,
  { weighings, groupOf }: Placed,
): boolean {
  const { distinguishedFrom: apart } = claim;
  if (!apart) return false;
  const own = groupOf[claim.index]!;
  const counts = countedFor(statement, bucket, { weighings, groupOf });
  const isEnded = (other: Claim) => weighings[other.index]!.voice <= 0 || apart.has(other) || !counts(other);
  // Most claims are told apart from no claim of the statement itself, which ends the search at once.
  return (
    statement.claims.every(isEnded) &&
    bucket.groups.every(
      (group) =>
        relation(group, statement) !== AGREE ||
        relation(group, own) !== CONFLICT ||
        group.claims.every(isEnded),
    )
  );
}

/**
 * Agreeing claims count when another actor makes them: takes out each claim itself and the actor's own
 * agreeing ones.
 */
function countOwnAgreement(
  bucket: Bucket,
  groupOf: readonly (StatementGroup | null)[],
  weighings: readonly Weighing[],
): void {
  const speaks = (claim: Claim) => !weighings[claim.index]!.silent;
  for (const claim of bucket.claims) if (speaks(claim)) weighings[claim.index]!.supporting -= 1;
  for (const own of bucket.repeaters.values()) {
    const statements = byStatement(own.filter(speaks), groupOf);
    const related = relatedStatements(statements.map(({ group }) => group));
    const speakers = related.sums(Int32Array.from(statements, ({ claims }) => claims.length));
    statements.forEach(({ claims }, position) => {
      const others = speakers.agreeing(position) - 1;
      for (const claim of claims) weighings[claim.index]!.supporting -= others;
    });
  }
}
