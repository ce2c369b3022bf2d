import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Postgres } from '@platform/testing';
import { axeViolations, migratedDatabase, startChromium, startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Browser, Page } from 'playwright-core';
import type { Authz } from './authz.fixture.ts';
import { startAuthz } from './authz.fixture.ts';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';

const PASSWORD = 'a password of the desk 5519';

let postgres: Postgres;
let authz: Authz;
let service: BuiltService;
let browser: Browser;
const said: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  const database = await migratedDatabase(postgres, 'investigation-api');
  authz = await startAuthz(await postgres.createDatabase(), {
    env: { AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '2', AUTHZ_TRUSTED_PROXIES: '127.0.0.1' },
  });
  [service, browser] = await Promise.all([
    startBuilt({
      DATABASE_URL: database,
      INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
      INVESTIGATION_JWT_PUBLIC_KEY: '',
      INVESTIGATION_LOG_LEVEL: 'debug',
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
}

let made = 0;
/** The throttle counts the makers of users and tenants by address: each comes from one of its own. */
const ownAddress = () => ({ metadata: { 'x-forwarded-for': `198.51.100.${(made += 1)}` } });

/** A user of as many tenants. */
async function addUser(tenants = 1): Promise<User & { readonly tenants: readonly string[] }> {
  const username = `user-${randomUUID()}`;
  const { userId: id } = await authz.clients.users.createUser(
    { username, email: `${username}@example.org`, password: PASSWORD },
    ownAddress(),
  );
  const { token } = await authz.clients.sessions.login({ username, password: PASSWORD });
  const names = Array.from({ length: tenants }, (_, index) => `tenant-${index}-${randomUUID()}`);
  for (const name of names)
    await authz.clients.tenants.createTenant({ name, description: '' }, { token, ...ownAddress() });
  return { id, username, tenants: names };
}

const OWN = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const post = (body: object, headers: Record<string, string> = OWN) =>
  fetch(`${service.url}/app/session`, { method: 'POST', headers, body: JSON.stringify(body) });

/** The cookie of a new sign-in, as a browser sends it. */
async function cookieOf(username: string): Promise<string> {
  const response = await post({ username, password: PASSWORD });
  expect(response.status).toBe(201);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
}

const list = (headers: Record<string, string>, method = 'GET') =>
  fetch(`${service.url}/api/v1/sessions`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: method === 'GET' ? null : '{"name":"made"}',
  }).then(({ status }) => status);

async function openPage(path = '/app'): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.on('pageerror', (error) => said.push(error.message));
  page.on('console', (message) => {
    if (!/the server responded with a status of 4\d\d/.test(message.text())) said.push(message.text());
  });
  await page.goto(service.url + path);
  return page;
}

async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('signing in to the workbench', () => {
  it('a user signs in by name and password, and the token is in no log, address or storage', async () => {
    covers('INV-B.13');
    const { username } = await addUser();
    const page = await openPage();
    await page.getByLabel('User name').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Enter your user name.').waitFor();
    await signIn(page, username, 'a wrong password 1234');
    await page.getByText('do not belong together').waitFor();
    await signIn(page, username);
    await page.getByText('No investigations yet').waitFor();
    await eventually(() => page.url()).toBe(`${service.url}/app`);
    const kept = () => page.evaluate(() => [document.cookie, { ...localStorage }, { ...sessionStorage }]);
    await eventually(kept).toEqual(['', {}, {}]);
    const cookies = await page.context().cookies();
    expect(cookies).toEqual([
      expect.objectContaining({ name: 'desk', httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 }),
    ]);
    await page.reload();
    await page.getByText('No investigations yet').waitFor();
    const log = JSON.stringify(service.log);
    expect(log).toContain('/app/session');
    for (const secret of [PASSWORD, 'a wrong password 1234', cookies[0]!.value.split('.')[2]!])
      expect(log).not.toContain(secret);
    await page.context().close();
    expect(said).toEqual([]);
  });

  it('a user of several tenants chooses one, and one of none is told so', async () => {
    const { username, tenants } = await addUser(2);
    const page = await openPage();
    await signIn(page, username);
    await page.getByLabel('Organization').selectOption(tenants[1]!);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('No investigations yet').waitFor();
    await page.context().close();
    const response = await post({ username: (await addUser(0)).username, password: PASSWORD });
    expect([response.status, await response.json()]).toEqual([
      409,
      { error: expect.stringContaining('no active tenant'), tenants: [] },
    ]);
  });

  it('a token is taken under Advanced, and stays in its tab', async () => {
    const { username, tenants } = await addUser();
    const { token } = await authz.clients.sessions.login({
      username,
      password: PASSWORD,
      tenant: tenants[0]!,
    });
    const page = await openPage();
    await page.getByText('Advanced: sign in with a token').click();
    await page.getByLabel('Token or API key').fill(token);
    await page.getByRole('button', { name: 'Sign in with the token' }).click();
    await page.getByText('No investigations yet').waitFor();
    await eventually(() => page.context().cookies()).toEqual([]);
    await page.context().close();
  });
});

describe('the cookie of the workbench', () => {
  let other: Server;
  beforeAll(async () => {
    other = createServer((_req, res) =>
      res.setHeader('content-type', 'text/html').end('<p>another page</p>'),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => other.close(resolve)));

  it('the cookie serves pages of its own origin and no other', async () => {
    covers('INV-B.14');
    const cookie = await cookieOf((await addUser()).username);
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    expect([await list(own), await list(own, 'POST')]).toEqual([200, 201]);
    for (const site of ['same-site', 'cross-site']) {
      const headers = { cookie, 'sec-fetch-site': site };
      expect([site, await list(headers), await list(headers, 'POST')]).toEqual([site, 403, 403]);
    }
    expect(await list({ cookie, 'sec-fetch-site': 'none' })).toBe(200);
    expect(await list({ cookie, 'sec-fetch-site': 'none' }, 'POST')).toBe(403);
    // Browsers from before Sec-Fetch-Site.
    const origin = 'http://127.0.0.1:1';
    expect([await list({ cookie, origin }), await list({ cookie, origin }, 'POST')]).toEqual([403, 403]);
    expect(await list({ cookie, origin: service.url }, 'POST')).toBe(201);
    expect(await list({ cookie }, 'POST')).toBe(403);
    const mcp = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { cookie, ...OWN },
      body: '{}',
    });
    expect(mcp.status).toBe(401);
  });

  it('a page of another port neither acts by the cookie nor signs anyone in', async () => {
    const { username } = await addUser();
    const page = await openPage();
    await signIn(page, username);
    await page.getByText('No investigations yet').waitFor();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const attempts = [
      ['/api/v1/sessions', 'POST', { name: 'forged' }],
      ['/app/session', 'POST', { username, password: PASSWORD }],
      ['/app/session', 'DELETE', {}],
    ] as const;
    await page.evaluate(
      async ([url, calls]) => {
        for (const [path, method, body] of calls)
          await fetch(url + path, {
            method,
            mode: method === 'DELETE' ? 'cors' : 'no-cors',
            credentials: 'include',
            body: JSON.stringify(body),
          }).catch(() => undefined);
      },
      [service.url, attempts] as const,
    );
    await page.goto(`${service.url}/app`);
    await page.getByText('No investigations yet').waitFor();
    await page.context().close();
  });

  it('sign-out ends the session itself, and a revocation asks to sign in again where the user was', async () => {
    const { id, username } = await addUser();
    const page = await openPage();
    await signIn(page, username);
    await page.getByText('No investigations yet').waitFor();
    const [cookie] = await page.context().cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('User name').waitFor();
    await eventually(() => page.context().cookies()).toEqual([]);
    const own = { 'sec-fetch-site': 'same-origin', cookie: `desk=${cookie!.value}` };
    expect(await list(own)).toBe(401);

    await signIn(page, username);
    await page.getByRole('button', { name: 'New investigation' }).click();
    await page.getByLabel('Name required').fill('Dam');
    // Ends every other session of the user.
    const { token } = await authz.clients.sessions.login({ username, password: PASSWORD });
    const changed = { id, password: `${PASSWORD} anew`, currentPassword: PASSWORD };
    await authz.clients.users.updateUser(changed, { token });
    await page.getByRole('button', { name: 'Create investigation' }).click();
    await page.getByText('Your edits are kept').waitFor();
    await signIn(page, username, changed.password);
    await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
    await page.context().close();
  });
});

