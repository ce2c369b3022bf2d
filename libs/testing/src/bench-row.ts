/** A measured figure next to its target. */
export interface BenchRow {
  /** What was measured, sizes included: `analyze 10,000 claims ÷ JSON round trip`. */
  readonly name: string;
  /** The figure. A ratio of two measurements of the same run, wherever machines may differ. */
  readonly value: number;
  /** `×`, `ms`, `MB`, `requests/s`. */
  readonly unit: string;
  /** The target in words, `≤ 4`; empty for a figure without one. */
  readonly target: string;
  /** Whether the figure reaches the target; true for a figure without one. */
  readonly pass: boolean;
  /** Sizes, runs and absolute times behind the figure. */
  readonly detail: string;
}

/** What each `*.bench.ts` exports as `run`. */
export type RunBench = () => Promise<BenchRow[]>;
