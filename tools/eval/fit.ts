/**
 * `npm run eval:fit [-- --data <folder>]`: fits the constants of calibrated_probability on all sets but one,
 * for each set in turn, by the mean log-loss on a grid, and prints what each fold chose, what that is worth
 * on the set left out, and the consensus: the median of the folds. Reliability "estimated", then "declared"
 * (all sources alike).
 */
import { readOptions } from '../command-line.ts';
import { toQuestion } from './data-set.ts';
import { calibrate, estimate } from './estimated-model.ts';
import type { Calibration, Evidence, Priors } from './estimated-model.ts';
import { score } from '@platform/opinion-fusion';
import type { CheckedChance } from '@platform/opinion-fusion';
import { readSets } from './sets.ts';

const PRIORS: Priors = { mean: 0.7, strength: 10, most: 0.95, matrixFrom: 20, matrixStrength: 2 };
/** A prior that no data move: every source keeps its declared reliability. */
const DECLARED: Priors = { ...PRIORS, strength: 1e9, matrixFrom: Infinity };

const GRID: readonly Calibration[] = [0.2, 0.3, 0.4, 0.5, 0.7, 1].flatMap((tau) =>
  [0, 0.02, 0.05, 0.1].flatMap((rho) =>
    [0.3, 0.4, 0.5, 0.6].flatMap((mixture) =>
      [0.03, 0.1, 0.3, 1].flatMap((unseen) =>
        [0, 0.3, 0.5, 1].map((doubt): Calibration => ({ tau, rho, mixture, unseen, doubt })),
      ),
    ),
  ),
);

const values = readOptions(import.meta.filename, { data: { type: 'string' } });
const sets = readSets(values.data ?? null).sets.filter(({ kind }) => kind !== 'numeric');

for (const [label, priors] of [
  ['estimated', PRIORS],
  ['declared', DECLARED],
] as const) {
  console.log(`\nreliability ${label}`);
  const judged = sets.map((set) => {
    const question = toQuestion(set);
    const evidence = estimate(question, priors);
    return Object.entries(set.gold).map(([item, right]) => {
      const of = evidence[Number(item)]!;
      const named = question.classes.length > 0 ? question.classes : question.items[Number(item)]!.values;
      return { evidence: of, right: named[of.leading] === String(right) };
    });
  });
  const losses = GRID.map((by) => judged.map((items) => score(outcomes(items, by)).logLoss!));
  const chosen = sets.map((set, left) => {
    const by = GRID[leastMean(losses, left)]!;
    const { brier, logLoss, calibrationError } = score(outcomes(judged[left]!, by));
    console.log(
      `  without ${set.name}: ${show(by)}; on it Brier ${brier!.toFixed(3)}, log-loss ${logLoss!.toFixed(3)}, calibration error ${calibrationError!.toFixed(3)}`,
    );
    return by;
  });
  const middle = (of: (by: Calibration) => number) =>
    chosen.map(of).sort((a, b) => a - b)[chosen.length >> 1]!;
  const consensus: Calibration = {
    tau: middle(({ tau }) => tau),
    rho: middle(({ rho }) => rho),
    mixture: middle(({ mixture }) => mixture),
    unseen: middle(({ unseen }) => unseen),
    doubt: middle(({ doubt }) => doubt),
  };
  const all = judged.map((items) => score(outcomes(items, consensus)));
  const mean = (of: (index: number) => number) => all.reduce((sum, _, k) => sum + of(k), 0) / all.length;
  console.log(
    `  consensus: ${show(consensus)}; mean Brier ${mean((k) => all[k]!.brier!).toFixed(3)}, calibration error ${mean((k) => all[k]!.calibrationError!).toFixed(3)}`,
  );
}

function outcomes(
  items: readonly { evidence: Evidence; right: boolean }[],
  by: Calibration,
): CheckedChance[] {
  return items.map(({ evidence, right }) => ({ right, probability: calibrate(evidence, by) }));
}

/** The index of the grid point with the least mean loss over all sets but one. */
function leastMean(losses: readonly (readonly number[])[], left: number): number {
  const sums = losses.map((row) => row.reduce((sum, loss, k) => (k === left ? sum : sum + loss), 0));
  return sums.indexOf(Math.min(...sums));
}

function show(by: Calibration): string {
  return Object.entries(by)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
