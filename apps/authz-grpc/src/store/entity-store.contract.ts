import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { entityKey, USER_EPOCH, type Entities, type EntityKind } from '../model/entities.ts';
import type { EntityStore } from './entity-store.ts';
import {
  insertDomain,
  insertTenant,
  insertUser,
  LATER,
  NOW,
  writtenAt,
  type StoresUnderTest,
} from './store.fixture.ts';

/** What every EntityStore promises of what the other stores have written. */
export function entityStoreContract(open: () => StoresUnderTest & { readonly entities: EntityStore }): void {
  describe('entity store', () => {
    const load = <Kind extends EntityKind>(kind: Kind, id: string) =>
      open().entities.load(entityKey(kind, id)) as Promise<Entities[Kind]>;
    const LIMITS = { maxTokens: 5_000_000_000, maxOverage: 7 };
    const POLICY = {
      name: 'p',
      description: '',
      invert: false,
      deny: false,
      engine: 'fixed',
      statements: [],
    };

    it('the entity store reads null for what is absent, and an unknown signing key as accepted', async () => {
      for (const kind of ['credential', 'subject', 'tenant', 'domain'] as const)
        expect([kind, await load(kind, randomUUID())]).toEqual([kind, null]);
      expect(await load('signing_key', randomUUID())).toBe('accepted');
      expect(await open().entities.loadPolicies(randomUUID())).toBeNull();
    });

    it('the entity store reads a credential with its use, and whether it was revoked', async () => {
      const { credentials } = open().stores;
      const [jti, subjectId, tenantId] = [randomUUID(), randomUUID(), randomUUID()];
      const times = { issuedAt: NOW, expiresAt: LATER, scopes: '' };
      await credentials.insert({ jti, subjectId, tenantId, use: 'api_key', ...times });
      const state = { use: 'api_key', subjectId, tenantId, revoked: false, parentId: null };
      expect(await load('credential', jti)).toEqual(state);
      await credentials.revoke(subjectId, jti, NOW);
      expect(await load('credential', jti)).toEqual({ ...state, revoked: true });
    });

    it('the entity store reads a user with tenants, leases, plane and attributes of each tenant', async () => {
      const { stores } = open();
      const id = await insertUser(stores);
      const tenants = [await insertTenant(stores), await insertTenant(stores)].sort();
      for (const tenantId of tenants) {
        await stores.tenants.addMember(tenantId, id);
        await stores.attributes.add(tenantId, id, 'team', ['b', 'a']);
      }
      await stores.attributes.add(tenants[0]!, id, 'grade', ['1']);
      await stores.quotas.insert(id, 'user_plane', LIMITS);
      const user = (await load('subject', id))!;
      expect(user).toMatchObject({ id, kind: 'user', active: true, isRoot: false, userPlane: LIMITS });
      expect([...user.tenantIds].sort()).toEqual(tenants);
      expect(user.attributes.get(tenants[0]!)).toEqual(
        new Map([
          ['grade', ['1']],
          ['team', ['a', 'b']],
        ]),
      );
      expect(user.attributes.get(tenants[1]!)).toEqual(new Map([['team', ['a', 'b']]]));
      const before = new Map(user.leases);
      expect([...before.keys()].sort()).toEqual(tenants);
      await stores.tenants.endLeases(id);
      const after = (await load('subject', id))!.leases;
      for (const tenantId of tenants) expect(after.get(tenantId)).not.toBe(before.get(tenantId));
    });

    it('the entity store reads another lease of keys once they were ended, and the same one otherwise', async () => {
      covers('AUTHZ-I.6');
      const { stores } = open();
      const id = await insertUser(stores);
      const leaseOf = async () => (await load('subject', id))!.keysLease;
      const before = await leaseOf();
      expect(before).toMatch(/^[0-9a-f-]{36}$/);
      await stores.users.update(id, { active: true });
      expect(await leaseOf()).toBe(before);
      await stores.users.update(id, { endsKeys: true });
      expect(await leaseOf()).not.toBe(before);
    });

    it('the entity store reads a service account as a subject of its one tenant, without a plane', async () => {
      const { stores } = open();
      const [id, tenantId] = [randomUUID(), await insertTenant(stores)];
      await stores.serviceAccounts.insert({
        id,
        tenantId,
        name: 'robot',
        description: '',
        scopes: '',
        createdAt: NOW,
      });
      const account = (await load('subject', id))!;
      expect(account).toMatchObject({ kind: 'service_account', username: 'svc:robot', userPlane: null });
      expect([[...account.tenantIds], [...account.leases.keys()]]).toEqual([[tenantId], [tenantId]]);
      expect(account.attributes).toEqual(new Map());
      await stores.serviceAccounts.update(id, { active: false });
      expect(await load('subject', id)).toMatchObject({ active: false });
    });

    it('the entity store reads a tenant with its root domain and both planes', async () => {
      const { stores } = open();
      const id = await insertTenant(stores, `t-${randomUUID()}`);
      const root = { id: randomUUID(), tenantId: id, name: 'root', isRoot: true, detached: false };
      await stores.domains.insert({ ...root, policies: [], createdAt: NOW });
      await insertDomain(stores, id);
      await stores.quotas.insert(id, 'control_plane', LIMITS);
      await stores.quotas.insert(id, 'data_plane', { maxTokens: 1, maxOverage: 0 });
      expect(await load('tenant', id)).toMatchObject({
        id,
        active: true,
        rootDomainId: root.id,
        controlPlane: LIMITS,
        dataPlane: { maxTokens: 1, maxOverage: 0 },
      });
    });

    it('the entity store reads a domain with its superiors in their order, and its policies with their version', async () => {
      const { stores, entities } = open();
      const tenantId = await insertTenant(stores);
      const [id, one, two] = [
        await insertDomain(stores, tenantId),
        await insertDomain(stores, tenantId),
        await insertDomain(stores, tenantId),
      ];
      await stores.domains.replaceSuperiors(id, [two, one]);
      const before = (await load('domain', id))!;
      expect(before).toMatchObject({ id, tenantId, active: true, superiorIds: [two, one], detached: false });
      const policies = [POLICY] as never;
      const version = await stores.domains.replacePolicies(id, policies, writtenAt(NOW));
      expect(version).toBeGreaterThan(before.version);
      expect((await load('domain', id))?.version).toBe(version);
      expect(await entities.loadPolicies(id)).toEqual({ version, policies });
    });

    it('the entity store reads the cycle that was started last, and a retired signing key as retired', async () => {
      const { quotas, signingKeys } = open().stores;
      const { epoch } = await load('epoch', USER_EPOCH);
      await quotas.startCycle('user', LATER);
      expect(await load('epoch', USER_EPOCH)).toEqual({ epoch: epoch + 1, startedAt: LATER.getTime() });
      const kid = randomUUID();
      await signingKeys.insert({ kid, privateKey: 'pem', publicKey: new Uint8Array(32), signsFrom: NOW });
      expect(await load('signing_key', kid)).toBe('accepted');
      await signingKeys.retire(kid, NOW);
      expect(await load('signing_key', kid)).toBe('retired');
    });
  });
}
