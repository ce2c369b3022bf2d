import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDecider, type Attributes, type Decider } from '@platform/decide';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, policy, type Tenancy } from './service.fixture.ts';

fc.configureGlobal({ seed: SEED });

const fleet = useFleet('postgres');
let tenancy: Tenancy;
let decider: Decider;
let domainId: string;
beforeAll(async () => {
  tenancy = await createTenancy(fleet.clients);
  domainId = tenancy.rootDomainId;
  const policies = [
    policy('starter', { subject: tenancy.userId }),
    policy('everybody', { action: 'read' }),
    policy('not-the-red', { 'user.team': 'red' }, { deny: true }),
  ];
  const put = { tenantId: tenancy.tenantId, domainId, policies, allowLockout: true };
  await fleet.clients.domains.putDomainPolicies(put, { token: tenancy.token });
  decider = await openDecider({ url: fleet.httpUrl, domainId, token: () => tenancy.token });
});
afterAll(() => decider?.close());

const base = () => ({ subject: 'alice', action: 'read', object: `svc://${domainId}/a` });

async function post(path: string, body: unknown): Promise<{ status: number; answer: unknown }> {
  const headers = { Authorization: `Bearer ${tenancy.token}`, 'Content-Type': 'application/json' };
  const response = await fetch(fleet.httpUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, answer: await response.json() };
}

/** By index, whether the service refuses a row to decisions about these. */
async function refusesRows(asked: readonly { context: unknown; attributes?: unknown }[]): Promise<boolean[]> {
  const { bundle } = await currentBundle();
  const decisions = asked.map((one) => ({
    id: randomUUID(),
    decided_at: new Date().toISOString(),
    ...one,
    allowed: true,
  }));
  const { status, answer } = await post(`/v1/domains/${domainId}/decisions`, { bundle, decisions });
  expect([status, answer]).toEqual([200, expect.anything()]);
  const { refused } = answer as { refused: { index: number }[] };
  return asked.map((_, index) => refused.some((one) => one.index === index));
}

