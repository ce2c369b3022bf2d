import type { z } from 'zod';
import { jsonBytes } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import { requireTenant } from './session-access.ts';
import type { SessionMeta } from './session-schema.ts';
import { ListSessions } from './session-schema.ts';

/** The caller's own sessions. */
export const listSessions: Operation<z.output<typeof SessionMeta>[]> = async (deps, input, caller) => {
  const tenantId = requireTenant(caller);
  const { has_result, limit, offset, name_filter, sort, updated_after, updated_before } = readInput(
    ListSessions,
    input,
  );
  const sessions = await deps.sessions.list({
    tenantId,
    ownerId: caller.id,
    hasResult: has_result,
    nameFilter: name_filter,
    sort,
    updatedAfter: instant(updated_after),
    updatedBefore: instant(updated_before),
    limit,
    offset,
  });
  return jsonBytes(
    sessions.map(({ sessionId, name, createdAt, updatedAt, judgedAt }) => ({
      id: sessionId,
      name,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      judged_at: judgedAt?.toISOString() ?? null,
    })),
  );
};

/** ISO 8601 without an offset is UTC, a date its first instant. */
function instant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const isLocal = text.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  return new Date(isLocal ? `${text}Z` : text);
}
