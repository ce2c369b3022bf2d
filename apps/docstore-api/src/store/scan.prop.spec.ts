import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { suiteDatabase } from '@platform/database/migrated';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { soak } from '@platform/testing/soak';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { ANY_VERSION } from '../rules/precondition.ts';
import { createFileId } from '../rules/file-id.ts';
import { MIGRATIONS } from '../test-service.fixture.ts';
import { LIST_ALL } from './list-all.fixture.ts';
import type { DocumentStore } from './document-store.ts';
import { createPrisma } from './prisma.ts';
import { createSqlDocumentStore } from './sql-document-store.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(60, 20) };
const UNLIMITED = { documentsMax: 1_000_000, bytesMax: 1e12 };

const database = suiteDatabase('Postgres', MIGRATIONS);
let store: DocumentStore;
beforeAll(() => {
  store = createSqlDocumentStore(database, createPrisma(database), { versionsKept: 1 });
});

/** What another client does to one of the documents there have been so far, or to a further one. */
const write = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('update'), index: fc.nat(), name: fc.nat(99), size: fc.nat(5) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('create'), index: fc.nat(), name: fc.nat(99), size: fc.nat(5) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remove'), index: fc.nat(), name: fc.nat(99), size: fc.nat(5) }),
  },
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

/** An owner's documents, and the ids of those that were there from the start and were never removed. */
class Documents {
  readonly owner = randomUUID();
  readonly lasting = new Set<string>();
  private readonly ids: string[] = [];

  async create(name: number, size: number): Promise<string> {
    const id = createFileId(new Date());
    const contents = await prepareContents('x'.repeat(size));
    const document = {
      id,
      etag: createEtag(),
      filename: `${name}-${id}`,
      metadata: {},
      contents,
      now: new Date(),
    };
    await store.create(this.owner, document, UNLIMITED);
    this.ids.push(id);
    return id;
  }

  async perform({ kind, index, name, size }: Write): Promise<void> {
    const id = this.ids[index % this.ids.length];
    if (kind === 'create' || id === undefined) return void (await this.create(name, size));
    if (kind === 'remove') {
      this.lasting.delete(id);
      return void (await store.remove(
        this.owner,
        { id, condition: ANY_VERSION, now: new Date() },
        UNLIMITED,
      ));
    }
    const contents = await prepareContents('y'.repeat(size));
    const change = {
      id,
      condition: ANY_VERSION,
      newEtag: createEtag(),
      filename: `${name}-${id}`,
      contents,
      now: new Date(),
    };
    await store.update(this.owner, change, UNLIMITED);
  }
}

describe('a scan', () => {
  it('a scan returns each document that exists throughout exactly once, whatever others write meanwhile', async () => {
    covers('DOC-D.14');
    const query = fc.record({
      sort: fc.constantFrom('filename', 'updated_at', 'size'),
      isDescending: fc.boolean(),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    // Of each page: what is written while it is read, and what between it and the next.
    const pages = fc.array(fc.tuple(fc.array(write, { maxLength: 3 }), fc.array(write, { maxLength: 6 })), {
      maxLength: 8,
    });
    const sizes = fc.array(fc.nat(5), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(query, sizes, pages, async (asked, initial, writes) => {
        const documents = new Documents();
        for (const size of initial) documents.lasting.add(await documents.create(50, size));
        const seen: string[] = [];
        for (let page = 0, after = LIST_ALL.after; ; page++) {
          const [during, between] = writes[page] ?? [[], []];
          const [found] = await Promise.all([
            store.list(documents.owner, { ...LIST_ALL, ...asked, after }),
            ...during.map((one) => documents.perform(one)),
          ]);
          if (found.length === 0) break;
          seen.push(...found.map(({ id }) => id));
          after = found.at(-1)!.position;
          for (const one of between) await documents.perform(one);
        }
        expect(seen.length).toBe(new Set(seen).size);
        expect([...documents.lasting].filter((id) => !seen.includes(id))).toEqual([]);
        expect(await store.findQuotaDrift()).toEqual([]);
      }),
      RUNS,
    );
  });
});
