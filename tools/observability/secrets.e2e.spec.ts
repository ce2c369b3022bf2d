import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '@platform/database';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { freePort, startPostgres, type Postgres } from '@platform/testing';
import {
  createOwner,
  ServiceEnded,
  startPlatform,
  startService,
  type Owner,
  type Platform,
  type ServiceName,
} from './platform.fixture.ts';

jest.setTimeout(240_000);

/** Every secret that the flow below uses, by what it is. Each is found in a log by its own text. */
const secrets: Record<string, string> = {};
const secret = (what: string, value = `secret ${what} ${randomBytes(12).toString('hex')}`): string =>
  (secrets[what] = value);

const PASSWORD = secret('user password');
const DATABASE_PASSWORD = secret('database password', randomBytes(16).toString('hex'));
const LOG_LEVEL: Readonly<Record<ServiceName, string>> = {
  'authz-grpc': 'AUTHZ_LOG_LEVEL',
  'docstore-api': 'DOCSTORE_LOG_LEVEL',
  'investigation-api': 'INVESTIGATION_LOG_LEVEL',
};

let postgres: Postgres;
let platform: Platform;
let owner: Owner;

/** A database of the server, reached by a role whose password is a secret. */
async function databaseUrl(): Promise<string> {
  const url = new URL(await postgres.createDatabase());
  url.username = 'log_reader';
  url.password = DATABASE_PASSWORD;
  return url.href;
}

beforeAll(async () => {
  postgres = await startPostgres();
  const admin = await openDatabase(postgres.url, { embeddedFolder: 'unused' });
  await admin.query('DROP ROLE IF EXISTS log_reader');
  await admin.query(`CREATE ROLE log_reader LOGIN SUPERUSER PASSWORD '${DATABASE_PASSWORD}'`);
  await admin.close();
  const urls: Record<ServiceName, string> = {
    'authz-grpc': await databaseUrl(),
    'docstore-api': await databaseUrl(),
    'investigation-api': await databaseUrl(),
  };
  for (const name of ['docstore-api', 'investigation-api'] as const) {
    const env = { DATABASE_URL: urls[name], ...needed(name) };
    await startService(name, env, ['migrate']).catch((ended: ServiceEnded) => {
      if (!ended.message.includes('ended with 0')) throw ended;
    });
  }
  platform = await startPlatform((name) => ({
    DATABASE_URL: urls[name],
    [LOG_LEVEL[name]]: 'trace',
    ...(name === 'authz-grpc'
      ? {
          AUTHZ_ROOT_PASSWORD: secret('root password'),
          AUTHZ_KEY_SECRET: secret('key secret'),
          AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '3',
        }
      : {}),
  }));
  owner = await createOwner(platform.authz, PASSWORD);
  secret('session token', owner.token);
  secret('session token without tenant', owner.plainToken);
}, 240_000);
afterAll(async () => {
  await platform?.stop();
  await postgres?.stop();
});

/** What `migrate` and a refused start ask for besides the database. */
function needed(name: ServiceName): Record<string, string> {
  return name === 'investigation-api' ? { INVESTIGATION_AUTHZ_URL: '127.0.0.1:1' } : {};
}

