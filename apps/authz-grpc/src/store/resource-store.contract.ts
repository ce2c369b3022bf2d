import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { beginningWith, exactly } from '../policy/ranges.ts';
import { insertDomain, insertTenant, insertUser, NOW, type OpenStores } from './store.fixture.ts';

const NO_ATTRIBUTES = new Map<string, string>();

/** What every ResourceStore and SubjectStore promises. */
export function resourceStoreContract(open: OpenStores): void {
  describe('resource store', () => {
    async function openDomain() {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const domainId = await insertDomain(stores, tenantId);
      const start = `svc://${domainId}/`;
      const put = (...paths: string[]) =>
        stores.resources.put(
          tenantId,
          domainId,
          paths.map((path) => ({ object: start + path, attributes: NO_ATTRIBUTES })),
        );
      const list = async (ranges = [beginningWith(start)], limit = 100) =>
        (await stores.resources.list(domainId, ranges, limit)).map(({ object }) =>
          object.slice(start.length),
        );
      return { stores, tenantId, domainId, start, put, list };
    }

    it('the resource store lists what was put by code points, each once, with the attributes put last', async () => {
      const { stores, tenantId, domainId, start, put, list } = await openDomain();
      expect(await put('b', '\u{1f600}', 'a/b', '\u{f900}', 'a', 'B')).toBe(true);
      expect(await put('a')).toBe(true);
      expect(await list()).toEqual(['B', 'a', 'a/b', 'b', '\u{f900}', '\u{1f600}']);
      const attributes = new Map<string, string | string[]>([
        ['owner', 'alice'],
        ['resource.tags', ['x', 'y']],
      ]);
      await stores.resources.put(tenantId, domainId, [{ object: `${start}a`, attributes }]);
      expect(await stores.resources.list(domainId, [exactly(`${start}a`)], 10)).toEqual([
        { object: `${start}a`, attributes },
      ]);
    });

    it('the resource store lists the first resources of several ranges', async () => {
      const { put, list, start } = await openDomain();
      await put('a/1', 'a/2', 'b', 'c/1', 'c/2');
      const ranges = [beginningWith(`${start}a/`), exactly(`${start}c/2`)];
      expect(await list(ranges)).toEqual(['a/1', 'a/2', 'c/2']);
      expect(await list(ranges, 2)).toEqual(['a/1', 'a/2']);
      expect(await list([], 2)).toEqual([]);
    });

    it('the resource store knows whether a domain has resources, and forgets those that are removed', async () => {
      const { stores, domainId, start, put, list } = await openDomain();
      expect(await stores.resources.hasAny(domainId)).toBe(false);
      await put('a', 'b');
      expect(await stores.resources.hasAny(domainId)).toBe(true);
      expect(await stores.resources.remove(domainId, [`${start}a`, `${start}x`])).toBe(1);
      expect(await list()).toEqual(['b']);
    });

    it('the resource store puts nothing into a domain that is absent or of another tenant', async () => {
      const { stores, domainId, start } = await openDomain();
      const resources = [{ object: `${start}a`, attributes: NO_ATTRIBUTES }];
      expect(await stores.resources.put(randomUUID(), domainId, resources)).toBe(false);
      expect(await stores.resources.hasAny(domainId)).toBe(false);
    });

    it('the subject store lists active members with their attributes, and knows who is one', async () => {
      const { stores } = open();
      const tenantId = await insertTenant(stores);
      const [active, inactive, foreign] = [
        await insertUser(stores),
        await insertUser(stores),
        await insertUser(stores),
      ];
      for (const userId of [active, inactive]) await stores.tenants.addMember(tenantId, userId);
      await stores.users.update(inactive, { active: false });
      await stores.attributes.add(tenantId, active, 'team', ['red', 'blue']);
      const service = randomUUID();
      await stores.serviceAccounts.insert({
        id: service,
        tenantId,
        name: `s-${service}`,
        description: '',
        createdAt: NOW,
        scopes: '',
      });
      const ids = [active, service].sort();
      const listed = await stores.subjects.listActive(tenantId, null, 10);
      expect(listed.map(({ id }) => id)).toEqual(ids);
      expect(listed.find(({ id }) => id === active)?.attributes).toEqual(
        new Map([['team', ['blue', 'red']]]),
      );
      expect((await stores.subjects.listActive(tenantId, ids[0] as string, 10)).map(({ id }) => id)).toEqual([
        ids[1],
      ]);
      const known = await stores.subjects.findKnown(tenantId, [inactive, foreign, service, randomUUID()]);
      expect(
        new Map(known.map(({ id, active: isActive, isMember }) => [id, { isActive, isMember }])),
      ).toEqual(
        new Map([
          [inactive, { isActive: false, isMember: true }],
          [foreign, { isActive: true, isMember: false }],
          [service, { isActive: true, isMember: true }],
        ]),
      );
    });
  });
}
