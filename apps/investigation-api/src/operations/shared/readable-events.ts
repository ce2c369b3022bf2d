import type { Caller } from '../../access/caller.ts';
import type { Permissions } from '../../access/permissions.ts';
import { pathsOf, withReadable } from '../../model/followed-event.ts';

/**
 * Events as a caller may be shown them now: those of documents and policies tell only of what they may read.
 * Throws `rate_limited` and `unavailable`.
 */
export async function readableEvents<Event extends { readonly rule: string; readonly body: string }>(
  { permissions }: { readonly permissions: Permissions },
  caller: Caller,
  events: readonly Event[],
): Promise<Event[]> {
  const paths = [...new Set(events.flatMap(pathsOf))];
  if (paths.length === 0) return [...events];
  const allowed = await permissions.mayRead(caller, paths);
  const readable = new Set(paths.filter((_, index) => allowed[index]));
  return events.map((event) => ({ ...event, body: withReadable(event, (path) => readable.has(path)) }));
}
