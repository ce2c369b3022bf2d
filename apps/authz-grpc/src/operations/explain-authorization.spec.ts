import { expect, it } from '@jest/globals';
import type { DecisionRunner } from '../authorization/decision-runner.ts';
import { compilePolicySet } from '../policy/compile.ts';
import type { Policy } from '../policy/types.ts';
import { explainAuthorization } from './explain-authorization.ts';

it('ExplainAuthorization yields to other work while it explains the largest set', async () => {
  const policies = Array.from({ length: 100_000 }, (_, i): Policy => ({
    name: `p${i}`,
    description: '',
    invert: false,
    deny: false,
    engine: 'glob',
    statements: [{ rules: { subject: 'a*', object: `svc://d/${i}/**` } }],
  }));
  const set = compilePolicySet([{ domainId: 'd', version: 1, policies }]);
  const joined = new Map([
    ['subject', 'alice'],
    ['action', 'read'],
    ['object', 'svc://d/7/x'],
  ]);
  const object = 'svc://00000000-0000-4000-8000-000000000000/x';
  const decisions = {
    runDecision: () => Promise.resolve({ policies: set, joined }),
  } as unknown as DecisionRunner;
  let isOver = false;
  let turns = 0;
  const others = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
  })();
  const caller = {
    subjectId: 'a',
    tenantId: 't',
    jti: 'j',
    use: 'session',
    expiresAt: 0,
    scopes: ['explain'],
    kid: 'k',
  } as const;
  const explained = await explainAuthorization(
    { decisions },
    caller,
    new Map([...joined, ['object', object]]),
  );
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(explained.policies).toHaveLength(100_000);
  expect(explained.policies.filter(({ matched }) => matched)).toMatchObject([{ policy: 'p7' }]);
});
