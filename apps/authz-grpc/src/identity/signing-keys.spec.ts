import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { migrate, openDatabase, type Database } from '@platform/database';
import { createPrismaStores } from '../store/prisma-stores.ts';
import type { CredentialStore } from '../store/credential-store.ts';
import type { SigningKeyStore } from '../store/signing-key-store.ts';
import type { Stores } from '../store/stores.ts';
import { retireKey } from './retire-key.ts';
import { createSigningKeys, PUBLISH_AHEAD_MS } from './signing-keys.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/authz/migrations', import.meta.url));

describe('sealed signing keys', () => {
  let database: Database;
  let close: () => Promise<void>;
  let keys: SigningKeyStore;
  let credentials: CredentialStore;
  const open = (secret?: string, previousSecret?: string) =>
    createSigningKeys(
      { keys, credentials, exclusively: database.exclusively },
      { now: () => new Date(0), rotationDays: 90, secret, previousSecret },
    );
  beforeAll(async () => {
    database = await openDatabase('pglite:memory://', { embeddedFolder: '' });
    await migrate(database, MIGRATIONS);
    const prisma = createPrismaStores(database, randomUUID);
    close = prisma.close;
    keys = prisma.stores.signingKeys;
    credentials = prisma.stores.credentials;
  });
  afterAll(async () => {
    await close?.();
    await database?.close();
  });

  it('sealed signing keys open with the same secret, and otherwise name the setting that opens them', async () => {
    const first = await open('the first key secret');
    const kid = first.published()[0]?.kid;
    expect((await open('the first key secret')).published()[0]?.kid).toBe(kid);
    for (const secret of ['the second key secret', undefined]) {
      await expect(open(secret)).rejects.toMatchObject({
        name: 'SettingsError',
        message: expect.stringMatching(/^AUTHZ_KEY_SECRET: does not open the signing keys/),
      });
    }
  });

  it('sealed signing keys change their secret while replicas open them with the old or the new one', async () => {
    await database.query('DELETE FROM signing_keys');
    const kid = (await open('the first key secret')).published()[0]?.kid;
    const changing = await open('the second key secret', 'the first key secret');
    expect(changing.published()[0]?.kid).toBe(kid);
    expect([await changing.reseal(), await changing.reseal()]).toEqual([1, 0]);
    expect((await open('the second key secret')).published()[0]?.kid).toBe(kid);
    await expect(open('the first key secret')).rejects.toMatchObject({ name: 'SettingsError' });
  });

  it('a replica that cannot open keys sealed anew keeps those it read, and does not refuse an unknown one', async () => {
    covers('AUTHZ-K.21');
    await database.query('DELETE FROM signing_keys');
    const replica = await open('the first key secret');
    const before = replica.published();
    await (await open('the second key secret', 'the first key secret')).reseal();
    await replica.readAgain();
    expect(replica.published()).toEqual(before);
    await expect(replica.findKey('made-meanwhile')).rejects.toMatchObject({
      reason: 'DEPENDENCY_UNAVAILABLE',
    });
  });

  it('sealed signing keys can be made of keys that were stored unencrypted', async () => {
    await database.query('DELETE FROM signing_keys');
    await open();
    expect(await (await open('the first key secret')).reseal()).toBe(1);
    await expect(open()).rejects.toMatchObject({ name: 'SettingsError' });
  });

  it('sealed signing keys made before there was a secret stay readable', async () => {
    await database.query('DELETE FROM signing_keys');
    const kid = (await open()).published()[0]?.kid;
    expect((await open('the first key secret')).published()[0]?.kid).toBe(kid);
  });
});

