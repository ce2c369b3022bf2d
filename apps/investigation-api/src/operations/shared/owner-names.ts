import type { Caller } from '../../access/caller.ts';
import type { SessionDeps } from '../../ports.ts';

interface Owned {
  readonly ownerId: string;
}

/**
 * The username of each session's owner: null for one who has left the tenant, and where nobody is asked.
 * Throws `rate_limited` and `unavailable`.
 */
export async function ownerNames(
  { permissions }: Pick<SessionDeps, 'permissions'>,
  caller: Caller,
  sessions: readonly Owned[],
): Promise<(session: Owned) => string | null> {
  const others = new Set(sessions.map(({ ownerId }) => ownerId).filter((id) => id !== caller.id));
  const colleagues = await permissions.findColleagues(caller, { ids: [...others] });
  const names = new Map(colleagues.map(({ id, username }) => [id, username]));
  return ({ ownerId }) => (ownerId === caller.id ? caller.username : (names.get(ownerId) ?? null));
}
