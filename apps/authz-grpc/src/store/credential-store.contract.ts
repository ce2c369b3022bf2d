import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TokenUse } from '../model/entities.ts';
import { EARLIER, LATER, NOW, type OpenStores } from './store.fixture.ts';

/** What every CredentialStore promises. */
export function credentialStoreContract(open: OpenStores): void {
  describe('credential store', () => {
    const make = (subjectId: string, use: TokenUse = 'session', tenantId: string | null = null) => ({
      jti: randomUUID(),
      use,
      subjectId,
      tenantId,
      scopes: '',
      issuedAt: NOW,
      expiresAt: LATER,
    });

    it('the credential store lists the live credentials of one use, oldest first', async () => {
      const { credentials } = open().stores;
      const subject = randomUUID();
      const young = { ...make(subject), issuedAt: new Date(NOW.getTime() + 1) };
      const old = make(subject);
      for (const row of [young, old, make(subject, 'api_key'), make(randomUUID())]) {
        await credentials.insert(row);
      }
      expect((await credentials.list(subject, 'session', NOW)).map(({ jti }) => jti)).toEqual([
        old.jti,
        young.jti,
      ]);
      expect(await credentials.list(subject, 'session', LATER)).toEqual([]);
    });

    it('the credential store revokes a credential of the subject once', async () => {
      const { stores, transaction } = open();
      const { credentials } = stores;
      const row = make(randomUUID());
      await credentials.insert(row);
      expect(await credentials.revoke(randomUUID(), row.jti, NOW)).toEqual([]);
      const isLive = () => transaction((inner) => inner.credentials.lockLive(row.jti));
      expect(await isLive()).toBe(true);
      expect(await credentials.revoke(row.subjectId, row.jti, NOW)).toEqual([row.jti]);
      expect(await isLive()).toBe(false);
      expect(await credentials.revoke(row.subjectId, row.jti, NOW)).toEqual([]);
    });

    it('the credential store revokes all of a subject, of one use, or all except one, and returns what it revoked', async () => {
      const { credentials } = open().stores;
      const subject = randomUUID();
      const [one, two, key, others] = [
        make(subject),
        make(subject),
        make(subject, 'api_key'),
        make(randomUUID()),
      ];
      for (const row of [one, two, key, others]) await credentials.insert(row);
      const sessions = await credentials.revokeAll(subject, NOW, { use: 'session', except: one.jti });
      expect(sessions).toEqual([two.jti]);
      expect((await credentials.revokeAll(subject, NOW)).sort()).toEqual([one.jti, key.jti].sort());
      expect(await credentials.revokeAll(subject, NOW)).toEqual([]);
    });

    it('the credential store revokes the credentials for a tenant', async () => {
      const { credentials } = open().stores;
      const tenant = randomUUID();
      const [inside, outside] = [make(randomUUID(), 'session', tenant), make(randomUUID())];
      for (const row of [inside, outside]) await credentials.insert(row);
      expect(await credentials.revokeOfTenant(tenant, NOW)).toEqual([inside.jti]);
    });

    it('the credential store removes records that expired before a given moment', async () => {
      const { stores, transaction } = open();
      const gone = { ...make(randomUUID()), expiresAt: EARLIER };
      const kept = { ...make(randomUUID()), expiresAt: NOW };
      for (const row of [gone, kept]) await stores.credentials.insert(row);
      await stores.credentials.removeExpired(NOW);
      const isLive = (jti: string) => transaction(({ credentials }) => credentials.lockLive(jti));
      expect([await isLive(gone.jti), await isLive(kept.jti)]).toEqual([false, true]);
    });
  });
}
