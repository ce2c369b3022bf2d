import type { Attack } from './attacks.ts';
import { pairedInterval } from './bootstrap.ts';
import type { Interval } from './bootstrap.ts';
import { ESTIMATED } from './contestants.ts';
import type { DataSet } from './data-set.ts';
import type { Intervals } from './intervals.ts';
import type { Measurement } from './measure.ts';
import { score, squaredError } from '@platform/opinion-fusion';
import type { CheckedChance, Scores } from '@platform/opinion-fusion';
import type { Suspicion } from './null-test.ts';

/** All that one run measured. */
export interface Figures {
  readonly sets: readonly DataSet[];
  readonly missing: readonly string[];
  readonly synthetic: readonly DataSet[];
  /** By contestant, in the order of the tables. */
  readonly measured: ReadonlyMap<string, Measurement>;
  readonly suspicions: readonly Suspicion[];
  readonly attacks: readonly Attack[];
  readonly intervals: readonly Intervals[];
}

const BOOTSTRAP_SEED = 1;

/** Right leading values of engine version 1, copying detected, on the public sets. Shares. */
const VERSION_1: Readonly<Record<string, number>> = {
  flights: 0.94,
  books: 0.85,
  birthplaces: 0.729,
  bluebird: 0.657,
  rte: 0.925,
  sentiment: 0.902,
  dog: 0.827,
  weather_amt: 0.843,
  sp_amt: 0.94,
  population: 0.769,
};

type Metric = keyof Scores;
const METRICS: readonly (readonly [Metric, string, 'most' | 'least'])[] = [
  ['accuracy', 'Accuracy of the leading value', 'most'],
  ['brier', 'Brier score', 'least'],
  ['logLoss', 'Log-loss', 'least'],
  ['calibrationError', 'Calibration error, ten bins', 'least'],
];

/** The generated part of docs/accuracy.md. */
export function report(figures: Figures): string {
  return [
    targets(figures),
    setTable(figures),
    ...METRICS.map(([metric, title, better]) =>
      section(title, scoreTable(figures, figures.sets, metric, better)),
    ),
    differences(figures),
    nullTest(figures),
    attackTable(figures),
    section('Numeric estimates', intervalTable(figures)),
    section('Made-up sets', madeUp(figures)),
    cost(figures),
  ].join('\n\n');
}

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const isOpen = ({ kind }: DataSet) => kind === 'open';
const isClosed = ({ kind }: DataSet) => kind === 'binary' || kind === 'closed';

/**
 * Mean of a metric over sets; null where the contestant did not answer, or stated no chance on, one of them.
 */
export function meanScore(measured: Measurement, sets: readonly DataSet[], metric: Metric): number | null {
  let sum = 0;
  for (const { name } of sets) {
    const value = measured.outcomes[name] && score(measured.outcomes[name])[metric];
    if (value === null || value === undefined) return null;
    sum += value;
  }
  return sets.length === 0 ? null : sum / sets.length;
}

function setTable({ sets, missing }: Figures): string {
  const rows = sets.map(({ name, kind, claims, items, sources, gold }) => [
    name,
    kind,
    ...[claims.length, items.length, sources.length, Object.keys(gold).length].map((n) =>
      n.toLocaleString('en-US'),
    ),
  ]);
  const absent = missing.length === 0 ? '' : `\n\nNot given, and so not measured: ${missing.join(', ')}.`;
  return section(
    'Sets',
    table(['set', 'kind', 'claims', 'items', 'sources', 'right value known'], rows) + absent,
  );
}

function scoreTable(
  { measured }: Figures,
  sets: readonly DataSet[],
  metric: Metric,
  better: 'most' | 'least',
): string {
  const columns: (readonly [string, readonly DataSet[]])[] = [
    ...sets.map((set) => [set.name, [set]] as const),
    ['mean open', sets.filter(isOpen)],
    ['mean closed', sets.filter(isClosed)],
  ];
  const values = [...measured.values()].map((of) => columns.map(([, group]) => meanScore(of, group, metric)));
  const best = columns.map((_, c) => {
    const column = values.flatMap((row) => row[c] ?? []);
    return better === 'most' ? Math.max(...column) : Math.min(...column);
  });
  const rows = [...measured.keys()].flatMap((name, r) => {
    if (values[r]!.every((value) => value === null)) return [];
    return [
      [
        name,
        ...values[r]!.map((value, c) => {
          if (value === null) return '–';
          return value === best[c] ? `**${value.toFixed(3)}**` : value.toFixed(3);
        }),
      ],
    ];
  });
  return table(['method', ...columns.map(([name]) => name)], rows);
}

