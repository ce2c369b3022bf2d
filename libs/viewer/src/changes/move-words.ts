import {
  listed,
  statement,
  textOf,
  type AnswerMove,
  type ComparedVerdict,
  type Part,
  type SaidAnswer,
} from '@platform/opinion-fusion';
import { counted, percent } from '../format/numbers.ts';
import { placeText, questionSubject, readable, shownValue } from '../format/words.ts';
import type { MoveWords, VerdictMove } from '../snapshot.ts';

/** The author's sentences by predicate. */
export type Patterns = Readonly<Record<string, string>>;

/** What became of an answer, in words. Pure. */
export function moveWords(answer: AnswerMove, patterns: Patterns = {}): MoveWords {
  const { before, after, move } = answer;
  const tenths = inTenths(move);
  const side = (verdict: ComparedVerdict | null, other: ComparedVerdict | null): Part[] =>
    verdict === null ? ['none'] : sideParts(verdict, answer, other, patterns);
  return {
    verdict: [{ user: headText(answer, patterns) }],
    before: side(before, after),
    after: side(after, before),
    move: before && after ? (tenths === 0 ? unmovedWords(before, after) : signedPoints(tenths)) : '',
  };
}

function sideParts(
  verdict: ComparedVerdict,
  answer: AnswerMove,
  other: ComparedVerdict | null,
  patterns: Patterns,
): Part[] {
  const { chance, likelier, leading_value: value, denied } = verdict;
  const isNamedDenial = denied === true && value !== 'true' && value === answer.value;
  const { where, leading, leaderless } = sideWords(verdict, answer.value, other, (value, isDenied) =>
    sentence(answer, patterns, value, isDenied),
  );
  if (chance === null && isNamedDenial) return ['sources deny it', { user: where }];
  return [
    chance === null ? (denied ? 'no chance given' : 'no claim counts') : percent(chance),
    ...(where === '' ? [] : [{ user: where }]),
    ...(leading === null ? [] : ['; ', { user: leading }, ' leads']),
    ...(likelier
      ? ['; ', { user: shownValue(likelier.value) }, ` is likelier (${percent(likelier.chance)})`]
      : []),
    ...(leaderless === null ? [] : ['; ', { user: leaderless }]),
  ];
}

function sentence(
  { subject_name: subject, predicate }: AnswerMove,
  patterns: Patterns,
  value: string | null,
  isDenied = false,
): string {
  const pattern = Object.hasOwn(patterns, predicate) ? patterns[predicate] : undefined;
  return textOf(statement({ subject, predicate, value, pattern }, { isDenied }));
}

/** That the followed value is so; comparisons that were published before sentences were kept have none. */
function headText(move: AnswerMove, patterns: Patterns): string {
  const { subject_name: subject, predicate, value } = move;
  if (Object.hasOwn(patterns, predicate)) return sentence(move, patterns, value);
  const answer = value === null ? '' : `: ${shownValue(value)}`;
  return move.statement ?? `${questionSubject(subject, predicate)}, ${readable(predicate)}${answer}`;
}

/** Steps of a percentage point in which moves are shown. */
const TENTHS = 1000;

/** Never −0. */
const inTenths = (move: number) => Math.round(move * TENTHS) || 0;

/**
 * A move and its parts in tenths of a percentage point, rounded so that the parts still sum to the move: what
 * rounding leaves over goes to the largest part. Pure.
 */
export function roundedParts({ move, parts }: Pick<VerdictMove, 'move' | 'parts'>): {
  readonly move: number;
  readonly parts: readonly number[];
} {
  const whole = inTenths(move);
  const rounded = parts.map((part) => inTenths(part.move));
  const rest = whole - rounded.reduce((sum, part) => sum + part, 0);
  const sizes = parts.map((part) => Math.abs(part.move));
  const largest = sizes.indexOf(Math.max(...sizes));
  return { move: whole, parts: rounded.map((part, index) => (index === largest ? part + rest : part)) };
}

