import { describe, expect, it } from '@jest/globals';
import type { FaultReport } from '@platform/e2e/faults';
import { summarize, toMarkdown } from './report.ts';

const round = (
  name: string,
  ok: number,
  heldMs: number,
  recovered: number | null,
  refused = 0,
): FaultReport => ({
  name,
  how: 'somehow',
  heldMs,
  results: {
    'authz-grpc': refused === 0 ? { ok } : { UNAVAILABLE: refused, ok },
    'docstore-api': { ok },
    'investigation-api': { ok },
  },
  recoveredMs: { 'authz-grpc': recovered, 'docstore-api': 10, 'investigation-api': 20 },
  slowestMs: { 'authz-grpc': 100 * ok, 'docstore-api': 10, 'investigation-api': 20 },
  unready: refused === 0 ? [] : ['authz-grpc'],
  broken: recovered === null ? ['authz-grpc did not recover'] : [],
});

describe('the report of a fault run', () => {
  it('the report of a fault run lists a fault once, with the sums of its rounds and the longest of its times', () => {
    const [lost, hung] = summarize([
      round('Redis lost', 1, 1_000, 300),
      round('Redis hung', 5, 4_000, 100),
      round('Redis lost', 2, 3_000, 200, 7),
    ]);
    expect(lost).toMatchObject({ times: 2, heldMs: 3_000, recoveredMs: { 'authz-grpc': 300 } });
    expect(lost).toMatchObject({ slowestMs: { 'authz-grpc': 200 }, unready: ['authz-grpc'] });
    expect(lost?.results).toEqual({
      'authz-grpc': { ok: 3, UNAVAILABLE: 7 },
      'docstore-api': { ok: 3 },
      'investigation-api': { ok: 3 },
    });
    expect(hung).toMatchObject({ name: 'Redis hung', times: 1 });
  });

  it('the report of a fault run states that a service that failed to recover once never recovered', () => {
    const text = toMarkdown({
      seconds: 9,
      requests: 8,
      failedInCalm: { 'docstore-api read: 500': 2 },
      faults: [round('disk full', 1, 10, null), round('disk full', 1, 10, 5)],
      crashes: [],
      invariants: [{ promise: 'nothing is lost', compared: 3, broken: ['one', 'two', 'three', 'four'] }],
    });
    expect(text).toContain('| nothing is lost | 3 | **4**: one; two; three |');
    expect(text).toContain(
      '| disk full (somehow) | 2 ×, up to 0.0 s | 2 ok; slowest 0.1 s; good again **never** |',
    );
    expect(text).toContain(
      'Not as promised during a fault and after it: disk full: authz-grpc did not recover.',
    );
    expect(text).toContain('Failed outside of any fault and its recovery: 2 × docstore-api read: 500.');
  });
});
