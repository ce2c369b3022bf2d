import { stripVTControlCharacters } from 'node:util';

/** Suites of one target that may run again: more at a time are no coincidence. */
const REPEATED_MAX = 3;
/** Lines of a failure that the notice at the end of a run shows. */
const CAUSE_LINES_MAX = 8;

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
 * Whether a report covers every suite that was to run. jest that is told to stop leaves one without the
 * rest and calls it a success, which the cache would keep.
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
 * out a file. The counts are those of the last run of each file. `passedWhenRepeated` names, for each file
 * that passed then, the first test that had failed and why: the cause is found from the last lines of a run
 * alone.
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
      .map(({ name, assertionResults, message }) => {
        const test = assertionResults.find(({ status }) => status === 'failed');
        return {
          file: name,
          title: test?.fullName ?? /[^\s●].*/.exec(message)[0],
          cause: causeOf(test?.failureMessages[0] ?? message),
        };
      }),
  };
}

/** The lines of a failure message up to its stack, without colors; those that differ where there are such. */
function causeOf(message) {
  const [cause] = stripVTControlCharacters(message).split(/\n\s+at /);
  const lines = cause.split('\n').filter((line) => line.trim() !== '');
  const differing = lines.filter((line) => /^\s*[-+] /.test(line));
  return (differing.length > 0 ? differing : lines).slice(0, CAUSE_LINES_MAX).join('\n');
}

function isPassed({ status }) {
  return status === 'passed';
}
