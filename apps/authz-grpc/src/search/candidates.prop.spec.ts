import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { knownSubjects } from './candidates.ts';

fc.configureGlobal({ seed: SEED });

const IDS = Array.from({ length: 6 }, (_, i) => `${i}0000000-0000-4000-8000-000000000000`);
const NAMES = [...IDS, 'alice', 'bob', '1 apple', '~'];

/** What policies name and whom the tenant has while one page is read. */
interface Moment {
  readonly named: readonly string[];
  readonly members: readonly string[];
}

const moment = fc.record<Moment>({ named: fc.subarray(NAMES), members: fc.subarray(IDS) });

/** The first `size` subjects behind the key at a moment, each with its key. */
async function page({ named, members }: Moment, after: string | null, size: number) {
  const attributes = new Map();
  const subjects = {
    listActive: (_: string, behind: string | null, limit: number) =>
      Promise.resolve(
        members
          .filter((id) => behind === null || id > behind)
          .slice(0, limit)
          .map((id) => ({ id, attributes })),
      ),
    findKnown: (_: string, ids: readonly string[]) =>
      Promise.resolve(
        ids
          .filter((id) => members.includes(id))
          .map((id) => ({ id, attributes, active: true, isMember: true })),
      ),
  };
  const found: { key: string; name: string }[] = [];
  for await (const batch of knownSubjects({ subjects }, 'tenant', new Set(named), after))
    found.push(...batch);
  return found.slice(0, size);
}

describe('candidates of a search of subjects', () => {
  it('pages neither miss nor double a subject that is named or of the tenant throughout, whichever it is', async () => {
    covers('AUTHZ-V.2');
    await fc.assert(
      fc.asyncProperty(
        fc.array(moment, { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (moments, size) => {
          const listed: string[] = [];
          let after: string | null = null;
          let read = 0;
          for (let found = [{ key: '', name: '' }]; found.length > 0;) {
            found = await page(moments[read % moments.length]!, after, size);
            listed.push(...found.map(({ name }) => name));
            after = found.at(-1)?.key ?? after;
            read += 1;
          }
          expect(new Set(listed).size).toBe(listed.length);
          const throughout = NAMES.filter((name) =>
            moments
              .slice(0, read)
              .every(({ named, members }) => named.includes(name) || members.includes(name)),
          );
          expect(listed).toEqual(expect.arrayContaining(throughout));
        },
      ),
    );
  });
});
