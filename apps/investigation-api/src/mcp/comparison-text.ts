import { isRating, listed, whereSaid } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type { JudgementComparison } from '../wire/session-schema.ts';
import { ageSuffix, inBrackets, STATUS_OF_RATING } from './verdict-summary.ts';
import { counted, short } from './words.ts';

type Comparison = z.output<typeof JudgementComparison>;
type Move = Comparison['verdicts'][number];
type Side = NonNullable<Move['before']>;
type Change = Comparison['changes'][number];
type Said = NonNullable<Change['said_before']>;
type Part = Move['parts'][number];

const VERDICTS_MAX = 10;
const CHANGES_MAX = 10;
const PARTS_MAX = 4;

/** What changed between two judgements in a few lines: the changes, and the verdicts with what moved them. */
export function comparisonText(comparison: Comparison): string {
  const { before, after, changes, change_count, settings, verdicts } = comparison;
  const { changed_verdicts: changed, unchanged_verdicts: unchanged } = comparison;
  const named = changes.slice(0, CHANGES_MAX).map(changeWords);
  const more = change_count > named.length ? [`${change_count - named.length} more`] : [];
  const all = [...named, ...more, ...settings.map((name) => `setting ${name}`)];
  return [
    `From the judgement of ${before.judged_at} to that of ${after.judged_at}:`,
    all.length === 0 ? 'The input is the same.' : `Changed: ${all.join('; ')}.`,
    ...verdicts.slice(0, VERDICTS_MAX).map(moveLine),
    ...(changed > Math.min(verdicts.length, VERDICTS_MAX)
      ? [`… ${changed - Math.min(verdicts.length, VERDICTS_MAX)} more verdicts changed: ask with offset`]
      : []),
    `${counted(unchanged, 'verdict')} did not change.`,
  ].join('\n');
}

function changeWords({ change, kind, id, name, statement, said_before, differences = [] }: Change): string {
  const says = [name, statement].filter((words) => words !== undefined).map((words) => short(words, 160));
  const was = said_before === undefined ? [] : [`was ${saidWords(said_before)}`];
  const all = [...(says.length === 0 ? [] : [says.join(': ')]), ...was, ...differences];
  return `${change} ${kind} ${id}${all.length === 0 ? '' : ` (${all.join(', ')})`}`;
}

/** What a claim answers, with its denial, scope and time: `not Paris (in winter)`. */
const saidWords = ({ value = '', valence, ...place }: Said): string =>
  `${valence === undefined ? '' : 'not '}${short(value, 80)}${inBrackets(whereSaid({ value, ...place }))}`;

function moveLine({
  subject_name,
  predicate,
  value,
  statement: sentence = `${subject_name}: ${predicate}`,
  before,
  after,
  move,
  parts,
}: Move): string {
  const chance = (verdict: Move['before']) =>
    typeof verdict?.chance === 'number'
      ? `${percent(verdict.chance)}${placeOfValue(verdict, value)}`
      : 'none';
  const side = (verdict: Move['before'], other: Move['before']) =>
    sideWords(verdict, other, { subject: subject_name, predicate });
  const chances = `chance ${chance(before)} to ${chance(after)} (${hasMoved(move) ? points(move) : 'unchanged'})`;
  const causes = parts
    .toSorted((a, b) => Math.abs(b.move) - Math.abs(a.move))
    .filter((part) => hasMoved(part.move))
    .slice(0, PARTS_MAX)
    .map((part) => `${causeWords(part)} ${points(part.move)}`);
  const age = after === null ? '' : ageSuffix(after, after.decay_half_life_days);
  const by = causes.length === 0 ? '' : `; because of ${causes.join('; ')}`;
  return `- ${short(sentence, 160)}: ${chances}; ${side(before, after)} to ${side(after, before)}${by}${age}`;
}

/**
 * The leading value with its scope and time, that claims only deny it, and its status: `Paris, True`; or the
 * values of which none leads: `Lyon and Paris tied, Both`.
 */
function sideWords(
  verdict: Move['before'],
  other: Move['before'],
  question: { readonly subject: string; readonly predicate: string },
): string {
  if (verdict === null) return 'none';
  const { leading_value: value, denied, tied, tied_places: places = [] } = verdict;
  const { truth_status: told = '' } = verdict;
  const status = (isRating({ ...question, value }) && STATUS_OF_RATING[told]) || told;
  const withStatus = (words: string) => [words, status].filter(Boolean).join(', ');
  if (tied) {
    const all = tied.map(
      (one, index) => `${short(one, 80)}${inBrackets(placeWords(places[index] ?? {}, one))}`,
    );
    return withStatus(`${listed(all)} tied`);
  }
  if (value === null) return status || 'no value';
  const isUnplaced = other?.leading_value === value && placeWords(other, value) !== '';
  const where = placeWords(verdict, value) || (isUnplaced ? 'no scope or time' : '');
  const only = denied && value !== 'true' ? ', which is denied' : '';
  const word = denied && value === 'true' ? 'false' : short(value, 80);
  const { likelier } = verdict;
  const rival = likelier ? `, ${short(likelier.value, 80)} likelier (${percent(likelier.chance)})` : '';
  return withStatus(`${word}${inBrackets(where)}${only}${rival}`);
}

const placeWords = ({ scope, event_start_time, event_end_time }: Partial<Side>, value: string) =>
  whereSaid({ value, scope, event_start_time, event_end_time });

/** Where the value that is followed is said, where another one leads; the place of a leading one is told. */
function placeOfValue(verdict: Move['before'], value: string | null): string {
  return inBrackets(value === null ? '' : placeWords(verdict?.value_place ?? {}, value));
}

function causeWords({ cause, items, item_count, settings }: Part): string {
  if (cause === 'time') return 'age';
  if (cause === 'engine') return 'another version of the engine';
  if (cause === 'settings') return settings.join(' and ');
  const [first] = items;
  return item_count === 1 && first !== undefined
    ? [`${first.id} ${first.change}`, ...(first.differences ?? [])].join(', ')
    : `${first?.id} and ${item_count - 1} more`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
/** Whether a move is more than 0 with one decimal. Percentage points. */
const hasMoved = (move: number): boolean => Math.abs(move) * 100 >= 0.05;
/** Percentage points, with one decimal where a whole number would be 0. */
function points(move: number): string {
  const size = Math.abs(move) * 100;
  return `${move < 0 ? '−' : '+'}${size < 0.95 ? size.toFixed(1) : Math.round(size)}`;
}