/** Pairs of a figure of two contestants on the items of each set that both answer. */
function pairs(
  first: Measurement,
  second: Measurement,
  sets: readonly DataSet[],
  of: (outcome: CheckedChance) => number | null,
): [number, number][][] {
  return sets.flatMap(({ name }) => {
    const [a, b] = [first.outcomes[name], second.outcomes[name]];
    if (!a || !b) return [];
    const both = a.map((outcome, i): [number | null, number | null] => [of(outcome), of(b[i]!)]);
    return both.some(([x, y]) => x === null || y === null) ? [] : [both as [number, number][]];
  });
}

function differences({ sets, measured }: Figures): string {
  const engine = measured.get(ESTIMATED)!;
  const right = ({ right }: CheckedChance) => Number(right);
  const brier = (outcome: CheckedChance) => (outcome.probability === null ? null : squaredError(outcome));
  const show = (all: [number, number][][], points: boolean) => {
    if (all.length === 0) return '–';
    return interval(pairedInterval(all, BOOTSTRAP_SEED), points);
  };
  const rows = [...measured].flatMap(([name, other]) => {
    if (other === engine) return [];
    return [
      [
        name,
        show(pairs(engine, other, sets.filter(isOpen), right), true),
        show(pairs(engine, other, sets.filter(isClosed), right), true),
        show(
          pairs(
            engine,
            other,
            sets.filter((set) => isOpen(set) || isClosed(set)),
            brier,
          ),
          false,
        ),
      ],
    ];
  });
  return section(
    'The engine against each method',
    `Reliability estimated, minus the method: mean over the sets that both answer, with the interval of 95 in 100 paired bootstrap resamples of the items (seed ${BOOTSTRAP_SEED}). Accuracy in points: above zero is better for the engine; Brier: below zero is better.\n\n${table(['method', 'accuracy, open sets', 'accuracy, closed sets', 'Brier, all'], rows)}`,
  );
}

function interval({ difference, low, high }: Interval, points: boolean): string {
  const show = (value: number) => {
    const text = points ? (100 * value).toFixed(1) : value.toFixed(3);
    return Number(text) > 0 ? `+${text}` : text.replace('-', '−');
  };
  return `${show(difference)} [${show(low)}, ${show(high)}]`;
}

function nullTest({ suspicions }: Figures): string {
  const rows = suspicions.map(({ set, actors, real, redrawn }) => [
    set,
    String(actors),
    String(real),
    redrawn.join(', '),
  ]);
  const { suspected, actors } = totalSuspicion(suspicions);
  return section(
    'Nobody can have copied: the null test',
    `Every label is drawn anew from the labels of its own item, three seeds. How hard an item is stays; copying cannot. Every suspicion there is wrong: ${suspected} of ${actors} actors over all sets and seeds, ${((100 * suspected) / actors).toFixed(2)} %.\n\n${table(['set', 'actors', 'suspected in the data as they are', 'suspected in redrawn data, seeds 1, 2, 3'], rows)}`,
  );
}

export function totalSuspicion(suspicions: readonly Suspicion[]): { suspected: number; actors: number } {
  return {
    suspected: suspicions.reduce((sum, { redrawn }) => sum + redrawn.reduce((a, b) => a + b, 0), 0),
    actors: suspicions.reduce((sum, { actors, redrawn }) => sum + actors * redrawn.length, 0),
  };
}

function attackTable({ attacks }: Figures): string {
  const rows = attacks.map(({ name, outcome, target, holds }) => [
    name,
    outcome,
    target ?? '',
    holds === null ? '' : holds ? 'holds' : '**does not hold**',
  ]);
  return section('Attacks', table(['attack', 'outcome', 'target', ''], rows));
}

function intervalTable({ intervals }: Figures): string {
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : `${part} of ${whole} (${((100 * part) / whole).toFixed(0)} %)`;
  const rows = intervals.map(({ set, full, fullHolding, few, fewHolding }) => [
    set,
    share(fullHolding, full),
    share(fewHolding, few),
  ]);
  return `How often \`low\` to \`high\` of \`numeric_estimate\` holds the right number, reliability declared. The interval is one of 90 % for the middle of what sources say; where they err to one side together, the right number lies outside more often.\n\n${table(['set', 'enough sources for 90 %', '`few_sources`: all that is claimed'], rows)}`;
}

function madeUp(figures: Figures): string {
  const rows = [...figures.measured].map(([name, of]) => [
    name,
    ...figures.synthetic.map(({ name: set }) => {
      if (!of.outcomes[set]) return '–';
      const { accuracy, brier } = score(of.outcomes[set]);
      return `${accuracy.toFixed(3)} / ${brier === null ? '–' : brier.toFixed(3)}`;
    }),
  ]);
  return `Accuracy / Brier score.\n\n${table(['method', ...figures.synthetic.map(({ name }) => name)], rows)}`;
}

