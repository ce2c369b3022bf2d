import type { KeptByLease } from './kept-by-lease.ts';
import type { Holder, Role } from '../model/role.ts';
import type { SessionRef } from '../model/session-ref.ts';

/** Colleagues that a session may have. */
export const MEMBERS_MAX = 100;

/** A colleague with a role in a session. */
export interface Member {
  readonly userId: string;
  readonly role: Role;
  readonly lease: string;
  readonly invitedAt: Date;
}

/** Who is invited to sessions, and for how long. Errors: the driver's alone. */
export interface MemberStore {
  /** null = not invited, or by a membership that has ended. */
  readRole(ref: SessionRef, holder: Holder): Promise<Role | null>;
  /** In order of invitation; of ended memberships, too. */
  listMembers(ref: SessionRef): Promise<Member[]>;
  /**
   * Invites, or gives another role; an invitation by the same lease keeps its time. `full` = MEMBERS_MAX
   * others are invited whose memberships are not known to have ended.
   */
  putMember(
    ref: SessionRef,
    member: { readonly userId: string; readonly role: Role; readonly lease: string; readonly now: Date },
  ): Promise<Member | 'no_session' | 'full'>;
  /** false = was not invited. */
  deleteMember(ref: SessionRef, userId: string): Promise<boolean>;

  /** The leases of invitations, for those whose membership ends. */
  readonly invitations: KeptByLease;
}
