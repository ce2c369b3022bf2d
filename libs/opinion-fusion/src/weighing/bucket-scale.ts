import type { Claim } from '../model/model.ts';
import type { RelatedStatements } from '../model/related-statements.ts';
import { AmountsInRow } from './max-by-group.ts';
import type { GroupAmounts, MaxByGroup } from './max-by-group.ts';

/** The voice of one statement group: the strongest claim of each class. */
export interface GroupVoice {
  readonly speaking: readonly Claim[];
  /** For the statement: voices and Supports metas. */
  readonly support: GroupAmounts;
  /** Against the statement from meta-claims. */
  readonly refutedByMetas: GroupAmounts;
  /** Against it from Refutes items, each a class of its own. */
  readonly refutedByItems: number;
  /** As much of that as is against claims which their own sources superseded. */
  readonly disowned: number;
  /** What conflicting statements meet: voices times κ. */
  readonly challenges: GroupAmounts;
}

/** The weight of a bucket for and against one of its statements. */
interface Weight {
  /** The weight for, in evidence items. */
  readonly r: number;
  readonly s: number;
  /** Speaking claims that agree, its own included, and that conflict. */
  readonly agreed: number;
  readonly challenged: number;
  /** Statements that conflict, silent ones too. */
  readonly conflicts: number;
}

/** Weighs the statement at a position; `leftOut`: those that agree with it and do not count for it. */
type Scale = (position: number, leftOut: ReadonlySet<number>) => Weight;

/** How what is brought against one statement counts for another, by their positions. */
interface Bears {
  readonly against: (index: number, position: number) => boolean;
  readonly for: (index: number, position: number) => boolean;
}

/** How the statements of one bucket are weighed, given what is said for each. Reasoning model §4. */
export function bucketScale(
  voices: readonly GroupVoice[],
  related: RelatedStatements,
  bears: Bears,
  strongest: MaxByGroup,
): Scale {
  const scale = voicesScale(voices, related, bears, strongest);
  if (!isOneVoice(voices)) return scale;
  const quick = oneVoiceScale(voices, related);
  return (position, leftOut) => (leftOut.size === 0 ? quick(position) : scale(position, leftOut));
}

function voicesScale(
  voices: readonly GroupVoice[],
  related: RelatedStatements,
  bears: Bears,
  strongest: MaxByGroup,
): Scale {
  const supports = new AmountsInRow(voices.map((voice) => voice.support));
  const challenges = new AmountsInRow(voices.map((voice) => voice.challenges));
  const speakers = Int32Array.from(voices, (voice) => voice.speaking.length);
  return (position, leftOut) => {
    const agreeing = related.agreeing(position);
    const counted = leftOut.size === 0 ? agreeing : agreeing.filter((index) => !leftOut.has(index));
    const conflicting = related.conflicting(position);
    strongest.start();
    strongest.addOf(counted, supports);
    let r = strongest.crowdSum();
    for (const index of conflicting)
      if (voices[index]!.disowned > 0 && bears.for(index, position)) r += voices[index]!.disowned;
    let items = 0;
    strongest.start();
    for (const index of agreeing) {
      if (!bears.against(index, position)) continue;
      const { refutedByItems, refutedByMetas } = voices[index]!;
      items += refutedByItems;
      strongest.addAll(refutedByMetas);
    }
    strongest.addOf(conflicting, challenges);
    return {
      r,
      s: strongest.crowdSum() + items,
      agreed: total(agreeing, speakers),
      challenged: total(conflicting, speakers),
      conflicts: conflicting.length,
    };
  };
}

/**
 * Whether all that is said in a bucket is said by one class, and nothing is refuted: then the strongest alone
 * counts.
 */
function isOneVoice(voices: readonly GroupVoice[]): boolean {
  let only: number | undefined;
  const isOnly = (amounts: GroupAmounts) => {
    if (amounts.length > 0) only ??= amounts[0];
    return amounts.length === 0 || (amounts.length === 3 && amounts[0] === only);
  };
  return voices.every(
    ({ support, challenges, refutedByMetas, refutedByItems }) =>
      isOnly(support) && isOnly(challenges) && refutedByMetas.length === 0 && refutedByItems === 0,
  );
}

/** The same numbers as `voicesScale`, by work that grows with the statements and not with their pairs. */
function oneVoiceScale(
  voices: readonly GroupVoice[],
  related: RelatedStatements,
): (position: number) => Weight {
  const support = related.largest(Float64Array.from(voices, (voice) => voice.support[1] ?? 0));
  const challenge = related.largest(Float64Array.from(voices, (voice) => voice.challenges[1] ?? 0));
  const speakers = related.sums(Int32Array.from(voices, (voice) => voice.speaking.length));
  const statements = related.sums(new Int32Array(voices.length).fill(1));
  return (position) => ({
    r: support.agreeing(position),
    s: challenge.conflicting(position),
    agreed: speakers.agreeing(position),
    challenged: speakers.conflicting(position),
    conflicts: statements.conflicting(position),
  });
}

function total(indexes: readonly number[], speakers: Int32Array): number {
  let sum = 0;
  for (const index of indexes) sum += speakers[index]!;
  return sum;
}
