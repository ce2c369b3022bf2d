import { median, type BenchRow } from '@platform/testing';
import { analyze, explain } from '../src/index.ts';
import type { InvestigationInput } from '../src/index.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const SOURCES = ['Regulator', 'Expert', 'Analyst', 'Journalist', 'Insider', 'Institutional'];
const VALUES = ['alpha', 'beta', 'gamma'];
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/** Claims in three values, dealt over pairs and actors by a fixed sequence. */
function made(claims: number, pairs: number, actors: number): InvestigationInput {
  let state = 12_345;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    research_question: 'Which value is right?',
    actors: Array.from({ length: actors }, (_, i) => ({
      id: `actor-${i}`,
      name: `Actor ${i}`,
      source_type: SOURCES[i % SOURCES.length]!,
    })),
    subjects: Array.from({ length: pairs }, (_, i) => ({
      id: `subject-${i}`,
      name: `Subject ${i}`,
      subject_type: 'thing',
    })),
    claims: Array.from({ length: claims }, (_, i) => ({
      id: `claim-${i}`,
      actor_id: `actor-${next(actors)}`,
      subject_id: `subject-${i % pairs}`,
      predicate: 'value',
      value: VALUES[next(VALUES.length)]!,
      content: `Claim ${i} in the words of its source.`,
      assertion_time: new Date(Date.UTC(2025, 0, 1) + next(300) * DAY_MS).toISOString(),
    })),
  };
}

interface Timing {
  /** Milliseconds, medians. */
  readonly engine: number;
  readonly json: number;
  readonly resultBytes: number;
}

/** Times the engine, and JSON.parse of its payload with JSON.stringify of its result, in turns. */
function time(input: InvestigationInput, rounds: number): Timing {
  const text = JSON.stringify(input);
  const engine: number[] = [];
  const json: number[] = [];
  let resultBytes = 0;
  for (let round = -1; round < rounds; round += 1) {
    const start = performance.now();
    const parsed = JSON.parse(text) as unknown;
    const analyzed = performance.now();
    const result = analyze(parsed, { now: NOW });
    const judged = performance.now();
    resultBytes = JSON.stringify(result).length;
    const end = performance.now();
    if (round < 0) continue;
    engine.push(judged - analyzed);
    json.push(analyzed - start + end - judged);
  }
  return { engine: median(engine), json: median(json), resultBytes };
}

/** Median of: time to explain one verdict, divided by the time to analyze, in turns. */
function explaining(input: InvestigationInput, rounds: number): number {
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const start = performance.now();
    analyze(input, { now: NOW });
    const analyzed = performance.now();
    explain(input, { now: NOW, subject_id: 'subject-0', predicate: 'value' });
    if (round >= 0) ratios.push((performance.now() - analyzed) / (analyzed - start));
  }
  return median(ratios);
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

/** Speed and memory of a whole analysis; ratios of one run. */
export async function run(): Promise<BenchRow[]> {
  const large = made(100_000, 5_000, 1_000);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const result = analyze(large, { now: NOW });
  const firstLarge = performance.now() - start;
  const grown = (process.memoryUsage().rss - before) / MIB;
  const kept = 'claim_analyses' in result ? result.claim_analyses.length : 0;

  const small = time(made(1_000, 50, 100), 30);
  const spread = time(made(10_000, 500, 1_000), 9);
  const manyActors = time(made(10_000, 500, 10_000), 9);
  const onePair = time(made(10_000, 1, 10_000), 9);
  const huge = time(large, 3);
  const growth = huge.engine / 100_000 / (small.engine / 1_000);
  const oneOfMany = explaining(made(10_000, 500, 1_000), 5);
  const theOnlyOne = explaining(made(10_000, 1, 10_000), 5);
  return [
    row('10,000 claims: one of 500 verdicts explained ÷ an analysis', '≤ 3', oneOfMany, '×', 3, []),
    row('10,000 claims on one pair: its verdict explained ÷ an analysis', '≤ 3', theOnlyOne, '×', 3, []),
    row(
      '10,000 claims (500 pairs, 1,000 actors): engine ÷ (parse + stringify)',
      '≤ 4',
      spread.engine / spread.json,
      '×',
      4,
      [
        `engine ${ms(spread.engine)}, JSON ${ms(spread.json)}, result ${(spread.resultBytes / 1e6).toFixed(1)} MB`,
      ],
    ),
    row('100,000 claims (5,000 pairs): time, first run of a process', '≤ 1,500', firstLarge, 'ms', 1500, [
      `warm ${ms(huge.engine)}, ${(huge.engine / huge.json).toFixed(2)} × JSON, ${kept} claims kept`,
    ]),
    row('100,000 claims: resident memory added by the analysis', '≤ 600', grown, 'MiB', 600, []),
    row('cost of a claim at 100,000 ÷ at 1,000', '≤ 1.5', growth, '×', 1.5, [
      `${((small.engine / 1_000) * 1000).toFixed(1)} µs and ${((huge.engine / 100_000) * 1000).toFixed(1)} µs a claim`,
    ]),
    row(
      '10,000 claims in 3 values on one pair ÷ spread over 500 pairs',
      '≤ 1',
      onePair.engine / manyActors.engine,
      '×',
      1,
      [`engine ${ms(onePair.engine)} and ${ms(manyActors.engine)}; 10,000 actors in both`],
    ),
  ];
}

function row(
  name: string,
  target: string,
  value: number,
  unit: string,
  atMost: number,
  detail: string[],
): BenchRow {
  return { name, target, value, unit, pass: value <= atMost, detail: detail.join('; ') };
}
