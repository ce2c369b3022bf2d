import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import { workFor, type Caller } from '../access/caller.ts';
import {
  JUDGE_FIRST,
  loadAuthorizedSession,
  loadPayload,
  sessionNeverJudged,
  sessionNotFound,
} from '../access/session-access.ts';
import { judgeSession } from '../engine/judge-session.ts';
import { withDeadline } from '../engine/with-deadline.ts';
import type { Operation, OperationOptions, SessionDeps } from '../ports.ts';
import { checkedQuotes } from '../quotes/quote-checks.ts';
import { cutParts } from './shared/cut-parts.ts';
import { instant } from './shared/instant.ts';
import { readableQuotes } from './shared/readable-quotes.ts';
import type { Judgement, JudgementMeta as Stored } from '../store/session-store.ts';
import type { ValueOrJson } from '../wire/json-bytes.ts';
import { jsonObject, JsonPart, valueOfResponse } from '../wire/json-bytes.ts';
import { packJson, unpackJson } from '../wire/packed-json.ts';
import type { ExplainedVerdict } from '../wire/explanation-schema.ts';
import { presentationOf } from '../wire/presentation.ts';
import { readInput } from '../wire/read-input.ts';
import type {
  JudgementComparison,
  JudgementMeta,
  JudgementRecord,
  JudgeResponse,
} from '../wire/session-schema.ts';
import {
  CompareJudgements,
  ExplainVerdict,
  JudgementReference,
  moment,
  SessionReference,
} from '../wire/session-schema.ts';

/**
 * Judges a session as it stands and keeps the judgement: the input as judged, the full result, and when. A
 * compact result is a form of the response and is not kept. Quotes that are pinned to documents are looked up
 * as the caller; what becomes of them is kept beside the result and changes nothing of it. Throws
 * `unprocessable` when the investigation cannot be judged, `deadline_exceeded`, `payload_too_large`,
 * `unavailable`, `internal`; then nothing is kept.
 */
export const judgeInvestigationSession: Operation<z.output<typeof JudgeResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id, summary_mode } = await deps.inputs.read('judge_session', input);
  const { ref, head, payload } = await loadPayload(deps, caller, session_id, 'judge');
  const presentation = presentationOf(await deps.sessions.readShare(ref));

  const { result, quotes, judgement } = await judgeSession(
    deps,
    { sessionId: session_id, payload, presentation, summaryMode: summary_mode ?? null, part: options.part },
    { ...options, ...workFor(caller) },
  );
  const checks = await checkedQuotes(deps, quotes, { ...workFor(caller), ...caller, signal: options.signal });
  const packed = checks === null ? null : packJson(JSON.stringify(checks.kept));
  const kept = { ...judgement, quotes: packed, revision: head.revision };
  if (!(await deps.sessions.saveJudgement(ref, kept))) throw sessionNotFound();
  return jsonObject<z.output<typeof JudgeResponse>>({
    session_id,
    result,
    ...(checks === null ? {} : { quotes: checks.shown }),
  });
};

/** All judgements of a session, the latest first. */
export const listSessionJudgements: Operation<z.output<typeof JudgementMeta>[]> = async (
  deps,
  input,
  caller,
) => {
  const { session_id } = readInput(SessionReference, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const judgements = await deps.sessions.listJudgements(ref);
  if (judgements === null) throw sessionNotFound();
  return judgements.map(({ id, judgedAt, durationMs }) => ({
    id,
    session_id,
    judged_at: judgedAt.toISOString(),
    duration_ms: durationMs,
  }));
};

/** The latest judgement with its input and result. Throws `not_found` for a session never judged. */
export const getLatestSessionJudgement: Operation<z.output<typeof JudgementRecord>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id } = readInput(SessionReference, input);
  const judgement = await readJudgement(deps, caller, session_id, 'latest');
  return recordOf(deps, caller, session_id, judgement, options);
};

/** One judgement with its input and result. Throws `not_found` when the session has none with the id. */
export const getSessionJudgement: Operation<z.output<typeof JudgementRecord>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id, judgement_id } = readInput(JudgementReference, input);
  const judgement = await readJudgement(deps, caller, session_id, judgement_id);
  return recordOf(deps, caller, session_id, judgement, options);
};

/**
 * How a verdict of the last judgement came about, whatever the session has become since. Throws
 * `failed_precondition` for a session never judged, `not_found`, naming the pairs there are, when the
 * judgement has no verdict on the pair.
 */
export const explainVerdict: Operation<z.output<typeof ExplainedVerdict>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id, subject_id, predicate } = readInput(ExplainVerdict, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const judgement = await deps.sessions.readJudgement(ref, 'latest');
  if (judgement === 'no_session') throw sessionNotFound();
  if (judgement === 'no_judgement') throw sessionNeverJudged();
  const { id, judgedAt, inputSnapshot, result } = judgement;
  const explanation = await withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.explain(
      { inputSnapshot, result, judgedAtMs: judgedAt.getTime(), subjectId: subject_id, predicate },
      { asValue: options.asValue, signal, ...workFor(caller) },
    ),
  );
  return jsonObject<z.output<typeof ExplainedVerdict>>({
    session_id,
    judgement_id: id,
    judged_at: judgedAt.toISOString(),
    explanation,
  });
};

