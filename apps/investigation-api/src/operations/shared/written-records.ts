import type { Caller } from '../../access/caller.ts';
import type { SessionDeps } from '../../ports.ts';
import { RequestBody } from '../../wire/request-body.ts';

const FIELD = 'reliability_record';

/**
 * The records of sources that the register has written into the session that a change is for, by `recordKey`:
 * those that the change may hold. None unless it holds any, and where it does not say which session it is for
 * before it is read, as large arguments of tools.
 */
export async function writtenRecords(
  deps: SessionDeps,
  caller: Caller,
  input: unknown,
): Promise<readonly string[]> {
  const sessionId = sessionIdOf(input);
  if (caller.tenantId === null || sessionId === null || !mayHoldRecord(input)) return [];
  const ref = { tenantId: caller.tenantId, sessionId };
  return (await deps.outcomes.declaredReliabilities(ref)).records;
}

function sessionIdOf(input: unknown): string | null {
  const from = input instanceof RequestBody ? input.fromUrl : (input as Record<string, unknown> | null);
  const { session_id: id } = from ?? {};
  return typeof id === 'string' ? id : null;
}

/** Of a body by its bytes. One that spells the field with escapes keeps no record. */
function mayHoldRecord(input: unknown): boolean {
  if (input instanceof RequestBody) {
    const { buffer, byteOffset, length } = input.bytes;
    return Buffer.from(buffer, byteOffset, length).includes(FIELD);
  }
  const { actor, actors } = input as { readonly actor?: unknown; readonly actors?: unknown };
  const items: unknown[] = [actor, ...(Array.isArray(actors) ? (actors as unknown[]) : [])];
  return items.some((item) => typeof item === 'object' && item !== null && FIELD in item);
}
