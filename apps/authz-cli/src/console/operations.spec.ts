import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { z } from 'zod';
import type { Session } from '../shell.ts';
import { givenOf } from './given.fixture.ts';
import { OPERATIONS } from './operations.ts';

const ROOT = '11111111-1111-4111-8111-111111111111';
const CHOSEN = '22222222-2222-4222-8222-222222222222';
const GIVEN = givenOf(CHOSEN);
/** Enough of every response that an operation reads. */
const RESPONSE = {
  live: true,
  tenantId: 'tenant',
  rootDomainId: ROOT,
  nextPageToken: '',
  ...Object.fromEntries(
    [
      'policies',
      'problems',
      'errors',
      'warnings',
      'changes',
      'objects',
      'actions',
      'users',
      'serviceAccounts',
    ].map((name) => [name, []]),
  ),
};

const fieldsOf = (name: string) => Object.keys((OPERATIONS[name]!.input as z.ZodObject).shape);

/** What the operation sends to the service, for a user whose own domain is the root domain. */
async function sentBy(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const sent: unknown[] = [];
  const client = new Proxy({}, { get: () => async (request: unknown) => (sent.push(request), RESPONSE) });
  const clients = new Proxy({}, { get: () => client });
  const session = { clients, context: {}, extras: { token: 'token' }, isJson: true };
  const fields = fieldsOf(name).map((field) => [field, given[field] ?? GIVEN[field] ?? '']);
  const { input, run } = OPERATIONS[name]!;
  await run(session as unknown as Session, input.parse(Object.fromEntries(fields)));
  return JSON.stringify(sent, (_, value: unknown) =>
    value instanceof Map ? Array.from(value) : typeof value === 'bigint' ? String(value) : value,
  );
}

it.each(
  Object.keys(OPERATIONS).filter((name) =>
    fieldsOf(name).some((field) => ['domain', 'object'].includes(field)),
  ),
)('the operation `%s` asks about the chosen domain, never about the root domain', async (name) => {
  covers('AUTHZ-CON.7');
  const sent = await sentBy(name);
  expect(sent).toContain(CHOSEN);
  expect(sent).not.toContain(ROOT);
});

it('an object that is a whole address stays as it is', async () => {
  covers('AUTHZ-CON.7');
  const object = 'svc://elsewhere/docs/plan';
  expect(await sentBy('explain', { object })).toContain(object);
  expect(await sentBy('search', { object })).toContain(object);
});

it.each(['owner', '=alice'])(
  'the attribute `%s` is refused with what to write instead',
  async (attribute) => {
    covers('AUTHZ-CON.2');
    await expect(sentBy('explain', { attributes: [attribute] })).rejects.toThrow(
      `attribute \`${attribute}\` is not key=value: write a name, = and a value, as in owner=alice`,
    );
  },
);

it('a problem of an edited text names its line in words', async () => {
  covers('AUTHZ-CON.9');
  await expect(sentBy('validate', { text: 'policies: [\n' })).rejects.toThrow(/^line 2, column 1: /);
});

it('a finding about the whole set has no line, and tells the page what saves such a set', async () => {
  covers('AUTHZ-CON.9');
  const said = 'nobody could manage the tenant; send `allow_lockout` to do it all the same';
  const warnings = ['', 'p'].map((policyName) => ({ policyName, code: 'LOCKOUT', message: said }));
  const validatePolicies = () => Promise.resolve({ errors: [], warnings });
  const session = {
    clients: { authorization: { validatePolicies } },
    context: { tenant_id: ROOT },
    extras: {},
  };
  const text = 'policies:\n  - { name: p, engine: fixed, statements: [] }\n';
  const found = await OPERATIONS['validate']!.run(session as unknown as Session, { domain: CHOSEN, text });
  const message =
    'nobody could manage the tenant; the console never saves such a set, `platform policies put --allow-lockout` does';
  expect(found).toEqual({
    policies: 1,
    findings: [null, 2].map((line) => expect.objectContaining({ line, message, isRefused: true })),
  });
});
