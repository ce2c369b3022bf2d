import { CONTESTED_SHARE, COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import { linkCompletely } from './complete-linkage.ts';
import { copyingOdds } from './copying-odds.ts';
import type { Camps } from './copying-odds.ts';
import type { Truth } from './find-truth.ts';
import { countOnce } from './majority-guard.ts';

/**
 * The groups that stay suspected when the truth found may be wrong about them. Who is right is one question
 * and not one for each item: where the search for truth has taken the wrong side, it is wrong on all
 * contested items at once, and what the few good sources share there then looks like copied errors. So
 * every pair of a group is judged a second time, as if its side were right on each item where the value it
 * shares is contested: where it has, every group counted once, at least half as many voices as the
 * strongest value (`CONTESTED_SHARE`). What is shared beyond that, and the differences, must still tell of
 * copying.
 *
 * `strengths`, the posteriors by compared pair, become the smaller of both. Groups change as pairs fall, so
 * this repeats until none does; pairs never judged twice link nothing. Returns groups as `linkCompletely`.
 */
export function judgeTwice(index: Index, truth: Truth, strengths: number[]): number[][] {
  const judged = new Uint8Array(strengths.length);
  const linked = () =>
    linkCompletely(
      index.pairs.map(({ a, b }, i) => ({ a, b, strength: strengths[i]! })),
      COPYING.probabilityMin,
    );
  for (let round = 0; round < COPYING.judgingRoundsMax; round++) {
    const groups = linked();
    const groupOf = new Int32Array(index.sources.length).fill(-1);
    groups.forEach((members, group) => members.forEach((member) => (groupOf[member] = group)));
    const within = index.pairs.flatMap(({ a, b }, i) =>
      groupOf[a]! >= 0 && groupOf[a] === groupOf[b] ? [i] : [],
    );
    const pairs = within.map((i) => index.pairs[i]!);
    const { logOdds } = copyingOdds({ ...index, pairs }, truth, campsOf(index, truth, groups));
    let hasFallen = false;
    within.forEach((i, k) => {
      judged[i] = 1;
      const again = 1 / (1 + Math.exp(-logOdds[k]!));
      if (again < COPYING.probabilityMin) hasFallen = true;
      strengths[i] = Math.min(strengths[i]!, again);
    });
    if (!hasFallen) return groups;
  }
  judged.forEach((isJudged, i) => {
    if (!isJudged) strengths[i] = Math.min(strengths[i]!, 1 - COPYING.probabilityMin);
  });
  return linked();
}

/** The values that are contested when each group counts once; how often each source is right if they are. */
function campsOf(index: Index, { probability }: Truth, groups: readonly (readonly number[])[]): Camps {
  const { starts, slots, slotsOf } = index;
  const { once } = countOnce(index, groups);
  const isOpen = new Uint8Array(once.length);
  for (const known of slotsOf) {
    const most = known.reduce((largest, slot) => Math.max(largest, once[slot]!), 0);
    for (const slot of known) if (once[slot]! >= CONTESTED_SHARE * most) isOpen[slot] = 1;
  }
  const accuracy = Float64Array.from(index.sources, (_, source) => {
    let right = 0;
    for (let i = starts[source]!; i < starts[source + 1]!; i++)
      right += isOpen[slots[i]!] ? 1 : probability[slots[i]!]!;
    return right / Math.max(1, starts[source + 1]! - starts[source]!);
  });
  return { isOpen, accuracy };
}
