import type { AuditEvent } from './audit-event.ts';

/** The key of a context that is searched for. */
export type Searched = 'object' | 'subject' | 'action';

const KINDS = { object: 'resources', subject: 'subjects', action: 'actions', plan: 'plan' } as const;

/** The detail of a check as that of an item that a search listed: it says which kind of search. */
export function listedDetail(detail: string, kind: Searched): string {
  return `${detail.slice(0, -1)},"search":"${KINDS[kind]}"}`;
}

/**
 * The row of a plan, or of a search that listed nothing. Its context is that of a check with a placeholder,
 * which nobody asked: `search` stands first in its detail, and by that the statement that reads recorded
 * checks leaves it out.
 */
export function noRequest(event: AuditEvent, kind: Searched | 'plan'): AuditEvent {
  const detail = `{"search":"${KINDS[kind]}","listed":0,${event.detail.slice(1)}`;
  return { ...event, matchedPolicy: '', detail };
}

/** Details of listed items of before rows of searches kept contexts. */
export const LISTED_OF_BEFORE = [KINDS.object, KINDS.subject, KINDS.action].map(
  (kind) => `{"search":"${kind}"}`,
);

/** Why the row of a search or plan is no check to explain; null where it is one. */
export function searchFault({ decision, detail }: Pick<AuditEvent, 'decision' | 'detail'>): string | null {
  if (!detail.startsWith('{"search":')) return null;
  if (detail.startsWith('{"search":"plan"'))
    return 'is of a plan, which decides no single request: ask for a check of one';
  return decision
    ? 'is an item that a search listed before rows of searches kept contexts'
    : 'is of a search that listed nothing: no single request was decided';
}
