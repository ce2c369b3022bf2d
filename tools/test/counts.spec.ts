import { describe, expect, it } from '@jest/globals';
import { add, countsOf, exitCodeOf } from './counts.ts';

const report = { numPassedTests: 5, numFailedTests: 2, numRuntimeErrorTestSuites: 1 };

describe('countsOf', () => {
  it('countsOf adds suites that did not load to the failed tests', () => {
    expect(countsOf(report, 1)).toEqual({ passed: 5, failed: 3 });
  });

  it('countsOf reports a failed run without a failed test', () => {
    expect(countsOf({ ...report, numFailedTests: 0, numRuntimeErrorTestSuites: 0 }, 1)).toEqual({
      passed: 5,
      failed: 1,
    });
    expect(countsOf(null, 137)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('exitCodeOf', () => {
  it('exitCodeOf is 0 only when something ran and nothing failed', () => {
    expect(exitCodeOf({ passed: 1, failed: 0 })).toBe(0);
    expect(exitCodeOf({ passed: 0, failed: 0 })).toBe(1);
    expect(exitCodeOf(add({ passed: 9, failed: 0 }, { passed: 0, failed: 1 }))).toBe(1);
  });
});
