import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import type { SessionChange, SessionRef } from '../store/session-store.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import type { SessionDeps } from '../ports.ts';
import { noSession, openSession } from './session-access.ts';
import type { UpdateSessionStatus } from './session-schema.ts';

/**
 * Merges items into the lists of a session, sets its scalars and its name, then removes what is to go: all at once, also
 * beside other updates. References between items are looked at when the session is judged.
 */
export const updateSession: Operation<z.output<typeof UpdateSessionStatus>> = async (deps, input, caller) => {
  const { session_id, ...change } = await deps.inputs.read('update_session', input);
  const { ref } = await openSession(deps, caller, session_id, 'update');
  await applyChange(deps, ref, change);
  return jsonBytes({ session_id, status: 'updated' as const });
};

/** Writes a change. Throws `payload_too_large` when the investigation would outgrow what a request may carry. */
export async function applyChange(
  deps: SessionDeps,
  ref: SessionRef,
  change: Omit<SessionChange, 'now' | 'payloadBytesMax'>,
): Promise<void> {
  const { bodyBytesMax: payloadBytesMax } = deps.config;
  const outcome = await deps.sessions.update(ref, { ...change, payloadBytesMax, now: deps.now() });
  if (outcome === 'no_session') throw noSession();
  if (outcome === 'too_large') {
    throw new DomainError(
      'payload_too_large',
      `the session's investigation would be larger than ${payloadBytesMax} bytes`,
    );
  }
}