/** Tenths of a percentage point with their sign: `+17.3 points`, `−0.4 points`, `0 points`. */
export function signedPoints(tenths: number): string {
  if (tenths === 0) return '0\u00a0points';
  return `${tenths < 0 ? '\u2212' : '+'}${(Math.abs(tenths) / 10).toFixed(1)}\u00a0points`;
}

/** What is said where no chance moved: `unchanged`, `chance unchanged, status changed`. Pure. */
function unmovedWords(before: ComparedVerdict, after: ComparedVerdict): string {
  const [status, now] = [before.truth_status, after.truth_status];
  if (status !== undefined && now !== undefined && status !== now) return 'chance unchanged, status changed';
  if (before.leading_value !== after.leading_value) return 'unchanged';
  if (before.denied !== after.denied) return 'chance unchanged, answer changed';
  if (before.scope !== after.scope) return 'chance unchanged, scope changed';
  const isOtherTime = (['event_start_time', 'event_end_time'] as const).some(
    (bound) => before[bound] !== after[bound],
  );
  if (JSON.stringify(before.tied_places) !== JSON.stringify(after.tied_places))
    return 'chance unchanged, scope or time changed';
  return isOtherTime ? 'chance unchanged, time changed' : 'unchanged';
}

/** What a part of a move is due to, `2 items`, `setting: decay half life days`. */
export function causeWords({ cause, item_count, settings }: VerdictMove['parts'][number]): string {
  if (cause === 'items') return counted(item_count, 'changed item');
  if (cause === 'settings')
    return `${settings.length === 1 ? 'setting' : 'settings'}: ${settings.map(readable).join(', ')}`;
  return cause === 'time' ? 'age, as time passed' : 'another version of the engine';
}

/** What a claim answers, with its denial, scope and time: `not Paris (in winter)`. Pure. */
export const saidText = ({ value = '', valence, ...place }: SaidAnswer): string =>
  `${valence === undefined ? '' : 'not '}${shownValue(value)}${placeText({ value, ...place })}`;

/**
 * What stands behind the chance that one judgement gives to the value that is followed: where and when it is
 * said, ` (in winter)`, also that it has no scope or time where the other judgement has one; and what leads
 * there, where that is another value or a denial, in the sentence that `said` gives, or the values of which
 * none leads, that they are tied or denied. Pure.
 */
export function sideWords(
  verdict: ComparedVerdict,
  value: string | null,
  other: ComparedVerdict | null,
  said: (value: string, isDenied: boolean) => string,
): { readonly where: string; readonly leading: string | null; readonly leaderless: string | null } {
  const { leading_value, denied, denied_values, tied, tied_places: places = [], ...place } = verdict;
  const { scope, event_start_time, event_end_time, chance } = place;
  const own = whereOf(verdict, value);
  const isUnplaced = own === '' && (chance ?? 0) > 0 && other !== null && whereOf(other, value) !== '';
  const isLeading = leading_value === value;
  return {
    leaderless: denied_values
      ? `sources deny ${listed(denied_values.map(shownValue))}`
      : tied
        ? `${listed(tied.map((one, index) => shownValue(one) + placeText({ value: one, ...places[index] })))} are tied`
        : null,
    where: isUnplaced ? ' (no scope or time)' : own,
    leading:
      leading_value === null || (isLeading && !denied)
        ? null
        : `“${said(leading_value, denied === true)}${placeText({ value: leading_value, scope, event_start_time, event_end_time })}”`,
  };
}

function whereOf(verdict: ComparedVerdict, value: string | null): string {
  const { scope, event_start_time, event_end_time, value_place } = verdict;
  const isLeading = verdict.leading_value === value;
  const place = isLeading ? { scope, event_start_time, event_end_time } : value_place;
  return placeText({ value: value ?? undefined, ...place });
}