/**
 * What changed between two judgements, and how far each change moved each verdict. Throws
 * `failed_precondition` for a session with fewer than two and for a time before the first one, `not_found`
 * for a judgement that it does not have.
 */
export const compareJudgements: Operation<z.output<typeof JudgementComparison>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { session_id, before, after, limit, offset } = readInput(CompareJudgements, input);
  const { ref } = await loadAuthorizedSession(deps, caller, session_id, 'read');
  const judgements = await deps.sessions.listJudgements(ref);
  if (judgements === null) throw sessionNotFound();
  const afterId = judgementAt('after', after, judgements) ?? judgements[0]?.id;
  const beforeId =
    judgementAt('before', before, judgements) ??
    judgements[judgements.findIndex(({ id }) => id === afterId) + 1]?.id;
  if (afterId === undefined || beforeId === undefined)
    throw judgements.length < 2
      ? new DomainError(
          'failed_precondition',
          'there is nothing to compare: the session has fewer than two judgements',
          { remedy: JUDGE_FIRST },
        )
      : new DomainError(
          'failed_precondition',
          '`after` is the first judgement of the session: name another, or name `before`',
        );
  const [was, is] = await Promise.all(
    [beforeId, afterId].map((id) => readJudgement(deps, caller, session_id, id)),
  );
  const side = ({ judgedAt, inputSnapshot, result }: Judgement) => ({
    judgedAtMs: judgedAt.getTime(),
    inputSnapshot,
    result,
  });
  const compared = await withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.compare(
      { before: side(was!), after: side(is!), limit, offset },
      { asValue: options.asValue, signal, ...workFor(caller) },
    ),
  );
  const named = ({ id, judgedAt }: Judgement) => ({ id, judged_at: judgedAt.toISOString() });
  return {
    session_id,
    before: named(was!),
    after: named(is!),
    ...valueOfResponse(compared),
  };
};

/**
 * The id of the judgement that a caller names, by itself or by a time, which names the last judgement up to
 * it; a day as `before` counts from its start, as `after` to its end. Throws `failed_precondition` for a time
 * before the first one.
 */
function judgementAt(
  field: string,
  named: string | undefined,
  judgements: readonly Stored[],
): string | undefined {
  const first = judgements.at(-1);
  if (named === undefined || first === undefined) return named;
  if (!moment.safeParse(named).success) return named;
  // Two days name all that is between them, both included; nothing was judged before the first day.
  const end = instant(field, named, 'end')!;
  const by = field === 'before' ? instant(field, named)! : end;
  const found = judgements.find(({ judgedAt }) => judgedAt <= by);
  if (found !== undefined) return found.id;
  if (first.judgedAt <= end) return first.id;
  throw new DomainError(
    'failed_precondition',
    `\`${field}\`: the session was judged for the first time at ${first.judgedAt.toISOString()}: name a later time`,
  );
}

async function readJudgement(
  deps: SessionDeps,
  caller: Caller,
  sessionId: string,
  id: string,
): Promise<Judgement> {
  const { ref } = await loadAuthorizedSession(deps, caller, sessionId, 'read');
  const found = await deps.sessions.readJudgement(ref, id);
  if (found === 'no_session') throw sessionNotFound();
  if (found === 'no_judgement') {
    throw id === 'latest'
      ? new DomainError('not_found', 'the session has not been judged yet', { remedy: JUDGE_FIRST })
      : new DomainError('not_found', 'no such judgement of the session', {
          remedy: 'list_session_judgements lists those of the session',
        });
  }
  return found;
}

async function recordOf(
  deps: SessionDeps,
  caller: Caller,
  session_id: string,
  { id, judgedAt, durationMs, inputSnapshot, result, quotes }: Judgement,
  { part, signal }: OperationOptions,
): Promise<ValueOrJson<z.output<typeof JudgementRecord>>> {
  const resultText = await unpackJson(result);
  const parts =
    part === undefined
      ? { input_snapshot: new JsonPart(await unpackJson(inputSnapshot)), result: new JsonPart(resultText) }
      : { result: (await cutParts(deps, { resultText, payload: null }, part, caller, signal)).result };
  return jsonObject<z.output<typeof JudgementRecord>>({
    id,
    session_id,
    judged_at: judgedAt.toISOString(),
    ...(parts as Record<'input_snapshot' | 'result', JsonPart>),
    duration_ms: durationMs,
    ...(quotes === null ? {} : { quotes: await readableQuotes(deps, caller, quotes) }),
  });
}