describe('replaced signing keys', () => {
  let database: Database;
  let close: () => Promise<void>;
  let stores: { keys: SigningKeyStore; credentials: CredentialStore };
  beforeAll(async () => {
    database = await openDatabase('pglite:memory://', { embeddedFolder: '' });
    await migrate(database, MIGRATIONS);
    const prisma = createPrismaStores(database, randomUUID);
    close = prisma.close;
    stores = { keys: prisma.stores.signingKeys, credentials: prisma.stores.credentials };
  });
  afterAll(async () => {
    await close?.();
    await database?.close();
  });

  it('a replaced signing key is published until the last token that it signed has ended, and no longer', async () => {
    covers('AUTHZ-A.8');
    let now = 0;
    const signingKeys = await createSigningKeys(
      { ...stores, exclusively: database.exclusively },
      { now: () => new Date(now), rotationDays: 90 },
    );
    const kids = () => signingKeys.published().map(({ kid }) => kid);
    const [old] = kids();
    const end = 10 * PUBLISH_AHEAD_MS;
    const token = { jti: randomUUID(), subjectId: randomUUID(), tenantId: null, scopes: '' };
    await stores.credentials.insert({
      ...token,
      use: 'session',
      issuedAt: new Date(1_000),
      expiresAt: new Date(end),
    });
    // The first of two is replaced before it signs.
    await signingKeys.rotate();
    const next = await signingKeys.rotate();
    expect(kids()).toEqual([old, next]);
    now = 2 * PUBLISH_AHEAD_MS;
    await signingKeys.refresh();
    now = end - 1;
    await signingKeys.refresh();
    expect(kids()).toEqual([next, old]);
    now = end;
    await signingKeys.refresh();
    expect(kids()).toEqual([next]);
  });

  it('a key that signs early, because the one before it was retired, outlives the next rotation until its tokens end', async () => {
    covers('AUTHZ-A.8', 'AUTHZ-A.18');
    await database.query('DELETE FROM signing_keys');
    let now = 1_000_000;
    const signingKeys = await createSigningKeys(
      { ...stores, exclusively: database.exclusively },
      { now: () => new Date(now), rotationDays: 90 },
    );
    const kids = () => signingKeys.published().map(({ kid }) => kid);
    const retire = (kid: string) =>
      retireKey(
        {
          signingKeys,
          now: () => new Date(now),
          write: (work) => work({ signingKeys: stores.keys } as Stores, () => undefined),
        },
        kid,
      );
    const [first] = kids();
    const early = await signingKeys.rotate();
    await retire(first!);
    expect(kids()).toEqual([early]);
    now += 1_000;
    const end = now + 10 * PUBLISH_AHEAD_MS;
    await stores.credentials.insert({
      jti: randomUUID(),
      subjectId: randomUUID(),
      tenantId: null,
      scopes: '',
      use: 'session',
      issuedAt: new Date(now),
      expiresAt: new Date(end),
    });
    now += 1_000;
    const next = await signingKeys.rotate();
    expect(kids()).toEqual([early, next]);
    now += 2 * PUBLISH_AHEAD_MS;
    await signingKeys.refresh();
    expect(kids()).toEqual([next, early]);
    now = end - 1;
    await signingKeys.refresh();
    expect(kids()).toEqual([next, early]);
    now = end;
    await signingKeys.refresh();
    expect(kids()).toEqual([next]);
  });

  it('a retired key leaves signing to the next one also where an older key is still published', async () => {
    covers('AUTHZ-A.18');
    await database.query('DELETE FROM signing_keys');
    let now = 5_000_000;
    const signingKeys = await createSigningKeys(
      { ...stores, exclusively: database.exclusively },
      { now: () => new Date(now), rotationDays: 90 },
    );
    const first = signingKeys.published()[0]!.kid;
    await stores.keys.expire(first, new Date(now + 100 * PUBLISH_AHEAD_MS));
    await signingKeys.refresh();
    const second = signingKeys.published()[0]!.kid;
    expect(second).not.toBe(first);
    now += 1;
    const third = await signingKeys.rotate();
    await stores.keys.retire(second, new Date(now));
    await signingKeys.refresh();
    expect(signingKeys.published().map(({ kid }) => kid)[0]).toBe(third);
  });
});
