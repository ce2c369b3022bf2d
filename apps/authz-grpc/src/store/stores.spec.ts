import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { suiteDatabase } from '@platform/database/migrated';
import { auditStoreContract } from './audit-store.contract.ts';
import { attributeStoreContract } from './attribute-store.contract.ts';
import { clientGrantStoreContract } from './client-grant-store.contract.ts';
import { credentialStoreContract } from './credential-store.contract.ts';
import { domainStoreContract } from './domain-store.contract.ts';
import { entityStoreContract } from './entity-store.contract.ts';
import { oauthStoreContract } from './oauth-store.contract.ts';
import { createAuditPartitions } from './sql-audit-partitions.ts';
import { createAuditReader } from './sql-audit-reader.ts';
import { createAuditStore } from './sql-audit-store.ts';
import { createEntityStore } from './sql-entity-store.ts';
import { createShadowCounts } from './sql-shadow-counts.ts';
import { createPrismaStores } from './prisma-stores.ts';
import { quotaStoreContract } from './quota-store.contract.ts';
import { resourceStoreContract } from './resource-store.contract.ts';
import { serviceAccountStoreContract } from './service-account-store.contract.ts';
import { shadowStoreContract } from './shadow-store.contract.ts';
import { signingKeyStoreContract } from './signing-key-store.contract.ts';
import { tenantStoreContract } from './tenant-store.contract.ts';
import { userStoreContract } from './user-store.contract.ts';
import { verificationStoreContract } from './verification-store.contract.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/authz/migrations/', import.meta.url));

describe.each(['Postgres', 'PGlite'] as const)('the stores on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let opened: ReturnType<typeof createPrismaStores> | undefined;
  beforeAll(() => {
    opened = createPrismaStores(database, randomUUID);
  });
  afterAll(() => opened?.close());
  const open = () => opened as NonNullable<typeof opened>;

  userStoreContract(open);
  tenantStoreContract(open);
  domainStoreContract(open);
  shadowStoreContract(() => ({ ...open(), counts: createShadowCounts(database) }));
  serviceAccountStoreContract(open);
  credentialStoreContract(open);
  clientGrantStoreContract(open);
  attributeStoreContract(open);
  verificationStoreContract(open);
  oauthStoreContract(open);
  quotaStoreContract(open);
  signingKeyStoreContract(open);
  resourceStoreContract(open);
  entityStoreContract(() => ({ ...open(), entities: createEntityStore(database) }));
  auditStoreContract(() => ({
    newStore: () => createAuditStore(database),
    reader: createAuditReader(database),
    partitions: createAuditPartitions(database),
    query: (text, values) => database.query(text, values),
  }));
});
