import type { BenchRow } from '@platform/testing';
import { preferredByClingo } from '../src/clingo.fixture.ts';
import type { AttackGraph } from '../src/framework.ts';
import {
  graphFrom,
  investigationGraph,
  randomGraph,
  sideBySide,
} from '../src/investigation-framework.fixture.ts';
import { preferred } from '../src/preferred.ts';

const CONFLICT_BUDGET = 20_000;
const RUNS = 5;
const LISTED = 64;

/** A mean over the members, as the coherence score of the engine is one. */
const score = (members: readonly number[]) =>
  members.reduce((sum, node) => sum + ((node * 7_919) % 101), 0) / Math.max(1, members.length);

/** 400 arguments with 2,880 preferred extensions each. */
const AGAINST_CLINGO: [string, AttackGraph][] = [
  [
    'five disputes side by side (4 · 4 · 5 · 6 · 6)',
    sideBySide(
      [4, 4, 5, 6, 6].map((values, k) =>
        investigationGraph(k, { values: [values], claims: 70, spanning: 0, metas: 10, superseding: 0.02 }),
      ),
    ),
  ],
  [
    'one dispute that does not decompose, mutual attacks',
    investigationGraph(1, { values: [4, 4, 5, 6, 6], claims: 250, spanning: 120, metas: 30, superseding: 0 }),
  ],
  [
    'one dispute that does not decompose, 2 % one-way attacks',
    investigationGraph(1, {
      values: [4, 4, 5, 6, 6],
      claims: 250,
      spanning: 120,
      metas: 30,
      superseding: 0.02,
    }),
  ],
];

const line = (size: number) =>
  graphFrom(Array.from({ length: size }, (_, k) => [k - 1, k + 1].filter((t) => t >= 0 && t < size)));

/** 2,000 arguments each, most with more extensions than could be listed. */
const ADVERSARIAL: [string, AttackGraph][] = [
  ['mutual attacks, 0.2 %', randomGraph(1, 2_000, 0.002, true)],
  ['mutual attacks, 5 %', randomGraph(1, 2_000, 0.05, true)],
  ['mutual attacks, 50 %', randomGraph(1, 2_000, 0.5, true)],
  ['one-way attacks, 0.2 %', randomGraph(1, 2_000, 0.002, false)],
  ['one-way attacks, 5 %', randomGraph(1, 2_000, 0.05, false)],
  ['one-way attacks, 50 %', randomGraph(1, 2_000, 0.5, false)],
  ['line of mutual attacks', line(2_000)],
  [
    'time line of 60 periods with 4 values',
    investigationGraph(1, {
      values: new Array<number>(60).fill(4),
      claims: 1_250,
      spanning: 620,
      metas: 130,
      superseding: 0,
    }),
  ],
  ['1,000 pairs of rivals', graphFrom(Array.from({ length: 2_000 }, (_, k) => [k ^ 1]))],
];

export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, graph] of AGAINST_CLINGO) rows.push(await againstClingo(name, graph));
  const unit = await median(RUNS, () => void preferred(AGAINST_CLINGO[1]![1], search()));
  for (const [name, graph] of ADVERSARIAL) {
    let result = preferred(graph, search());
    const ms = await median(3, () => {
      result = preferred(graph, search());
    });
    const digits = String(result.count).length;
    const count = digits > 9 ? `a count of ${digits} digits` : `${result.count} extensions`;
    rows.push({
      name: `2,000 arguments, ${name}`,
      value: ms / unit,
      unit: '×',
      target: '',
      pass: true,
      detail: `${ms.toFixed(0)} ms; ${count}, ${result.isExact ? 'exact' : 'ended by the budget'}; beside 2,880 extensions of one dispute`,
    });
  }
  return rows;
}

async function againstClingo(name: string, graph: AttackGraph): Promise<BenchRow> {
  let ours = preferred(graph, search());
  const oursMs = await median(RUNS, () => {
    ours = preferred(graph, search());
  });
  let found = 0;
  const clingoMs = await median(3, async () => {
    found = (await preferredByClingo(graph)).extensions.length;
  });
  if (!ours.isExact || ours.count !== 2_880n || found !== 2_880) {
    throw new Error(
      `${name}: ${ours.count} extensions (exact: ${ours.isExact}), clingo ${found}; 2,880 expected.`,
    );
  }
  return {
    name: `${graph.size} arguments, 2,880 extensions: ${name}`,
    value: oursMs / clingoMs,
    unit: '× clingo-wasm',
    target: '≤ 3',
    pass: oursMs <= 3 * clingoMs,
    detail: `${oursMs.toFixed(1)} ms, clingo-wasm ${clingoMs.toFixed(0)} ms`,
  };
}

function search() {
  return { limit: LISTED, score, conflictBudget: CONFLICT_BUDGET };
}

/** Median milliseconds of a task, after one run to warm up. */
async function median(runs: number, task: () => void | Promise<void>): Promise<number> {
  await task();
  const times: number[] = [];
  for (let k = 0; k < runs; k++) {
    const start = performance.now();
    await task();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[runs >> 1]!;
}
