import type { DataSet } from './data-set.ts';
import { estimateNumbers } from './engine.ts';

/** How often the 90 % intervals of the numeric estimates of a set hold the right number. */
export interface Intervals {
  readonly set: string;
  /** Items with a known right number and enough sources for an interval of 90 %; of these, those it holds. */
  readonly full: number;
  readonly fullHolding: number;
  /** The same where `few_sources` says that the interval is only what was claimed. */
  readonly few: number;
  readonly fewHolding: number;
}

/** Compares the intervals with the right numbers. */
export function checkIntervals(set: DataSet): Intervals {
  const estimates = estimateNumbers(set);
  const known = Object.entries(set.gold).flatMap(([item, right]) => {
    const estimate = estimates[Number(item)];
    return estimate
      ? [{ estimate, holds: estimate.low <= Number(right) && Number(right) <= estimate.high }]
      : [];
  });
  const full = known.filter(({ estimate }) => !estimate.few_sources);
  const few = known.filter(({ estimate }) => estimate.few_sources);
  const holding = (list: typeof known) => list.filter(({ holds }) => holds).length;
  return {
    set: set.name,
    full: full.length,
    fullHolding: holding(full),
    few: few.length,
    fewHolding: holding(few),
  };
}
