import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { MEMBERS_MAX } from './member-store.ts';
import type { SessionStore } from './session-store.ts';
import { at, newSession } from './sessions.fixture.ts';

/** What a store promises of invitations. */
export function membersContract(opened: () => SessionStore): void {
  let store: SessionStore;
  beforeAll(() => {
    store = opened();
  });

  describe('members', () => {
    const ana = { userId: 'ana', lease: 'of ana' };

    it('an invitation that is given again changes the role, and members are listed by its time', async () => {
      covers('INV-MEMBER.1');
      const ref = await newSession(store);
      const invited = await store.putMember(ref, { ...ana, role: 'read', now: at(1) });
      expect(invited).toEqual({ ...ana, role: 'read', invitedAt: at(1) });
      await store.putMember(ref, { userId: 'bo', lease: 'of bo', role: 'publish', now: at(2) });
      expect(await store.putMember(ref, { ...ana, role: 'edit', now: at(3) })).toEqual({
        ...ana,
        role: 'edit',
        invitedAt: at(1),
      });
      expect((await store.listMembers(ref)).map(({ userId, role }) => [userId, role])).toEqual([
        ['ana', 'edit'],
        ['bo', 'publish'],
      ]);
    });

    it('an invitation gives a role to one user of one session, until it is taken back', async () => {
      covers('INV-MEMBER.1');
      const [ref, other] = [await newSession(store), await newSession(store)];
      await store.putMember(ref, { ...ana, role: 'edit', now: at(1) });
      await store.putMember(ref, { userId: 'bo', lease: 'of bo', role: 'publish', now: at(2) });
      expect(await store.readRole(ref, ana)).toBe('edit');
      for (const nobody of [
        { ...ana, lease: 'another' },
        { ...ana, lease: null },
        { ...ana, userId: 'bo' },
      ])
        expect(await store.readRole(ref, nobody)).toBeNull();
      expect(await store.readRole(other, ana)).toBeNull();
      expect(await store.deleteMember(other, 'ana')).toBe(false);
      expect(await store.deleteMember(ref, 'ana')).toBe(true);
      expect(await store.deleteMember(ref, 'ana')).toBe(false);
      expect(await store.readRole(ref, ana)).toBeNull();
    });

    it('a session that does not exist has no members and takes none', async () => {
      covers('INV-MEMBER.1');
      const none = { tenantId: randomUUID(), sessionId: 'none' };
      expect(await store.putMember(none, { ...ana, role: 'read', now: at(1) })).toBe('no_session');
      expect([await store.listMembers(none), await store.readRole(none, ana)]).toEqual([[], null]);
    });

    it('invitations go with their session, which may be made again without them', async () => {
      covers('INV-MEMBER.5');
      const ref = await newSession(store);
      await store.putMember(ref, { ...ana, role: 'publish', now: at(1) });
      await store.deleteSession(ref);
      await newSession(store, { ref });
      expect([await store.readRole(ref, ana), await store.listMembers(ref)]).toEqual([null, []]);
      await store.putMember(ref, { ...ana, role: 'publish', now: at(1) });
      await store.eraseTenant(ref.tenantId);
      await newSession(store, { ref });
      expect(await store.readRole(ref, ana)).toBeNull();
    });

    it(`a session has at most ${MEMBERS_MAX} members, and those whose membership ended do not count`, async () => {
      covers('INV-MEMBER.1');
      const ref = await newSession(store);
      const invite = (n: number) =>
        store.putMember(ref, {
          userId: `user ${n}`,
          role: 'read',
          lease: `${ref.tenantId} ${n}`,
          now: at(n),
        });
      for (let n = 0; n < MEMBERS_MAX - 1; n++) await invite(n);
      const last = await Promise.all([invite(200), invite(201)]);
      expect(last.filter((outcome) => outcome === 'full')).toHaveLength(1);
      expect(await invite(0)).not.toBe('full');
      await store.invitations.markEnded([`${ref.tenantId} 1`], at(500));
      expect(await invite(202)).not.toBe('full');
      expect(await store.listMembers(ref)).toHaveLength(MEMBERS_MAX + 1);
    });
  });
}
