import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { ANY_VERSION, type WriteCondition } from '../rules/precondition.ts';
import { createFileId } from '../rules/file-id.ts';
import { createDocumentLookUps } from './document-look-ups.ts';
import type {
  DocumentChange,
  DocumentStore,
  ListedDocument,
  ListQuery,
  WriteOutcome,
} from './document-store.ts';
import { LIST_ALL } from './list-all.fixture.ts';

const UNLIMITED = { documentsMax: 1_000_000, bytesMax: 1e12 };
const START = Date.parse('2026-01-01T00:00:00Z');

const anyOf = (etags: readonly string[] | null): WriteCondition => ({ anyOf: etags, noneOf: [] });

/**
 * The promises of `DocumentStore`, for every database it runs on. `open` gives a store on a migrated
 * database.
 */
export function documentStoreContract(
  name: string,
  open: () => Promise<DocumentStore>,
  close: () => Promise<void>,
): void {
  describe(`document store on ${name}`, () => {
    let store: DocumentStore;
    let clock = START;
    const now = () => new Date((clock += 1000));
    const newOwner = () => `owner-${randomUUID()}`;

    async function create(owner: string, filename: string, text = 'text', limits = UNLIMITED) {
      const id = createFileId(new Date());
      const contents = await prepareContents(text);
      const document = { id, etag: createEtag(), filename, metadata: {}, contents, now: now() };
      return { id, etag: document.etag, outcome: await store.create(owner, document, limits) };
    }
    it('the document store erases all of an owner, and nothing of another one', async () => {
      covers('DOC-D.41');
      const [owner, other] = [newOwner(), newOwner()];
      const { id } = await create(owner, 'a');
      const gone = await create(owner, 'b');
      const kept = await create(other, 'a');
      await put(owner, id, null, 'more');
      await store.remove(owner, { id: gone.id, condition: ANY_VERSION, now: now() }, UNLIMITED);
      await store.erase(owner);
      expect(await store.list(owner, LIST_ALL)).toEqual([]);
      expect(await store.findVersion(owner, id, 1)).toBeNull();
      expect(await store.usage(owner)).toEqual({ documents: 0, bytes: 0 });
      expect(await store.listChanges(owner, 0, 10, null)).toEqual([]);
      expect(await store.findQuotaDrift()).toEqual([]);
      expect((await store.list(other, LIST_ALL)).map((document) => document.id)).toEqual([kept.id]);
    });

    async function put(
      owner: string,
      id: string,
      etags: string[] | null,
      text: string,
      more: Partial<DocumentChange> = {},
      limits = UNLIMITED,
    ) {
      const contents = await prepareContents(text);
      const change = { id, condition: anyOf(etags), newEtag: createEtag(), contents, now: now(), ...more };
      return store.update(owner, change, limits);
    }
    const written = (outcome: WriteOutcome) => {
      if (outcome.kind !== 'written') throw new Error(`expected a write, got ${outcome.kind}`);
      return outcome.head;
    };

    beforeAll(async () => {
      store = await open();
    });
    afterAll(close);

    it('the document store returns what was stored, to the byte', async () => {
      const owner = newOwner();
      const text = 'tab\t nel\u0085 ff\f emoji 👩‍👩‍👧 combining é nul-free \u{10FFFF} \uFEFF %_\\\'"';
      const { id } = await create(owner, 'a/ä "q" %_\\.txt', text);
      expect(await store.find(owner, id)).toMatchObject({
        id,
        filename: 'a/ä "q" %_\\.txt',
        contents: text,
        size: Buffer.byteLength(text),
        version: 1,
      });
    });

    it('the document store hides documents of another owner from every method', async () => {
      covers('DOC-D.20');
      const { id, etag } = await create(newOwner(), 'mine');
      const other = newOwner();
      expect(await store.find(other, id)).toBeNull();
      expect(await store.findHeads([{ owner: other, id }])).toEqual([]);
      expect(await store.findMany([{ owner: other, id }], 1000)).toEqual([]);
      expect(await put(other, id, [etag], 'x')).toEqual({ kind: 'absent' });
      expect(await store.remove(other, { id, condition: anyOf(null), now: now() }, UNLIMITED)).toEqual({
        kind: 'absent',
      });
      expect(await store.listVersions(other, id, 10, null)).toEqual([]);
      expect(await store.findVersion(other, id, 1)).toBeNull();
      expect(await store.list(other, LIST_ALL)).toEqual([]);
    });

    it('the document store finds documents of many owners at once, with contents up to a size', async () => {
      const [one, other] = [newOwner(), newOwner()];
      const small = await create(one, 'a', '1234');
      const large = await create(other, 'a', '12345');
      const refs = [
        { owner: one, id: small.id },
        { owner: other, id: large.id },
        { owner: one, id: large.id },
        { owner: one, id: createFileId(new Date()) },
      ];
      const etags = (found: readonly { etag: string }[]) => found.map(({ etag }) => etag).sort();
      expect(etags(await store.findHeads(refs))).toEqual([small.etag, large.etag].sort());
      const found = await store.findMany(refs, 4);
      expect(new Map(found.map(({ id, owner, contents }) => [id, { owner, contents }]))).toEqual(
        new Map([
          [small.id, { owner: one, contents: '1234' }],
          [large.id, { owner: other, contents: null }],
        ]),
      );
    });

    it('the document store receives one query for documents that are looked up together, and another for large ones', async () => {
      const asked: (string | number)[] = [];
      const lookUps = createDocumentLookUps({
        findHeads: (refs) => (asked.push(refs.length), store.findHeads(refs)),
        findMany: (refs, sizeMax) => (asked.push(refs.length), store.findMany(refs, sizeMax)),
        find: (owner, id) => (asked.push(id), store.find(owner, id)),
      });
      const owners = [newOwner(), newOwner()];
      const large = '\u00e9'.repeat(40_000);
      const texts = ['first', 'one', 'two', large];
      const made = await Promise.all(
        texts.map(async (text, n) => ({
          owner: owners[n % 2]!,
          ...(await create(owners[n % 2]!, text[0]! + n, text)),
        })),
      );
      const found = await Promise.all(made.map(({ owner, id }) => lookUps.find(owner, id)));
      expect(found.map((document) => document?.contents)).toEqual(texts);
      expect(asked).toEqual([1, 3, made[3]!.id]);
      const strange = await Promise.all(made.map(({ id }) => lookUps.find(newOwner(), id)));
      expect(strange).toEqual([null, null, null, null]);
      const heads = await Promise.all(made.map(({ owner, id }) => lookUps.findHead(owner, id)));
      expect(heads.map((head) => head?.etag)).toEqual(made.map(({ etag }) => etag));
    });

    it('the document store shows a write to every look-up begun after it, whatever look-up is under way', async () => {
      covers('DOC-P.3');
      const lookUps = createDocumentLookUps(store);
      const owner = newOwner();
      let { id, etag } = await create(owner, 'a');
      for (let round = 0; round < 20; round++) {
        const underWay = [lookUps.find(owner, id), lookUps.findHead(owner, id)];
        etag = written(await put(owner, id, [etag], `${round}`)).etag;
        const after = await Promise.all([lookUps.find(owner, id), lookUps.findHead(owner, id)]);
        expect(after.map((found) => found?.etag)).toEqual([etag, etag]);
        await Promise.all(underWay);
      }
    });

    it('the document store writes only over the ETag named, and otherwise returns the current one', async () => {
      covers('DOC-P.1', 'DOC-P.3');
      const owner = newOwner();
      const { id, etag } = await create(owner, 'a');
      const head = written(await put(owner, id, ['other', etag], 'two'));
      expect(head).toMatchObject({ version: 2, size: 3 });
      expect(head.etag).not.toBe(etag);
      expect(await put(owner, id, [etag], 'three')).toEqual({ kind: 'mismatch', etag: head.etag });
      expect(await put(owner, id, [], 'three')).toEqual({ kind: 'mismatch', etag: head.etag });
      expect(written(await put(owner, id, null, 'three')).version).toBe(3);
    });

    it('the document store lets exactly one of many writers with the same ETag win', async () => {
      covers('DOC-P.5');
      const owner = newOwner();
      const created = await create(owner, 'raced');
      let etag = created.etag;
      for (let round = 0; round < 20; round++) {
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, writer) => put(owner, created.id, [etag], `${round} ${writer}`)),
        );
        const winners = outcomes.filter((outcome) => outcome.kind === 'written');
        expect(winners).toHaveLength(1);
        expect(winners[0]!.head.version).toBe(round + 2);
        etag = winners[0]!.head.etag;
      }
      const versions = await store.listVersions(owner, created.id, 100, null);
      expect(versions.map(({ version }) => version)).toEqual([21, 20, 19, 18, 17]);
    });

    it('the document store gives a version its own time after a clock was far ahead, and none before the last one', async () => {
      covers('DOC-D.71');
      const owner = newOwner();
      const { id } = await create(owner, 'a');
      const at = (ms: number) => new Date(START + ms);
      const timeOf = async (ms: number) =>
        written(await put(owner, id, null, 'x', { now: at(ms) })).updatedAt;
      const day = 24 * 3_600_000;
      expect(await timeOf(day)).toEqual(at(day));
      expect(await timeOf(day - 1)).toEqual(at(day));
      expect(await timeOf(2)).toEqual(at(2));
      await store.remove(owner, { id, condition: ANY_VERSION, now: at(day) }, UNLIMITED);
      const restoration = {
        id,
        condition: ANY_VERSION,
        newEtag: createEtag(),
        filename: 'a',
        metadata: {},
        contents: await prepareContents('x'),
        now: at(3),
      };
      expect(written(await store.restore(owner, restoration, UNLIMITED)).updatedAt).toEqual(at(3));
    });

    it('the document store changes filename and metadata alone without touching contents or search', async () => {
      const owner = newOwner();
      const { id } = await create(owner, 'old', 'needle here');
      const change = {
        id,
        condition: ANY_VERSION,
        newEtag: createEtag(),
        filename: 'New',
        metadata: { k: 'v' },
        now: now(),
      };
      written(await store.update(owner, change, UNLIMITED));
      expect(await store.find(owner, id)).toMatchObject({
        filename: 'New',
        metadata: { k: 'v' },
        contents: 'needle here',
        version: 2,
      });
      const search = { mode: 'substring', text: 'NEEDLE', isCaseSensitive: false } as const;
      expect(await store.list(owner, { ...LIST_ALL, search })).toHaveLength(1);
    });

    it('the document store keeps filenames unique per owner, the order of reports being version, filename, quota', async () => {
      covers('DOC-E.conflict');
      const owner = newOwner();
      await create(owner, 'taken');
      const { id } = await create(owner, 'free');
      expect((await create(owner, 'taken')).outcome).toEqual({ kind: 'filename_taken' });
      expect((await create(newOwner(), 'taken')).outcome.kind).toBe('written');
      const full = { documentsMax: 0, bytesMax: 0 };
      expect((await create(owner, 'taken', 'x', full)).outcome).toEqual({ kind: 'filename_taken' });
      const more = { filename: 'taken' };
      expect(await put(owner, id, null, 'x', more)).toEqual({ kind: 'filename_taken' });
      expect(await put(owner, id, null, 'much longer than before', more, full)).toEqual({
        kind: 'filename_taken',
      });
      expect((await put(owner, id, ['stale'], 'much longer', more, full)).kind).toBe('mismatch');
    });

    it('the document store holds quotas exactly under 50 concurrent creates, and lets documents shrink and be deleted', async () => {
      covers('DOC-L.4', 'DOC-D.21');
      const owner = newOwner();
      const limits = { documentsMax: 20, bytesMax: 1000 };
      const created = await Promise.all(
        Array.from({ length: 50 }, (_, n) => create(owner, `f${n}`, 'x'.repeat(10), limits)),
      );
      const kept = created.filter(({ outcome }) => outcome.kind === 'written');
      expect(kept).toHaveLength(20);
      const refused = created.filter(({ outcome }) => outcome.kind !== 'written');
      for (const { outcome } of refused)
        expect(outcome).toEqual({ kind: 'quota_exceeded', quota: 'documents' });
      expect(await store.usage(owner)).toEqual({ documents: 20, bytes: 200 });

      const { id } = kept[0]!;
      const full = { kind: 'quota_exceeded', quota: 'bytes' };
      expect(await put(owner, id, null, 'x'.repeat(811), {}, limits)).toEqual(full);
      written(await put(owner, id, null, 'x'.repeat(810), {}, limits));
      const lowered = { documentsMax: 1, bytesMax: 5 };
      written(await put(owner, id, null, 'x'.repeat(500), {}, lowered));
      expect(await store.remove(owner, { id, condition: anyOf(null), now: now() }, UNLIMITED)).toEqual({
        kind: 'removed',
      });
      expect(await store.usage(owner)).toEqual({ documents: 19, bytes: 190 });
      expect((await store.findQuotaDrift()).filter((drift) => drift.owner === owner)).toEqual([]);
    });

    it('the document store counts versions and metadata, and stops counting them once they are deleted', async () => {
      covers('DOC-D.25');
      const owner = newOwner();
      const { id } = await create(owner, 'a', '12345');
      written(await put(owner, id, null, '1234567'));
      expect((await store.usage(owner)).bytes).toBe(12);
      const change = { id, condition: ANY_VERSION, newEtag: createEtag(), metadata: { k: 'v' }, now: now() };
      written(await store.update(owner, change, UNLIMITED));
      expect((await store.usage(owner)).bytes).toBe(12 + 7 + '"k": "v"'.length);
      expect((await store.findQuotaDrift()).filter((drift) => drift.owner === owner)).toEqual([]);
      await store.remove(owner, { id, condition: ANY_VERSION, now: now() }, UNLIMITED);
      expect(await store.usage(owner)).toEqual({ documents: 0, bytes: 0 });
    });

    it('the document store holds the byte quota exactly under concurrent growth', async () => {
      const owner = newOwner();
      const files = [];
      for (let n = 0; n < 10; n++) files.push(await create(owner, `f${n}`, 'x'));
      const limits = { documentsMax: 100, bytesMax: 10 + 10 * 4 };
      const outcomes = await Promise.all(
        files.map(({ id }) => put(owner, id, null, 'x'.repeat(10), {}, limits)),
      );
      expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(4);
      expect((await store.usage(owner)).bytes).toBe(50);
    });

    it('the document store removes only under the ETag and filenames named, together with everything that belongs to the document', async () => {
      const owner = newOwner();
      const { id, etag } = await create(owner, 'a');
      expect(await store.remove(owner, { id, condition: anyOf(['stale']), now: now() }, UNLIMITED)).toEqual({
        kind: 'mismatch',
        etag,
      });
      for (const names of [
        { exact: [], prefixes: ['a%'] },
        { exact: ['', 'A', 'a%'], prefixes: [] },
      ]) {
        const target = { id, condition: anyOf([etag]), now: now(), names };
        expect(await store.remove(owner, target, UNLIMITED)).toEqual({ kind: 'forbidden' });
      }
      expect(await store.remove(owner, { id, condition: anyOf([etag]), now: now() }, UNLIMITED)).toEqual({
        kind: 'removed',
      });
      expect(await store.remove(owner, { id, condition: anyOf(null), now: now() }, UNLIMITED)).toEqual({
        kind: 'absent',
      });
      expect(await store.findVersion(owner, id, 1)).toBeNull();
      expect((await create(owner, 'a')).outcome.kind).toBe('written');
    });

    it('the document store keeps deleted documents up to the quota, forgets those deleted first, and erases them with their owner', async () => {
      covers('DOC-D.52');
      const owner = newOwner();
      const limits = { documentsMax: 2, bytesMax: 100 };
      const ids: string[] = [];
      for (const size of [10, 20, 30, 90]) {
        const { id } = await create(owner, 'a', 'x'.repeat(size), limits);
        ids.push(id);
        await store.remove(owner, { id, condition: ANY_VERSION, now: now() }, limits);
      }
      const kept = async () => {
        const found = await Promise.all(ids.map((id) => store.findDeleted(owner, id, new Date(0))));
        return found.map((each) => each?.filename ?? null);
      };
      expect(await kept()).toEqual([null, null, null, 'a']);
      expect((await store.findQuotaDrift()).filter((drift) => drift.owner.includes(owner))).toEqual([]);
      await store.create(
        owner,
        {
          id: createFileId(new Date()),
          etag: createEtag(),
          filename: 'b',
          metadata: {},
          contents: await prepareContents('x'.repeat(20)),
          now: now(),
        },
        limits,
      );
      const deleted = (await store.findDeleted(owner, ids[3]!, new Date(0)))!;
      const contents = await prepareContents('y');
      const restoration = { ...deleted, condition: ANY_VERSION, newEtag: createEtag(), contents, now: now() };
      const large = { ...restoration, contents: await prepareContents('x'.repeat(81)) };
      const full = { kind: 'quota_exceeded', quota: 'bytes' };
      expect(await store.restore(owner, large, limits)).toEqual(full);
      expect((await store.findDeletedVersion(owner, ids[3]!, 1))?.size).toBe(90);
      expect(await store.restore(owner, restoration, limits)).toMatchObject({ kind: 'written' });
      expect(await store.usage(owner)).toEqual({ documents: 2, bytes: 21 });
      await store.remove(owner, { id: ids[3]!, condition: ANY_VERSION, now: now() }, limits);
      await store.erase(owner);
      expect(await kept()).toEqual([null, null, null, null]);
    });

    it('the document store keeps versions, newest first, each readable by number and by ETag', async () => {
      covers('DOC-D.7');
      const owner = newOwner();
      const { id, etag } = await create(owner, 'a', 'one');
      written(await put(owner, id, null, 'two', { filename: 'b' }));
      const versions = await store.listVersions(owner, id, 10, null);
      expect(versions.map(({ version, filename }) => [version, filename])).toEqual([
        [2, 'b'],
        [1, 'a'],
      ]);
      expect(await store.listVersions(owner, id, 10, 2)).toHaveLength(1);
      expect(await store.findVersion(owner, id, 1)).toMatchObject({ contents: 'one', etag });
      expect(await store.findVersionByEtag(owner, id, etag)).toMatchObject({ contents: 'one', version: 1 });
      expect(await store.findVersion(owner, id, 3)).toBeNull();
    });

    it('the document store never keeps more versions than it is told to, and drops the oldest first', async () => {
      covers('DOC-D.25');
      const owner = newOwner();
      const { id } = await create(owner, 'a');
      for (let round = 0; round < 6; round++) written(await put(owner, id, null, `${round}`));
      expect((await store.listVersions(owner, id, 10, null)).map(({ version }) => version)).toEqual([
        7, 6, 5, 4, 3,
      ]);
      expect(await store.usage(owner)).toEqual({ documents: 1, bytes: 5 });
      const target = { id, condition: ANY_VERSION, now: now() };
      await store.remove(owner, target, UNLIMITED);
      const deleted = (await store.findDeleted(owner, id, new Date(0)))!;
      const contents = await prepareContents('back');
      const restoration = { ...deleted, ...target, newEtag: createEtag(), contents };
      written(await store.restore(owner, restoration, UNLIMITED));
      expect((await store.listVersions(owner, id, 10, null)).map(({ version }) => version)).toEqual([
        8, 7, 6, 5, 4,
      ]);
      expect(await store.usage(owner)).toEqual({ documents: 1, bytes: '3456'.length + 'back'.length });
      expect((await store.findQuotaDrift()).filter((drift) => drift.owner === owner)).toEqual([]);
    });

    it('the document store makes room under a full quota by dropping the oldest versions of the document that is written', async () => {
      covers('DOC-D.21', 'DOC-D.56');
      const owner = newOwner();
      const limits = { documentsMax: 10, bytesMax: 100 };
      const other = await create(owner, 'other', 'x'.repeat(10), limits);
      const { id } = await create(owner, 'a', 'x'.repeat(20), limits);
      const numbers = async () =>
        (await store.listVersions(owner, id, 10, null)).map(({ version }) => version);
      written(await put(owner, id, null, 'x'.repeat(30), {}, limits));
      written(await put(owner, id, null, 'x'.repeat(40), {}, limits));
      expect([await numbers(), (await store.usage(owner)).bytes]).toEqual([[3, 2, 1], 100]);
      written(await put(owner, id, null, 'x'.repeat(45), {}, limits));
      expect([await numbers(), (await store.usage(owner)).bytes]).toEqual([[4, 3], 95]);
      written(await put(owner, id, null, 'x'.repeat(90), {}, limits));
      expect([await numbers(), (await store.usage(owner)).bytes]).toEqual([[5], 100]);
      const patch = { id, condition: ANY_VERSION, newEtag: createEtag(), metadata: { k: 'v' }, now: now() };
      const full = { kind: 'quota_exceeded', quota: 'bytes' };
      expect(await store.update(owner, patch, limits)).toEqual(full);
      expect(await put(owner, other.id, null, 'x'.repeat(11), {}, limits)).toEqual(full);
      const renamed = { ...patch, metadata: {}, filename: 'b' };
      written(await store.update(owner, renamed, limits));
      expect([await numbers(), (await store.usage(owner)).bytes]).toEqual([[6], 100]);
      expect((await store.find(owner, id))?.contents).toBe('x'.repeat(90));
      expect((await store.findQuotaDrift()).filter((drift) => drift.owner === owner)).toEqual([]);
    });

    it('the document store lists every filename that a document left, with those at which it arrived, and halves no rename', async () => {
      covers('DOC-D.61');
      const owner = newOwner();
      const { id } = await create(owner, 'a');
      for (const filename of ['b', 'c', 'b', 'd']) written(await put(owner, id, null, 'text', { filename }));
      const gone = await create(owner, 'e');
      await store.remove(owner, { id: gone.id, condition: ANY_VERSION, now: now() }, UNLIMITED);
      const listed = async (since: number, limit: number) =>
        (await store.listUncheckedChanges(owner, since, limit)).map(
          ({ sequence, type, filename, laterFilenames }) => [sequence, type, filename, laterFilenames],
        );
      const left = [
        [2, 'deleted', 'a', ['b', 'd']],
        [4, 'deleted', 'c', ['b', 'd']],
      ];
      const renamed = [
        [5, 'deleted', 'b', ['d', 'd']],
        [5, 'renamed', 'd', []],
      ];
      expect(await listed(0, 2)).toEqual(left);
      expect((await listed(2, 2)).toSorted()).toEqual([left[1], ...renamed]);
      expect(await listed(5, 9)).toEqual([[7, 'deleted', 'e', []]]);
      expect(await store.listUncheckedChanges(newOwner(), 0, 9)).toEqual([]);
    });

    it('the document store forgets the marks of versions once no scan can need them', async () => {
      covers('DOC-D.14');
      const owner = newOwner();
      const files: string[] = [];
      for (const name of ['a', 'b', 'c']) files.push((await create(owner, name)).id);
      const query: ListQuery = { ...LIST_ALL, sort: 'filename', isDescending: false, limit: 1 };
      const [first] = await store.list(owner, query);
      for (let round = 0; round < 7; round++)
        written(await put(owner, files[2]!, null, 'text', { filename: `0${round}` }));
      await store.forgetMarks(new Date(clock - 3_600_000));
      const rest = await store.list(owner, { ...query, limit: 5, after: first!.position });
      expect(rest.map(({ id }) => id)).toEqual([files[1], files[2]]);
      await store.forgetMarks(new Date(clock + 1));
      const later = await store.list(owner, { ...query, limit: 5, after: first!.position });
      expect(later.map(({ id }) => id)).toEqual([files[1]]);
    });

    it.each([
      ['filename', false],
      ['filename', true],
      ['updated_at', false],
      ['updated_at', true],
      ['size', false],
      ['size', true],
    ] as const)(
      'the document store shows every document once, sorted by %s (descending: %s), while all are rewritten',
      async (sort, isDescending) => {
        covers('DOC-D.14');
        const owner = newOwner();
        const files: string[] = [];
        for (let n = 0; n < 17; n++) files.push((await create(owner, `f${n}`, 'x'.repeat(n % 5))).id);
        const seen: ListedDocument[] = [];
        for (let round = 0, after = LIST_ALL.after; ; round++) {
          const page = await store.list(owner, { ...LIST_ALL, sort, isDescending, limit: 3, after });
          if (page.length === 0) break;
          seen.push(...page);
          after = page.at(-1)!.position;
          for (const [index, id] of files.entries()) {
            written(
              await put(owner, id, null, 'y'.repeat((index * 7 + round) % 9), {
                filename: `g${(index * 5 + round) % 17}-${round}`,
              }),
            );
          }
          await create(owner, `made while scanning ${round}`);
        }
        expect(seen.map(({ id }) => id).sort()).toEqual([...files].sort());
      },
    );
  });
}
