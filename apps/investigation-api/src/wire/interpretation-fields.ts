import type { z } from 'zod';
import type { SessionHead } from '../store/session-store.ts';
import type { InterpretationResponse } from './session-schema.ts';

/** The interpretation of a session with its age, as responses have it. */
export function interpretationFieldsOf(
  head: SessionHead,
): Omit<z.output<typeof InterpretationResponse>, 'session_id'> {
  const { interpretation, interpretationUpdatedAt, judgedAt } = head;
  return {
    interpretation,
    interpretation_updated_at: interpretationUpdatedAt?.toISOString() ?? null,
    interpretation_predates_judgement:
      interpretation !== null &&
      interpretationUpdatedAt !== null &&
      judgedAt !== null &&
      interpretationUpdatedAt < judgedAt,
  };
}
