import type { Session } from './wire.ts';

/** What the desk offers of a session; the service decides about each request by itself. */
export interface Rights {
  readonly mayEdit: boolean;
  readonly mayPublish: boolean;
  /** Invites colleagues, and deletes. */
  readonly isOwner: boolean;
}

/** The rights of a role. Users without one come by policies: editing is offered, and the service decides. */
export function rightsOf(role: Session['role']): Rights {
  const isOwner = role === 'owner';
  return { mayEdit: role !== 'read', mayPublish: isOwner || role === 'publish', isOwner };
}

/** What somebody with a role may do, in words. */
export const ROLE_WORDS = {
  owner: 'yours',
  read: 'can read',
  edit: 'can edit and judge',
  publish: 'can edit, judge and publish',
} as const satisfies Record<NonNullable<Session['role']>, string>;
