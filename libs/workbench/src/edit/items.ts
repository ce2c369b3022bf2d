import { isPathPart, sessionPath, type Api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Entity, KindSpec } from './kinds.ts';

/**
 * Reads and writes single items of a session. An id that cannot be a URL path segment is read from its list
 * and written by an update of the session.
 */

/** The item with an id, null where there is none. */
export async function readItem(
  api: Api,
  sessionId: string,
  { kind }: KindSpec,
  id: string,
): Promise<Entity | null> {
  if (!isPathPart(id)) {
    const items = await api<Entity[]>('GET', sessionPath(sessionId, kind));
    return items.find((item) => item.id === id) ?? null;
  }
  try {
    return await api<Entity>('GET', sessionPath(sessionId, kind, id));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** Adds an item, or replaces the one with its id. Gives it as it is stored. */
export async function writeItem(
  api: Api,
  sessionId: string,
  { kind }: KindSpec,
  item: Entity,
): Promise<Entity> {
  if (isPathPart(item.id))
    return await api<Entity>('PUT', sessionPath(sessionId, kind, item.id), { body: item });
  await api('PATCH', sessionPath(sessionId), { body: { [kind]: [item] } });
  return item;
}

/** Deletes an item; one that is gone already is no error. */
export async function removeItem(
  api: Api,
  sessionId: string,
  { removalsField }: KindSpec,
  id: string,
): Promise<void> {
  await api('PATCH', sessionPath(sessionId), { body: { [removalsField]: [id] } });
}
