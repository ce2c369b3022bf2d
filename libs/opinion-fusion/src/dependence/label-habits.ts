import { COPYING, ESTIMATION } from '../contract/constants.ts';
import type { Index } from './agreement.ts';
import { bounded } from './find-truth.ts';
import type { Truth } from './find-truth.ts';

/** How often a source states a label; probabilities. */
export interface Habit {
  /** Where the label is right. */
  readonly right: number;
  /** Where another label is right. */
  readonly wrong: number;
}

/**
 * By source: its habit with each label of a closed domain that it states, and in an open one with each that
 * it states on at least `sharedMin` items, from the probabilities of the truth found. Each starts as if the
 * source had shown its accuracy on `habitPrior` items, its errors spread over the wrong values.
 * O(statements × values of an item). Source: the confusion matrix of Dawid and Skene, Maximum likelihood
 * estimation of observer error-rates using the EM algorithm, Applied Statistics 28(1), 1979.
 */
export function labelHabits(index: Index, { probability, accuracy }: Truth): ReadonlyMap<number, Habit>[] {
  const { sources, starts, slots, itemOf, slotsOf, domainOf, labelOf, falseValues } = index;
  const { habitPrior, accuracyMax } = COPYING;
  /** By label, for one source at a time: items that the source speaks on and on which the label is right. */
  const right = new Float64Array(labelOf.reduce((most, label) => Math.max(most, label), -1) + 1);
  return sources.map((_, source) => {
    const stated = new Map<number, { item: number; rightly: number; wrongly: number }>();
    /** Items that the source speaks on, by domain. */
    const items = new Map<number, number>();
    for (let i = starts[source]!; i < starts[source + 1]!; i++)
      for (const value of slotsOf[itemOf[slots[i]!]!]!) right[labelOf[value]!] = 0;
    for (let i = starts[source]!; i < starts[source + 1]!; i++) {
      const slot = slots[i]!;
      const item = itemOf[slot]!;
      const domain = domainOf[item]!;
      if (domain < 0) continue;
      let known = stated.get(labelOf[slot]!);
      if (!known) stated.set(labelOf[slot]!, (known = { item, rightly: 0, wrongly: 0 }));
      items.set(domain, (items.get(domain) ?? 0) + 1);
      known.rightly += probability[slot]!;
      known.wrongly += 1 - probability[slot]!;
      for (const value of slotsOf[item]!) right[labelOf[value]!]! += probability[value]!;
    }
    const own = bounded(accuracy[source]!);
    const often = [...stated].filter(
      ([, { item, rightly, wrongly }]) =>
        falseValues[item]! < ESTIMATION.closedMax || Math.round(rightly + wrongly) >= COPYING.sharedMin,
    );
    return new Map(
      often.map(([label, { item, rightly, wrongly }]) => {
        const times = right[label]!;
        const elsewhere = items.get(domainOf[item]!)! - times;
        return [
          label,
          {
            right: Math.min(accuracyMax, (rightly + habitPrior * own) / (times + habitPrior)),
            wrong: (wrongly + (habitPrior * (1 - own)) / falseValues[item]!) / (elsewhere + habitPrior),
          },
        ];
      }),
    );
  });
}