/** Sends a request, whatever the answer; refusals are part of the flow. */
async function send(url: string, method: string, credential: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const refused = (call: Promise<unknown>) =>
  expect(call.then(() => null)).rejects.toMatchObject({ name: 'Refused' });

async function useAuthz(): Promise<void> {
  const { authz } = platform;
  const withToken = { token: owner.token };
  const wrong = secret('mistyped password');
  for (let i = 0; i < 4; i += 1)
    await refused(authz.sessions.login({ username: owner.username, password: wrong }));
  await refused(
    authz.users.createUser({
      username: owner.username,
      email: 'x@example.org',
      password: secret('password of a name taken'),
    }),
  );
  await refused(authz.tenants.getTenant({ id: owner.tenantId }, { token: secret('forged token') }));

  const { apiKey } = await authz.apiKeys.createApiKey({ userId: owner.userId }, withToken);
  secret('API key', apiKey);
  const account = await authz.serviceAccounts.createServiceAccount(
    { name: 'worker', description: '', tenantId: owner.tenantId },
    withToken,
  );
  secret('service account key', account.token);
  const exchanged = await authz.serviceAccounts.exchangeServiceAccountToken({ credential: account.token });
  secret('service account token', exchanged.token);
  await send(`${platform.authzUrl}/v1/auth/token`, 'POST', account.token, { credential: account.token });
  await send(`${platform.authzUrl}/v1/auth/token`, 'POST', account.token, `{"credential": "${apiKey}", "`);

  const root = await authz.sessions.login({ username: 'root', password: secrets['root password']! });
  const asRoot = { token: secret('root token', root.token) };
  const verification = await authz.verification.createEmailVerificationToken(
    {
      userId: owner.userId,
      email: 'new@example.org',
      tokenType: TokenType.EMAIL_VERIFICATION,
    },
    asRoot,
  );
  secret('verification token', verification.token);
  const { token } = verification;
  const tokenType = TokenType.PASSWORD_RESET;
  await authz.verification.validateEmailVerificationToken({ token, tokenType }, asRoot).catch(() => null);
  const state = secret('OAuth state');
  const nonce = secret('OAuth nonce');
  await authz.oauth
    .storeOAuthState({ state, nonce, redirectUri: 'https://example.org/back' }, asRoot)
    .catch(() => null);
  await authz.oauth.validateOAuthState({ state }, asRoot).catch(() => null);

  const object = `svc://${owner.rootDomainId}/thing`;
  const check = { context: { subject: owner.userId, action: 'read', object, note: secret('attribute') } };
  for (const credential of [owner.token, apiKey, secret('forged REST token')])
    await send(`${platform.authzUrl}/v1/authz/check`, 'POST', credential, check);
}

async function useDocstore(): Promise<void> {
  const url = platform.docstoreUrl;
  const contents = secret('document contents');
  const created = await send(`${url}/v1/file`, 'POST', owner.token, {
    filename: 'notes.txt',
    contents,
    metadata: { note: secret('document metadata') },
  });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  for (const credential of Object.values(secrets).filter((text) => /^[\w.-]+$/.test(text)))
    await send(`${url}/v1/file/${id}`, 'GET', credential);
  await send(`${url}/v1/file?contains=${encodeURIComponent(secret('search term'))}`, 'GET', owner.token);
  await send(`${url}/v1/file`, 'POST', owner.token, `{"filename": "x", "contents": "${contents}`);
  await send(`${url}/v1/file`, 'POST', owner.token, { filename: 'notes.txt', contents });
  const key = await send(`${url}/v1/keys`, 'POST', owner.token, { name: 'k', scopes: 'file:read' });
  if (key.status === 201) secret('document store key', ((await key.json()) as { key: string }).key);
  await send(`${url}/v1/usage`, 'GET', secrets['document store key'] ?? secret('forged key', 'dsk_live_x_y'));
}

async function useInvestigation(): Promise<void> {
  const api = `${platform.investigationUrl}/api/v1`;
  const example = readFileSync(new URL('../../examples/first-flight.json', import.meta.url), 'utf8');
  const payload = JSON.parse(example) as { claims: { content: string }[] };
  payload.claims[0]!.content = secret('claim');
  expect((await send(`${api}/investigations/analyze`, 'POST', owner.token, payload)).status).toBe(200);
  const name = secret('session name');
  const made = await send(`${api}/sessions`, 'POST', owner.token, { name, payload });
  expect(made.status).toBe(201);
  const { session_id } = (await made.json()) as { session_id: string };
  await send(`${api}/sessions/${session_id}/judge`, 'POST', owner.token);
  await send(`${api}/sessions/${session_id}/claims/x`, 'PUT', owner.token, { content: secret('bad claim') });
  await send(`${api}/investigations/analyze`, 'POST', owner.token, example.slice(0, -9));
  for (const credential of [secrets['API key']!, secrets['service account token']!, secret('forged bearer')])
    await send(`${api}/sessions`, 'GET', credential);
}

describe('what a whole flow at the most talkative level leaves in the logs', () => {
  it('holds none of the secrets it used', async () => {
    await useAuthz();
    await useDocstore();
    await useInvestigation();
    // What goes wrong is logged most freely: the authorization service vanishes in the middle.
    await platform.services['authz-grpc'].stop();
    expect((await send(`${platform.docstoreUrl}/v1/usage`, 'GET', owner.token)).status).toBe(503);
    await platform.stop();

    expect(Object.keys(secrets).length).toBeGreaterThan(20);
    for (const [name, service] of Object.entries(platform.services)) {
      const log = service.output();
      // The log is there, and as talkative as it can be.
      expect(service.lines.length).toBeGreaterThan(3);
      const found = Object.keys(secrets).filter((what) => log.includes(secrets[what]!));
      expect({ name, found }).toEqual({ name, found: [] });
    }
  });

  it.each(['authz-grpc', 'docstore-api', 'investigation-api'] as const)(
    'of %s whose database is away does not hold its password',
    async (name) => {
      const url = `postgres://log_reader:${DATABASE_PASSWORD}@127.0.0.1:${await freePort()}/none`;
      const env = { DATABASE_URL: url, [LOG_LEVEL[name]]: 'trace', ...needed(name) };
      const ended = await startService(name, env).catch((error: unknown) => error);
      expect(ended).toBeInstanceOf(ServiceEnded);
      expect((ended as ServiceEnded).output).not.toContain(DATABASE_PASSWORD);
      expect((ended as ServiceEnded).output).toContain('ECONNREFUSED');
    },
  );

  it.each(['authz-grpc', 'docstore-api', 'investigation-api'] as const)(
    'of %s asked for its settings has the database masked',
    async (name) => {
      const env = { DATABASE_URL: `postgres://log_reader:${DATABASE_PASSWORD}@h/d`, ...needed(name) };
      const ended = await startService(name, env, ['--print-config']).catch((error: unknown) => error);
      const { output } = ended as ServiceEnded;
      expect(output).toContain('DATABASE_URL=[secret]');
      expect(output).not.toContain(DATABASE_PASSWORD);
    },
  );
});
