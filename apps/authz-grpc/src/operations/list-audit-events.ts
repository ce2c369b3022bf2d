import { AuthzError, invalidField } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { authorizeOnTenant, authorizeRoot } from '../authorization/authorize.ts';
import { SYSTEM_CHAIN, type ChainedEvent } from '../model/audit-event.ts';
import { readToken, writeToken, type ListIdentity } from '../pages.ts';
import type { AuditFilter, ChainPlace } from '../store/audit-store.ts';
import type { Deps } from '../ports.ts';

const AUDIT_PAGE = 100;
const AUDIT_PAGE_MAX = 1_000;

/**
 * The tenant's audit rows, newest first, a page at a time, and the row that their chain begins behind;
 * without a tenant those that belong to none, which are the system root's to read. Throws ACCESS_DENIED,
 * INVALID_ARGUMENT, limits.
 */
export async function listAuditEvents(
  deps: Pick<Deps, 'decisions' | 'auditRows'>,
  caller: Caller,
  query: Omit<AuditFilter, 'tenantId' | 'beforeSequence' | 'limit'> & {
    readonly tenantId: string | null;
    readonly limit: number;
    readonly cursor: string;
  },
): Promise<{
  readonly events: ChainedEvent[];
  readonly nextCursor: string;
  readonly anchor: ChainPlace;
}> {
  if (query.limit > AUDIT_PAGE_MAX) {
    throw new AuthzError('INVALID_ARGUMENT', `\`limit\` must be at most ${AUDIT_PAGE_MAX}`, {
      field: 'limit',
    });
  }
  assertTime(query.after, 'after');
  assertTime(query.before, 'before');
  if (query.after !== undefined && query.before !== undefined && query.before <= query.after)
    throw invalidField('before', 'must be later than `after`');
  const call = CALLS.ListAuditEvents;
  const tenantId = query.tenantId ?? SYSTEM_CHAIN;
  const list = listOf(tenantId, query);
  const beforeSequence = readCursor(list, query.cursor);
  if (tenantId === SYSTEM_CHAIN) await authorizeRoot(deps, caller, call);
  else await authorizeOnTenant(deps, caller, call, tenantId, { action: 'read', path: 'audit' });
  const limit = query.limit === 0 ? AUDIT_PAGE : query.limit;
  const events = await deps.auditRows.find({ ...query, tenantId, beforeSequence, limit: limit + 1 });
  // Read after the rows: rows that retention removes in between are behind the anchor then and do not count
  // as missing.
  const { anchor } = await deps.auditRows.chain(tenantId);
  const page = events.slice(0, Math.min(limit, fitting(events)));
  const last = page.at(-1);
  return {
    events: page,
    nextCursor: events.length > page.length && last ? writeToken(list, String(last.sequence)) : '',
    anchor,
  };
}

/** Characters of `detail` on one page: clients take messages of 4 MiB unless told otherwise. */
const DETAIL_MAX = 2 * 1024 * 1024;

/** How many of the rows, at least one, make a page that clients take. */
function fitting(events: readonly ChainedEvent[]): number {
  let characters = 0;
  const first = events.findIndex(({ detail }) => (characters += detail.length) > DETAIL_MAX);
  return first < 0 ? events.length : Math.max(1, first);
}

/** All that a protobuf Timestamp may say. */
const TIME_MIN = Date.parse('0001-01-01T00:00:00Z');
const TIME_MAX = Date.parse('9999-12-31T23:59:59.999Z');

function assertTime(time: Date | undefined, field: string): void {
  if (time === undefined || (time.getTime() >= TIME_MIN && time.getTime() <= TIME_MAX)) return;
  throw invalidField(field, 'must be in the years 1 to 9999');
}

/** The rows that a cursor belongs to: those of one tenant that pass the same filters. */
function listOf(tenantId: string, query: Omit<AuditFilter, 'tenantId' | 'beforeSequence' | 'limit'>) {
  const { domainId, subject, action, decision, kind, operation, refused, after, before } = query;
  const filters = [domainId, subject, action, decision, kind, operation, refused];
  return ['ListAuditEvents', tenantId, ...filters, after?.getTime(), before?.getTime()] as const;
}

/** The cursor is the place in the chain, so pages neither overlap nor skip while rows arrive. */
function readCursor(list: ListIdentity, cursor: string): number | undefined {
  const key = readToken(list, cursor, 'cursor');
  if (key === null) return undefined;
  if (!/^\d{1,15}$/.test(key)) throw invalidField('cursor', 'is not one that was given out');
  return Number(key);
}
