/** How many tests of a step passed and failed. A suite that could not even load counts as one failure. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The fields of jest's `--json` report that are read here. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
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