describe('guessing at the workbench', () => {
  const guess = (username: string, address: string) =>
    post({ username, password: 'not the password' }, { ...OWN, 'x-forwarded-for': address });

  it('sign-ins are throttled by the address of the client, and the right password gets in by a proof', async () => {
    covers('INV-B.15');
    const { username } = await addUser();
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await guess(username, '203.0.113.7')).status);
    // Of a minute that ends meanwhile one more may fail before.
    statuses.push((await guess(username, '203.0.113.7')).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    const refused = await guess(username, '203.0.113.7');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ proof_bits: 18 });
    expect((await guess(username, '203.0.113.8')).status).toBe(401);

    const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' } });
    const page = await context.newPage();
    await page.goto(`${service.url}/app`);
    await signIn(page, username);
    await page.getByText('No investigations yet').waitFor({ timeout: 0 });
    await context.close();
  });
});

describe('a link that signs in', () => {
  it('a link signs in once and keeps nothing in the address', async () => {
    covers('INV-B.16');
    const { username, tenants } = await addUser();
    const { token } = await authz.clients.sessions.login({
      username,
      password: PASSWORD,
      tenant: tenants[0]!,
    });
    const made = await fetch(`${service.url}/app/session/codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const { code, expires_in } = (await made.json()) as { code: string; expires_in: number };
    expect([made.status, expires_in]).toEqual([201, 600]);
    expect((await fetch(`${service.url}/app/session/codes`, { method: 'POST' })).status).toBe(401);
    const page = await openPage(`/app#code=${code}`);
    await page.getByText('No investigations yet').waitFor();
    await eventually(() => page.url()).toBe(`${service.url}/app`);
    await page.context().close();
    const second = await openPage(`/app#code=${code}`);
    await second.getByText('This link was used already').waitFor();
    await second.getByLabel('User name').waitFor();
    expect(JSON.stringify(service.log)).not.toContain(code);
    await second.context().close();
  });
});
