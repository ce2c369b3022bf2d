import type { InvestigationResult, InvestigationSummary } from '@platform/opinion-fusion';
import type { FeedChanges } from '@platform/viewer';
import {
  answersIn,
  watchJudgement,
  type FiredQuestion,
  type LeadingChance,
  type WatchState,
} from '../model/watch-rules.ts';
import { packJson, unpackJsonSync } from '../wire/packed-json.ts';
import type { FreezeTask, FrozenShare } from './analysis-task.ts';

/** What a feed tells about: the rules of subscriptions that need no clock, with their usual step. */
const WATCHED = { rules: ['leading_changed', 'chance_moved', 'became_contested'], chanceStep: 0.1 };

/**
 * What a publication changed, compared with the one before: counts by kind, since a share shows nothing of
 * other judgements. The first tells nothing but itself; a judgement that is published again, or a compact
 * one, which has no verdicts, changes nothing. A question that comes or goes is counted as that alone.
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
  // Publications follow each other, and each is of the last judgement: another one than before is later.
  const revision = (before?.revision ?? 0) + (before === null || before.judgementId === id ? 0 : 1);
  const { state, firings } = watchJudgement(WATCHED, before, {
    id,
    judgedAt: Date.parse(judged_at),
    revision,
    result: read,
  });
  if (state === null || state === before) return { feedState: packed, changes: null };
  const feedState = packJson(JSON.stringify(state));
  if (before === null) return { feedState, changes: {} };
  const had = keysOf(before);
  const has = keysOf(state);
  const turned = (of: (question: LeadingChance) => unknown) => {
    const was = keysWhere(before, of);
    return [...keysWhere(state, of)].filter((key) => had.has(key) && !was.has(key)).length;
  };
  const isTold = (question: Question) => had.has(keyOf(question)) && has.has(keyOf(question));
  // A question is counted once, in however many scopes and times another value leads.
  const countOf = (questions: readonly Question[]) => new Set(questions.filter(isTold).map(keyOf)).size;
  const changes: FeedChanges = Object.fromEntries(
    [
      ...firings.map(({ rule, questions }) => {
        // A tie is told as one, and as nothing that leads since; so are denials of what nobody states.
        const isOther = (one: FiredQuestion) =>
          rule !== 'leading_changed' || !(one.after?.tied || isDenialAlone(one));
        return [rule, countOf(questions.filter(isOther))] as const;
      }),
      [
        'denials_changed',
        countOf(
          firings.flatMap(({ rule, questions }) =>
            rule === 'leading_changed' ? questions.filter(isDenialAlone) : [],
          ),
        ),
      ] as const,
      ['became_tied', turned(({ tied }) => tied)] as const,
      ['became_likelier', turned(({ likelier }) => likelier)] as const,
      ['questions_added', [...has].filter((key) => !had.has(key)).length] as const,
      ['questions_gone', [...had].filter((key) => !has.has(key)).length] as const,
    ].filter(([, count]) => count > 0),
  );
  return { feedState, changes: Object.keys(changes).length === 0 ? null : changes };
}

/** Whether a question is told of since a denial came or went next to what leads it. */
const isDenialAlone = ({ before, after }: FiredQuestion): boolean =>
  [before, after].every((one) => one?.value == null || one.denied) && !before?.tied && !after?.tied;

type Question = Pick<WatchState['questions'][number], 'subject_id' | 'predicate'>;
const keyOf = ({ subject_id, predicate }: Question) => JSON.stringify([subject_id, predicate]);

/** The questions of whose leading value, in any scope and time, something holds. */
const keysWhere = ({ questions }: WatchState, of: (leading: LeadingChance) => unknown) =>
  new Set(questions.filter((one) => answersIn(one).some(({ leading }) => of(leading))).map(keyOf));

/** The questions that have a verdict. */
const keysOf = ({ questions }: WatchState) =>
  new Set(questions.filter(({ isGone = false }) => !isGone).map(keyOf));
