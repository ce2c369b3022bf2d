import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import type { Policies } from '../auth/policies.ts';
import { parseScopes } from '../rules/scopes.ts';
import { prepareContents, type PreparedContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { createFileId } from '../rules/file-id.ts';
import { ANY_VERSION } from '../rules/precondition.ts';
import { LIST_ALL } from '../store/list-all.fixture.ts';
import { startTestService, type TestService } from '../test-service.fixture.ts';
import { listChanges } from './changes.ts';

fc.configureGlobal({ seed: SEED });

const LIMITS = { documentsMax: 100, bytesMax: 1e9 };
const DOCUMENTS = 3;

let service: TestService;
let contents: PreparedContents;
beforeAll(async () => {
  service = await startTestService(null);
  contents = await prepareContents('x');
});
afterAll(() => service.close());

const FILENAMES = ['notes/a', 'notes/b', 'secret/a', 'secret/b', 'notes'];
const filename = fc.constantFrom(...FILENAMES);
const step = fc.record({
  act: fc.constantFrom('write', 'write', 'write', 'remove', 'restore', 'follow'),
  document: fc.nat({ max: DOCUMENTS - 1 }),
  filename,
  limit: fc.integer({ min: 1, max: 3 }),
});

/** The rights of a key by its scope, or of a user by the filenames that policies allow. */
type Reader = { readonly scope: string } | { readonly names: readonly string[] };

describe('a follower of changes', () => {
  it('a follower ends with what a fresh list shows, and sees no filename that it may not read', async () => {
    covers('DOC-D.33', 'DOC-D.53', 'DOC-D.61');
    const { documents } = service.deps;
    const run = async (
      steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
      reader: Reader,
    ) => {
      const owner = randomUUID();
      const scope = 'scope' in reader ? reader.scope : 'file:read';
      const policies = 'names' in reader ? { policies: policiesOf(reader.names) } : {};
      const scopes = parseScopes(scope);
      const caller = { owner, subject: 's', scopes, expiresAt: null, leases: [], ...policies };
      const isReadable = (name: string) =>
        'names' in reader ? reader.names.includes(name) : scope === 'file:read' || name.startsWith('notes/');
      const now = new Date();
      const ids = Array.from({ length: DOCUMENTS }, () => createFileId(now));
      const known = new Map<string, string>();
      let since = 0;
      const follow = async (limit: number) => {
        const query = { since, limit, wait: 0 };
        const { changes, last_sequence } = await listChanges(service.deps, caller, query, {
          signal: new AbortController().signal,
          revalidateCredential: () => Promise.resolve(),
        });
        for (const { type, id, filename: shown, etag } of changes) {
          expect(isReadable(shown)).toBe(true);
          if (type === 'deleted') known.delete(id);
          else known.set(id, `${shown} ${etag}`);
        }
        const isAtEnd = changes.length === 0 && last_sequence === since;
        since = last_sequence;
        return isAtEnd;
      };
      for (const { act, document, filename: name, limit } of steps) {
        const id = ids[document]!;
        const target = { id, condition: ANY_VERSION, now };
        if (act === 'follow') await follow(limit);
        else if (act === 'remove') await documents.remove(owner, target, LIMITS);
        else if (act === 'restore') {
          const deleted = await documents.findDeleted(owner, id, new Date(0));
          if (deleted === null) continue;
          const restoration = { ...deleted, ...target, newEtag: createEtag(), contents };
          await documents.restore(owner, restoration, LIMITS);
        } else {
          const change = { ...target, newEtag: createEtag(), filename: name, contents };
          const { kind } = await documents.update(owner, change, LIMITS);
          const isDeleted = (await documents.findDeleted(owner, id, new Date(0))) !== null;
          if (kind === 'absent' && !isDeleted)
            await documents.create(owner, { ...change, etag: createEtag(), metadata: {} }, LIMITS);
        }
      }
      while (!(await follow(2)));
      const listed = await documents.list(owner, LIST_ALL);
      const expected = listed
        .filter((each) => isReadable(each.filename))
        .map((each) => [each.id, `${each.filename} "${each.etag}"`] as const);
      expect([...known].sort()).toEqual([...expected].sort());
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 20 }),
        fc.oneof(
          fc.record({ scope: fc.constantFrom('file:read', 'file:read#prefix=notes/') }),
          fc.record({ names: fc.subarray(FILENAMES, { minLength: 1 }) }),
        ),
        run,
      ),
      { numRuns: soak(300, 60) },
    );
  });

  it('a follower whom policies let read nothing stays where it is, and misses nothing when they let it read again', async () => {
    covers('DOC-D.62');
    const owner = randomUUID();
    const now = new Date();
    const document = {
      id: createFileId(now),
      etag: createEtag(),
      filename: 'notes/a',
      metadata: {},
      contents,
      now,
    };
    await service.deps.documents.create(owner, document, LIMITS);
    const page = async (names: readonly string[], since: number | 'latest') => {
      const scopes = parseScopes('file:read');
      const caller = {
        owner,
        subject: 's',
        scopes,
        expiresAt: null,
        leases: [],
        policies: policiesOf(names),
      };
      const waiting = { signal: new AbortController().signal, revalidateCredential: () => Promise.resolve() };
      return listChanges(service.deps, caller, { since, limit: 1, wait: 1 }, waiting);
    };
    expect(await page([], 0)).toEqual({ changes: [], last_sequence: 0 });
    expect(await page(['notes/b'], 0)).toEqual({ changes: [], last_sequence: 1 });
    expect(await page(['notes/a'], 0)).toMatchObject({ changes: [{ type: 'created' }], last_sequence: 1 });
    expect(await page([], 'latest')).toEqual({ changes: [], last_sequence: 1 });
  });
});

/** Policies that let the caller read documents of these filenames and no others. */
function policiesOf(names: readonly string[]): Policies {
  return {
    canName: () => true,
    areAllowed: (_, filenames) => Promise.resolve(filenames.map((name) => names.includes(name))),
    namesOf: () => Promise.resolve({ exact: names, prefixes: [] }),
    allowed: () => names,
  };
}
