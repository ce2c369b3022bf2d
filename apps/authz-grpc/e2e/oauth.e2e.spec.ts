import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { LeaseStatus } from '@platform/proto/authz/v1/session';
import { covers } from '@platform/testing/covers';
import { ROOT_PASSWORD } from '@platform/testing';
import { newPkce, openBrowser, openProgram, REDIRECT_URI, RESOURCE } from './browser.fixture.ts';
import { refusalOf } from './clients.fixture.ts';
import { useFleet } from './fleet.fixture.ts';
import {
  createTenancy,
  createUserAndLogin,
  rootToken,
  USER_PASSWORD,
  type Stores,
  type Tenancy,
} from './service.fixture.ts';

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe.each<Stores>(['embedded', 'postgres and redis'])('programs that users let in, on %s', (stores) => {
  const now = { ms: Date.now() };
  const replicas = stores === 'embedded' ? 1 : 2;
  const fleet = useFleet(stores, {
    replicas,
    env: {
      AUTHZ_OAUTH_RESOURCES: `${RESOURCE},https://other.example/mcp`,
      AUTHZ_CORS_ORIGINS: 'https://app.example',
    },
    now: () => new Date(now.ms),
  });
  const { clients } = fleet;
  let user: Tenancy;
  let program: ReturnType<typeof openProgram>;
  /** The other replica, where there is one. */
  const other = () => fleet.replicas.at(-1)!;
  beforeAll(async () => {
    user = await createTenancy(clients);
    program = openProgram(fleet.httpUrl);
  });

  const isLive = async (token: string) => {
    const responses = await Promise.all(
      fleet.replicas.map((replica) => replica.clients.sessions.introspectCredential({ credential: token })),
    );
    return responses.map(({ live }) => live);
  };
  const all = (value: boolean) => fleet.replicas.map(() => value);
  const errorOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: string };
    return [response.status, error];
  };
  const INVALID_GRANT = [400, 'invalid_grant'];

  it('the metadata of the authorization server name its endpoints, S256 and no client secret', async () => {
    covers('AUTHZ-OA.1');
    const response = await fetch(`${fleet.httpUrl}/.well-known/oauth-authorization-server`);
    expect(await response.json()).toMatchObject({
      issuer: fleet.httpUrl,
      authorization_endpoint: `${fleet.httpUrl}/oauth/authorize`,
      token_endpoint: `${fleet.httpUrl}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('a page of an allowed origin reaches all but the consent, and one of another origin nothing', async () => {
    covers('AUTHZ-OA.15');
    const allows = async (path: string, origin: string) => {
      const asked = { origin, 'access-control-request-method': 'POST' };
      const response = await fetch(fleet.httpUrl + path, { method: 'OPTIONS', headers: asked });
      return response.headers.get('access-control-allow-origin');
    };
    const paths = [
      '/.well-known/oauth-authorization-server',
      '/oauth/register',
      '/oauth/token',
      '/oauth/revoke',
    ];
    const all = await Promise.all(paths.map((path) => allows(path, 'https://app.example')));
    expect(all).toEqual(paths.map(() => 'https://app.example'));
    expect(await allows('/oauth/authorize', 'https://app.example')).toBeNull();
    expect(await allows('/oauth/token', 'https://evil.example')).toBeNull();
  });

  it('a program that its user lets in gets a token of the user for the one resource, tenant and scope', async () => {
    covers('AUTHZ-OA.2', 'AUTHZ-OA.5');
    const { verifier, challenge } = newPkce();
    const clientId = await program.clientId();
    const browser = openBrowser();
    const url = program.authorizeUrl({ client_id: clientId, code_challenge: challenge });
    const back = await program.letIn(browser, url, user);
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI);
    expect(back.searchParams.get('state')).toBe('a state');
    expect(back.searchParams.get('iss')).toBe(fleet.httpUrl);
    expect(browser.cookies.size).toBe(0);
    const response = await program.token({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
      resource: RESOURCE,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const tokens = (await response.json()) as { access_token: string; expires_in: number; scope: string };
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'investigations' });
    expect(claimsOf(tokens.access_token)).toMatchObject({
      aud: RESOURCE,
      sub: user.userId,
      tenant_id: user.tenantId,
      scope: 'investigations',
    });
    expect(
      await other().clients.sessions.introspectCredential({ credential: tokens.access_token }),
    ).toMatchObject({
      live: true,
      subjectId: user.userId,
      tenantId: user.tenantId,
      scopes: ['investigations'],
    });
  });

  it('a token for a resource asks about the user at that service and opens nothing else', async () => {
    covers('AUTHZ-OA.5');
    const { access_token: token } = await program.tokens(user);
    const check = (object: string) =>
      clients.authorization.checkAuthorization(
        { context: requestContext({ subject: user.userId, action: 'read', object }) },
        { token },
      );
    const allowed = await check(`svc://${user.rootDomainId}/investigations/x`);
    expect(allowed.authorized).toBe(true);
    for (const call of [
      () => check(`svc://${user.rootDomainId}/documents/x`),
      () => clients.users.getUser({ id: user.userId }, { token }),
      () => clients.tenants.listMyTenants({}, { token }),
      () => clients.apiKeys.createApiKey({ userId: user.userId }, { token }),
      () => clients.sessions.logout({ userId: user.userId }, { token }),
    ])
      expect((await refusalOf(call())).reason).toBe('ACCESS_DENIED');
  });

  it('a user lists the programs that they let in, and ends one on all replicas, and no other of theirs', async () => {
    covers('AUTHZ-OA.13');
    const { userId, username, tenantId, token } = await createTenancy(clients);
    const since = BigInt(Math.floor(now.ms / 1000));
    const one = await program.tokens({ username });
    now.ms += 1_000;
    const two = await program.tokens({ username }, { scope: 'investigations:read' });
    const grantsOf = async () =>
      (await other().clients.sessions.listClientGrants({ userId }, { token })).clientGrants;
    const [first, second] = await grantsOf();
    expect(first).toMatchObject({
      clientName: 'Assistant',
      redirectUri: REDIRECT_URI,
      resource: RESOURCE,
      scopes: ['investigations'],
      tenantId,
      createdAt: since,
      lastUsedAt: since,
    });
    expect(second).toMatchObject({ scopes: ['investigations:read'] });

    now.ms += 60_000;
    const renewed = await program.refresh(two.clientId, two.refresh_token);
    const { access_token: later } = (await renewed.json()) as { access_token: string };
    expect((await grantsOf())[1]!.lastUsedAt).toBe(BigInt(Math.floor(now.ms / 1000)));

    await clients.sessions.deleteClientGrant({ userId, id: first!.id }, { token });
    expect(await isLive(one.access_token)).toEqual(all(false));
    expect(await isLive(later)).toEqual(all(true));
    expect(await errorOf(await program.refresh(one.clientId, one.refresh_token))).toEqual(INVALID_GRANT);
    expect((await grantsOf()).map(({ id }) => id)).toEqual([second!.id]);
    // What has ended, was never there or is no grant is not found.
    for (const id of [first!.id, randomUUID()]) {
      const refused = await refusalOf(clients.sessions.deleteClientGrant({ userId, id }, { token }));
      expect(refused).toMatchObject({ code: 5, reason: 'CLIENT_GRANT_NOT_FOUND' });
    }
  });

  it('nobody but the user and the system root lists or ends the programs of a user', async () => {
    covers('AUTHZ-OA.13');
    const { access_token: live } = await program.tokens(user);
    const stranger = await createTenancy(clients);
    const { userId } = user;
    const [grant] = (await clients.sessions.listClientGrants({ userId }, { token: user.token })).clientGrants;
    const { id } = grant!;
    for (const call of [
      () => clients.sessions.listClientGrants({ userId }, { token: stranger.token }),
      () => clients.sessions.deleteClientGrant({ userId, id }, { token: stranger.token }),
      // By the program itself, which revokes its own tokens at /oauth/revoke.
      () => clients.sessions.listClientGrants({ userId }, { token: live }),
    ])
      expect((await refusalOf(call())).reason).toBe('ACCESS_DENIED');
    const own = { userId: stranger.userId, id };
    const refused = await refusalOf(clients.sessions.deleteClientGrant(own, { token: stranger.token }));
    expect(refused.reason).toBe('CLIENT_GRANT_NOT_FOUND');
    expect(await isLive(live)).toEqual(all(true));
    const root = await rootToken(clients);
    expect(
      (await clients.sessions.listClientGrants({ userId }, { token: root })).clientGrants,
    ).toContainEqual(grant);
  });

  it('a program may read alone where its user granted that alone', async () => {
    covers('AUTHZ-OA.5');
    const { access_token: token, scope } = await program.tokens(user, { scope: 'investigations:read' });
    expect(scope).toBe('investigations:read');
    const check = (action: string) =>
      clients.authorization.checkAuthorization(
        {
          context: requestContext({
            subject: user.userId,
            action,
            object: `svc://${user.rootDomainId}/investigations/x`,
          }),
        },
        { token },
      );
    expect((await check('read')).authorized).toBe(true);
    expect((await refusalOf(check('update'))).reason).toBe('ACCESS_DENIED');
  });

  it('a user grants less than the program asked for, and the program is told', async () => {
    covers('AUTHZ-OA.3', 'AUTHZ-OA.5');
    const { verifier, challenge } = newPkce();
    const clientId = await program.clientId();
    const browser = openBrowser();
    await browser.go(program.authorizeUrl({ client_id: clientId, code_challenge: challenge }));
    await browser.submit({ step: 'sign-in', username: user.username, password: USER_PASSWORD });
    const led = await browser.submit({ step: 'allow', read_only: 'on' });
    const response = await program.token({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: new URL(led.headers.get('location')!).searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    });
    expect(await response.json()).toMatchObject({ scope: 'investigations:read' });
  });

  it('the consent screen names program, host, tenant, scope and user, loads nothing and cannot be framed', async () => {
    covers('AUTHZ-OA.3');
    const browser = openBrowser();
    const clientId = await program.clientId('<b>Bold & Co</b>', ['https://app.example/back?x=1']);
    const redirect = 'https://app.example/back?x=1';
    const asked = { client_id: clientId, code_challenge: newPkce().challenge, redirect_uri: redirect };
    const first = await browser.go(program.authorizeUrl(asked));
    const second = await browser.submit({
      step: 'sign-in',
      username: user.username,
      password: USER_PASSWORD,
    });
    for (const response of [first, second]) {
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      const [cookie] = response.headers.getSetCookie();
      expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    }
    const { html } = browser.page();
    expect(html).not.toMatch(/<script|<b>Bold|src=/);
    for (const part of ['&lt;b&gt;Bold &amp; Co', 'app.example', user.tenantName, user.username, RESOURCE])
      expect(html).toContain(part);
    expect(second.headers.get('content-security-policy')).toContain(
      `form-action 'self' https://app.example;`,
    );
    const led = await browser.submit({ step: 'deny' });
    const back = new URL(led.headers.get('location')!);
    expect([back.searchParams.get('x'), back.searchParams.get('error')]).toEqual(['1', 'access_denied']);
  });

  it('a wrong password, a user without a tenant and the system root get no code', async () => {
    covers('AUTHZ-OA.3');
    const url = program.authorizeUrl({
      client_id: await program.clientId(),
      code_challenge: newPkce().challenge,
    });
    const signIn = async (username: string, password: string) => {
      const browser = openBrowser();
      await browser.go(url);
      const response = await browser.submit({ step: 'sign-in', username, password });
      const consent = await browser.submit({ step: 'allow' });
      return [response.status, consent.headers.get('location')];
    };
    const loner = await createUserAndLogin(clients);
    expect(await signIn(user.username, 'not the password')).toEqual([401, null]);
    expect(await signIn(loner.username, USER_PASSWORD)).toEqual([403, null]);
    expect(await signIn('root', ROOT_PASSWORD)).toEqual([403, null]);
  });

  it('a wrong password keeps the user name that was typed, as text', async () => {
    covers('AUTHZ-OA.3');
    const browser = openBrowser();
    await browser.go(
      program.authorizeUrl({ client_id: await program.clientId(), code_challenge: newPkce().challenge }),
    );
    expect(browser.page().html).toContain('name="username" value=""');
    await browser.submit({ step: 'sign-in', username: '"><b>ann', password: 'not the password' });
    expect(browser.page().html).toContain('name="username" value="&quot;&gt;&lt;b&gt;ann"');
    expect(browser.page().html).toMatch(/name="password"[^>]* autofocus/);
    expect(browser.page().html).not.toContain('not the password');
  });

  it.each<[string, RequestInit['body'], string, number]>([
    ['that is not a form', '{}', 'application/json', 415],
    ['that is too large', `username=${'x'.repeat(1_000_000)}`, 'application/x-www-form-urlencoded', 413],
    ['with a field twice', 'step=allow&step=deny', 'application/x-www-form-urlencoded', 400],
  ])('a body %s is refused with a page', async (_, body, type, status) => {
    covers('AUTHZ-OA.3');
    const browser = openBrowser();
    const url = program.authorizeUrl({
      client_id: await program.clientId(),
      code_challenge: newPkce().challenge,
    });
    await browser.go(url);
    const refused = await browser.go(url, { method: 'POST', body: body!, headers: { 'content-type': type } });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(refused.headers.get('content-security-policy')).toContain("form-action 'none'");
    expect(browser.page().html).toContain('This program cannot be connected');
  });

  it('two tabs of a browser sign in to two programs without disturbing each other', async () => {
    covers('AUTHZ-OA.14');
    const browser = openBrowser();
    const tabs: string[] = [];
    const asked = { client_id: await program.clientId(), code_challenge: newPkce().challenge };
    // A request in 64 has the cookie of the other one.
    for (let number = 0; browser.cookies.size < 2; number++) {
      const url = program.authorizeUrl({ ...asked, state: `tab ${number}` });
      await browser.go(url);
      if (browser.cookies.size > tabs.length) tabs.push(url);
    }
    const forms: ReturnType<typeof browser.page>[] = [];
    for (const url of tabs) {
      await browser.go(url);
      forms.push(browser.page());
    }
    const next = async (index: number, fields: Record<string, string>) => {
      const { url, html } = forms[index]!;
      const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
      const sent = await browser.go(url, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) });
      forms[index] = browser.page();
      return sent;
    };
    const signIn = { step: 'sign-in', username: user.username, password: USER_PASSWORD };
    for (const index of [0, 1]) expect((await next(index, signIn)).status).toBe(200);
    for (const index of [1, 0]) {
      const led = await next(index, { step: 'allow', tenant: user.tenantId });
      expect(new URL(led.headers.get('location')!).searchParams.get('code')).toMatch(/./);
    }
    expect(browser.cookies.size).toBe(0);
  });

  it('a consent that is sent many times at once gives one code', async () => {
    covers('AUTHZ-OA.3');
    const asked = { client_id: await program.clientId(), code_challenge: newPkce().challenge };
    const browser = openBrowser();
    await browser.go(program.authorizeUrl(asked));
    await browser.submit({ step: 'sign-in', username: user.username, password: USER_PASSWORD });
    const { url, html } = browser.page();
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const { pathname, search } = new URL(url);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const { service } = fleet.replicas[index % replicas]!;
        return fetch(`http://127.0.0.1:${service.httpPort}${pathname}${search}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie },
          body: new URLSearchParams({ step: 'allow', csrf, tenant: user.tenantId }),
        });
      }),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array.from({ length: 19 }, () => 403),
    ]);
  });

  it('a user chooses among their own tenants and no other', async () => {
    covers('AUTHZ-OA.3');
    const tenancy = await createTenancy(clients);
    const url = program.authorizeUrl({
      client_id: await program.clientId(),
      code_challenge: newPkce().challenge,
    });
    for (const tenant of [user.tenantId, randomUUID(), 'no id']) {
      const browser = openBrowser();
      await browser.go(url);
      await browser.submit({ step: 'sign-in', username: tenancy.username, password: USER_PASSWORD });
      const page = browser.page().html;
      expect(page).toContain(tenancy.tenantId);
      const csrf = /name="csrf" value="([^"]+)"/.exec(page)![1]!;
      const foreign = await browser.go(url, {
        method: 'POST',
        body: new URLSearchParams({ step: 'allow', csrf, tenant }),
      });
      expect([foreign.status, foreign.headers.get('location')]).toEqual([403, null]);
    }
  });

  it('a form that another page sends, or that was made for another request, grants nothing', async () => {
    covers('AUTHZ-OA.3');
    const clientId = await program.clientId();
    const asked = { client_id: clientId, code_challenge: newPkce().challenge };
    const url = program.authorizeUrl(asked);
    const signedIn = async (headers: Record<string, string> = {}) => {
      const browser = openBrowser(headers);
      await browser.go(url);
      await browser.submit({ step: 'sign-in', username: user.username, password: USER_PASSWORD });
      return browser;
    };
    const withoutToken = await signedIn();
    const tenant = user.tenantId;
    const forged = await withoutToken.go(url, {
      method: 'POST',
      body: new URLSearchParams({ step: 'allow', tenant }),
    });
    expect([forged.status, forged.headers.get('location')]).toEqual([403, null]);
    const elsewhere = await signedIn();
    const evil = program.authorizeUrl({ ...asked, state: 'another request' });
    const moved = await elsewhere.submit({ step: 'allow' }, evil);
    expect([moved.status, moved.headers.get('location')]).toEqual([403, null]);
    const foreign = await signedIn();
    const sent = await foreign.go(url, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({
        step: 'allow',
        tenant,
        csrf: /name="csrf" value="([^"]+)"/.exec(foreign.page().html)![1]!,
      }),
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([403, null]);
    const withoutCookie = await signedIn();
    withoutCookie.cookies.clear();
    const lost = await withoutCookie.submit({ step: 'allow' });
    expect([lost.status, lost.headers.get('location')]).toEqual([403, null]);
  });

  it.each([
    ['a fragment', 'https://a.example/#x'],
    ['an empty fragment', 'https://a.example/#'],
    ['a user', 'https://good.example@evil.example/'],
    ['a wildcard', 'https://*.example/'],
    ['plain http', 'http://a.example/'],
    ['a scheme of a program', 'javascript:alert(1)'],
    ['a data URL', 'data:text/html,x'],
    ['dots in the path', 'https://a.example/x/../y'],
    ['a backslash', 'https://evil.example\\@good.example/'],
    ['a line break', 'https://a.example/\nx'],
    ['no host', '/callback'],
    ['a loopback host in disguise', 'http://127.0.0.1.evil.example/'],
  ])('a redirect address with %s is refused at registration and at authorization', async (_, uri) => {
    covers('AUTHZ-OA.4');
    const made = await program.register({ client_name: 'x', redirect_uris: [uri] });
    expect(await errorOf(made)).toEqual([400, 'invalid_redirect_uri']);
    const invented = Buffer.from(JSON.stringify(['x', [uri]])).toString('base64url');
    const asked = { client_id: invented, redirect_uri: uri, code_challenge: newPkce().challenge };
    const response = await openBrowser().go(program.authorizeUrl(asked));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it('nobody is sent to an address that the program did not register, and only the port of loopback is free', async () => {
    covers('AUTHZ-OA.4');
    const clientId = await program.clientId('x', [REDIRECT_URI, 'https://app.example/back']);
    const ask = async (redirect_uri: string) => {
      const asked = { client_id: clientId, redirect_uri, code_challenge: newPkce().challenge };
      const response = await openBrowser().go(program.authorizeUrl(asked));
      return [response.status, response.headers.get('location')];
    };
    for (const good of [REDIRECT_URI, 'http://127.0.0.1:9/callback', 'https://app.example/back'])
      expect(await ask(good)).toEqual([200, null]);
    for (const bad of [
      'http://127.0.0.1:9/other',
      'http://localhost:43123/callback',
      'https://app.example:8443/back',
      'https://app.example/back/',
      'https://app.example/back?x=1',
      'https://evil.example/back',
    ])
      expect(await ask(bad)).toEqual([400, null]);
  });

  it.each([
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE method', { code_challenge_method: undefined }, 'invalid_request'],
    ['no PKCE challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a resource of nobody', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['an unknown scope', { scope: 'investigations manage' }, 'invalid_scope'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
  ])('a request with %s is sent back with its error, state and issuer', async (_, wrong, error) => {
    covers('AUTHZ-OA.2');
    const asked = { client_id: await program.clientId(), code_challenge: newPkce().challenge, ...wrong };
    const response = await openBrowser().go(program.authorizeUrl(asked));
    const back = new URL(response.headers.get('location')!);
    const told = ['error', 'state', 'iss', 'code'].map((name) => back.searchParams.get(name));
    expect([response.status, ...told]).toEqual([303, error, 'a state', fleet.httpUrl, null]);
  });

  it('a faulty request sends nobody to another site by itself', async () => {
    covers('AUTHZ-OA.4');
    const redirect = 'https://app.example/back?x=1';
    const response = await openBrowser().go(
      program.authorizeUrl({
        client_id: await program.clientId('Mallory', [redirect]),
        redirect_uri: redirect,
        code_challenge: newPkce().challenge,
        scope: 'unknown',
      }),
    );
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    const page = await response.text();
    expect(page).toContain('Return to app.example');
    expect(page).toMatch(
      /href="https:\/\/app\.example\/back\?x=1&amp;error=invalid_scope&amp;[^"]+state=a\+state"/,
    );
  });

  it('a code is good once, for one minute, for its program, verifier, address and resource', async () => {
    covers('AUTHZ-OA.2', 'AUTHZ-OA.6');
    const otherClient = await program.clientId('Thief');
    const wrongs: Record<string, string>[] = [
      { client_id: otherClient },
      { code_verifier: newPkce().verifier },
      { redirect_uri: 'http://127.0.0.1:43124/callback' },
      { resource: 'https://other.example/mcp' },
    ];
    for (const wrong of wrongs) {
      const form = await program.code(user);
      expect(await errorOf(await program.token({ ...form, ...wrong }))).toEqual(INVALID_GRANT);
      expect(await errorOf(await program.token(form))).toEqual(INVALID_GRANT);
    }
    const late = await program.code(user);
    now.ms += 60_000;
    expect(await errorOf(await program.token(late))).toEqual(INVALID_GRANT);
    const { code_verifier: _verifier, ...bare } = await program.code(user);
    expect(await errorOf(await program.token(bare))).toEqual([400, 'invalid_request']);
  });

  it('a code that is used twice ends what was made of it', async () => {
    covers('AUTHZ-OA.6');
    const form = await program.code(user);
    const made = await Promise.all(
      fleet.replicas
        .concat(fleet.replicas)
        .map(({ service }) => openProgram(`http://127.0.0.1:${service.httpPort}`).token(form)),
    );
    const good = made.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    for (const response of good) {
      const { access_token: token } = (await response.json()) as { access_token: string };
      expect(await isLive(token)).toEqual(all(false));
    }
    expect(await errorOf(await program.token(form))).toEqual(INVALID_GRANT);
  });

  it('a refresh token is good once, and its second use ends the family on every replica', async () => {
    covers('AUTHZ-OA.7');
    const first = await program.tokens(user);
    const response = await program.refresh(first.clientId, first.refresh_token);
    const second = (await response.json()) as { access_token: string; refresh_token: string };
    expect(await isLive(first.access_token)).toEqual(all(true));
    expect(await isLive(second.access_token)).toEqual(all(true));
    expect(await errorOf(await program.refresh(first.clientId, first.refresh_token))).toEqual(INVALID_GRANT);
    for (const token of [first.access_token, second.access_token])
      expect(await isLive(token)).toEqual(all(false));
    expect(await errorOf(await program.refresh(first.clientId, second.refresh_token))).toEqual(INVALID_GRANT);
  });

  it('a refresh token of another program is refused, and the program asks again after the days of its grant', async () => {
    covers('AUTHZ-OA.7');
    const stolen = await program.tokens(user);
    const thief = await program.clientId('Thief');
    expect(await errorOf(await program.refresh(thief, stolen.refresh_token))).toEqual(INVALID_GRANT);
    expect(await isLive(stolen.access_token)).toEqual(all(false));
    const old = await program.tokens(user);
    now.ms += 30 * 86_400_000;
    expect(await errorOf(await program.refresh(old.clientId, old.refresh_token))).toEqual(INVALID_GRANT);
  });

  it('a refused code or refresh token is named, with what the program has to do', async () => {
    covers('AUTHZ-OA.6', 'AUTHZ-OA.7');
    const form = { ...(await program.code(user)), code: 'x' };
    const cases = [
      ['code', await program.token(form)],
      ['refresh_token', await program.refresh(form.client_id, 'x')],
    ] as const;
    for (const [field, answer] of cases)
      expect(await answer.json()).toEqual({
        error: 'invalid_grant',
        error_description: `${field} is unknown, used, expired or not for this request: start the sign-in again`,
      });
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'revoking the %s ends the grant on every replica, and unknown tokens are no error',
    async (kind) => {
      covers('AUTHZ-OA.8');
      const own = await createTenancy(clients);
      const tokens = await program.tokens(own);
      const thief = await program.clientId('Thief');
      expect((await program.revoke({ client_id: thief, token: tokens[kind] })).status).toBe(200);
      expect(await isLive(tokens.access_token)).toEqual(all(true));
      expect((await program.revoke({ client_id: tokens.clientId, token: tokens[kind] })).status).toBe(200);
      expect(await isLive(tokens.access_token)).toEqual(all(false));
      expect(await errorOf(await program.refresh(tokens.clientId, tokens.refresh_token))).toEqual(
        INVALID_GRANT,
      );
      for (const token of [tokens.access_token, 'unknown', own.token])
        expect((await program.revoke({ client_id: tokens.clientId, token })).status).toBe(200);
      expect((await clients.users.getUser({ id: own.userId }, { token: own.token })).id).toBe(own.userId);
    },
  );

  it('whatever ends the sessions of a user ends what their programs have, codes included', async () => {
    covers('AUTHZ-OA.9');
    const root = { token: await rootToken(clients) };
    const ends: Record<string, (tenancy: Tenancy) => Promise<unknown>> = {
      password: ({ userId, plainToken }) =>
        clients.users.updateUser(
          { id: userId, password: `new ${USER_PASSWORD}`, currentPassword: USER_PASSWORD },
          { token: plainToken },
        ),
      deactivation: ({ userId }) => clients.users.updateUser({ id: userId, active: false }, root),
      deletion: ({ userId }) => clients.users.deleteUser({ id: userId, allowLockout: true }, root),
      membership: ({ userId, tenantId }) =>
        clients.tenants.deleteTenantUserAssociation({ tenantId, userId, allowLockout: true }, root),
      tenant: ({ tenantId }) => clients.tenants.deleteTenant({ id: tenantId }, root),
    };
    for (const [name, end] of Object.entries(ends)) {
      const tenancy = await createTenancy(clients);
      const tokens = await program.tokens(tenancy);
      const pending = await program.code(tenancy);
      await end(tenancy);
      expect([name, await isLive(tokens.access_token)]).toEqual([name, all(false)]);
      const refreshed = await program.refresh(tokens.clientId, tokens.refresh_token);
      expect([name, await errorOf(refreshed)]).toEqual([name, INVALID_GRANT]);
      expect([name, await errorOf(await program.token(pending))]).toEqual([name, INVALID_GRANT]);
    }
  });

  it('what a service keeps for a program ends with the program, and what it keeps for the user does not', async () => {
    covers('INV-WATCH.47');
    const { sessions } = clients;
    const leasesOf = async (credential: string) =>
      (await sessions.introspectCredential({ credential })).leases!;
    type Tokens = Awaited<ReturnType<typeof program.tokens>>;
    const ends: Record<string, (tenancy: Tenancy, tokens: Tokens) => Promise<unknown>> = {
      user: async ({ userId, token }) => {
        const { clientGrants } = await sessions.listClientGrants({ userId }, { token });
        return sessions.deleteClientGrant({ userId, id: clientGrants[0]!.id }, { token });
      },
      program: (_, { clientId, access_token: token }) => program.revoke({ token, client_id: clientId }),
      password: ({ userId, plainToken }) =>
        clients.users.updateUser(
          { id: userId, password: `new ${USER_PASSWORD}`, currentPassword: USER_PASSWORD },
          { token: plainToken },
        ),
    };
    for (const [name, end] of Object.entries(ends)) {
      const tenancy = await createTenancy(clients);
      const tokens = await program.tokens(tenancy);
      const { credential, keys, subject } = await leasesOf(tokens.access_token);
      const refreshed = await program.refresh(tokens.clientId, tokens.refresh_token);
      const { access_token } = (await refreshed.json()) as { access_token: string };
      expect([name, (await leasesOf(access_token)).credential]).toEqual([name, credential]);
      const { credential: ofSession } = await leasesOf(tenancy.token);
      const kept = { leases: [credential, keys, subject, ofSession] };
      const states = async () => (await sessions.getLeaseStates(kept)).states.map(({ status }) => status);
      const { ACTIVE, ENDED } = LeaseStatus;
      expect([name, await states()]).toEqual([name, [ACTIVE, ACTIVE, ACTIVE, ACTIVE]]);
      await end(tenancy, { ...tokens, access_token });
      expect([name, await states()]).toEqual([name, [ENDED, ENDED, ACTIVE, ACTIVE]]);
    }
  });

  it('a user who is deactivated between password and consent gets no code', async () => {
    covers('AUTHZ-OA.9');
    const tenancy = await createTenancy(clients);
    const asked = { client_id: await program.clientId(), code_challenge: newPkce().challenge };
    const browser = openBrowser();
    await browser.go(program.authorizeUrl(asked));
    await browser.submit({ step: 'sign-in', username: tenancy.username, password: USER_PASSWORD });
    await clients.users.updateUser(
      { id: tenancy.userId, active: false },
      { token: await rootToken(clients) },
    );
    const led = await browser.submit({ step: 'allow' });
    expect([led.status, led.headers.get('location')]).toEqual([403, null]);
  });

  it('any number of registrations leave nothing behind, and bounds hold for each', async () => {
    covers('AUTHZ-OA.4');
    const made = await Promise.all(
      Array.from({ length: 200 }, (_, index) => program.clientId(`Assistant ${index % 2}`)),
    );
    expect(new Set(made).size).toBe(2);
    for (const [metadata, error] of [
      [{ client_name: 'x', redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ client_name: 'x' }, 'invalid_redirect_uri'],
      [
        { client_name: 'x', redirect_uris: Array.from({ length: 6 }, () => REDIRECT_URI) },
        'invalid_redirect_uri',
      ],
      [{ client_name: 'x'.repeat(65), redirect_uris: [REDIRECT_URI] }, 'invalid_client_metadata'],
      [{ client_name: 'pay\u202Epal', redirect_uris: [REDIRECT_URI] }, 'invalid_client_metadata'],
    ] as const)
      expect(await errorOf(await program.register(metadata))).toEqual([400, error]);
    const flood = { client_name: 'x'.repeat(20_000), redirect_uris: [REDIRECT_URI] };
    expect((await program.register(flood)).status).toBe(413);
  });

  it('programs bring no secret, each field once, and a grant type that there is', async () => {
    covers('AUTHZ-OA.2');
    const form = await program.code(user);
    expect(await errorOf(await program.token({ ...form, client_secret: 'x' }))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(await errorOf(await program.token({ ...form, client_id: 'x' }))).toEqual([401, 'invalid_client']);
    expect(await errorOf(await program.token({ ...form, grant_type: 'password' }))).toEqual([
      400,
      'unsupported_grant_type',
    ]);
    expect(await errorOf(await program.token({ ...form, resource: 'https://evil.example/' }))).toEqual([
      400,
      'invalid_target',
    ]);
    const doubled = new URLSearchParams(form);
    doubled.append('code', randomUUID());
    const response = await fetch(`${fleet.httpUrl}/oauth/token`, { method: 'POST', body: doubled });
    expect(await errorOf(response)).toEqual([400, 'invalid_request']);
    expect((await program.token(form)).status).toBe(200);
  });

  it('consent, tokens and their end stand in the audit without a code, token or password', async () => {
    covers('AUTHZ-OA.10');
    const tenancy = await createTenancy(clients);
    const tokens = await program.tokens(tenancy);
    await program.revoke({ client_id: tokens.clientId, token: tokens.refresh_token });
    const { events } = await clients.authorization.listAuditEvents(
      { tenantId: tenancy.tenantId, limit: 0, cursor: '' },
      { token: tenancy.token },
    );
    const rows = events.filter(({ object }) => object.startsWith('client-grants/'));
    expect(rows.map(({ action }) => action).sort()).toEqual([
      'AuthorizeClient',
      'IssueClientTokens',
      'RevokeClientToken',
    ]);
    expect(rows.map(({ subject }) => subject)).toEqual(rows.map(() => tenancy.userId));
    const text = JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toContain(tokens.refresh_token);
    expect(text).toContain('Assistant');
  });
});

describe('without resources in the settings', () => {
  const fleet = useFleet('embedded');

  it('an authorization service without resources has no endpoint of OAuth', async () => {
    covers('AUTHZ-OA.1');
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize'])
      expect((await fetch(`${fleet.httpUrl}${path}`)).status).toBe(404);
  });
});

describe('guessing passwords at the sign-in of programs', () => {
  const fleet = useFleet('embedded', {
    env: { AUTHZ_OAUTH_RESOURCES: RESOURCE, AUTHZ_LOGIN_ATTEMPTS_PER_MINUTE: '3' },
    now: () => new Date('2027-01-01T00:00:00Z'),
  });

  it('the sign-in of programs has the throttle of every login', async () => {
    covers('AUTHZ-OA.3');
    const program = openProgram(fleet.httpUrl);
    const asked = { client_id: await program.clientId(), code_challenge: newPkce().challenge };
    const browser = openBrowser();
    await browser.go(program.authorizeUrl(asked));
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries += 1)
      statuses.push((await browser.submit({ step: 'sign-in', username: 'bob', password: 'guess' })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const login = fleet.clients.sessions.login({ username: 'bob', password: 'guess' });
    expect((await refusalOf(login)).reason).toBe('PROOF_REQUIRED');
  });
});
