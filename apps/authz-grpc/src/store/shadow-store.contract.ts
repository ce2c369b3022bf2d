import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { ShadowExample } from '../model/shadow.ts';
import type { Policy } from '../policy/types.ts';
import type { ShadowCountStore, ShadowDelta } from './shadow-store.ts';
import { insertDomain, insertTenant, NOW, WRITER, type OpenStores } from './store.fixture.ts';

const POLICIES: Policy[] = [
  {
    name: 'p',
    description: '',
    deny: false,
    invert: false,
    engine: 'fixed',
    statements: [{ rules: { subject: 'bob' } }],
  },
];
const WRITE = { at: NOW, authorId: WRITER, message: 'try it', digest: 'sha256:0' };
const NONE = { agree: 0, wouldGain: 0, wouldLose: 0, notDecided: 0 };

/** What every ShadowStore promises, with the ShadowCountStore of its database. */
export function shadowStoreContract(
  open: () => ReturnType<OpenStores> & { readonly counts: ShadowCountStore },
): void {
  describe('shadow store', () => {
    async function openShadow() {
      const { stores, counts } = open();
      const tenantId = await insertTenant(stores);
      const domainId = await insertDomain(stores, tenantId);
      const version = await stores.shadows.put(domainId, POLICIES, WRITE);
      const delta = (more: Partial<ShadowDelta>): ShadowDelta => ({
        domainId,
        version,
        comparedVersion: 1,
        counts: NONE,
        examples: [],
        ...more,
      });
      const add = (...deltas: ShadowDelta[]) => counts.add(deltas, 2);
      return { shadows: stores.shadows, stores, domainId, version, delta, add };
    }
    const example = (checkId: string, kind: ShadowExample['kind'] = 'gain'): ShadowExample => ({
      kind,
      checkId,
      subject: 'bob',
      action: 'read',
      object: 'svc://d/x',
      policyReal: null,
      policyShadow: 'p',
    });

    it('the shadow store numbers the sets of a domain, also over one that was removed', async () => {
      covers('AUTHZ-SH.1');
      const { shadows, domainId, version } = await openShadow();
      expect(version).toBe(1);
      expect(await shadows.find(domainId)).toEqual({
        version: 1,
        policies: POLICIES,
        authorId: WRITER,
        writtenAt: NOW,
        message: 'try it',
        digest: 'sha256:0',
        comparedVersion: null,
        counts: NONE,
        examples: [],
      });
      expect(await shadows.put(domainId, [], WRITE)).toBe(2);
      expect(await shadows.remove(domainId, 1)).toBe(false);
      expect(await shadows.remove(domainId, 2)).toBe(true);
      expect(await shadows.find(domainId)).toBeNull();
      expect(await shadows.remove(domainId)).toBe(false);
      expect(await shadows.put(domainId, [], WRITE)).toBe(3);
    });

    it('the shadow store adds counts of several replicas and keeps the first examples of each kind', async () => {
      covers('AUTHZ-SH.3');
      const { shadows, domainId, delta, add } = await openShadow();
      const counts = { agree: 1, wouldGain: 2, wouldLose: 3, notDecided: 4 };
      await Promise.all(
        ['b', 'a', 'c'].map((id) =>
          add(delta({ counts, examples: [example(id), example(`${id}l`, 'lose')] })),
        ),
      );
      const found = await shadows.find(domainId);
      expect(found).toMatchObject({
        comparedVersion: 1,
        counts: { agree: 3, wouldGain: 6, wouldLose: 9, notDecided: 12 },
      });
      expect(found?.examples).toEqual([
        example('a'),
        example('al', 'lose'),
        example('b'),
        example('bl', 'lose'),
      ]);
    });

    it('the shadow store begins anew with a newer version of the domain, and drops counts of an older one', async () => {
      covers('AUTHZ-SH.3');
      const { shadows, domainId, delta, add } = await openShadow();
      await add(delta({ counts: { ...NONE, agree: 5 }, examples: [example('a')] }));
      await add(delta({ comparedVersion: 2, counts: { ...NONE, wouldGain: 1 } }));
      await add(delta({ comparedVersion: 1, counts: { ...NONE, agree: 7 } }));
      expect(await shadows.find(domainId)).toMatchObject({
        comparedVersion: 2,
        counts: { ...NONE, wouldGain: 1 },
        examples: [],
      });
    });

    it('the shadow store drops counts of a set that is no more, and a new set begins at 0', async () => {
      covers('AUTHZ-SH.3');
      const { shadows, domainId, delta, add } = await openShadow();
      await add(delta({ counts: { ...NONE, agree: 5 }, examples: [example('a')] }));
      await shadows.put(domainId, POLICIES, WRITE);
      await add(delta({ counts: { ...NONE, agree: 5 } }));
      expect(await shadows.find(domainId)).toMatchObject({
        comparedVersion: null,
        counts: NONE,
        examples: [],
      });
      await add(delta({ domainId: randomUUID() }));
    });

    it('the shadow store adds counts of several sets at once, of one set those against its newest version', async () => {
      covers('AUTHZ-SH.3');
      const [one, other] = [await openShadow(), await openShadow()];
      await one.add(one.delta({ examples: [example('a')] }), other.delta({ examples: [example('b')] }));
      await one.add(
        one.delta({ counts: { ...NONE, agree: 1 } }),
        other.delta({ comparedVersion: 2, counts: { ...NONE, agree: 2 } }),
        other.delta({ comparedVersion: 1, counts: { ...NONE, agree: 4 }, examples: [example('c')] }),
        one.delta({ version: 7, counts: { ...NONE, agree: 8 } }),
      );
      expect(await one.shadows.find(one.domainId)).toMatchObject({
        comparedVersion: 1,
        counts: { ...NONE, agree: 1 },
        examples: [example('a')],
      });
      expect(await other.shadows.find(other.domainId)).toMatchObject({
        comparedVersion: 2,
        counts: { ...NONE, agree: 2 },
        examples: [],
      });
      await one.add();
    });

    it('a shadow set goes with its domain', async () => {
      covers('AUTHZ-SH.1');
      const { shadows, stores, domainId } = await openShadow();
      await stores.domains.remove(domainId, NOW);
      expect(await shadows.find(domainId)).toBeNull();
    });
  });
}
