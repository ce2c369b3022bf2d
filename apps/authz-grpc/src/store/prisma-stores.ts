import type { Database } from '@platform/database';
import { PrismaClient } from '../generated/client.ts';
import { createAttributeStore } from './prisma-attribute-store.ts';
import { createClientGrantStore } from './prisma-client-grant-store.ts';
import { createCredentialStore } from './prisma-credential-store.ts';
import { createDomainStore } from './prisma-domain-store.ts';
import { createOAuthStore } from './prisma-oauth-store.ts';
import { createQuotaStore } from './prisma-quota-store.ts';
import { createResourceStore } from './prisma-resource-store.ts';
import { createServiceAccountStore } from './prisma-service-account-store.ts';
import { createShadowStore } from './prisma-shadow-store.ts';
import { createSigningKeyStore } from './prisma-signing-key-store.ts';
import { createSubjectStore } from './prisma-subject-store.ts';
import { createTenantStore } from './prisma-tenant-store.ts';
import { createUserStore } from './prisma-user-store.ts';
import { createVerificationStore } from './prisma-verification-store.ts';
import { createStoreClient, mapPrismaErrors, type StoreClient } from './prisma-store-client.ts';
import type { Stores, Transaction } from './stores.ts';

/**
 * The largest set of policies is one statement of some seconds; a connection may be waited for as long as a
 * call.
 */
const TRANSACTION = { timeout: 60_000, maxWait: 10_000 } as const;

/**
 * The stores of a database, and transactions of them. `newId` gives random UUIDs. `close` ends the client and
 * leaves the database open.
 */
export function createPrismaStores(
  database: Database,
  newId: () => string,
): {
  readonly stores: Stores;
  readonly transaction: Transaction;
  close(): Promise<void>;
} {
  const client = new PrismaClient({ adapter: database.adapter });
  const prisma = client.$extends({
    query: { $allOperations: ({ args, query }) => mapPrismaErrors(() => query(args)) },
  }) as unknown as PrismaClient;
  return {
    stores: createStores(createStoreClient(prisma), newId),
    transaction: (work) =>
      mapPrismaErrors(() =>
        prisma.$transaction((tx) => work(createStores(createStoreClient(tx), newId)), TRANSACTION),
      ),
    close: () => client.$disconnect(),
  };
}

function createStores(client: StoreClient, newId: () => string): Stores {
  return {
    users: createUserStore(client),
    tenants: createTenantStore(client),
    domains: createDomainStore(client),
    shadows: createShadowStore(client),
    serviceAccounts: createServiceAccountStore(client, newId),
    credentials: createCredentialStore(client),
    clientGrants: createClientGrantStore(client),
    attributes: createAttributeStore(client),
    verifications: createVerificationStore(client),
    oauth: createOAuthStore(client),
    quotas: createQuotaStore(client),
    signingKeys: createSigningKeyStore(client),
    resources: createResourceStore(client),
    subjects: createSubjectStore(client),
  };
}
