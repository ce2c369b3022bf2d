import { createHash, randomBytes } from 'node:crypto';
import { USER_PASSWORD, type Tenancy } from './service.fixture.ts';

/** The resource that programs of the tests ask for. */
export const RESOURCE = 'https://investigations.example/mcp';
export const REDIRECT_URI = 'http://127.0.0.1:43123/callback';

/** A browser without scripts: it keeps cookies and fills in the one form of a page. */
export function openBrowser(headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  let page = { url: '', html: '' };
  async function go(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        ...headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    if (response.headers.get('content-type')?.startsWith('text/html'))
      page = { url, html: await response.clone().text() };
    return response;
  }
  return {
    go,
    cookies,
    page: () => page,
    /** Submits the form of the page with its hidden fields and these, which win. */
    submit(fields: Record<string, string>, url = page.url): Promise<Response> {
      const hidden = [...page.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
      const kept = hidden.map(([, name, value]) => [name!, value!] as const);
      const body = new URLSearchParams({ ...Object.fromEntries(kept), ...fields });
      return go(url, { method: 'POST', body });
    },
  };
}

type Browser = ReturnType<typeof openBrowser>;
/** Who lets a program in; without `tenantId` they have one tenant. */
type Person = Pick<Tenancy, 'username'> & Partial<Pick<Tenancy, 'tenantId'>>;

export function newPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A program that speaks OAuth with the service at `baseUrl`, and its user. */
export function openProgram(baseUrl: string) {
  const post = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}`, { method: 'POST', body: body ?? null, headers });
  const program = {
    register: (metadata: object) =>
      post('/oauth/register', JSON.stringify(metadata), { 'Content-Type': 'application/json' }),
    async clientId(name = 'Assistant', redirectUris = [REDIRECT_URI]): Promise<string> {
      const made = await program.register({ client_name: name, redirect_uris: redirectUris });
      return ((await made.json()) as { client_id: string }).client_id;
    },
    authorizeUrl(parameters: Record<string, string | undefined>): string {
      const url = new URL(`${baseUrl}/oauth/authorize`);
      const all = {
        response_type: 'code',
        redirect_uri: REDIRECT_URI,
        code_challenge_method: 'S256',
        resource: RESOURCE,
        scope: 'investigations',
        state: 'a state',
        ...parameters,
      };
      for (const [name, value] of Object.entries(all))
        if (value !== undefined) url.searchParams.set(name, value);
      return url.href;
    },
    token: (form: Record<string, string>) => post('/oauth/token', new URLSearchParams(form)),
    revoke: (form: Record<string, string>) => post('/oauth/revoke', new URLSearchParams(form)),
    /** Signs the user in and says yes, for their tenant where it is given; where the program is sent. */
    async letIn(browser: Browser, url: string, { username, tenantId }: Person): Promise<URL> {
      await browser.go(url);
      await browser.submit({ step: 'sign-in', username, password: USER_PASSWORD });
      const led = await browser.submit({
        step: 'allow',
        ...(tenantId !== undefined && { tenant: tenantId }),
      });
      return new URL(led.headers.get('location') ?? `${baseUrl}/not-led-back?status=${led.status}`);
    },
    /** A code, and what goes along with it to the token endpoint. */
    async code(user: Person, parameters: Record<string, string> = {}) {
      const { verifier, challenge } = newPkce();
      const clientId = parameters['client_id'] ?? (await program.clientId());
      const asked = { client_id: clientId, code_challenge: challenge, ...parameters };
      const back = await program.letIn(openBrowser(), program.authorizeUrl(asked), user);
      return {
        grant_type: 'authorization_code',
        client_id: clientId,
        code: back.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: parameters['redirect_uri'] ?? REDIRECT_URI,
        resource: RESOURCE,
      };
    },
    async tokens(user: Person, parameters: Record<string, string> = {}) {
      const form = await program.code(user, parameters);
      const response = (await (await program.token(form)).json()) as {
        access_token: string;
        refresh_token: string;
        expires_in: number;
        scope: string;
      };
      return { ...response, clientId: form.client_id };
    },
    refresh: (clientId: string, refreshToken: string) =>
      program.token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
  };
  return program;
}
