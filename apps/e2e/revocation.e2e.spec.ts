import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { ROOT_PASSWORD } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { createTenant, type Tenant } from './platform/index.ts';
import { send, suitePlatform } from './platform-suite.fixture.ts';
import { routesOf } from './routes.fixture.ts';

/** Calls of a user: more than what the suite makes takes, and soon used up. */
const USER_PLANE = 200;
const PASSWORD = 'a password of the colleague 3917';

const platform = suitePlatform(
  {},
  { AUTHZ_QUOTA_USER_PLANE: `${USER_PLANE}`, AUTHZ_QUOTA_OVERAGE_PERCENT: '0' },
);
const docstore = () => platform.services['docstore-api'].url;
const investigation = () => platform.services['investigation-api'].url;

/** What a user made and may take back. */
interface World extends Tenant {
  readonly colleague: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Routes that end a credential or take access back, and the lists that name what they end, in this order. */
const ENDING = {
  docstore: ['GET /v1/key', 'GET /v1/key/{id}', 'POST /v1/key/{id}/rotate', 'DELETE /v1/key/{id}'],
  investigation: [
    'GET /api/v1/sessions/{session_id}/members',
    'DELETE /api/v1/sessions/{session_id}/members/{username}',
    'GET /api/v1/sessions/{session_id}/subscriptions',
    'DELETE /api/v1/sessions/{session_id}/subscriptions/{subscription_id}',
    'GET /api/v1/shares',
    'GET /api/v1/sessions/{session_id}/share',
    'PATCH /api/v1/sessions/{session_id}/share',
    'PUT /api/v1/sessions/{session_id}/share',
    'DELETE /api/v1/sessions/{session_id}',
  ],
} as const;

/** Deletions that take no access from anybody. */
const OTHER_DELETIONS = [/\/v1\/(file|path)/, /\/sessions\/\{session_id\}\/(?!members|subscriptions|share)/];

const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/key/{id}/rotate': {},
  'PATCH /api/v1/sessions/{session_id}/share': { public: false },
  'PUT /api/v1/sessions/{session_id}/share': { public: false },
};

let root: { token: string };
beforeAll(async () => {
  root = await platform.clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
});

const PAYLOAD = {
  research_question: 'Is it open?',
  actors: [{ id: 'a', name: 'A', source_type: 'Journalist' }],
  subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
  claims: [
    { id: 'c', actor_id: 'a', subject_id: 's', predicate: 'open', value: 'true', content: 'It is open.' },
  ],
};

async function createWorld(): Promise<World> {
  const { clients } = platform;
  const tenant = await createTenant(clients);
  const { token } = tenant;
  const username = `colleague-${randomUUID()}`;
  const email = `${username}@example.org`;
  const { userId } = await clients.users.createUser({ username, email, password: PASSWORD });
  await clients.tenants.createTenantUserAssociation({ tenantId: tenant.id, userId }, { token });
  const { token: colleague } = await clients.sessions.login({
    username,
    password: PASSWORD,
    tenant: tenant.id,
  });
  const key = await send(docstore(), token, 'POST', '/v1/key', { name: 'leaked', scopes: 'file:read' });
  const api = async (method: string, path: string, body: object) => {
    const response = await send(investigation(), token, method, `/api/v1/sessions${path}`, body);
    expect([path, response.status < 300]).toEqual([path, true]);
    return response.json;
  };
  const { session_id } = await api('POST', '', { name: 'n', payload: PAYLOAD });
  await api('POST', `/${session_id}/judge`, {});
  await api('PUT', `/${session_id}/share`, { public: true });
  await api('PUT', `/${session_id}/members/${username}`, { role: 'publish' });
  const subscription = await api('POST', `/${session_id}/subscriptions`, { rules: ['leading_changed'] });
  return {
    ...tenant,
    colleague,
    names: { id: key.json.id, session_id, username, subscription_id: subscription.id },
  };
}

const limit = async ({ id }: World, plane: 'dataPlane' | 'controlPlane') => {
  const tenant = await platform.clients.tenants.getTenant({ id }, root);
  const none = { maxTokens: 0n, tokens: 0n, maxOverage: 0n, overage: 0n };
  await platform.clients.tenants.updateTenant({ id, tenant: { ...tenant, [plane]: none } }, root);
};
const introspect = (credential: string) => platform.clients.sessions.introspectCredential({ credential });

