import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import {
  axeViolations,
  freePort,
  migratedDatabase,
  startChromium,
  startPostgres,
  STEP_MS_MAX,
  type Postgres,
} from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Browser } from 'playwright-core';
import { startAuthz, type Authz } from './authz.fixture.ts';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';

const PASSWORD = 'a password of the assistant 7712';
const CALLBACK = 'http://127.0.0.1:43123/callback';

/** The settings of the README's section, for these two hosts. */
function settingsOfReadme(
  signIn: string,
  investigations: string,
): (prefix: string) => Record<string, string> {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const block = /```sh\n(AUTHZ_PUBLIC_URL=[^`]*)```/.exec(readme)![1]!;
  const lines = block
    .replaceAll('https://sign-in.example.org', signIn)
    .replaceAll('https://investigations.example.org', investigations)
    .trim()
    .split('\n');
  const settings = lines.map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]);
  return (prefix) => Object.fromEntries(settings.filter(([name]) => name.startsWith(prefix)));
}

let postgres: Postgres;
let authz: Authz;
let service: BuiltService;
let browser: Browser;
let issuer: string;
let resource: string;

beforeAll(async () => {
  postgres = await startPostgres();
  const database = await migratedDatabase(postgres, 'investigation-api');
  const [port, authzPort] = [await freePort(), await freePort()];
  issuer = `http://127.0.0.1:${authzPort}`;
  resource = `http://127.0.0.1:${port}/mcp`;
  const settings = settingsOfReadme(issuer, `http://127.0.0.1:${port}`);
  const authzSettings = settings('AUTHZ_');
  expect(authzSettings['AUTHZ_OAUTH_RESOURCES']).toBe(resource);
  authz = await startAuthz(await postgres.createDatabase(), {
    env: {
      AUTHZ_HTTP_PORT: String(authzPort),
      ...authzSettings,
      AUTHZ_OAUTH_RESOURCES: `${authzSettings['AUTHZ_OAUTH_RESOURCES']},https://other.example/mcp`,
    },
  });
  [service, browser] = await Promise.all([
    startBuilt({
      DATABASE_URL: database,
      INVESTIGATION_PORT: String(port),
      INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
      ...settings('INVESTIGATION_'),
      INVESTIGATION_JWT_PUBLIC_KEY: '',
    }),
    startChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await authz?.kill();
  await postgres?.stop();
});

interface User {
  readonly id: string;
  readonly username: string;
  readonly tenant: string;
  readonly tenantId: string;
}

async function addUser(): Promise<User> {
  const username = `user-${randomUUID()}`;
  const { clients } = authz;
  const { userId: id } = await clients.users.createUser({
    username,
    email: `${username}@example.org`,
    password: PASSWORD,
  });
  const { token } = await clients.sessions.login({ username, password: PASSWORD });
  const tenant = `tenant-${randomUUID()}`;
  const { id: tenantId } = await clients.tenants.createTenant({ name: tenant, description: '' }, { token });
  return { id, username, tenant, tenantId };
}

type Information = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;
type Discovered = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;

/** A program that keeps in memory what the SDK gives it to keep. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'Assistant of the tests', redirect_uris: [CALLBACK] };
  kept: Tokens | undefined;
  /** Where the SDK sent the browser last. */
  sentTo: URL | undefined;
  readonly #state = randomUUID();
  #information: Information | undefined;
  #verifier = '';
  #discovered: Discovered;

  state = () => this.#state;
  clientInformation = () => this.#information;
  saveClientInformation = (information: Information) => void (this.#information = information);
  tokens = () => this.kept;
  saveTokens = (tokens: Tokens) => void (this.kept = tokens);
  redirectToAuthorization = (url: URL) => void (this.sentTo = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (discovered: NonNullable<Discovered>) => void (this.#discovered = discovered);
  discoveryState = () => this.#discovered;
  invalidateCredentials = () => void (this.kept = undefined);
  get clientId(): string {
    return this.#information!.client_id;
  }
}

const transportOf = (program: Program) =>
  new StreamableHTTPClientTransport(new URL(resource), { authProvider: program });

async function connect(program: Program): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1.0.0' });
  await client.connect(transportOf(program));
  return client;
}

/** Runs the sign-in in a browser without scripts; the address that the browser is sent back to. */
async function signIn(
  url: URL,
  user: User,
  look: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<void> = async () => {},
): Promise<URL> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS_MAX);
    const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
    // Awaited below; a failure before is the one to report.
    back.catch(() => undefined);
    await page.goto(url.href);
    await page.getByLabel('User name').fill(user.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await look(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    return new URL((await back).url());
  } finally {
    await context.close();
  }
}

