import { randomBytes } from 'node:crypto';
import type { AuthzClients } from '@platform/authz-client';
import type { Demo } from './platform-file.ts';

const DAY_SECONDS = 86_400;
const USERNAME = 'demo';
const TENANT = 'demo';

/** A password for a user of this machine. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * The demo user with tenant and API key, made by the platform's own operations on the first start; a new
 * session on every start. `known` is what an earlier start wrote down; `keep` writes down each step, so that
 * an interrupted start can be resumed.
 */
export async function ensureDemoUser(
  authz: AuthzClients,
  known: Partial<Demo>,
  keep: (demo: Partial<Demo>) => void,
): Promise<Omit<Demo, 'docstore_key'> & Partial<Demo>> {
  const demo: Partial<Demo> = { username: USERNAME, tenant_name: TENANT, ...known };
  const username = demo.username!;
  const password = (demo.password ??= newPassword());
  keep(demo);
  if (demo.user_id === undefined) {
    const created = await authz.users.createUser({ username, email: 'demo@example.org', password });
    demo.user_id = created.userId;
    keep(demo);
  }
  if (demo.tenant_id === undefined) {
    const { token } = await authz.sessions.login({ username, password });
    const tenant = await authz.tenants.createTenant(
      { name: TENANT, description: 'Made by npm start.' },
      { token },
    );
    demo.tenant_id = tenant.id;
    demo.domain_id = tenant.domains[0]!.id;
    keep(demo);
  }
  const session = await authz.sessions.login({
    username,
    password,
    tenant: demo.tenant_name,
    duration: DAY_SECONDS,
  });
  demo.token = session.token;
  if (demo.api_key === undefined) {
    const created = await authz.apiKeys.createApiKey({ userId: demo.user_id }, { token: demo.token });
    demo.api_key = created.apiKey;
  }
  keep(demo);
  return demo as Omit<Demo, 'docstore_key'> & Partial<Demo>;
}

/** Another session of the demo user, for their browser: signing out there leaves the printed token alone. */
export async function openDeskSession(
  authz: AuthzClients,
  { username, password, tenant_name: tenant }: Pick<Demo, 'username' | 'password' | 'tenant_name'>,
): Promise<string> {
  return (await authz.sessions.login({ username, password, tenant, duration: DAY_SECONDS })).token;
}

/** A key for docstore-api with every scope, minted with the demo user's session. */
export async function mintDocstoreKey(docstoreUrl: string, token: string): Promise<string> {
  const response = await fetch(`${docstoreUrl}/v1/key`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'demo', scopes: 'file:read file:write file:delete key:manage usage:read' }),
  });
  if (response.status !== 201)
    throw new Error(`docstore-api minted no key: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { key: string }).key;
}
