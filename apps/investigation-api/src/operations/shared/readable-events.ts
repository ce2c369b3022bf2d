import type { Caller } from '../../access/caller.ts';
import type { Permissions } from '../../access/permissions.ts';
import { documentsOf, withDocuments } from '../../model/document-event.ts';
import { DOCUMENT_RULE } from '../../model/watch-rules.ts';

/**
 * Events as a caller may be shown them now: those of documents tell only of documents that they may read.
 * Throws `rate_limited` and `unavailable`.
 */
export async function readableEvents<Event extends { readonly rule: string; readonly body: string }>(
  { permissions }: { readonly permissions: Permissions },
  caller: Caller,
  events: readonly Event[],
): Promise<Event[]> {
  const names = events.flatMap(({ rule, body }) =>
    rule === DOCUMENT_RULE ? documentsOf(body).map(({ filename }) => filename) : [],
  );
  if (names.length === 0) return [...events];
  const asked = [...new Set(names)];
  const allowed = await permissions.mayReadDocuments(caller, asked);
  const readable = new Set(asked.filter((_, index) => allowed[index]));
  return events.map((event) =>
    event.rule === DOCUMENT_RULE
      ? { ...event, body: withDocuments(event.body, ({ filename }) => readable.has(filename)) }
      : event,
  );
}