/** A program that the user has let in, by the SDK's own flow. */
async function letIn(user: User, readsAlone = false): Promise<Program> {
  const program = new Program();
  await expect(connect(program)).rejects.toBeInstanceOf(UnauthorizedError);
  const back = await signIn(program.sentTo!, user, async (page) => {
    if (readsAlone) await page.getByLabel('Let it read, and change nothing').check();
  });
  await transportOf(program).finishAuth(back.searchParams);
  return program;
}

const send = (token: string | null, message: object, query = '') =>
  fetch(resource + query, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

const call = (name: string, args: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the sign-in of assistants', () => {
  it('an assistant without a token is told where to get one', async () => {
    covers('INV-OA.1');
    const response = await send(null, { method: 'tools/list' });
    const metadata = resource.replace('/mcp', '/.well-known/oauth-protected-resource/mcp');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="investigation-api", resource_metadata="${metadata}", scope="investigations"`,
    ]);
    for (const url of [metadata, metadata.replace(/\/mcp$/, '')])
      expect(await (await fetch(url)).json()).toMatchObject({
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['investigations', 'investigations:read'],
        bearer_methods_supported: ['header'],
      });
  });

  it('the client of the MCP SDK registers, sends its user to sign in, calls tools, refreshes and revokes', async () => {
    covers('INV-OA.2', 'INV-OA.4');
    const user = await addUser();
    const program = await letIn(user);
    const client = await connect(program);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_investigation_session');
    const session = await client.callTool({
      name: 'create_investigation_session',
      arguments: { name: 'by an assistant' },
    });
    expect(session.isError ?? false).toBe(false);
    const before = program.kept!;
    await client.close();
    // An access token that is no longer good makes the SDK refresh it.
    program.kept = { ...before, access_token: 'not.a.token' };
    const again = await connect(program);
    expect((await again.listTools()).tools.length).toBe(tools.length);
    const after = program.kept;
    expect(after.refresh_token).not.toBe(before.refresh_token);
    await again.close();
    const revoked = await fetch(`${issuer}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: after.refresh_token!, client_id: program.clientId }),
    });
    expect(revoked.status).toBe(200);
    for (const { access_token: token } of [before, after])
      expect((await send(token, { method: 'tools/list' })).status).toBe(401);
    await expect(connect(program)).rejects.toBeInstanceOf(UnauthorizedError);
  });

  it('the sign-in pages hold to their policy, are accessible, and say what is asked for', async () => {
    covers('INV-OA.2');
    const user = await addUser();
    const program = new Program();
    await expect(connect(program)).rejects.toBeInstanceOf(UnauthorizedError);
    await signIn(program.sentTo!, user, async (page) => {
      const text = await page.locator('main').innerText();
      for (const part of ['Assistant of the tests', '127.0.0.1:43123', user.tenant, user.username, resource])
        expect(text).toContain(part);
      // Without a policy set aside, as below for axe: the policy lets the styles through.
      const box = await page.getByRole('button', { name: 'Allow' }).boundingBox();
      expect(box?.height).toBe(44);
    });
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      const page = await context.newPage();
      await page.goto(program.sentTo!.href);
      expect(await axeViolations(page)).toEqual([]);
      await context.close();
    }
  });

  it('a response of another issuer or without one is refused by the SDK, so that no code reaches a mixed-up server', async () => {
    covers('INV-OA.2');
    const user = await addUser();
    const program = new Program();
    await expect(connect(program)).rejects.toBeInstanceOf(UnauthorizedError);
    const back = await signIn(program.sentTo!, user);
    const mixed = new URLSearchParams(back.searchParams);
    mixed.set('iss', 'https://evil.example');
    await expect(transportOf(program).finishAuth(mixed)).rejects.toThrow(/issuer/i);
    mixed.delete('iss');
    await expect(transportOf(program).finishAuth(mixed)).rejects.toThrow(/iss/i);
    expect(program.kept).toBeUndefined();
  });

  it('a token of the resource serves MCP alone, and one of another resource serves nothing here', async () => {
    covers('INV-OA.3');
    const program = await letIn(await addUser());
    const rest = await fetch(`${service.url}/api/v1/sessions`, {
      headers: { authorization: `Bearer ${program.kept!.access_token}` },
    });
    expect(rest.status).toBe(401);
    expect((await send(program.kept!.access_token, { method: 'tools/list' })).status).toBe(200);
    const user = await addUser();
    const elsewhere = new Program();
    await expect(connect(elsewhere)).rejects.toBeInstanceOf(UnauthorizedError);
    const url = new URL(elsewhere.sentTo!);
    url.searchParams.set('resource', 'https://other.example/mcp');
    const back = await signIn(url, user);
    const response = await fetch(`${issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        code_verifier: elsewhere.codeVerifier(),
        client_id: elsewhere.clientId,
        redirect_uri: CALLBACK,
      }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    expect((await send(token, { method: 'tools/list' })).status).toBe(401);
  });

  it('what a program watches for its user is told no more once the user ended the program', async () => {
    covers('INV-WATCH.48');
    const user = await addUser();
    const { clients } = authz;
    const program = await letIn(user);
    const login = await clients.sessions.login({ username: user.username, password: PASSWORD });
    const { token } = await clients.sessions.refreshLoginWithTenant(
      { tenantId: user.tenantId },
      { token: login.token },
    );
    const sessions = `${service.url}/api/v1/sessions`;
    const rest = async <T>(url: string, method: string, body?: object): Promise<T> => {
      const response = await fetch(url, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect([url, response.status < 300]).toEqual([url, true]);
      return (await response.json()) as T;
    };
    const said = (value: string) => ({
      id: 'c1',
      actor_id: 'a',
      subject_id: 's',
      predicate: 'p',
      value,
      content: 'c',
    });
    const { session_id } = await rest<{ session_id: string }>(sessions, 'POST', {
      name: 'n',
      payload: {
        research_question: 'q',
        actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
        subjects: [{ id: 's', name: 'S', subject_type: 't' }],
        claims: [said('one')],
      },
    });
    const at = `${sessions}/${session_id}`;
    const subscription = { rules: ['leading_changed'] };
    const making = call('create_subscription', { session_id, ...subscription });
    const made = await send(program.kept!.access_token, making, '?toolsets=watch');
    const [, ofProgram = ''] = /"id":"([0-9a-f-]{36})"/.exec(await made.text()) ?? [];
    const { id: ofUser } = await rest<{ id: string }>(`${at}/subscriptions`, 'POST', subscription);
    const judgeWith = async (value: string) => {
      await rest(at, 'PATCH', { claims: [said(value)] });
      await rest(`${at}/judge`, 'POST', {});
    };
    const listed = async () =>
      (await rest<{ id: string; last_number: number; problem: string | null }[]>(
        `${at}/subscriptions`,
        'GET',
      ).then((all) =>
        Object.fromEntries(all.map(({ id, last_number, problem }) => [id, [last_number, problem]])),
      )) as Record<string, [number, string | null]>;
    await rest(`${at}/judge`, 'POST', {});
    await judgeWith('red');
    await eventually(listed).toEqual({ [ofProgram]: [1, null], [ofUser]: [1, null] });
    const { clientGrants } = await clients.sessions.listClientGrants({ userId: user.id }, { token });
    await clients.sessions.deleteClientGrant({ userId: user.id, id: clientGrants[0]!.id }, { token });
    const ended = expect.stringMatching(/^the API key, program or user that it was made by has ended/);
    await eventually(listed).toEqual({ [ofProgram]: [1, ended], [ofUser]: [1, null] });
    await judgeWith('blue');
    await eventually(listed).toEqual({ [ofProgram]: [1, ended], [ofUser]: [2, null] });
  });

  it('an assistant that may only read sees the tools that read, and others return insufficient_scope', async () => {
    covers('INV-OA.5');
    const program = await letIn(await addUser(), true);
    expect(program.kept!.scope).toBe('investigations:read');
    const token = program.kept!.access_token;
    const client = await connect(program);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('list_investigation_sessions');
    expect(names).not.toContain('create_investigation_session');
    await client.close();
    const refused = await send(token, call('create_investigation_session', { name: 'x' }));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope", resource_metadata="[^"]+", scope="investigations"$/,
    );
    const read = await send(token, call('list_investigation_sessions'));
    expect(read.status).toBe(200);
  });

  /** Ends of what a program works for. */
  const ENDS: Record<string, (user: User & { readonly token: string }) => Promise<unknown>> = {
    'new password': ({ id, token }) =>
      authz.clients.users.updateUser(
        { id, password: `new ${PASSWORD}`, currentPassword: PASSWORD },
        { token },
      ),
    deactivation: ({ id, token }) =>
      authz.clients.users.updateUser({ id, active: false, allowLockout: true }, { token }),
    deletion: ({ id, token }) => authz.clients.users.deleteUser({ id, allowLockout: true }, { token }),
    'end of the membership': ({ id, token, tenantId }) =>
      authz.clients.tenants.deleteTenantUserAssociation(
        { userId: id, tenantId, allowLockout: true },
        { token },
      ),
    'end of the tenant': ({ tenantId: id, token }) => authz.clients.tenants.deleteTenant({ id }, { token }),
  };
  it.each(Object.entries(ENDS))(
    'the next call of an assistant is refused after the %s of its user',
    async (_, end) => {
      covers('INV-OA.4');
      const user = await addUser();
      const program = await letIn(user);
      const { username, tenant } = user;
      const { token } = await authz.clients.sessions.login({ username, password: PASSWORD, tenant });
      expect((await send(program.kept!.access_token, { method: 'tools/list' })).status).toBe(200);
      await end({ ...user, token });
      expect((await send(program.kept!.access_token, { method: 'tools/list' })).status).toBe(401);
      await expect(connect(program)).rejects.toBeInstanceOf(UnauthorizedError);
    },
  );

  it('a user sees in the desk the programs that they let in, and ends one, whose next call is refused', async () => {
    covers('INV-OA.7');
    const user = await addUser();
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, bypassCSP: true });
    await page.goto(`${service.url}/app`);
    await page.getByLabel('User name').fill(user.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('link', { name: 'Connected programs' }).click();
    // An empty list leads on: it says where programs connect.
    await page.getByText(resource).waitFor();
    expect(await axeViolations(page)).toEqual([]);

    const kept = await letIn(user, true);
    const program = await letIn(user);
    await page.reload();
    const rows = page.getByRole('row').filter({ hasText: 'Assistant of the tests' });
    await rows.nth(1).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const row = rows.filter({ hasText: 'everything with your investigations' });
    await eventually(() => row.innerText()).toContain(new URL(CALLBACK).host);
    await row.getByRole('button', { name: 'End' }).click();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await eventually(() => rows.count()).toBe(1);
    expect((await send(program.kept!.access_token, { method: 'tools/list' })).status).toBe(401);
    expect((await send(kept.kept!.access_token, { method: 'tools/list' })).status).toBe(200);
    await page.close();
  });

  it('no program and no page of another site sees or ends what a user let in', async () => {
    covers('INV-OA.7');
    const program = await letIn(await addUser());
    const url = `${service.url}/app/session/programs`;
    const statusOf = async (headers: Record<string, string>, method = 'GET', path = '') =>
      (await fetch(url + path, { method, headers })).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${program.kept!.access_token}` })).toBe(401);
    const user = await addUser();
    const { token } = await authz.clients.sessions.login({
      username: user.username,
      password: PASSWORD,
      tenant: user.tenant,
    });
    const cookie = { cookie: `desk=${token}`, 'sec-fetch-site': 'cross-site' };
    expect(await statusOf(cookie)).toBeGreaterThanOrEqual(401);
    const authorization = `Bearer ${token}`;
    expect(await statusOf({ authorization })).toBe(200);
    for (const id of [randomUUID(), 'x'])
      expect(await statusOf({ authorization }, 'DELETE', `/${id}`)).toBe(404);
  });
});
