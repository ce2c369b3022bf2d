import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@platform/database';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { freePort } from '@platform/testing';
import { findLeaks } from './leaks.ts';
import {
  createOwner,
  ServiceEnded,
  startPlatform,
  startService,
  stopServices,
  type Owner,
  type Platform,
  type ServiceName,
} from './platform.fixture.ts';

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

let platform: Platform;
let owner: Owner;

/** The database, reached by a role whose password is a secret. */
async function withPassword(databaseUrl: string): Promise<string> {
  const admin = await openDatabase(databaseUrl, { embeddedFolder: 'unused' });
  // A server that outlives this test may have the role from before.
  await admin.query(`DO $$ BEGIN CREATE ROLE log_reader; EXCEPTION WHEN duplicate_object THEN END $$`);
  await admin.query(`ALTER ROLE log_reader LOGIN SUPERUSER PASSWORD '${DATABASE_PASSWORD}'`);
  await admin.close();
  return Object.assign(new URL(databaseUrl), { username: 'log_reader', password: DATABASE_PASSWORD }).href;
}

beforeAll(async () => {
  platform = await startPlatform(async (name, databaseUrl) => ({
    DATABASE_URL: await withPassword(databaseUrl),
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
});
afterAll(stopServices);

/** What a start asks for besides the database. */
function needed(name: ServiceName): Record<string, string> {
  return {
    [LOG_LEVEL[name].replace('LOG_LEVEL', 'PROBE_PORT')]: '0',
    ...(name === 'investigation-api' ? { INVESTIGATION_AUTHZ_URL: '127.0.0.1:1' } : {}),
  };
}

/** Sends a request, whatever the response; refusals are part of the flow. */
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
  expect(call.then(() => null)).rejects.toMatchObject({ name: 'GrpcCallError' });

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
  const minted = await send(`${url}/v1/key`, 'POST', owner.token, {
    name: 'k',
    scopes: 'file:read usage:read',
  });
  expect(minted.status).toBe(201);
  const { key } = (await minted.json()) as { key: string };
  expect((await send(`${url}/v1/usage`, 'GET', secret('document store key', key))).status).toBe(200);
  await send(`${url}/v1/usage`, 'GET', secret('forged document store key'));
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
  it('the logs of a whole flow at debug level hold none of the secrets it used', async () => {
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
      expect({ name, found: findLeaks(log, secrets) }).toEqual({ name, found: [] });
      // Were any of them in one line of it, it would be found.
      for (const [what, text] of Object.entries(secrets))
        expect(findLeaks(`${log}${JSON.stringify({ msg: 'request', note: text })}\n`, secrets)).toContain(
          what,
        );
    }
  });

  it.each(['authz-grpc', 'docstore-api', 'investigation-api'] as const)(
    'the logs of %s without its database do not hold the password',
    async (name) => {
      const url = `postgres://log_reader:${DATABASE_PASSWORD}@127.0.0.1:${await freePort()}/none`;
      const env = { DATABASE_URL: url, [LOG_LEVEL[name]]: 'trace', ...needed(name) };
      const ended = await startService(name, env, { endAt: 'the database is unavailable' }).catch(
        (error: unknown) => error,
      );
      expect(ended).toBeInstanceOf(ServiceEnded);
      expect(findLeaks((ended as ServiceEnded).output, { DATABASE_PASSWORD })).toEqual([]);
      expect((ended as ServiceEnded).output).toContain('ECONNREFUSED');
    },
  );

  it.each(['authz-grpc', 'docstore-api', 'investigation-api'] as const)(
    'the printed settings of %s have the database masked',
    async (name) => {
      const env = { DATABASE_URL: `postgres://log_reader:${DATABASE_PASSWORD}@h/d`, ...needed(name) };
      const ended = await startService(name, env, { args: ['--print-config'] }).catch(
        (error: unknown) => error,
      );
      const { output } = ended as ServiceEnded;
      expect(output).toContain('DATABASE_URL=[secret]');
      expect(findLeaks(output, { DATABASE_PASSWORD })).toEqual([]);
    },
  );
});
