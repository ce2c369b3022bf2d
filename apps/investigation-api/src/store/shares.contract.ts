import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { SessionRef, SessionStore, Share, ShareChange, VersionedShare } from './session-store.ts';
import { at, change, entity, json, judge, newSession } from './sessions.fixture.ts';

/** What a store promises of shares. */
export function sharesContract(opened: () => SessionStore): void {
  let store: SessionStore;
  beforeAll(() => {
    store = opened();
  });

  describe('shares', () => {
    /** What anyone with the link sees. */
    const readPublic = async (shareUuid: string) => {
      const share = await store.readPublicShare(shareUuid);
      return (
        share && { ...share, snapshot: await store.readPublicSnapshot(shareUuid, share.snapshotTakenAt) }
      );
    };
    const versionOf = async (ref: SessionRef) => {
      const share = await store.readShare(ref);
      return typeof share === 'string' ? null : share.version;
    };
    /** Changes the share whatever its version. */
    const putShare = async (ref: SessionRef, change: Omit<ShareChange, 'version'>) =>
      store.putShare(ref, { ...change, version: await versionOf(ref) });
    const put = { slug: 'slug', preferredPane: 'mesh', isPublic: true, now: at(5) };

    it('shares are put as they were read or not at all, so that no snapshot reverts', async () => {
      covers('INV-S.18');
      const ref = await newSession(store);
      const putAs = (version: string | null, v: number) =>
        store.putShare(ref, { ...put, snapshot: json({ v }), version, newShareUuid: randomUUID() });
      const made = await putAs(null, 2);
      expect(made).toMatchObject({ isPublic: true });
      expect(await putAs(null, 1)).toBe('conflict');
      const { shareUuid } = made as Share;
      expect(await readPublic(shareUuid)).toMatchObject({ snapshot: '{"v":2}' });
      const read = (await versionOf(ref))!;
      expect(await putAs(read, 3)).toMatchObject({ shareUuid });
      expect(await putAs(read, 1)).toBe('conflict');
      expect(await readPublic(shareUuid)).toMatchObject({ snapshot: '{"v":3}' });
    });

    it('a share knows of a later judgement by a replica whose clock is behind, and of none that it shows', async () => {
      covers('INV-S.48');
      const ref = await newSession(store);
      await judge(store, ref, at(9_000_000));
      const publish = async () => {
        const { judgedRevision } = (await store.readHead(ref))!;
        const made = await putShare(ref, {
          ...put,
          snapshot: json(1),
          judgedRevision,
          newShareUuid: randomUUID(),
        });
        return made as Share;
      };
      const { shareUuid, judgedAt } = await publish();
      expect(judgedAt).toEqual(at(9_000_000));
      const known = async () => {
        const [own, shown] = [await store.readShare(ref), await store.readPublicShare(shareUuid)];
        const { isJudgedSince, judgedAt } = own as VersionedShare;
        return [isJudgedSince, shown!.isJudgedSince, judgedAt];
      };
      expect(await known()).toEqual([false, false, at(9_000_000)]);
      await judge(store, ref, at(2));
      expect(await known()).toEqual([true, true, null]);
      await publish();
      expect(await known()).toEqual([false, false, at(2)]);
    });

    it('shares keep what they show until they are published anew, under the same UUID', async () => {
      covers('INV-S.18', 'INV-S.19');
      const ref = await newSession(store, { entities: [entity('claims', 'a')] });
      const shareUuid = randomUUID();
      expect(await store.readShare(ref)).toBe('no_share');
      const made = await putShare(ref, {
        ...put,
        snapshot: json({ v: 1, nul: '\0' }),
        newShareUuid: shareUuid,
      });
      const share = {
        shareUuid,
        sessionId: ref.sessionId,
        sessionName: 'Name',
        slug: 'slug',
        preferredPane: 'mesh',
        isPublic: true,
        presentation: null,
        snapshotTakenAt: at(5),
        updatedAt: at(5),
        judgedAt: null,
      };
      expect(made).toEqual(share);
      expect(await store.readShare(ref)).toEqual({
        ...share,
        servedBy: null,
        wasActive: true,
        version: expect.any(String),
        isJudgedSince: false,
      });
      const frozen = {
        slug: 'slug',
        preferredPane: 'mesh',
        presentation: null,
        isJudgedSince: false,
        snapshot: '{"v":1,"nul":"\\u0000"}',
        snapshotTakenAt: at(5),
        updatedAt: at(5),
        tenantId: ref.tenantId,
        servedBy: null,
        wasActive: true,
      };
      expect(await readPublic(shareUuid)).toEqual(frozen);
      expect(await readPublic(shareUuid.toUpperCase())).toEqual(frozen);
      await store.update(ref, change({ name: 'Renamed', removals: [{ kind: 'claims', id: 'a' }] }));
      await judge(store, ref, at(6));
      expect(await readPublic(shareUuid)).toEqual({ ...frozen, isJudgedSince: true });
      const again = {
        ...put,
        slug: 'other',
        snapshot: json({ v: 2 }),
        now: at(7),
        newShareUuid: randomUUID(),
      };
      expect(await putShare(ref, again)).toEqual({
        ...share,
        sessionName: 'Renamed',
        slug: 'other',
        snapshotTakenAt: at(7),
        updatedAt: at(7),
        judgedAt: at(6),
      });
      expect(await readPublic(shareUuid)).toEqual({
        ...frozen,
        slug: 'other',
        snapshot: '{"v":2}',
        snapshotTakenAt: at(7),
        updatedAt: at(7),
      });
    });

    it('a share that is changed after a clock was a day ahead has the time of its change', async () => {
      covers('INV-S.57');
      const ref = await newSession(store);
      const newShareUuid = randomUUID();
      await putShare(ref, { ...put, now: at(24 * 3_600_000), newShareUuid });
      await putShare(ref, { ...put, now: at(7), newShareUuid });
      expect(await store.readShare(ref)).toMatchObject({ updatedAt: at(7) });
    });

    it('shares are seen by anyone while public, and hidden otherwise', async () => {
      covers('INV-S.20', 'INV-S.21');
      const ref = await newSession(store);
      const newShareUuid = randomUUID();
      await putShare(ref, { ...put, isPublic: false, newShareUuid });
      expect(await store.readShare(ref)).toMatchObject({ isPublic: false, snapshotTakenAt: null });
      await putShare(ref, { ...put, newShareUuid });
      expect(await readPublic(newShareUuid)).toBeNull();
      await putShare(ref, { ...put, snapshot: json(1), newShareUuid });
      expect(await readPublic(newShareUuid)).toMatchObject({ snapshot: '1' });
      await putShare(ref, { ...put, isPublic: false, now: at(9), newShareUuid });
      expect(await readPublic(newShareUuid)).toBeNull();
      expect(await store.readShare(ref)).toMatchObject({
        isPublic: false,
        snapshotTakenAt: at(5),
        updatedAt: at(9),
      });
      for (const unknown of [randomUUID(), '', 'x', "'", '%']) {
        expect(await readPublic(unknown)).toBeNull();
      }
    });

    it('a share that was published anew or hidden gives no earlier snapshot', async () => {
      const ref = await newSession(store);
      const newShareUuid = randomUUID();
      await putShare(ref, { ...put, snapshot: json(1), newShareUuid });
      expect(await store.readPublicSnapshot(newShareUuid, at(4))).toBeNull();
      await putShare(ref, { ...put, snapshot: json(2), now: at(6), newShareUuid });
      expect(await store.readPublicSnapshot(newShareUuid, at(5))).toBeNull();
      expect(await store.readPublicSnapshot(newShareUuid, at(6))).toBe('2');
      await putShare(ref, { ...put, isPublic: false, now: at(7), newShareUuid });
      expect(await store.readPublicSnapshot(newShareUuid, at(6))).toBeNull();
    });

    it('shares are listed of one owner, last changed first', async () => {
      const ref = await newSession(store, { name: 'First' });
      const second = await newSession(store, { ref: { ...ref, sessionId: 'second' }, name: 'Second' });
      const others = await newSession(store, { ref: { ...ref, sessionId: 'others' }, ownerId: 'other' });
      await putShare(ref, { ...put, now: at(1), newShareUuid: randomUUID() });
      await putShare(second, { ...put, now: at(2), isPublic: false, newShareUuid: randomUUID() });
      await putShare(others, { ...put, now: at(3), newShareUuid: randomUUID() });
      const names = async () =>
        (await store.listShares(ref.tenantId, 'owner')).map(({ sessionName }) => sessionName);
      expect(await names()).toEqual(['Second', 'First']);
      await putShare(ref, { ...put, now: at(4), newShareUuid: randomUUID() });
      expect(await names()).toEqual(['First', 'Second']);
    });

    it('a feed has an entry for each put that brings one, the latest first and at most fifty, and none of a put that is refused', async () => {
      covers('INV-WATCH.9');
      const ref = await newSession(store);
      const newShareUuid = randomUUID();
      const ids: string[] = [];
      const putEntry = (n: number, version: string | null) => {
        const entry = { id: randomUUID(), changes: json({ leading_changed: n }) };
        ids.unshift(entry.id);
        const feed = { state: json(n), entry };
        return store.putShare(ref, { ...put, snapshot: json(n), now: at(n), newShareUuid, version, feed });
      };
      expect(await store.readFeedState(ref)).toBeNull();
      await putEntry(0, null);
      expect(await putEntry(1, 'another version')).toBe('conflict');
      ids.shift();
      for (let n = 2; n < 55; n += 1) await putEntry(n, await versionOf(ref));
      await putShare(ref, { ...put, snapshot: json('same'), now: at(60), newShareUuid });
      await putShare(ref, { ...put, isPublic: false, now: at(61), newShareUuid });
      const entries = await store.listShareEntries(newShareUuid);
      expect(entries.map(({ id }) => id)).toEqual(ids.slice(0, 50));
      expect(entries[0]).toEqual({ id: ids[0], at: at(54), changes: '{"leading_changed":54}' });
      expect(await store.readFeedState(ref)).toBe('54');
      await store.deleteSession(ref);
      expect(await store.listShareEntries(newShareUuid)).toEqual([]);
    });

    it('a session has one share, however many callers create it at once', async () => {
      const ref = await newSession(store);
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          store.putShare(ref, {
            ...put,
            slug: `s${n}`,
            snapshot: json(n),
            version: null,
            newShareUuid: randomUUID(),
          }),
        ),
      );
      const [share, ...others] = made.filter((one) => one !== 'conflict');
      expect(others).toEqual([]);
      const { slug, snapshot } = (await readPublic((share as Share).shareUuid))!;
      expect(slug).toBe(`s${snapshot}`);
    });
  });
}
