import { describe, expect, it } from '@jest/globals';
import { insertTenant, insertUser, type OpenStores } from './store.fixture.ts';

/** What every AttributeStore promises. */
export function attributeStoreContract(open: OpenStores): void {
  describe('attribute store', () => {
    const begin = async () => {
      const { stores } = open();
      return { stores, pair: [await insertTenant(stores), await insertUser(stores)] as const };
    };

    it('the attribute store keeps every value once and lists keys and values in order', async () => {
      const { stores, pair } = await begin();
      await stores.attributes.add(...pair, 'role', ['b', 'a']);
      await stores.attributes.add(...pair, 'role', ['a', 'c']);
      await stores.attributes.add(...pair, 'group', ['x']);
      expect([...(await stores.attributes.list(...pair))]).toEqual([
        ['group', ['x']],
        ['role', ['a', 'b', 'c']],
      ]);
      expect(await stores.attributes.count(...pair)).toEqual({ keys: 2, values: 4 });
    });

    it('the attribute store removes some values of a key, all of a key, and all of a user', async () => {
      const { stores, pair } = await begin();
      await stores.attributes.add(...pair, 'role', ['a', 'b']);
      await stores.attributes.add(...pair, 'group', ['x']);
      await stores.attributes.removeValues(...pair, 'role', ['a', 'absent']);
      expect((await stores.attributes.list(...pair)).get('role')).toEqual(['b']);
      await stores.attributes.removeValues(...pair, 'role', []);
      expect([...(await stores.attributes.list(...pair)).keys()]).toEqual(['group']);
      await stores.attributes.clear(...pair);
      expect(await stores.attributes.count(...pair)).toEqual({ keys: 0, values: 0 });
    });

    it('the attribute store holds the attributes of each tenant apart', async () => {
      const { stores, pair } = await begin();
      const other = await insertTenant(stores);
      await stores.attributes.add(...pair, 'role', ['a']);
      await stores.attributes.clear(other, pair[1]);
      expect((await stores.attributes.list(other, pair[1])).size).toBe(0);
      expect((await stores.attributes.list(...pair)).size).toBe(1);
    });
  });
}
