export interface PassedWhenRepeated {
  /** Path of the suite. */
  readonly file: string;
  /** The first test that failed in the first run; where none did, such as in `afterAll`, the error. */
  readonly title: string;
  /** What its failure said, in at most eight lines. */
  readonly cause: string;
}

/** What tells whether a report is whole, of jest's `--json`. */
export interface SuiteCounts {
  readonly wasInterrupted: boolean;
  readonly numTotalTestSuites: number;
  readonly numPassedTestSuites: number;
  readonly numFailedTestSuites: number;
  readonly numPendingTestSuites: number;
}

export function isWhole(report: SuiteCounts | null): boolean;
