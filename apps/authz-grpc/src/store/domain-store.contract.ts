import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Policy } from '../policy/types.ts';
import {
  EARLIER,
  insertDomain,
  insertTenant,
  LATER,
  NOW,
  WRITER,
  writtenAt,
  type OpenStores,
} from './store.fixture.ts';

const POLICY: Policy = {
  name: 'p',
  description: 'ünïcode "quoted"',
  invert: false,
  deny: true,
  engine: 'glob',
  statements: [{ rules: { subject: 'a*' } }],
};

/** What every DomainStore promises. */
export function domainStoreContract(open: OpenStores): void {
  describe('domain store', () => {
    it('the domain store reads a domain back as it was inserted, by id and by name, within its tenant alone', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const domain = { id: randomUUID(), tenantId, name: `d-${randomUUID()}`, isRoot: true, detached: true };
      await stores.domains.insert({ ...domain, policies: [POLICY], createdAt: NOW });
      const made = { active: true, version: 1, superiorIds: [], policies: [POLICY], createdAt: NOW };
      const stored = { ...domain, ...made };
      expect(await stores.domains.find(tenantId, { id: domain.id })).toEqual(stored);
      expect(await stores.domains.find(tenantId, { name: domain.name })).toEqual(stored);
      expect(await stores.domains.find(randomUUID(), { id: domain.id })).toBeNull();
      expect(await stores.domains.exists(tenantId, domain.id)).toBe(true);
      expect(await stores.domains.exists(randomUUID(), domain.id)).toBe(false);
      expect(await stores.domains.find(tenantId, { name: 'a\0b' })).toBeNull();
    });

    it('the domain store refuses a second domain of one name within a tenant', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      await insertDomain(stores, tenantId, 'taken');
      const refused = { reason: 'NAME_TAKEN' };
      await expect(insertDomain(stores, tenantId, 'taken')).rejects.toMatchObject(refused);
      const id = await insertDomain(stores, tenantId);
      await expect(
        stores.domains.update({ id, name: 'taken', active: true, detached: false }),
      ).rejects.toMatchObject(refused);
      await insertDomain(stores, await insertTenant(stores), 'taken');
    });

    it('the domain store counts every change of name, activity and policies in the version', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const id = await insertDomain(stores, tenantId);
      await stores.domains.update({ id, name: 'renamed', active: false, detached: true });
      expect(await stores.domains.replacePolicies(id, [POLICY], writtenAt(NOW))).toBe(3);
      expect(await stores.domains.find(tenantId, { id })).toMatchObject({
        name: 'renamed',
        active: false,
        version: 3,
        policies: [POLICY],
      });
    });

    it('the domain store keeps superiors in the order they were named', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const [a, b, c] = [
        await insertDomain(stores, tenantId, 'a', EARLIER),
        await insertDomain(stores, tenantId, 'b', NOW),
        await insertDomain(stores, tenantId, 'c', LATER),
      ];
      await stores.domains.replaceSuperiors(c, [b, a]);
      expect((await stores.domains.find(tenantId, { id: c }))?.superiorIds).toEqual([b, a]);
      expect((await stores.domains.list(tenantId)).map(({ id, superiorIds }) => [id, superiorIds])).toEqual([
        [a, []],
        [b, []],
        [c, [b, a]],
      ]);
      expect(await stores.domains.hasSubordinates(a)).toBe(true);
      await stores.domains.replaceSuperiors(c, []);
      expect(await stores.domains.hasSubordinates(a)).toBe(false);
    });

    it('the domain store has the policies of every version, until those of the past are removed', async () => {
      const { stores } = open();
      const { domains } = stores;
      const tenantId = await insertTenant(stores);
      const id = await insertDomain(stores, tenantId);
      const other = { ...POLICY, name: 'other' };
      await domains.replacePolicies(id, [POLICY], writtenAt(EARLIER));
      await domains.update({ id, name: 'renamed', active: true, detached: false });
      await domains.replacePolicies(id, [other], writtenAt(NOW));
      const at = async (version: number) => (await domains.policiesAt(id, version))?.policies ?? null;
      const sets = [[], [POLICY], [POLICY], [other]];
      expect(await Promise.all([1, 2, 3, 4].map(at))).toEqual(sets);
      expect(await at(5)).toBeNull();
      expect(await domains.policiesAt(randomUUID(), 1)).toBeNull();
      await domains.remove(id, LATER);
      expect(await Promise.all([1, 2, 3, 4].map(at))).toEqual(sets);
      await domains.removePast(LATER);
      expect(await at(4)).toEqual([other]);
      await domains.removePast(new Date(LATER.getTime() + 1));
      expect(await at(4)).toBeNull();
    });

    it('the domain store makes room by the oldest sets of one domain, and has no other set in the place of what is gone', async () => {
      covers('AUTHZ-C.6');
      const { stores } = open();
      const { domains } = stores;
      const tenantId = await insertTenant(stores);
      const [id, other] = [await insertDomain(stores, tenantId), await insertDomain(stores, tenantId)];
      for (const one of [id, other]) {
        for (const name of ['second', 'third', 'fourth'])
          await domains.replacePolicies(one, [{ ...POLICY, name }], writtenAt(NOW));
      }
      const versions = async (of: string) =>
        (await domains.listVersions(of, { before: null, limit: 10 })).map(({ version }) => version);
      const least = 65_536;
      await domains.makeRoom(id, 3 * least);
      expect(await versions(id)).toEqual([4, 3, 2, 1]);
      await domains.makeRoom(id, 2 * least);
      expect([await versions(id), await versions(other)]).toEqual([
        [4, 3, 2],
        [4, 3, 2, 1],
      ]);
      expect(await domains.policiesAt(id, 1)).toBeNull();
      expect((await domains.policiesAt(id, 2))?.policies).toEqual([{ ...POLICY, name: 'second' }]);
      await domains.makeRoom(id, least - 1);
      expect(await versions(id)).toEqual([4]);
      expect((await domains.policiesAt(id, 4))?.policies).toEqual([{ ...POLICY, name: 'fourth' }]);
    });

    it('the domain store counts a large set as what it takes on disk', async () => {
      covers('AUTHZ-C.6');
      const { stores } = open();
      const { domains } = stores;
      const id = await insertDomain(stores, await insertTenant(stores));
      // Random, so that the database cannot make it smaller.
      const description = randomBytes(150_000).toString('base64');
      for (const name of ['large', 'small', 'last'])
        await domains.replacePolicies(
          id,
          [{ ...POLICY, name, description: name === 'large' ? description : '' }],
          writtenAt(NOW),
        );
      await domains.makeRoom(id, 150_000);
      expect(
        (await domains.listVersions(id, { before: null, limit: 10 })).map(({ version }) => version),
      ).toEqual([4, 3]);
    });

    it('the domain store lists the sets of a domain newest first, with who wrote them, when and why', async () => {
      const { stores } = open();
      const { domains } = stores;
      const tenantId = await insertTenant(stores);
      const id = await insertDomain(stores, tenantId);
      const [author, digest] = [randomUUID(), 'sha256:00'];
      await domains.replacePolicies(id, [POLICY], { at: EARLIER, authorId: author, message: 'why', digest });
      await domains.update({ id, name: 'renamed', active: true, detached: false });
      await domains.replacePolicies(id, [], writtenAt(NOW));
      const list = (before: number | null, limit = 10) => domains.listVersions(id, { before, limit });
      const first = { version: 1, authorId: null, writtenAt: NOW, message: '', digest: '', policyCount: 0 };
      const second = {
        version: 2,
        authorId: author,
        writtenAt: EARLIER,
        message: 'why',
        digest,
        policyCount: 1,
      };
      const third = { ...first, version: 4, authorId: WRITER, policyCount: 0 };
      const all = [
        { ...third, endedAt: null },
        { ...second, endedAt: NOW },
        { ...first, endedAt: EARLIER },
      ];
      expect(await list(null)).toEqual(all);
      expect(await list(4, 1)).toEqual(all.slice(1, 2));
      expect(await list(1)).toEqual([]);
      expect(await domains.policiesAt(id, 3)).toEqual({ ...all[1], policies: [POLICY] });
      expect(await domains.listVersions(randomUUID(), { before: null, limit: 10 })).toEqual([]);
    });

    it('the domain store finds a locked domain within its tenant alone, and removes it', async () => {
      const { stores, transaction } = open();
      const tenantId = await insertTenant(stores);
      const id = await insertDomain(stores, tenantId);
      await transaction(async ({ domains }) => {
        expect(await domains.findLocked(randomUUID(), id)).toBeNull();
        expect((await domains.findLocked(tenantId, id))?.id).toBe(id);
        await domains.remove(id, NOW);
      });
      expect(await stores.domains.find(tenantId, { id })).toBeNull();
    });
  });
}
