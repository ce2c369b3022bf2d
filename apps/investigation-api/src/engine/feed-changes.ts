import type { InvestigationResult, InvestigationSummary } from '@platform/opinion-fusion';
import type { FeedChanges } from '@platform/viewer';
import { watchJudgement, type WatchState } from '../model/watch-rules.ts';
import { packJson, unpackJsonSync } from '../wire/packed-json.ts';
import type { FreezeTask, FrozenShare } from './analysis-task.ts';

/** What a feed tells about: the rules of subscriptions that need no clock, with their usual step. */
const WATCHED = { rules: ['leading_changed', 'chance_moved', 'became_contested'], chanceStep: 0.1 };

/**
 * What a publication changed, compared with the one before: counts by kind, since a share shows nothing of
 * other judgements. The first tells nothing but itself; a judgement that is published again, or a compact
 * one, which has no verdicts, changes nothing.
 */
export function feedOf({
  frame: { judgement },
  result,
  feedState: packed,
}: Pick<FreezeTask, 'frame' | 'result' | 'feedState'>): Omit<FrozenShare, 'snapshot'> {
  const read = JSON.parse(new TextDecoder().decode(unpackJsonSync(result))) as
    InvestigationResult | InvestigationSummary;
  const before =
    packed === null ? null : (JSON.parse(new TextDecoder().decode(unpackJsonSync(packed))) as WatchState);
  if ('summary_mode' in read) return { feedState: packed, changes: null };
  const { id, judged_at } = judgement;
  const { state, firings } = watchJudgement(WATCHED, before, {
    id,
    judgedAt: Date.parse(judged_at),
    result: read,
  });
  if (state === null || state === before) return { feedState: packed, changes: null };
  const feedState = packJson(JSON.stringify(state));
  if (before === null) return { feedState, changes: {} };
  const known = new Set(before.questions.map(keyOf));
  const added = state.questions.filter((question) => !known.has(keyOf(question))).length;
  const changes: FeedChanges = {
    ...Object.fromEntries(firings.map(({ rule, questions }) => [rule, questions.length])),
    ...(added > 0 ? { questions_added: added } : {}),
  };
  return { feedState, changes: Object.keys(changes).length === 0 ? null : changes };
}

const keyOf = ({ subject_id, predicate }: WatchState['questions'][number]) =>
  JSON.stringify([subject_id, predicate]);