function cost({ sets, measured }: Figures): string {
  const rows = [...measured].map(([name, { times, memory }]) => {
    const known = sets.filter((set) => times[set.name] !== undefined);
    const claims = known.reduce((sum, set) => sum + set.claims.length, 0);
    const total = known.reduce((sum, { name: set }) => sum + times[set]!, 0);
    return [
      name,
      String(known.length),
      (total / 1000).toFixed(2),
      ((1000 * total) / claims).toFixed(1),
      memory.toFixed(0),
    ];
  });
  return section(
    'Time and memory',
    `One run of each set, the first of its process included; times are processor time over all threads, which a busy machine lengthens, too; the engine writes the full result, the methods only a value and a chance. Memory is the peak of the process, data and compiler included.\n\n${table(['method', 'sets', 'seconds', 'µs a claim', 'MiB'], rows)}`,
  );
}

function targets(figures: Figures): string {
  const { sets, measured, suspicions, attacks } = figures;
  const estimated = measured.get(ESTIMATED)!;
  const modes = Object.entries({ declared: measured.get('engine')!, estimated });
  const peers = [...measured].filter(([name]) => !name.startsWith('engine'));
  const bestPeer = (group: readonly DataSet[], metric: Metric, least: boolean) => {
    const all = peers.flatMap(([name, of]) => {
      const value = meanScore(of, group, metric);
      return value === null ? [] : [{ name, value }];
    });
    return all.reduce((best, one) =>
      (least ? one.value < best.value : one.value > best.value) ? one : best,
    );
  };
  const judged = sets.filter((set) => isOpen(set) || isClosed(set));
  const compare = (
    what: string,
    group: readonly DataSet[],
    metric: Metric,
    bound: number,
    least: boolean,
  ) => {
    const peer = bestPeer(group, metric, least);
    return modes.map(([reliability, of]) => {
      const value = meanScore(of, group, metric)!;
      const holds = least ? value <= bound && value < peer.value : value >= bound && value > peer.value;
      return [
        `${what}, reliability ${reliability}`,
        value.toFixed(3),
        `${least ? '≤' : '≥'} ${bound}, and better than every method`,
        `${peer.name} ${peer.value.toFixed(3)}`,
        verdict(holds),
      ];
    });
  };
  const named = (name: string, what: string, bound: number) => {
    if (!estimated.outcomes[name]) return [];
    return modes.map(([reliability, of]) => {
      const right = of.outcomes[name]!.filter((outcome) => outcome.right).length;
      return [
        `${what}, reliability ${reliability}`,
        String(right),
        `≥ ${bound}`,
        '',
        verdict(right >= bound),
      ];
    });
  };
  const gains = sets.flatMap(({ name }) => {
    const before = VERSION_1[name];
    return before === undefined ? [] : [{ name, gain: score(estimated.outcomes[name]!).accuracy - before }];
  });
  const least = gains.sort((a, b) => a.gain - b.gain).slice(0, 1);
  const { suspected, actors } = totalSuspicion(suspicions);
  const held = attacks.filter(({ holds }) => holds).length;
  const asked = attacks.filter(({ holds }) => holds !== null).length;
  return section(
    'Targets',
    table(
      ['what', 'measured', 'target', 'best method', ''],
      [
        ...compare('mean accuracy, closed sets', sets.filter(isClosed), 'accuracy', 0.83, false),
        ...compare('mean accuracy, open sets', sets.filter(isOpen), 'accuracy', 0.775, false),
        ...compare('mean Brier score', judged, 'brier', 0.125, true),
        ...compare('mean calibration error', judged, 'calibrationError', 0.08, true),
        ...named('flights', 'flights: right of 400', 375),
        ...named('books', 'books: right of 100', 85),
        ...least.map(({ name, gain }) => [
          `least gain on a set over engine version 1, reliability estimated (${name})`,
          gain.toFixed(3),
          '≥ −0.02',
          '',
          verdict(gain >= -0.02),
        ]),
        [
          'actors suspected in redrawn data',
          `${((100 * suspected) / actors).toFixed(2)} %`,
          '≤ 1 %',
          '',
          verdict(suspected <= 0.01 * actors),
        ],
        ['attacks withstood', `${held} of ${asked}`, 'all', '', verdict(held === asked)],
      ],
    ),
  );
}

function verdict(holds: boolean): string {
  return holds ? 'reached' : '**missed**';
}
