import type { z } from 'zod';
import type { SessionHead } from '../store/session-store.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import { neverJudged, noSession, openSession } from './session-access.ts';
import type { InterpretationResponse } from './session-schema.ts';
import { SessionReference } from './session-schema.ts';

/** What an analyst or a language model wrote about the last result. Throws `failed_precondition` for a session never judged. */
export const getInterpretation: Operation<z.output<typeof InterpretationResponse>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id } = readInput(SessionReference, input);
  const { head } = await openSession(deps, caller, session_id, 'read');
  if (head.judgedAt === null) throw neverJudged();
  return jsonBytes({ session_id, ...interpretationOf(head) });
};

/** Sets it, or clears it with null. Throws `failed_precondition` for a session never judged. */
export const setInterpretation: Operation<z.output<typeof InterpretationResponse>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id, interpretation = null } = await deps.inputs.read('set_interpretation', input);
  const { ref } = await openSession(deps, caller, session_id, 'update');
  const now = deps.now();
  const outcome = await deps.sessions.setInterpretation(ref, interpretation, now);
  if (outcome === 'no_session') throw noSession();
  if (outcome === 'never_judged') throw neverJudged();
  return jsonBytes({
    session_id,
    interpretation,
    interpretation_updated_at: now.toISOString(),
    interpretation_predates_judgement: false,
  });
};

/** The interpretation of a session, with its age, as responses have it. */
export function interpretationOf(
  head: SessionHead,
): Omit<z.output<typeof InterpretationResponse>, 'session_id'> {
  return {
    interpretation: head.interpretation,
    interpretation_updated_at: head.interpretationUpdatedAt?.toISOString() ?? null,
    interpretation_predates_judgement: predatesJudgement(head),
  };
}

/** Whether the session was judged after its interpretation was written. */
export function predatesJudgement({
  interpretation,
  interpretationUpdatedAt,
  judgedAt,
}: SessionHead): boolean {
  return (
    interpretation !== null &&
    interpretationUpdatedAt !== null &&
    judgedAt !== null &&
    interpretationUpdatedAt < judgedAt
  );
}
