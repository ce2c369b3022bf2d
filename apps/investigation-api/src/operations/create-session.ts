import type { z } from 'zod';
import { DomainError } from '@platform/error-contracts';
import { jsonBytes } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { requireTenant } from './session-access.ts';
import type { CreateSessionResponse } from './session-schema.ts';

/** Makes a session that the caller owns. Throws `conflict` when the tenant has a session with the id, whoever owns it. */
export const createSession: Operation<z.output<typeof CreateSessionResponse>> = async (
  deps,
  input,
  caller,
) => {
  const tenantId = requireTenant(caller);
  const { session_id, name, settings, entities } = await deps.inputs.read('create_session', input);
  const sessionId = session_id ?? deps.newId();
  const outcome = await deps.sessions.create({
    ref: { tenantId, sessionId },
    ownerId: caller.id,
    name,
    settings,
    entities,
    now: deps.now(),
  });
  if (outcome === 'taken') throw new DomainError('conflict', 'a session with this session_id exists already');
  return jsonBytes({ session_id: sessionId });
};
