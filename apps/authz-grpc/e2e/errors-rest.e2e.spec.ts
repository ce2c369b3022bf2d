import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { covers } from '@platform/testing/covers';
import { CHECK_RATE } from '../src/audit/call-record.ts';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import { createTenancy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

async function post(fleet: Fleet, body: string, token: string | null): Promise<Answer> {
  const response = await fetch(`${fleet.httpUrl}/v1/authz/check`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/**
 * The REST column of the decisions page's error table: status, code and message as they stand on the wire.
 */
describe('errors over REST', () => {
  const fleet = useFleet('postgres');
  let tenancy: Tenancy;
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
  });

  const object = () => `svc://${tenancy.rootDomainId}/x`;
  const subjectMissing = '`subject` is missing or not one non-empty text';

  it.each<[string, () => string, string]>([
    ['no object', () => '[]', 'the body must be a JSON object'],
    [
      'a key that stands twice',
      () => '{"context": {}, "context": {}}',
      'key `context` stands twice in one object',
    ],
    ['no context', () => '{}', '`context` must be an object'],
    ['no subject', () => JSON.stringify({ context: { action: 'b', object: object() } }), subjectMissing],
    [
      'a number',
      () => JSON.stringify({ context: { subject: 7, action: 'b', object: object() } }),
      '`context.subject` must be a text or a list of texts',
    ],
    [
      'an empty list',
      () => JSON.stringify({ context: { subject: 'a', action: 'b', object: object(), group: [] } }),
      '`context.group` is an empty list: give a value or leave the key out',
    ],
    [
      'half a character',
      () => `{"context": {"subject": "\\ud800", "action": "b", "object": "${object()}"}}`,
      '`context.subject` is not valid Unicode',
    ],
    [
      'an object that is not a URI',
      () => JSON.stringify({ context: { subject: 'a', action: 'b', object: 'docs/7' } }),
      '`object` must be `svc://<domain uuid>/<path>`: the uuid without a port, and a path with at least one segment that is neither empty nor `.` or `..`',
    ],
  ])('400 invalid_request for %s', async (_name, body, message) => {
    covers('AUTHZ-E.400', 'AUTHZ-E.1', 'AUTHZ-D.15');
    const response = await post(fleet, body(), tenancy.token);
    expect([response.status, response.body]).toEqual([400, { error: 'invalid_request', message }]);
  });

  it('400 invalid_request for a body that is not JSON, whatever the parser says about it', async () => {
    covers('AUTHZ-E.400');
    const response = await post(fleet, '{', tenancy.token);
    expect([response.status, response.body]).toEqual([
      400,
      { error: 'invalid_request', message: expect.stringMatching(/^not valid JSON: ./) },
    ]);
  });

  it('401 unauthorized without a token and with a bad one', async () => {
    covers('AUTHZ-E.401', 'AUTHZ-A.1', 'AUTHZ-P.2');
    const body = JSON.stringify({ context: { subject: 'a', action: 'b', object: object() } });
    const refused = { error: 'unauthorized', message: 'missing, invalid, expired or revoked token' };
    const missing = await post(fleet, body, null);
    expect([missing.status, missing.body]).toEqual([401, refused]);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="authz"');
    const bad = await post(fleet, body, 'nonsense');
    expect([bad.status, bad.body]).toEqual([401, refused]);
    expect(bad.headers.get('www-authenticate')).toBe('Bearer realm="authz", error="invalid_token"');
    const good = await post(fleet, body, tenancy.token);
    expect([good.status, good.body]).toEqual([200, { allowed: false }]);
    for (const { headers } of [missing, bad, good]) {
      expect(headers.get('content-type')).toBe('application/json');
    }
  });

  it.each(['/v1/authz/check', '/v1/authz/check:batch'])(
    '401 unauthorized before the body of %s is there',
    async (path) => {
      covers('AUTHZ-E.401');
      const headers = { authorization: 'Bearer nonsense', 'content-length': '65000' };
      const request = httpRequest(`${fleet.httpUrl}${path}`, { method: 'POST', headers });
      request.on('error', () => undefined);
      request.write('{"checks": [');
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(401);
      request.destroy();
    },
  );

  it('403 forbidden for a token without tenant, and for a domain that is not accessible', async () => {
    covers('AUTHZ-E.403', 'AUTHZ-A.4');
    const body = (id: string) =>
      JSON.stringify({ context: { subject: 'a', action: 'b', object: `svc://${id}/x` } });
    const plain = await post(fleet, body(tenancy.rootDomainId), tenancy.plainToken);
    expect([plain.status, plain.body]).toEqual([
      403,
      { error: 'forbidden', message: 'the token carries no tenant' },
    ]);
    const other = await createTenancy(fleet.clients);
    for (const id of [randomUUID(), other.rootDomainId]) {
      const response = await post(fleet, body(id), tenancy.token);
      expect([response.status, response.body]).toEqual([
        403,
        { error: 'forbidden', message: 'the domain is not accessible' },
      ]);
    }
  });
});

describe('the rate over REST', () => {
  let now = Date.now();
  const fleet = useFleet('postgres', { now: () => new Date(now) });
  let tenancy: Tenancy;
  beforeAll(async () => {
    tenancy = await createTenancy(fleet.clients);
  });

  it('1000 calls of a tenant enter in one instant, the next is 429 rate_limited, and nothing is taken for it', async () => {
    covers('AUTHZ-E.429', 'AUTHZ-L.1');
    const { tenantId, token } = tenancy;
    const { clients } = fleet;
    const context = { subject: 'a', action: 'b', object: `svc://${tenancy.rootDomainId}/x` };
    const check = () =>
      clients.authorization.checkAuthorization({ context: requestContext(context) }, { token });
    const tokensLeft = async () =>
      (await clients.tenants.getTenant({ id: tenantId }, { token })).dataPlane?.tokens as bigint;
    const before = await tokensLeft();
    for (let sent = 0; sent < CHECK_RATE.limit; sent += 100)
      await Promise.all(Array.from({ length: 100 }, check));

    const message = 'burst limit of 1000 requests per 100ms exceeded';
    const rest = await post(fleet, JSON.stringify({ context }), token);
    expect([rest.status, rest.body]).toEqual([429, { error: 'rate_limited', message }]);
    expect(rest.headers.get('retry-after')).toBe('1');
    expect(rest.headers.get('content-type')).toBe('application/json');
    expect(await refusalOf(check())).toEqual({
      code: 8,
      reason: 'RATE_LIMITED',
      message,
      fields: [],
      retryAfterSeconds: 0.0001,
    });
    expect(before - (await tokensLeft())).toBe(1_000n);

    // A tenth of a millisecond each: ten more have room after one.
    now += 1;
    const later = await Promise.all(
      Array.from({ length: 10 }, () => post(fleet, JSON.stringify({ context }), token)),
    );
    expect(later.map(({ status }) => status)).toEqual(later.map(() => 200));
    expect((await post(fleet, JSON.stringify({ context }), token)).status).toBe(429);
  });
});

describe('quotas over REST', () => {
  it('429 rate_limited with the time to wait once tokens and overage are used up', async () => {
    covers('AUTHZ-Q.1', 'AUTHZ-E.2');
    const fleet = await startFleet('postgres', {
      env: { AUTHZ_QUOTA_DATA_PLANE: '1', AUTHZ_QUOTA_OVERAGE_PERCENT: '0' },
    });
    try {
      const { token, rootDomainId } = await createTenancy(fleet.clients);
      const body = JSON.stringify({
        context: { subject: 'a', action: 'b', object: `svc://${rootDomainId}/x` },
      });
      expect((await post(fleet, body, token)).status).toBe(200);
      const refused = await post(fleet, body, token);
      expect([refused.status, refused.body]).toEqual([
        429,
        { error: 'rate_limited', message: 'quota `data_plane` and its overage are used up' },
      ]);
      // The quota refills with the next cycle, within thirty days.
      const seconds = Number(refused.headers.get('retry-after'));
      expect([seconds > 86_400, seconds <= 30 * 86_400]).toEqual([true, true]);
    } finally {
      await fleet.stop();
    }
  });
});
