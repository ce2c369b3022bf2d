import type { Answer, DataSet } from './data-set.ts';
import { toQuestion } from './data-set.ts';
import { estimateNumbers, judge } from './engine.ts';
import type { EngineOptions } from './engine.ts';
import { PEERS } from './methods/index.ts';

/** Whatever answers the items of a set: the engine as a client may ask it, or a known method. */
export interface Contestant {
  readonly name: string;
  readonly engine: boolean;
  readonly canAnswer: (set: DataSet) => boolean;
  readonly answer: (set: DataSet) => (Answer | null)[];
}

/** The engine by the options that matter here; the first two are the ones the targets are about. */
export const ENGINES: Readonly<Record<string, EngineOptions>> = {
  engine: { dependence: 'detected', reliability: 'declared', chance: 'calibrated_probability' },
  'engine, estimated reliability': {
    dependence: 'detected',
    reliability: 'estimated',
    chance: 'calibrated_probability',
  },
  'engine, estimated, no copy detection': {
    dependence: 'declared',
    reliability: 'estimated',
    chance: 'calibrated_probability',
  },
  'engine, no copy detection': {
    dependence: 'declared',
    reliability: 'declared',
    chance: 'calibrated_probability',
  },
  'engine, expected_probability': {
    dependence: 'detected',
    reliability: 'declared',
    chance: 'expected_probability',
  },
};

export const ESTIMATED = 'engine, estimated reliability';

export const CONTESTANTS: readonly Contestant[] = [
  ...Object.entries(ENGINES).map(([name, options]): Contestant => ({
    name,
    engine: true,
    canAnswer: () => true,
    answer: (set) => judge(set, options).answers,
  })),
  {
    name: 'engine, numeric estimate',
    engine: true,
    canAnswer: ({ kind }) => kind === 'numeric',
    answer: (set) =>
      estimateNumbers(set).map(
        (estimate) => estimate && { value: String(estimate.median), probability: null },
      ),
  },
  ...PEERS.map(({ name, method, answers }): Contestant => ({
    name,
    engine: false,
    canAnswer: (set) => answers(toQuestion(set)),
    answer: (set) => method(toQuestion(set)),
  })),
];
