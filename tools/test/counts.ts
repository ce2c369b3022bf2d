import { relative } from 'node:path';
import type { PassedWhenRepeated } from './repeat.mjs';

/** How many tests of a step passed and failed. A suite that could not even load counts as one failure. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The fields of jest's `--json` report that are read here, and what `mergedReport` adds to it. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly passedWhenRepeated?: readonly PassedWhenRepeated[];
}

/**
 * The counts of one jest run. `exitCode` is jest's: a run that failed without a failed test (a worker killed,
 * a missing report, a threshold) counts as one failure, so that a sum of steps never hides it.
 */
export function countsOf(report: JestReport | null, exitCode: number): Counts {
  if (!report) return { passed: 0, failed: exitCode === 0 ? 0 : 1 };
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

export function add(one: Counts, other: Counts): Counts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed };
}

/** Exit code of a whole run: 0 only when something ran and nothing failed. */
export function exitCodeOf({ passed, failed }: Counts): 0 | 1 {
  return passed > 0 && failed === 0 ? 0 : 1;
}

/**
 * A sentence that names each suite which failed once and passed when it ran again, by its path within `root`,
 * and why; null when there is none.
 */
export function noticeOf(repeated: readonly PassedWhenRepeated[], root: string): string | null {
  const named = repeated.map(({ file, title, cause }) =>
    [`${relative(root, file)}: ${title}`, ...cause.split('\n')].join('\n    '),
  );
  if (named.length === 1) return `1 suite failed once and passed when it ran again: ${named[0]}`;
  if (named.length === 0) return null;
  return [`${named.length} suites failed once and passed when they ran again:`, ...named].join('\n  ');
}
