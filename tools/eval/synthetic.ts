import type { DataSet } from './data-set.ts';
import { mulberry32 } from './random.ts';

/** What a source says about an item, or null for nothing. `truth` is the right value. */
type Speaker = (item: number, truth: string) => string | null;

/**
 * Made-up sets, each with one difficulty that public sets mix. By name; each takes a seed and gives the same
 * set for the same seed. They show whether a method is right for the reason that it claims.
 */
export const SYNTHETIC: Readonly<Record<string, (seed: number) => DataSet>> = {
  /**
   * Twelve independent sources of accuracy 0.8, and eight that copy 85 % of what one of accuracy 0.5 says.
   */
  'copying coalition': (seed) => {
    const { chance, wrong, truths } = world(seed, 300, 20);
    const leader = truths.map((truth, item) => (chance(0.5) ? truth : wrong(item, truth)));
    const honest = Array.from(
      { length: 12 },
      () => (item: number, truth: string) =>
        chance(0.6) ? (chance(0.8) ? truth : wrong(item, truth)) : null,
    );
    const copiers = Array.from(
      { length: 8 },
      () => (item: number, truth: string) =>
        chance(0.85) ? leader[item]! : chance(0.5) ? truth : wrong(item, truth),
    );
    return build('copying coalition', 'open', truths, [...honest, ...copiers]);
  },
  /** Yes/no: ten sources of accuracy 0.8, fifteen that toss a coin, five that always say yes. */
  spammers: (seed) => {
    const { chance, truths } = world(seed, 400, 2);
    const labels = truths.map((truth) => (truth === 'v0' ? 'false' : 'true'));
    const flip = (label: string) => (label === 'true' ? 'false' : 'true');
    return build(
      'spammers',
      'binary',
      labels,
      [
        ...times(10, (): Speaker => (_, truth) => (chance(0.8) ? truth : flip(truth))),
        ...times(15, (): Speaker => () => (chance(0.5) ? 'true' : 'false')),
        ...times(5, (): Speaker => () => 'true'),
      ],
      ['false', 'true'],
    );
  },
  /**
   * Four classes; on each item all sources share the chance of being right, from 0.3 to 0.99. Nobody copies.
   */
  'hard items': (seed) => {
    const { chance, wrong, truths } = world(seed, 400, 4);
    const ease = truths.map(() => 0.3 + 0.69 * chance.next());
    return build(
      'hard items',
      'closed',
      truths,
      times(15, (): Speaker => (item, truth) => (chance(ease[item]!) ? truth : wrong(item, truth))),
      ['v0', 'v1', 'v2', 'v3'],
    );
  },
  /**
   * Numbers: eight sources within 2 %, six within 20 %, two that write a number a thousand times too large.
   */
  numbers: (seed) => {
    const { chance } = world(seed, 1, 2);
    const truths = times(200, () => String(Math.round(10 ** (3 + 4 * chance.next()))));
    const near =
      (spread: number): Speaker =>
      (_, truth) =>
        String(Math.round(Number(truth) * (1 + spread * (chance.next() + chance.next() - 1))));
    return build('numbers', 'numeric', truths, [
      ...times(8, () => near(0.02)),
      ...times(6, () => near(0.2)),
      ...times(2, (): Speaker => (_, truth) => `${truth}000`),
    ]);
  },
  /** A city is right; half of the sources often name its state, which is broader and so counts as wrong. */
  'broader values': (seed) => {
    const { chance, wrong, truths } = world(seed, 300, 60);
    const state = (city: string) => `state ${Number(city.slice(1)) % 8}`;
    const speaks =
      (exact: number): Speaker =>
      (item, truth) => {
        if (!chance(0.6)) return null;
        const city = chance(0.85) ? truth : wrong(item, truth);
        return chance(exact) ? city : state(city);
      };
    return build('broader values', 'open', truths, [
      ...times(5, () => speaks(0.95)),
      ...times(5, () => speaks(0.4)),
    ]);
  },
};

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** Right values out of `values` for a number of items, and dice that follow from the seed. */
function world(seed: number, items: number, values: number) {
  const next = mulberry32(seed);
  const chance = Object.assign((probability: number) => next() < probability, { next });
  const pick = (below: number) => Math.floor(next() * below);
  const truths = Array.from({ length: items }, () => `v${pick(values)}`);
  const wrong = (_item: number, truth: string) => {
    const other = pick(values - 1);
    return `v${other < Number(truth.slice(1)) ? other : other + 1}`;
  };
  return { chance, wrong, truths };
}

function build(
  name: string,
  kind: DataSet['kind'],
  truths: readonly string[],
  speakers: readonly Speaker[],
  classes?: readonly string[],
): DataSet {
  return {
    name,
    kind,
    ...(classes && { classes }),
    ...(kind === 'numeric' && { tolerance: { relative: 0.01 } }),
    sources: speakers.map((_, index) => `source ${index + 1}`),
    items: truths.map((_, index) => `item ${index + 1}`),
    claims: truths.flatMap((truth, item) =>
      speakers.flatMap((speak, source): [number, number, string][] => {
        const value = speak(item, truth);
        return value === null ? [] : [[source, item, value]];
      }),
    ),
    gold: Object.fromEntries(truths.map((truth, item) => [item, kind === 'numeric' ? Number(truth) : truth])),
  };
}