const USED_UP = {
  data_plane: (world: World) => limit(world, 'dataPlane'),
  control_plane: (world: World) => limit(world, 'controlPlane'),
  async user_plane({ token, colleague }: World) {
    for (const credential of [token, colleague]) {
      for (let calls = 0; calls < USER_PLANE; calls += 1)
        if ((await introspect(credential).catch(() => null)) === null) break;
      await expect(introspect(credential)).rejects.toThrow('used up');
    }
  },
};

describe('a quota that is used up', () => {
  it.each(Object.keys(USED_UP) as (keyof typeof USED_UP)[])(
    'every route that ends a credential or takes access back works for a session when %s is used up',
    async (plane) => {
      covers('AUTHZ-K.20', 'DOC-D.66', 'INV-A.9');
      const world = await createWorld();
      await USED_UP[plane](world);
      const statuses: [string, number][] = [];
      const call = async (base: string, token: string, route: string) => {
        const [method, path] = route.split(' ') as [string, string];
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => world.names[name]!);
        const { status } = await send(base, token, method, filled, BODIES[route]);
        statuses.push([route, status]);
      };
      // A colleague who may publish hides the page as well, whom policies are asked about.
      await call(investigation(), world.colleague, 'PATCH /api/v1/sessions/{session_id}/share');
      for (const route of ENDING.docstore) await call(docstore(), world.token, route);
      for (const route of ENDING.investigation) await call(investigation(), world.token, route);
      expect(statuses.filter(([, status]) => status >= 300)).toEqual([]);
      // What ends nothing is refused as before.
      const { status } = await send(docstore(), world.token, 'POST', '/v1/file', {
        filename: 'a',
        contents: 'a',
      });
      if (plane !== 'control_plane') expect(status).toBe(429);
    },
  );

  it('every deletion of the two services is known to take access back, or not to', async () => {
    covers('DOC-D.66', 'INV-A.9');
    const known = new Set<string>([...ENDING.docstore, ...ENDING.investigation]);
    const urls = [`${docstore()}/v1/openapi.json`, `${investigation()}/openapi.json`];
    const routes = (await Promise.all(urls.map(routesOf))).flat();
    const unknown = routes
      .filter(({ method, path }) => method === 'DELETE' && !known.has(`${method} ${path}`))
      .filter(({ path }) => !OTHER_DELETIONS.some((other) => other.test(path)));
    expect(unknown).toEqual([]);
    for (const route of known) expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(route);
  });

  it('what asks free of quota is bounded, and then takes of the quota that is left', async () => {
    covers('AUTHZ-K.20');
    const world = await createWorld();
    await USED_UP.user_plane(world);
    const metadata = { 'x-purpose': 'revocation' };
    const ask = (credential: string) =>
      platform.clients.sessions.introspectCredential({ credential }, { metadata }).then(
        () => 'answered',
        ({ message }: Error) => message,
      );
    const asked = await Promise.all(Array.from({ length: 300 }, () => ask(world.token)));
    expect(new Set(asked)).toEqual(new Set(['answered', expect.stringContaining('100 free')]));
    expect(asked.filter((each) => each === 'answered').length).toBeGreaterThanOrEqual(100);
    expect(asked.filter((each) => each === 'answered').length).toBeLessThan(200);
    // Another session of the same user is another count: nobody uses up the owner's.
    expect(await ask(world.colleague)).toBe('answered');
    const { userId, token, rootDomainId } = platform.tenant;
    const { apiKey } = await platform.clients.apiKeys.createApiKey({ userId }, { token });
    const left = async () => (await platform.clients.users.getUser({ id: userId }, root)).userPlane!.tokens;
    const check = (credential: string, action: string, object: string) =>
      platform.clients.authorization.checkAuthorization(
        { context: requestContext({ subject: userId, action, object: `svc://${rootDomainId}/${object}` }) },
        { token: credential, metadata },
      );
    const taken = async (work: () => Promise<unknown>) => {
      const before = await left();
      await work();
      return Number(before - (await left()));
    };
    expect(await taken(() => ask(token))).toBe(0);
    expect(await taken(() => check(token, 'manage', 'docstore/keys'))).toBe(0);
    // Keys, and questions that no revocation asks, take of the quota always.
    expect(await taken(() => ask(apiKey))).toBe(1);
    expect(await taken(() => check(apiKey, 'manage', 'docstore/keys'))).toBe(1);
    expect(await taken(() => check(token, 'manage', 'tenants/t'))).toBe(1);
    expect(await taken(() => check(token, 'read', 'documents/d'))).toBe(1);
  });
});
