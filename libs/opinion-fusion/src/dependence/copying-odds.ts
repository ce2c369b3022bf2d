import { COPYING } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import { bounded, logSum } from './find-truth.ts';
import type { Truth } from './find-truth.ts';
import { labelHabits } from './label-habits.ts';
import type { Habit } from './label-habits.ts';

/**
 * By compared pair: log odds that one source copies the other; the share of that which makes the first the
 * copier.
 */
export interface Odds {
  readonly logOdds: Float64Array;
  readonly firstCopies: Float64Array;
}

/** What could be true instead of the truth found: see `judgeTwice`. */
export interface Camps {
  /** By slot: 1 where the value could be the right one. */
  readonly isOpen: Uint8Array;
  /** By source: how often it is right if such values are. Probabilities. */
  readonly accuracy: Float64Array;
}

/** For judging pairs once more: other camps, and the habits found before. */
export interface Again {
  readonly camps: Camps;
  readonly habits: readonly ReadonlyMap<number, Habit>[];
}

/**
 * For each compared pair the log odds that one copies the other, and which share of that says the pair's
 * first source is the copier. Each agreement multiplies the odds by c·P(the original says it) / P(both say it
 * on their own) + 1 − c, each difference by 1 − c.
 *
 * Unlike in `findTruth`, both probabilities are averaged over whether the value is true, by its
 * probability: when it is open which of two values is true, those who share the rarer one are not taken to
 * share an error. And agreement on the truth is expected of both sources as often as of the more accurate
 * one: a source right on easy items and wrong on hard ones has a low accuracy, which would make its
 * agreement on the easy ones look copied. A source's habits say how often it states a label by itself,
 * rightly and wrongly: two sources that both lean to yes share errors without copying. With `camps`,
 * agreement on a value that could be right speaks no louder than agreement on the truth of sources as good
 * as that makes them. The prior that a source copies is spread over the others it could copy from, so that
 * looking at more pairs does not find more copiers. Source: Dong, Berti-Équille, Srivastava 2009, the model
 * Accu; averaged over truth as in X. Li, X. L. Dong, K. B. Lyons, W. Meng, D. Srivastava, Scaling up copy
 * detection, ICDE 2015; popular errors as in X. L. Dong, B. Saha, D. Srivastava, Less is more: selecting
 * sources wisely for integration, PVLDB 6(2), 2012 (the model PopAccu).
 */
export function copyingOdds(index: Index, truth: Truth, again?: Again): Odds {
  const { probability, accuracy } = truth;
  const { copyRate: c, foundTruth: w } = COPYING;
  const { itemOf, claimants, speakers, topShare, falseValues, labelOf } = index;
  const prior = COPYING.prior / Math.max(1, index.sources.length - 1);
  const logOdds = new Float64Array(index.pairs.length);
  const firstCopies = new Float64Array(index.pairs.length);
  const camps = again?.camps;
  const habits = again?.habits ?? labelHabits(index, truth);
  const wrongOf = (usual: number, habit: Habit | undefined, item: number, chance: number) =>
    Math.max(usual, 1 - topShare[item]!, (habit?.wrong ?? 0) / chance);
  for (let i = 0; i < index.pairs.length; i++) {
    const { a, b, agreeing, later, differences } = index.pairs[i]!;
    const usualA = 1 - bounded(accuracy[a]!);
    const usualB = 1 - bounded(accuracy[b]!);
    const usuallyRight = 1 - Math.min(usualA, usualB);
    const rightIfOpen = camps ? bounded(Math.max(camps.accuracy[a]!, camps.accuracy[b]!)) : 0;
    const [habitsA, habitsB] = [habits[a]!, habits[b]!];
    let aCopies = 0;
    let bCopies = 0;
    for (let k = 0; k < agreeing.length; k++) {
      const slot = agreeing[k]!;
      const item = itemOf[slot]!;
      const found = probability[slot]!;
      const share = claimants[slot]! / speakers[item]!;
      const p = w * found + (1 - w) * Math.max(found, share);
      const chance = Math.max(
        1 / falseValues[item]!,
        (claimants[slot]! - 2) / Math.max(1, speakers[item]! - 1),
      );
      const habitA = habitsA.get(labelOf[slot]!);
      const habitB = habitsB.get(labelOf[slot]!);
      const right = Math.max(usuallyRight, habitA?.right ?? 0, habitB?.right ?? 0, rightIfOpen);
      const wrongA = wrongOf(usualA, habitA, item, chance);
      const wrongB = wrongOf(usualB, habitB, item, chance);
      const both = p * right * right + (1 - p) * wrongA * wrongB * chance;
      const atMost = camps?.isOpen[slot] ? 1 / right : Infinity;
      // The source that said it first has not copied it.
      if (later[k]! >= 0)
        aCopies += Math.log(c * Math.min(atMost, (p * right + (1 - p) * wrongB) / both) + 1 - c);
      if (later[k]! <= 0)
        bCopies += Math.log(c * Math.min(atMost, (p * right + (1 - p) * wrongA) / both) + 1 - c);
    }
    logOdds[i] =
      logSum(aCopies, bCopies) - Math.LN2 + differences * Math.log(1 - c) + Math.log(prior / (1 - prior));
    firstCopies[i] = 1 / (1 + Math.exp(bCopies - aCopies));
  }
  return { logOdds, firstCopies };
}
