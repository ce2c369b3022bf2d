import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditKind } from '@platform/proto/authz/v1/authorization';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, type Tenancy } from './service.fixture.ts';

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * Every hostile token is a 401 on both wires, and none of them leaves an audit row: the evaluator never saw
 * it.
 */
describe('hostile tokens', () => {
  const fleet = useFleet('postgres');
  let tenancy: Tenancy;
  let key: { kid: string; privateKey: KeyObject };
  let claims: Record<string, unknown>;
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
    key = (fleet.replicas[0] as (typeof fleet.replicas)[number]).service.deps.signingKeys.current();
    claims = JSON.parse(
      Buffer.from(tenancy.token.split('.')[1] as string, 'base64url').toString(),
    ) as typeof claims;
  });

  function forge(
    header: Record<string, unknown>,
    payload: Record<string, unknown> | string,
    privateKey: KeyObject = key.privateKey,
  ): string {
    const text = `${encode({ alg: 'EdDSA', kid: key.kid, typ: 'at+jwt', ...header })}.${encode(payload)}`;
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
  }

  async function answers(token: string) {
    const context = { subject: tenancy.userId, action: 'x', object: `svc://${tenancy.rootDomainId}/x` };
    const rest = await fetch(`${fleet.httpUrl}/v1/authz/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ context }),
    });
    const call = fleet.clients.authorization.checkAuthorization(
      { context: requestContext(context) },
      { token },
    );
    // Both responses count; a refusal nobody awaits would end the process.
    call.catch(() => undefined);
    return { rest: rest.status, call };
  }

  async function expectRefused(token: string): Promise<void> {
    const { rest, call } = await answers(token);
    expect(rest).toBe(401);
    expect(await refusalOf(call)).toMatchObject({ code: 16, reason: 'TOKEN_INVALID' });
  }

  it('a token that the forging helper makes of the genuine claims is accepted', async () => {
    const { rest, call } = await answers(forge({}, claims));
    expect([rest, (await call).authorized]).toEqual([200, true]);
  });

  const now = Math.floor(Date.now() / 1000);
  const cases: [string, () => string][] = [
    ['alg none', () => `${encode({ alg: 'none', kid: key.kid, typ: 'at+jwt' })}.${encode(claims)}.`],
    [
      'HS256 with the public key as secret',
      () => {
        const text = `${encode({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })}.${encode(claims)}`;
        const published = (
          fleet.replicas[0] as (typeof fleet.replicas)[number]
        ).service.deps.signingKeys.published();
        const secret = Buffer.from((published[0] as { raw: Uint8Array }).raw);
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      },
    ],
    ['a wrong kid', () => forge({ kid: 'other' }, claims)],
    ['a path as kid', () => forge({ kid: '../../../../dev/null' }, claims)],
    ['a number as kid', () => forge({ kid: 1 }, claims)],
    ["another's key under our kid", () => forge({}, claims, generateKeyPairSync('ed25519').privateKey)],
    [
      'an embedded jwk',
      () => {
        const pair = generateKeyPairSync('ed25519');
        return forge({ jwk: pair.publicKey.export({ format: 'jwk' }), kid: 'mine' }, claims, pair.privateKey);
      },
    ],
    ['jku', () => forge({ jku: 'http://127.0.0.1/keys', kid: 'mine' }, claims)],
    ['x5u', () => forge({ x5u: 'http://127.0.0.1/cert', kid: 'mine' }, claims)],
    ['crit', () => forge({ crit: ['exp'] }, claims)],
    ['an unknown typ', () => forge({ typ: 'JWT' }, claims)],
    ['expired', () => forge({}, { ...claims, exp: now - 60 })],
    ['not yet valid', () => forge({}, { ...claims, nbf: now + 3_600 })],
    ['a wrong issuer', () => forge({}, { ...claims, iss: 'someone' })],
    ['a wrong audience', () => forge({}, { ...claims, aud: 'someone' })],
    ['truncated', () => tenancy.token.slice(0, -10)],
    ['without signature', () => tenancy.token.slice(0, tenancy.token.lastIndexOf('.') + 1)],
    ['claims that stand twice', () => forge({}, JSON.stringify(claims).replace('{', '{"sub":"root",'))],
    ['huge', () => forge({}, { ...claims, padding: 'x'.repeat(9_000) })],
    ['a sub that is not text', () => forge({}, { ...claims, sub: 7 })],
    ['exp 1e999', () => forge({}, JSON.stringify({ ...claims, exp: 0 }).replace('"exp":0', '"exp":1e999'))],
    ['no jti', () => forge({}, { ...claims, jti: undefined })],
    ['a jti never issued', () => forge({}, { ...claims, jti: '00000000-0000-4000-8000-000000000000' })],
    ["another subject's jti", () => forge({}, { ...claims, sub: '00000000-0000-4000-8000-000000000000' })],
    [
      'the base64 twin',
      () => {
        // The last character of 64 bytes carries unused bits; another one decodes to the same signature.
        const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
        const last = alphabet.indexOf(tenancy.token.at(-1) as string);
        return tenancy.token.slice(0, -1) + alphabet[last ^ 1];
      },
    ],
    ['padded base64', () => `${tenancy.token}==`],
  ];

  it.each(cases)('%s: 401 on both wires', async (_name, make) => {
    covers('AUTHZ-A.7');
    await expectRefused(make());
  });

  it('a genuine signature with any bit, length or scalar changed is refused', async () => {
    covers('AUTHZ-A.7');
    const dot = tenancy.token.lastIndexOf('.');
    const genuine = Buffer.from(tenancy.token.slice(dot + 1), 'base64url');
    const [r, s] = [genuine.subarray(0, 32), genuine.subarray(32)];
    const scalar = BigInt(`0x${Buffer.from(s).reverse().toString('hex')}`);
    const plus = (n: bigint) =>
      Buffer.concat([r, Buffer.from((scalar + n).toString(16).padStart(64, '0'), 'hex').reverse()]);
    const flipped = (bit: number) => {
      const copy = Buffer.from(genuine);
      copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
      return copy;
    };
    const zero = Buffer.alloc(1);
    /** Order of the group (RFC 8032 §5.1): adding it leaves the scalar what it was. */
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const forged = [
      ...[order, 2n * order, 4n * order, 8n * order, 2n ** 253n, 2n ** 254n].map(plus),
      ...[0, 1, 2, 7, 8, 16, 31, 32, 63, 64, 97, 127, 240, 247, 248, 253, 254, 255].map(flipped),
      r,
      genuine.subarray(0, 62),
      genuine.subarray(0, 63),
      Buffer.concat([genuine, zero]),
      Buffer.concat([zero, genuine]),
      Buffer.concat([r, zero, s]),
      Buffer.concat([Buffer.alloc(32), s]),
    ];
    const token = (signature: Buffer) => `${tenancy.token.slice(0, dot)}.${signature.toString('base64url')}`;
    for (const signature of forged) await expectRefused(token(signature));
    expect(forged).toHaveLength(31);
  });

  it('left no audit row behind but the two genuine ones', async () => {
    covers('AUTHZ-A.7');
    const { events } = await fleet.clients.authorization.listAuditEvents(
      { tenantId: tenancy.tenantId, limit: 0, cursor: '', kind: AuditKind.CHECK },
      { token: tenancy.token },
    );
    expect(events).toHaveLength(2);
  });

  it('API keys work over gRPC and not over REST; a service account exchanges its key', async () => {
    covers('AUTHZ-A.2', 'AUTHZ-A.3');
    const { tenantId, token, userId } = tenancy;
    const { apiKey } = await fleet.clients.apiKeys.createApiKey({ userId }, { token });
    const viaKey = await answers(apiKey);
    expect([viaKey.rest, (await viaKey.call).authorized]).toEqual([401, true]);
    const account = await fleet.clients.serviceAccounts.createServiceAccount(
      { tenantId, name: 'ci', description: '' },
      { token },
    );
    const exchanged = await fetch(`${fleet.httpUrl}/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ credential: account.token }),
    });
    const body = (await exchanged.json()) as { token: string; service_account_id: string };
    expect([exchanged.status, body.service_account_id]).toEqual([200, account.serviceAccountId]);
    const viaToken = await answers(body.token);
    expect([viaToken.rest, (await viaToken.call).authorized]).toEqual([200, true]);
    await fleet.clients.serviceAccounts.deleteServiceAccount({ id: account.serviceAccountId }, { token });
    const afterwards = await answers(body.token);
    expect([afterwards.rest, (await refusalOf(afterwards.call)).reason]).toEqual([401, 'TOKEN_INVALID']);
  });
});
