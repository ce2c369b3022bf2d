import type { z } from 'zod';
import { interpretationOf } from './interpretation.ts';
import { jsonObject, JsonPart } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import { noSession, openSession } from './session-access.ts';
import type { SessionResponse } from './session-schema.ts';
import { SessionReference } from './session-schema.ts';

/** A session with its payload and last result. */
export const getSession: Operation<z.output<typeof SessionResponse>> = async (deps, input, caller) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await openSession(deps, caller, session_id, 'read');
  const stored = await deps.sessions.readSession(ref);
  if (stored === null) throw noSession();
  const { head, payload, lastResult } = stored;
  return jsonObject<z.output<typeof SessionResponse>>({
    session_id,
    name: head.name,
    payload: new JsonPart(payload),
    created_at: head.createdAt.toISOString(),
    updated_at: head.updatedAt.toISOString(),
    ...interpretationOf(head),
    judged_at: head.judgedAt?.toISOString() ?? null,
    last_result: new JsonPart(lastResult ?? 'null'),
  });
};
