import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate, openDatabase, type Database } from '@platform/database';
import { createPrismaStores } from '../store/prisma-stores.ts';
import type { CredentialStore } from '../store/credential-store.ts';
import type { SigningKeyStore } from '../store/signing-key-store.ts';
import { createSigningKeys } from './signing-keys.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/authz/migrations', import.meta.url));

describe('sealed signing keys', () => {
  let database: Database;
  let close: () => Promise<void>;
  let keys: SigningKeyStore;
  let credentials: CredentialStore;
  const open = (secret?: string) =>
    createSigningKeys(
      { keys, credentials, exclusively: database.exclusively },
      { now: () => new Date(0), rotationDays: 90, secret },
    );
  beforeAll(async () => {
    database = await openDatabase('pglite:memory://', { embeddedFolder: '' });
    await migrate(database, MIGRATIONS);
    const prisma = createPrismaStores(database);
    close = prisma.close;
    keys = prisma.stores.signingKeys;
    credentials = prisma.stores.credentials;
  });
  afterAll(async () => {
    await close?.();
    await database?.close();
  });

  it('are the same ones with the same secret, and say which setting opens them with another or none', async () => {
    const first = await open('the first key secret');
    const kid = first.published()[0]?.kid;
    expect((await open('the first key secret')).published()[0]?.kid).toBe(kid);
    for (const secret of ['the second key secret', undefined]) {
      await expect(open(secret)).rejects.toMatchObject({
        name: 'SettingsError',
        message:
          'AUTHZ_KEY_SECRET: does not open the signing keys in the database; set the one that sealed them',
      });
    }
  });

  it('made before there was a secret stay readable', async () => {
    await database.query('DELETE FROM signing_keys');
    const kid = (await open()).published()[0]?.kid;
    expect((await open('the first key secret')).published()[0]?.kid).toBe(kid);
  });
});
