import { randomUUID } from 'node:crypto';
import type { AuthzClients } from '@platform/authz-client';
import { sendJson } from './send-json.ts';

const PASSWORD = 'a user password for tests 2846';
/** Longer than any clock here jumps. */
const SESSION_SECONDS = 86_400;

/** A tenant with the session of the user who made it. */
export interface Tenant {
  readonly id: string;
  readonly rootDomainId: string;
  readonly userId: string;
  readonly token: string;
}

/** A fresh user with a tenant of their own. */
export async function createTenant(clients: AuthzClients): Promise<Tenant> {
  const username = `user-${randomUUID()}`;
  const email = `${username}@example.org`;
  const { userId } = await clients.users.createUser({ username, email, password: PASSWORD });
  const { token: plain } = await clients.sessions.login({ username, password: PASSWORD });
  const name = `tenant-${randomUUID()}`;
  const tenant = await clients.tenants.createTenant({ name, description: '' }, { token: plain });
  const { token } = await clients.sessions.login({
    username,
    password: PASSWORD,
    tenant: name,
    duration: SESSION_SECONDS,
  });
  return { id: tenant.id, rootDomainId: tenant.domains[0]!.id, userId, token };
}

/**
 * A key of docstore-api with the scopes of a reader and writer, minted with the session of a tenant's owner.
 */
export async function mintDocstoreKey(docstoreUrl: string, token: string): Promise<string> {
  const body = { name: 'load', scopes: 'file:read file:write usage:read' };
  return (await sendJson<{ key: string }>('POST', `${docstoreUrl}/v1/key`, token, body)).key;
}
