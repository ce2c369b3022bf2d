/**
 * What can be done with a session. Policies let nobody `share` it or `invite` to it; they may deny `share` to
 * those whom its owner has invited to publish.
 */
export type SessionAction = 'read' | 'update' | 'judge' | 'delete' | 'share' | 'invite';

/** What the owner of a session may invite colleagues to. */
export const ROLES = ['read', 'edit', 'publish'] as const;
export type Role = (typeof ROLES)[number];

/** Each role may do what the one before may, and more. Deleting and inviting are the owner's own. */
const ACTIONS: Readonly<Record<Role, readonly SessionAction[]>> = {
  read: ['read'],
  edit: ['read', 'update', 'judge'],
  publish: ['read', 'update', 'judge', 'share'],
};

/** Whether a role includes an action. */
export function includes(role: Role, action: SessionAction): boolean {
  return ACTIONS[role].includes(action);
}

/** The least role that includes an action; null = only owners may do it. */
export function roleFor(action: SessionAction): Role | null {
  return ROLES.find((role) => includes(role, action)) ?? null;
}

/**
 * A user as requests come from them: an invitation holds for the membership of the tenant that it was made
 * for.
 */
export interface Holder {
  readonly userId: string;
  /** Of the membership; null where authz-grpc is not asked, and then there is no invitation. */
  readonly lease: string | null;
}
