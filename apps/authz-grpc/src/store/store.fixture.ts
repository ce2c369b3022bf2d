import { randomUUID } from 'node:crypto';
import type { PolicyWrite } from './domain-store.ts';
import type { Stores, Transaction } from './stores.ts';

/** A fixed moment, to the millisecond that the database keeps. */
export const NOW = new Date('2026-01-02T03:04:05.678Z');
export const LATER = new Date(NOW.getTime() + 60_000);
export const EARLIER = new Date(NOW.getTime() - 60_000);

/** Who writes policies here. */
export const WRITER = '00000000-0000-4000-8000-000000000001';

/** A write of policies, without words and digest. */
export function writtenAt(at: Date): PolicyWrite {
  return { at, authorId: WRITER, message: '', digest: '' };
}

/** What a contract suite runs against: an empty, migrated database of one kind. */
export interface StoresUnderTest {
  readonly stores: Stores;
  readonly transaction: Transaction;
}

export type OpenStores = () => StoresUnderTest;

/** A user that no other test knows; returns the id. */
export async function insertUser(
  { users }: Stores,
  name = `user-${randomUUID()}`,
  createdAt = NOW,
): Promise<string> {
  const id = randomUUID();
  await users.insert({
    id,
    username: name,
    email: `${name}@example.org`,
    passwordHash: null,
    createdAt,
  });
  return id;
}

/** A tenant that no other test knows; returns the id. */
export async function insertTenant(
  { tenants }: Stores,
  name = `tenant-${randomUUID()}`,
  createdAt = NOW,
): Promise<string> {
  const id = randomUUID();
  await tenants.insert({ id, name, description: '', createdAt });
  return id;
}

/** A domain that no other test knows; returns the id. */
export async function insertDomain(
  { domains }: Stores,
  tenantId: string,
  name = `domain-${randomUUID()}`,
  createdAt = NOW,
) {
  const id = randomUUID();
  await domains.insert({ id, tenantId, name, isRoot: false, detached: false, policies: [], createdAt });
  return id;
}
