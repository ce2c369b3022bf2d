import type { Entity, EntityRef } from '../model/entity.ts';
import type { ListedSession, SessionChange, SessionQuery } from './session-store.ts';
import { ENTITY_KINDS } from '@platform/opinion-fusion';

/** What a session holds, as plainly as it can be said. Values are never changed, only replaced. */
export interface NaiveSession {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly entities: readonly Entity[];
}

const isSame = (a: EntityRef, b: EntityRef) => a.kind === b.kind && a.id === b.id;

/** The session after a change: settings merged, items replaced or added behind, removed, then moved. */
export function naiveUpdate(session: NaiveSession, change: Partial<SessionChange>): NaiveSession {
  let { entities } = session;
  for (const given of change.upserts ?? []) {
    entities = entities.some((entity) => isSame(entity, given))
      ? entities.map((entity) => (isSame(entity, given) ? given : entity))
      : [...entities, given];
  }
  for (const gone of change.removals ?? []) entities = entities.filter((entity) => !isSame(entity, gone));
  for (const { kind, id, before } of change.moves ?? []) {
    const moved = entities.find((entity) => isSame(entity, { kind, id }));
    const others = entities.filter((entity) => entity !== moved);
    const place =
      before === null ? others.length : others.findIndex((entity) => isSame(entity, { kind, id: before }));
    if (moved !== undefined && place >= 0) entities = others.toSpliced(place, 0, moved);
  }
  return { settings: { ...session.settings, ...change.settings }, entities };
}

/** The investigation as a value. */
export function naivePayload({ settings, entities }: NaiveSession): Record<string, unknown> {
  const lists = ENTITY_KINDS.map((kind) => [
    kind,
    entities.filter((entity) => entity.kind === kind).map(({ body }) => JSON.parse(body) as unknown),
  ]);
  return { ...settings, ...(Object.fromEntries(lists) as Record<string, unknown>) };
}

export interface NaiveListed extends Omit<ListedSession, 'position' | 'role'> {
  readonly tenantId: string;
  /** Who is invited: user and lease, as text, to role. */
  readonly roles?: ReadonlyMap<string, ListedSession['role']>;
}

/** The key of a holder in `NaiveListed.roles`. */
export const holderKey = ({ userId, lease }: SessionQuery['holder']) => JSON.stringify([userId, lease]);

/** The page of `created`, sessions in order of creation, that `query` asks for. */
export function naiveList(created: readonly NaiveListed[], query: SessionQuery): ListedSession[] {
  const found = created.filter(
    (session) =>
      session.tenantId === query.tenantId &&
      (query.ownerId === null || session.ownerId === query.ownerId) &&
      (query.hasResult === undefined || query.hasResult === (session.judgedAt !== null)) &&
      (query.nameFilter === undefined || lower(session.name).includes(lower(query.nameFilter))) &&
      (query.updatedAfter === undefined || session.updatedAt > query.updatedAfter) &&
      (query.updatedBefore === undefined || session.updatedAt < query.updatedBefore),
  );
  // A stable sort leaves equals in order of creation.
  if (query.sort === 'name') found.sort((a, b) => Buffer.compare(utf8(a.name), utf8(b.name)));
  else {
    const field = query.sort === 'created_at' ? 'createdAt' : 'updatedAt';
    found.reverse().sort((a, b) => b[field].getTime() - a[field].getTime());
  }
  return found
    .map(({ tenantId: _tenantId, roles, ...session }, index) => ({
      ...session,
      role: roles?.get(holderKey(query.holder)) ?? null,
      position: index + 1,
    }))
    .slice(query.offset)
    .filter(({ sessionId, ownerId, role }) => {
      if (query.among === undefined) return true;
      const { exact, prefixes } = query.among;
      if (ownerId === query.holder.userId || role !== null || exact.includes(sessionId)) return true;
      return prefixes.some((prefix) => sessionId.startsWith(prefix));
    })
    .slice(0, query.limit);
}

/** Each character for itself, so that no context counts. */
function lower(text: string): string {
  return Array.from(text, (character) => character.toLowerCase())
    .join('')
    .replaceAll('ς', 'σ');
}

/** What names are sorted by: their first 500 characters, byte by byte. */
function utf8(name: string): Buffer {
  return Buffer.from(Array.from(lower(name)).slice(0, 500).join(''), 'utf8');
}