async function currentBundle() {
  const headers = { Authorization: `Bearer ${tenancy.token}` };
  const response = await fetch(`${fleet.httpUrl}/v1/domains/${domainId}/bundle`, { headers });
  const given = (await response.json()) as {
    bundle: { issued_at: number; key_id: string; domains: { id: string; version: number }[] };
  };
  const { issued_at, key_id, domains } = given.bundle;
  return {
    bundle: { issued_at, key_id, versions: Object.fromEntries(domains.map((d) => [d.id, d.version])) },
  };
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
const values = (count: number) => ({ k: Array.from({ length: count }, (_, n) => `v${n}`) });
/** A key of one byte with a text: this many bytes of UTF-8 in all. */
const bytes = (count: number, character = 'x') => ({
  k: character.repeat((count - 1) / Buffer.byteLength(character)),
});

/** What is given beside `used` keys, values and bytes that are there, at each limit on both sides. */
const boundaries = (used: { keys: number; bytes: number }): readonly (readonly [string, unknown])[] => [
  ['nothing more', {}],
  ['an empty key', { '': 'x' }],
  ['an empty text', { k: '' }],
  ['as many keys as there may be', keys(64 - used.keys)],
  ['a key too many', keys(65 - used.keys)],
  ['as many values as there may be', values(256 - used.keys)],
  ['a value too many', values(257 - used.keys)],
  ['as many bytes as there may be', bytes(32 * 1024 - used.bytes)],
  ['a byte too many', bytes(32 * 1024 - used.bytes + 1)],
  [
    'as many bytes as there may be, of wide characters',
    { kk: '', ...bytes(32 * 1024 - used.bytes - 2 - ((32 * 1024 - used.bytes - 3) % 3), '€') },
  ],
  ['too many bytes of wide characters', bytes(32_770, '€')],
  ['40 KiB', bytes(40 * 1024)],
  ['an empty list', { team: [] }],
  ['a key that is reserved', { 'user.team': ['red'] }],
  ['a key that begins almost as one that is reserved', { 'users.team': 'red', user: 'x' }],
  ['a null', { team: null }],
  ['a null in a list', { team: ['red', null] }],
  ['a number', { team: 7 }],
  ['a boolean', { team: true }],
  ['an object', { team: { red: 'x' } }],
  ['a list in a list', { team: [['red']] }],
  ['half of a surrogate pair', { team: '\ud800' }],
  ['half of a surrogate pair in a list', { team: ['red', '\udfff'] }],
  ['half of a surrogate pair in a key', { 'te\ud800am': 'red' }],
  ['a NUL in a value', { team: 'a\0b' }],
  ['a NUL in a key', { 'a\0b': 'x' }],
  ['a key `__proto__`', JSON.parse('{"__proto__":"x"}')],
  ['a `__proto__` that is an object', JSON.parse('{"__proto__":{}}')],
];

const notAnObject = [null, [], ['red'], 'red', 7, true];

describe('contexts and attributes', () => {
  it('a context is refused by a decider, by CheckAuthorization and as a row, or by none of them', async () => {
    covers('AUTHZ-BUNDLE.14');
    const used = { keys: 3, bytes: Object.entries(base()).flat().join('').length };
    const contexts = [
      ...boundaries(used).map(([name, more]) => [name, { ...base(), ...(more as object) }] as const),
      ...notAnObject.map((context) => [JSON.stringify(context), context] as const),
      ...Object.keys(base()).flatMap((key) =>
        [undefined, '', ['a'], null, 'a\0', '\ud800'].map(
          (value) => [`${key} ${JSON.stringify(value)}`, { ...base(), [key]: value }] as const,
        ),
      ),
      ['another spelling of the object', { ...base(), object: `svc://${domainId}/a//b` }] as const,
    ];
    const asked = contexts.map(([, context]) => ({ context }));
    const decided = asked.map(({ context }) => isRefused(context as Attributes, {}));
    const checked: boolean[] = [];
    for (const one of asked) checked.push((await post('/v1/authz/check', one)).status === 400);
    const rows = await refusesRows(asked);
    const named = (refused: readonly boolean[]) => contexts.map(([name], index) => [name, refused[index]]);
    expect(named(checked)).toEqual(named(decided));
    expect(named(rows)).toEqual(named(decided));
    expect(decided.filter((refused) => !refused).length).toBeGreaterThan(8);
  });

  it('attributes are refused by a decider and as a row, or by neither', async () => {
    covers('AUTHZ-BUNDLE.14');
    const sets = [
      ...boundaries({ keys: 0, bytes: 0 }),
      ['70 keys', keys(70)] as const,
      ['300 values', values(300)] as const,
      ...['subject', 'action', 'object'].map(
        (key) => [`a lone surrogate as ${key}`, { [key]: '\ud800' }] as const,
      ),
      ...notAnObject.map((attributes) => [JSON.stringify(attributes), attributes] as const),
    ];
    const asked = sets.map(([, attributes]) => ({ context: base(), attributes }));
    const decided = asked.map(({ context, attributes }) => isRefused(context, attributes as Attributes));
    const rows = await refusesRows(asked);
    const named = (refused: readonly boolean[]) => sets.map(([name], index) => [name, refused[index]]);
    expect(named(rows)).toEqual(named(decided));
    expect(decided.filter((refused) => !refused).length).toBeGreaterThan(8);
  });

  it('random contexts and attributes are refused by a decider, by CheckAuthorization and as rows, or by none', async () => {
    covers('AUTHZ-BUNDLE.14');
    const text = fc.oneof(
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.constantFrom('red', '\ud83d', '\0', ''),
    );
    const value = fc.oneof(
      { weight: 8, arbitrary: text },
      { weight: 4, arbitrary: fc.array(text, { maxLength: 3 }) },
      fc.constantFrom(null, 7, {}, [null]),
    );
    const key = fc.oneof(
      fc.string({ maxLength: 4, unit: 'binary' }),
      fc.constantFrom('user.', 'user.team', 'team'),
    );
    const given = fc.oneof(
      { weight: 9, arbitrary: fc.dictionary(key, value, { maxKeys: 3 }) },
      fc.constant([]),
    );
    const asked = fc.record({ more: given, attributes: given });
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 20, maxLength: 20 }), async (all) => {
        const contexts = all.map(({ more }) => (Array.isArray(more) ? more : { ...more, ...base() }));
        const { answer } = await post('/v1/authz/check:batch', {
          checks: contexts.map((context) => ({ context })),
        });
        const { results } = answer as { results: { reason?: string }[] };
        const alone = contexts.map((context) => isRefused(context as Attributes, {}));
        expect(results.map(({ reason }) => reason !== undefined)).toEqual(alone);
        expect(await refusesRows(contexts.map((context) => ({ context })))).toEqual(alone);
        const pairs = all.map(({ attributes }, index) => ({ context: contexts[index], attributes }));
        const together = pairs.map((one) =>
          isRefused(one.context as Attributes, one.attributes as Attributes),
        );
        expect(await refusesRows(pairs)).toEqual(together);
      }),
      { numRuns: soak(200, 20) },
    );
  });

  it('what a decider decided is recorded, whatever was asked of it besides', async () => {
    covers('AUTHZ-BUNDLE.14', 'AUTHZ-BUNDLE.15');
    const check = decider.check.bind(decider) as (context: unknown, attributes: unknown) => unknown;
    await decider.flush();
    for (const [, more] of boundaries({ keys: 0, bytes: 0 })) check(base(), more);
    for (const attributes of notAnObject) check(base(), attributes);
    await decider.flush();
    expect(decider.status).toMatchObject({ unrecorded: 0, refused: { count: 0, last: null }, error: null });
  });

  function isRefused(context: Attributes, attributes: Attributes): boolean {
    const { refused } = decider.check(context, attributes);
    expect([undefined, 'invalid_context']).toContain(refused?.code);
    return refused !== null;
  }
});
