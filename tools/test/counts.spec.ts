import { describe, expect, it } from '@jest/globals';
import { add, countsOf, exitCodeOf, noticeOf } from './counts.ts';

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

describe('noticeOf', () => {
  const one = { file: '/root/apps/a.e2e.spec.ts', title: 'a page opens', cause: '- one\n+ two' };

  it('noticeOf names every suite that passed when it ran again, its test and why it had failed', () => {
    expect(noticeOf([], '/root')).toBeNull();
    expect(noticeOf([one], '/root')).toBe(
      '1 suite failed once and passed when it ran again: apps/a.e2e.spec.ts: a page opens\n    - one\n    + two',
    );
    expect(noticeOf([one, { ...one, title: 'another' }], '/root')?.split('\n')).toEqual([
      '2 suites failed once and passed when they ran again:',
      '  apps/a.e2e.spec.ts: a page opens',
      '    - one',
      '    + two',
      '  apps/a.e2e.spec.ts: another',
      '    - one',
      '    + two',
    ]);
  });
});
