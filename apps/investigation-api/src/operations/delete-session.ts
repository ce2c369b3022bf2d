import { jsonBytes } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import { noSession, openSession } from './session-access.ts';
import { SessionReference } from './session-schema.ts';

/** Removes a session with its judgements, and ends its share. */
export const deleteSession: Operation<null> = async (deps, input, caller) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await openSession(deps, caller, session_id, 'delete');
  if (!(await deps.sessions.deleteSession(ref))) throw noSession();
  return jsonBytes(null);
};
