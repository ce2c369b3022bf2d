import type { DataSet } from './data-set.ts';
import { ENGINES } from './contestants.ts';
import { judge } from './engine.ts';
import { redraw } from './redraw.ts';

/** How many actors of a set the engine suspects of copying. */
export interface Suspicion {
  readonly set: string;
  readonly actors: number;
  /** In the data as they are. */
  readonly real: number;
  /** In redrawn data, by seed: everyone wrongly. */
  readonly redrawn: readonly number[];
}

/** Judges a set as it is and with its labels redrawn once for each seed. */
export function nullTest(set: DataSet, seeds: readonly number[]): Suspicion {
  const suspected = (of: DataSet) => judge(of, ENGINES['engine']!).suspected.size;
  return {
    set: set.name,
    actors: set.sources.length,
    real: suspected(set),
    redrawn: seeds.map((seed) => suspected(redraw(set, seed))),
  };
}
