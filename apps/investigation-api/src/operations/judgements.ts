import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Judgement } from '../store/session-store.ts';
import type { JsonBytes } from './json-bytes.ts';
import { jsonBytes, jsonObject, JsonPart } from './json-bytes.ts';
import type { Operation } from './operation.ts';
import type { SessionDeps } from '../ports.ts';
import { readInput } from './read-input.ts';
import { noSession, openSession } from './session-access.ts';
import type { JudgementMeta, JudgementRecord } from './session-schema.ts';
import { JudgementReference, SessionReference } from './session-schema.ts';

/** All judgements of a session, the latest first. */
export const listJudgements: Operation<z.output<typeof JudgementMeta>[]> = async (deps, input, caller) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await openSession(deps, caller, session_id, 'read');
  const judgements = await deps.sessions.listJudgements(ref);
  if (judgements === null) throw noSession();
  return jsonBytes(
    judgements.map(({ id, judgedAt, durationMs }) => ({
      id,
      session_id,
      judged_at: judgedAt.toISOString(),
      duration_ms: durationMs,
    })),
  );
};

/** The latest judgement with its input and result. Throws `not_found` for a session never judged. */
export const getLatestJudgement: Operation<z.output<typeof JudgementRecord>> = async (
  deps,
  input,
  caller,
) => {
  const { session_id } = readInput(SessionReference, input);
  return recordOf(session_id, await readJudgement(deps, caller, session_id, 'latest'));
};

/** One judgement with its input and result. Throws `not_found` when the session has none with the id. */
export const getJudgement: Operation<z.output<typeof JudgementRecord>> = async (deps, input, caller) => {
  const { session_id, judgement_id } = readInput(JudgementReference, input);
  return recordOf(session_id, await readJudgement(deps, caller, session_id, judgement_id));
};

async function readJudgement(
  deps: SessionDeps,
  caller: Caller,
  sessionId: string,
  id: string,
): Promise<Judgement> {
  const { ref } = await openSession(deps, caller, sessionId, 'read');
  const found = await deps.sessions.readJudgement(ref, id);
  if (found === 'no_session') throw noSession();
  if (found === 'no_judgement') {
    const which =
      id === 'latest' ? 'the session has not been judged yet' : 'no such judgement of the session';
    throw new DomainError('not_found', which);
  }
  return found;
}

function recordOf(
  session_id: string,
  { id, judgedAt, durationMs, inputSnapshot, result }: Judgement,
): JsonBytes<z.output<typeof JudgementRecord>> {
  return jsonObject<z.output<typeof JudgementRecord>>({
    id,
    session_id,
    judged_at: judgedAt.toISOString(),
    input_snapshot: new JsonPart(inputSnapshot),
    result: new JsonPart(result),
    duration_ms: durationMs,
  });
}
