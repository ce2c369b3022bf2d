import { expect, it } from '@jest/globals';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { covers } from '@platform/testing/covers';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy } from './service.fixture.ts';

const { clients } = useFleet('embedded');

it('each finding about a set names policy, statement and key by their places, as far as it is about one', async () => {
  covers('AUTHZ-D.14');
  const { tenantId, rootDomainId: domainId, token } = await createTenancy(clients);
  const bad = policy(
    'twice',
    {},
    {
      engine: EvaluationEngine.REGEX,
      statements: [
        { rules: new Map([['subject', '^a$']]) },
        {
          rules: new Map([
            ['action', '('],
            ['subject', '['],
          ]),
        },
      ],
    },
  );
  const policies = [policy('twice', { subject: 'bob' }), bad];
  const { errors } = await clients.authorization.validatePolicies({ policies }, { token });
  expect(errors.map(({ code, policyIndex, statement, key }) => [code, policyIndex, statement, key])).toEqual([
    ['NAME_DUPLICATE', 1, undefined, undefined],
    ['PATTERN_INVALID', 1, 1, 'action'],
    ['PATTERN_INVALID', 1, 1, 'subject'],
  ]);
  const locking = await clients.authorization.validatePolicies(
    { policies: [], tenantId, domainId },
    { token },
  );
  expect(locking.warnings).toMatchObject([{ code: 'LOCKOUT', policyIndex: undefined }]);
});
