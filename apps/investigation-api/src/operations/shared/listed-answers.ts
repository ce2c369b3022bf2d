import type { LeadingAnswer } from '@platform/viewer';
import { workFor, type Caller } from '../../access/caller.ts';
import { withDeadline } from '../../engine/with-deadline.ts';
import type { OperationOptions, SessionDeps } from '../../ports.ts';
import type { ListedSession } from '../../store/session-store.ts';
import { presentationOf } from '../../wire/presentation.ts';

/** Answers that one list works out, because a result may have megabytes. */
const WORKED_OUT_MAX = 8;

/**
 * What the last judgement of each session answers, by index; null for one that was never judged or has no
 * verdict. Judging keeps it. Where it is not kept, as of judgements of before and after an author marked
 * another answer, it is worked out and kept for the next list, of the first few sessions alone; of the
 * others, and where working it out fails, it is null. Why:
 * docs/decisions/0114-what-lists-show-of-a-session.md.
 */
export async function listedAnswers(
  deps: SessionDeps,
  caller: Caller,
  sessions: readonly ListedSession[],
  { signal }: Pick<OperationOptions, 'signal'>,
): Promise<(LeadingAnswer | null)[]> {
  const isOpen = ({ answer, lastJudgementId }: ListedSession) => answer === null && lastJudgementId !== null;
  const open = new Set(sessions.filter(isOpen).slice(0, WORKED_OUT_MAX));
  return Promise.all(
    sessions.map(async (session) => {
      if (session.answer !== null) return JSON.parse(session.answer) as LeadingAnswer | null;
      return open.has(session) ? workedOut(deps, caller, session, signal).catch(() => null) : null;
    }),
  );
}

async function workedOut(
  deps: SessionDeps,
  caller: Caller,
  { sessionId, lastJudgementId }: ListedSession,
  outer: AbortSignal,
): Promise<LeadingAnswer | null> {
  const ref = { tenantId: caller.tenantId!, sessionId };
  const [judgement, share] = await Promise.all([
    deps.sessions.readJudgement(ref, lastJudgementId!),
    deps.sessions.readShare(ref),
  ]);
  if (typeof judgement === 'string') return null;
  const { inputSnapshot, result } = judgement;
  const answer = await withDeadline(deps.config.analysisTimeoutMs, outer, (signal) =>
    deps.analysis.answer(
      { inputSnapshot, result, presentation: presentationOf(share) },
      { signal, ...workFor(caller) },
    ),
  );
  await deps.sessions.setAnswer(ref, lastJudgementId!, JSON.stringify(answer));
  return answer;
}
