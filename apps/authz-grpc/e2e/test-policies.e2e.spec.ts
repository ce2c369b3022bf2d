import { expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, createUserAndLogin, policy } from './service.fixture.ts';

const fleet = useFleet('postgres');
const { clients } = fleet;

/** Attributes that accounts have stored. */
const STORED: readonly Readonly<Record<string, string[]>>[] = [
  {},
  { team: ['blue'] },
  { team: ['red', 'blue'] },
  { team: ['red'], floor: ['2'] },
  { team: ['blue'], floor: ['12', '2'], left: ['yes'] },
];

it('a test case that brings the stored attributes of an account decides as a check of that account', async () => {
  covers('AUTHZ-A.23');
  const tenancy = await createTenancy(clients);
  const { tenantId, rootDomainId, userId, token } = tenancy;
  const policies = [
    policy('starter', { subject: userId }),
    policy('team', { action: 'read', 'user.team': 'blue' }),
    policy('ground', { action: 'write', 'user.floor': '1' }, { engine: EvaluationEngine.PREFIX }),
    policy('high', { action: 'write', 'user.floor': '^[2-9]' }, { engine: EvaluationEngine.REGEX }),
    policy('gone', { 'user.left': 'yes' }, { deny: true }),
    policy(
      'own',
      { action: 'own', 'user.team': '*', subject: '$current_user()' },
      { engine: EvaluationEngine.GLOB },
    ),
  ];
  await clients.domains.putDomainPolicies({ tenantId, domainId: rootDomainId, policies }, { token });
  for (const stored of STORED) {
    const { userId: subject } = await createUserAndLogin(clients);
    await clients.tenants.createTenantUserAssociation({ tenantId, userId: subject }, { token });
    for (const [attributeKey, attributeValues] of Object.entries(stored))
      await clients.attributes.setUserAttribute(
        { userId: subject, attributeKey, attributeValues },
        { token },
      );
    const contexts = ['read', 'write', 'own'].map((action) => ({
      subject,
      action,
      object: `svc://${rootDomainId}/x`,
    }));
    const checks = contexts.map((context) => ({ context: requestContext(context) }));
    const checked = await clients.authorization.batchCheckAuthorization({ checks }, { token });
    const brought = Object.fromEntries(
      Object.entries(stored).map(([key, values]) => [
        `user.${key}`,
        values.length === 1 ? (values[0] as string) : values,
      ]),
    );
    const cases = contexts.map((context, index) => ({
      context: requestContext({ ...context, ...brought }),
      expected: checked.results[index]?.authorized === true,
    }));
    const { results } = await clients.authorization.testPolicies({ policies, cases }, { token });
    expect([stored, results.map(({ authorized }) => authorized)]).toEqual([
      stored,
      checked.results.map(({ authorized }) => authorized),
    ]);
    const missing = ['team', 'floor', 'left'].filter((key) => !Object.hasOwn(stored, key));
    expect(results[0]?.problems).toEqual(
      missing.map((key) =>
        expect.stringContaining(`rules name \`user.${key}\`, which this case does not bring`),
      ),
    );
  }
});

it('TestPolicies refuses a case that neither a check nor SetUserAttribute would take, naming case and field', async () => {
  covers('AUTHZ-D.21', 'AUTHZ-A.24');
  const { rootDomainId, token } = await createTenancy(clients);
  const good = { subject: 'bob', action: 'read', object: `svc://${rootDomainId}/x` };
  const refusal = (values: Record<string, string | string[]>) =>
    refusalOf(
      clients.authorization.testPolicies(
        {
          policies: [],
          cases: [
            { context: requestContext(good), expected: false },
            { context: requestContext(values), expected: false },
          ],
        },
        { token },
      ),
    );
  expect(await refusal({ subject: 'bob', action: 'read' })).toMatchObject({ reason: 'INVALID_CONTEXT' });
  const many = (length: number) => Array.from({ length }, (_, index) => String(index));
  const keys = Object.fromEntries(many(33).map((key) => [`user.${key}`, 'x']));
  const refused: [Record<string, string | string[]>, string][] = [
    [{ 'user.': 'x' }, '`context.user.` must have 1 to 128 characters'],
    [{ 'user.team': [] }, '`context.user.team` is empty: give a value'],
    [{ 'user.team': 'x'.repeat(2_049) }, '`context.user.team` has a value of more than 2048 bytes'],
    [{ 'user.team': many(129) }, '`context` makes more than 128 values of one user'],
    [keys, '`context` makes more than 32 keys of one user'],
  ];
  const cases = many(1_001).map(() => ({ context: requestContext(good), expected: false }));
  expect(
    await refusalOf(clients.authorization.testPolicies({ policies: [], cases }, { token })),
  ).toMatchObject({
    message:
      '1001 cases of tests, at most 1000 are decided at once: divide them among several requests or files',
    fields: ['cases'],
  });
  for (const [brought, message] of refused)
    expect(await refusal({ ...good, ...brought })).toMatchObject({
      code: 3,
      message: expect.stringContaining(`cases[1]: ${message}`),
      fields: ['cases[1].context'],
    });
});

it('TestPolicies refuses a case whose subject is the id of a member in a spelling that checks refuse', async () => {
  covers('AUTHZ-C.14');
  const { rootDomainId, userId, token } = await createTenancy(clients);
  const { userId: stranger } = await createUserAndLogin(clients);
  const test = (subject: string) => {
    const context = requestContext({ subject, action: 'read', object: `svc://${rootDomainId}/x` });
    return clients.authorization.testPolicies(
      { policies: [], cases: [{ context, expected: false }] },
      { token },
    );
  };
  expect(await refusalOf(test(userId.toUpperCase()))).toMatchObject({
    reason: 'INVALID_CONTEXT',
    message: expect.stringContaining(`cases[0]: \`subject\` must be spelled \`${userId}\``),
    fields: ['cases[0].context'],
  });
  for (const subject of [userId, stranger.toUpperCase()])
    expect(await test(subject)).toMatchObject({ results: [{ passed: true }] });
});

it('checks, batches and explanations refuse attributes of accounts that a request brings, over gRPC and REST', async () => {
  covers('AUTHZ-A.24');
  const { rootDomainId, token } = await createTenancy(clients);
  const values = { subject: 'bob', action: 'read', object: `svc://${rootDomainId}/x`, 'user.team': 'blue' };
  const context = requestContext(values);
  const { authorization } = clients;
  const expected = { reason: 'INVALID_CONTEXT', fields: ['context.user.team'] };
  expect(await refusalOf(authorization.checkAuthorization({ context }, { token }))).toMatchObject(expected);
  expect(await refusalOf(authorization.explainAuthorization({ context }, { token }))).toMatchObject(expected);
  const batch = await authorization.batchCheckAuthorization({ checks: [{ context }] }, { token });
  expect(batch.results[0]).toMatchObject({ authorized: false, error: { reason: 'INVALID_CONTEXT' } });
  const response = await fetch(`${fleet.httpUrl}/v1/authz/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: values }),
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: 'invalid_request', message: expect.stringContaining('`context.user.team`') },
  ]);
});
