/** Suites of one target that may run again: more at a time are no coincidence. */
const REPEATED_MAX = 3;

/**
 * The files to run once more, alone: those of end-to-end suites that failed, when they are few
 * (docs/decisions/0070-an-end-to-end-suite-runs-twice.md). None of a run that was cut off, for lack of a
 * whole report.
 */
export function filesToRepeat(report, kind) {
  if (kind !== 'e2e' || report === null || report.wasInterrupted) return [];
  const failed = report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return failed.length > REPEATED_MAX ? [] : failed;
}

/**
 * Whether a report tells of every suite that was to run. jest that is told to stop leaves one without the rest
 * and calls it a success, which the cache would keep.
 */
export function isWhole(report) {
  if (report === null || report.wasInterrupted) return false;
  return (
    report.numPassedTestSuites + report.numFailedTestSuites + report.numPendingTestSuites ===
    report.numTotalTestSuites
  );
}

/**
 * One report of a run and of the second run of every file that failed in it; null when the second one leaves
 * out a file. The counts are those of the last run of each file. `passedWhenRepeated` names, for each file that
 * passed then, the first test that had failed.
 */
export function mergedReport(first, second) {
  const again = new Map(second.testResults.map((result) => [result.name, result]));
  const failed = first.testResults.filter(({ status }) => status === 'failed');
  if (second.wasInterrupted || failed.some(({ name }) => !again.has(name))) return null;
  const passedBefore = failed.flatMap(({ assertionResults }) => assertionResults).filter(isPassed).length;
  return {
    ...first,
    success: second.success,
    // Whatever failed, failed in a file that ran again.
    numFailedTests: second.numFailedTests,
    numFailedTestSuites: second.numFailedTestSuites,
    numRuntimeErrorTestSuites: second.numRuntimeErrorTestSuites,
    numPassedTests: first.numPassedTests - passedBefore + second.numPassedTests,
    numPassedTestSuites: first.numPassedTestSuites + second.numPassedTestSuites,
    testResults: first.testResults.map((result) => again.get(result.name) ?? result),
    passedWhenRepeated: failed
      .filter(({ name }) => isPassed(again.get(name)))
      .map(({ name, assertionResults, message }) => ({
        file: name,
        title:
          assertionResults.find(({ status }) => status === 'failed')?.fullName ?? /[^\s●].*/.exec(message)[0],
      })),
  };
}

function isPassed({ status }) {
  return status === 'passed';
}
