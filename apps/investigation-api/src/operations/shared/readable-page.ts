import { holderOf, type Caller } from '../../access/caller.ts';
import type { OwnedSession } from '../../access/permissions.ts';
import type { SessionDeps } from '../../ports.ts';
import type { ListedSession, SessionQuery } from '../../store/session-store.ts';

/** Sessions looked at in one go at least, and how often at most for one page of what the caller may read. */
const LOOKED_AT_ONCE = 50;
const LOOKS_MAX = 20;

export interface ReadableQuery extends Omit<SessionQuery, 'ownerId' | 'holder' | 'among'> {
  /** Sessions that pages before have looked at. */
  readonly cursor: number;
}

/**
 * A page of the sessions that the caller owns, is invited to or that policies let them read, `offset` counted
 * among these; with `mine`, and where there are no policies, of those they own. The first look is at sessions
 * as they lie, for mostly they may all be read, the others at those whose ids the caller's plan allows. After
 * LOOKS_MAX looks the page may be short, or empty, and still have a next one. Why:
 * docs/decisions/0082-lists-of-sessions-by-plan.md. Throws `rate_limited` and `unavailable`.
 */
export async function readablePage(
  { sessions: store, permissions }: Pick<SessionDeps, 'sessions' | 'permissions'>,
  caller: Caller,
  mine: boolean,
  { cursor, offset, limit, ...rest }: ReadableQuery,
): Promise<{ readonly sessions: readonly ListedSession[]; readonly next: number | null }> {
  const query = { ...rest, holder: holderOf(caller) };
  if (mine || !permissions.hasPolicies(caller)) {
    const from = cursor + offset;
    const found = await store.list({ ...query, ownerId: caller.id, limit: limit + 1, offset: from });
    return { sessions: found.slice(0, limit), next: found.length > limit ? from + limit : null };
  }
  const page: ListedSession[] = [];
  const atOnce = Math.max(limit, LOOKED_AT_ONCE);
  let skip = offset;
  let lookedAt = cursor;
  let planned: Pick<SessionQuery, 'among'> = {};
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if (looks === 1) {
      const ids = await permissions.idsOf(caller, 'read');
      if (ids !== null) planned = { among: ids };
    }
    // One more than are looked at: whether there are further ones.
    const looked = { ownerId: null, limit: atOnce + 1, offset: lookedAt };
    const found = await store.list({ ...query, ...planned, ...looked });
    const candidates = found.slice(0, atOnce);
    const isReadable = await areReadable(permissions, caller, candidates);
    for (const [index, session] of candidates.entries()) {
      if (!isReadable[index]) continue;
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      page.push(session);
      if (page.length < limit) continue;
      const isLast = found.length <= atOnce && !isReadable.includes(true, index + 1);
      return { sessions: page, next: isLast ? null : session.position };
    }
    if (found.length <= atOnce) return { sessions: page, next: null };
    lookedAt = candidates.at(-1)!.position;
  }
  return { sessions: page, next: lookedAt };
}

/**
 * Whether the caller may read each session, by index: their own, those that they are invited to and no policy
 * denies, and those that a policy allows. Throws `rate_limited` and `unavailable`.
 */
export async function areReadable(
  permissions: SessionDeps['permissions'],
  caller: Caller,
  sessions: readonly OwnedSession[],
): Promise<boolean[]> {
  const others = sessions.filter(({ ownerId }) => ownerId !== caller.id);
  const decisions = others.length === 0 ? [] : await permissions.decide(caller, 'read', others);
  const isReadable = ({ role = null }: OwnedSession, index: number) =>
    decisions[index] === 'allowed' || (decisions[index] === 'open' && role !== null);
  const readable = new Set(others.filter(isReadable));
  return sessions.map((session) => session.ownerId === caller.id || readable.has(session));
}
