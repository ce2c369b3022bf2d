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
import type { DocumentStore, QuotaLimits } from './document-store.ts';
import { createPrisma } from './prisma.ts';
import { createSqlDocumentStore } from './sql-document-store.ts';

fc.configureGlobal({ seed: SEED });

const RUNS = { numRuns: soak(200, 40) };
const DOCUMENTS = 3;
const KEPT = 3;

/** Bytes of the metadata `{k: <text>}` as they are counted. */
const metadataBytes = (length: number) => '{"k": ""}'.length + length - 2;

const step = fc.record({
  act: fc.constantFrom('create', 'write', 'write', 'write', 'describe', 'rename', 'remove', 'restore'),
  document: fc.nat({ max: DOCUMENTS - 1 }),
  size: fc.nat({ max: 60 }),
  /** The quota of the moment: a setting may be lowered below what is kept. */
  bytesMax: fc.constantFrom(100, 100, 100, 40),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Modelled {
  /** Bytes of the versions kept, oldest first, and of the current one its contents and its metadata. */
  versions: number[];
  size: number;
  metadata: number;
  isDeleted: boolean;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/**
 * The rule in a few lines: the oldest versions go while there are too many, or what is kept would end above
 * the quota and above where it was. Returns what is left, or null when even all of them are too few.
 */
function afterWrite(versions: number[], others: number, added: number, most: number): number[] | null {
  const left = [...versions];
  while (left.length > 0 && (left.length >= KEPT || others + sum(left) + added > most)) left.shift();
  return others + sum(left) + added > most ? null : [...left, added];
}

describe.each(['Postgres', 'PGlite'] as const)('the byte quota on %s', (kind) => {
  const database = suiteDatabase(kind, MIGRATIONS);
  let store: DocumentStore;
  beforeAll(() => {
    store = createSqlDocumentStore(database, createPrisma(database), { versionsKept: KEPT });
  });

  async function follow(steps: readonly Step[]): Promise<void> {
    const owner = randomUUID();
    const now = new Date();
    const ids = Array.from({ length: DOCUMENTS }, () => createFileId(now));
    const model = new Map<string, Modelled>();
    const used = () =>
      sum([...model.values()].filter((each) => !each.isDeleted).flatMap((each) => each.versions));
    for (const { act, document, size, bytesMax } of steps) {
      // Deleted documents are forgotten beyond the quota, which is a promise of its own.
      const limits: QuotaLimits = { documentsMax: DOCUMENTS, bytesMax };
      const roomy: QuotaLimits = { documentsMax: DOCUMENTS, bytesMax: 1e9 };
      const id = ids[document]!;
      const known = model.get(id);
      const most = Math.max(bytesMax, used());
      const contents = await prepareContents('x'.repeat(size));
      const target = { id, condition: ANY_VERSION, now };
      const change = { ...target, newEtag: createEtag(), filename: `${id}-${size}` };
      const judge = (kind: string, left: number[] | null, changed: Partial<Modelled>) => {
        expect(`${act} ${kind}`).toBe(`${act} ${left === null ? 'quota_exceeded' : 'written'}`);
        if (left !== null) Object.assign(known!, { versions: left, ...changed });
      };
      if (act === 'create' && known === undefined) {
        const made = { id, etag: createEtag(), filename: id, metadata: {}, contents, now };
        const { kind } = await store.create(owner, made, limits);
        expect(kind).toBe(used() + size > bytesMax ? 'quota_exceeded' : 'written');
        if (kind === 'written') model.set(id, { versions: [size], size, metadata: 0, isDeleted: false });
      } else if (known === undefined) {
        continue;
      } else if (known.isDeleted) {
        if (act !== 'restore') continue;
        const restoration = { ...change, metadata: {}, contents };
        const { kind } = await store.restore(owner, restoration, limits);
        const left = afterWrite(known.versions, used(), size, bytesMax);
        judge(kind, left, { size, metadata: 0, isDeleted: false });
      } else if (act === 'remove') {
        expect(await store.remove(owner, target, roomy)).toEqual({ kind: 'removed' });
        known.isDeleted = true;
      } else {
        const others = used() - sum(known.versions);
        const metadata = act === 'describe' ? metadataBytes(size) : known.metadata;
        const length = act === 'write' ? size : known.size;
        const { kind } = await store.update(
          owner,
          {
            ...change,
            ...(act === 'write' ? { contents } : {}),
            ...(act === 'describe' ? { metadata: { k: 'v'.repeat(size) } } : {}),
          },
          limits,
        );
        judge(kind, afterWrite(known.versions, others, length + metadata, most), { size: length, metadata });
      }
      expect((await store.usage(owner)).bytes).toBe(used());
      expect(used()).toBeLessThanOrEqual(most);
      if (known?.isDeleted === false) {
        const kept = await store.listVersions(owner, id, 100, null);
        expect(kept).toHaveLength(known.versions.length);
      }
    }
    expect(await store.findQuotaDrift()).toEqual([]);
  }

  it('what is kept never grows beyond the quota, and a document is always replaced by one that is no larger', async () => {
    covers('DOC-D.21', 'DOC-D.25', 'DOC-D.56');
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), follow), RUNS);
  });

  it('the counters hold when several write to the same documents at once under a full quota', async () => {
    covers('DOC-D.56');
    const owner = randomUUID();
    const limits: QuotaLimits = { documentsMax: 10, bytesMax: 100 };
    const now = new Date();
    const ids = Array.from({ length: 2 }, () => createFileId(now));
    const contents = await Promise.all([20, 30, 40].map((size) => prepareContents('x'.repeat(size))));
    for (const id of ids) {
      const made = { id, etag: createEtag(), filename: id, metadata: {}, contents: contents[0]!, now };
      await store.create(owner, made, limits);
    }
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        store.update(
          owner,
          {
            id: ids[n % 2]!,
            condition: ANY_VERSION,
            newEtag: createEtag(),
            contents: contents[n % 3]!,
            now,
          },
          limits,
        ),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'written').length).toBeGreaterThan(0);
    const kept = await Promise.all(ids.map((id) => store.listVersions(owner, id, 100, null)));
    for (const versions of kept) expect(versions.length).toBeLessThanOrEqual(KEPT);
    const { bytes } = await store.usage(owner);
    expect(bytes).toBe(sum(kept.flat().map(({ size }) => size)));
    expect(bytes).toBeLessThanOrEqual(limits.bytesMax);
    expect(await store.findQuotaDrift()).toEqual([]);
  });
});
