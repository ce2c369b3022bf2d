import type { z } from 'zod';
import { loadAuthorizedSession, sessionNeverJudged, sessionNotFound } from '../access/session-access.ts';
import type { Operation } from '../ports.ts';
import { interpretationFieldsOf } from '../wire/interpretation-fields.ts';
import { readInput } from '../wire/read-input.ts';
import type { InterpretationResponse } from '../wire/session-schema.ts';
import { SessionReference } from '../wire/session-schema.ts';

/**
 * What an analyst or a language model wrote about the last result. Throws `failed_precondition` for a session
 * never judged.
 */
export const getSessionInterpretation: Operation<z.output<typeof InterpretationResponse>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id } = readInput(SessionReference, input);
  const { head } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  if (head.judgedAt === null) throw sessionNeverJudged();
  return { session_id, ...interpretationFieldsOf(head) };
};

/**
 * Sets the interpretation, or clears it with null. Throws `failed_precondition` for a session never judged.
 */
export const setSessionInterpretation: Operation<z.output<typeof InterpretationResponse>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id, interpretation = null } = await deps.inputs.read('set_interpretation', input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'update');
  const now = deps.now();
  const outcome = await deps.sessions.setInterpretation(ref, interpretation, now);
  if (outcome === 'no_session') throw sessionNotFound();
  if (outcome === 'never_judged') throw sessionNeverJudged();
  return {
    session_id,
    interpretation,
    interpretation_updated_at: now.toISOString(),
    interpretation_predates_judgement: false,
  };
};
