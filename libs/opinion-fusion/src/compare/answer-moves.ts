import type { InvestigationResult, SubjectResult, TruthStatus } from '../contract/types.ts';
import { TIED_WITHIN } from '../contract/constants.ts';
import { saysTheSame } from '../model/same-value.ts';
import { agePart, type AgePart } from '../report/age-words.ts';
import { askedOf, statement, textOf } from '../report/statements.ts';
import { likelierRival, whereSaid } from '../report/summary.ts';
import {
  answersAndDenials,
  hasValue,
  isCut,
  mayLeaveOut,
  pairedAnswers,
  tiedIn,
  type Answer,
  type AnswerPair,
  type AnswerVerdict,
} from './answers.ts';
import type { SaidPlace } from './input-changes.ts';

/** What a judgement says, of whichever engine. */
export type JudgedVerdicts = Pick<InvestigationResult, 'subject_results' | 'decay_half_life_days'>;

/** A verdict as one judgement has it, with the scope and time in which its leading value is said. */
export interface ComparedVerdict extends SaidPlace, AgePart {
  /** Absent where another value leads the question, in another scope or of another time. */
  readonly truth_status?: TruthStatus;
  readonly leading_value: string | null;
  /** The values that are tied, in the order of their texts; leading_value is then null. */
  readonly tied?: readonly string[];
  /** The scope and time of each of these, where one of them has any. */
  readonly tied_places?: readonly SaidPlace[];
  /** Present where claims there only deny the leading value, so that it is not likely, or no leads. */
  readonly denied?: true;
  /** The values that claims only deny, in comparisons that earlier versions published. */
  readonly denied_values?: readonly string[];
  /** Where `AnswerMove.value` is said, where another value leads. */
  readonly value_place?: SaidPlace;
  /** Present where another value is likelier than the one that leads by weight; the likeliest (ADR 0036). */
  readonly likelier?: { readonly value: string; readonly chance: number };
  /**
   * Chance that `AnswerMove.value` is right; null where no value counts, and of a value that is denied, where
   * one of the judgements that do so gives it none. The move takes it for 0.
   */
  readonly chance: number | null;
}

/** What became of one verdict, or of the part of it that is about one scope and time. */
export interface AnswerMove {
  readonly subject_id: string;
  readonly subject_name: string;
  readonly predicate: string;
  /** That the value that is followed is so, as a sentence. */
  readonly statement?: string;
  /**
   * The value whose chance is followed: what leads or is denied now, else what was before; of values that
   * are tied, what led before if it is one of them, else the first.
   */
  readonly value: string | null;
  /** Null where the judgement has no such verdict. */
  readonly before: ComparedVerdict | null;
  readonly after: ComparedVerdict | null;
  /** Chance after less chance before; a verdict that is not there has chance 0. */
  readonly move: number;
}

/** An answer in two judgements, and what became of it. */
export interface MovedAnswer {
  readonly pair: AnswerPair;
  readonly move: AnswerMove;
}

/**
 * Every answer of two judgements with what became of it, the questions of the later one first; none that came
 * or went where the other judgement, of an earlier version, may have left it out. Pure.
 */
export function movesBetween(before: JudgedVerdicts, after: JudgedVerdicts): readonly MovedAnswer[] {
  const [first, last] = [verdictsOf(before), verdictsOf(after)];
  return [...new Set([...last.keys(), ...first.keys()])].flatMap((key) => {
    const [was, is] = [first.get(key), last.get(key)];
    return pairedAnswers(answersAndDenials(was), answersAndDenials(is))
      .filter(([one, other]) => isKnown(one, other, was, is) && isKnown(other, one, is, was))
      .map((pair) => ({ pair, move: moveOf(pair, before, after) }));
  });
}

/** Whether a judgement knows enough of an answer of the other one, if either is of an earlier version. */
function isKnown(
  own: Answer | undefined,
  other: Answer | undefined,
  ...[verdict, otherVerdict]: readonly (SubjectResult | undefined)[]
): boolean {
  if (!other) return true;
  if (!own) return !mayLeaveOut(verdict, other) && !(isCut(otherVerdict) && hasValue(verdict, other));
  if (!isCut(verdict)) return true;
  return other.values.includes('true')
    ? other.values.join() === own.values.join()
    : other.values.every((value) => rivalOf(own.verdict, value) !== undefined);
}

/** Whether an answer came or went, has another status or value, or is of another scope or time. Pure. */
export const isTurned = ({ before: was, after: is }: AnswerMove): boolean =>
  was === null || is === null || isOtherStatus(was, is) || leadsAnother(was, is);

/** The verdicts of a judgement by `keyOf`. */
export type Verdicts = ReadonlyMap<string, SubjectResult>;

function moveOf([wasIn, isIn]: AnswerPair, before: JudgedVerdicts, after: JudgedVerdicts): AnswerMove {
  const [was, is] = [wasIn?.verdict, isIn?.verdict];
  const { subject_id, subject_name, predicate } = (is ?? was)!;
  const value = followedIn(was, is);
  const hasNone = isDenialUnjudged([wasIn, isIn]);
  return {
    subject_id,
    subject_name,
    predicate,
    statement: textOf(
      value === null && (is ?? was)!.no_value_counts
        ? ['On ', ...askedOf({ subject: subject_name, predicate })]
        : statement({ subject: subject_name, predicate, value }),
    ),
    value,
    before: was ? { ...sideOf(was, value, before), ...(hasNone && { chance: null }) } : null,
    after: is ? { ...sideOf(is, value, after), ...(hasNone && { chance: null }) } : null,
    move: hasNone ? 0 : chanceOf(is, value) - chanceOf(was, value),
  };
}

/** The value whose chance a row follows. */
function followedIn(was: AnswerVerdict | undefined, is: AnswerVerdict | undefined): string | null {
  const [wasTied, isTied] = [was, is].map((one) => (one && tiedIn(one))?.map(({ value }) => value));
  const led = was?.leading_value ?? null;
  const kept = led === null || wasTied ? undefined : isTied?.find((one) => saysTheSame(one, led));
  return kept ?? isTied?.[0] ?? is?.leading_value ?? wasTied?.[0] ?? led;
}

/** What one judgement says where a row is about, and how likely it holds the value that is followed. */
function sideOf(verdict: AnswerVerdict, value: string | null, judged: JudgedVerdicts): ComparedVerdict {
  const { truth_status } = verdict;
  const tie = tiedIn(verdict);
  const leading_value = tie ? null : verdict.leading_value;
  const places = tie?.map(placeOf) ?? [];
  const place = leading_value === value ? {} : placeOf(rivalOf(verdict, value));
  const likelier = tie ? null : likelierRival(verdict);
  return {
    ...(truth_status && { truth_status }),
    leading_value,
    ...(tie ? { tied: tie.map((one) => one.value) } : placeOf(verdict.rival_values?.[0])),
    ...(places.some(isNamed) && { tied_places: places }),
    ...(!tie && isDeniedIn(verdict) && { denied: true }),
    ...(isNamed(place) && { value_place: place }),
    ...(likelier && { likelier }),
    ...agePart(verdict, judged),
    chance: verdict.no_value_counts ? null : chanceOf(verdict, value),
  };
}

/** Whether both judgements deny a value, to which one of them gives no chance. Pure. */
export const isDenialUnjudged = ([was, is]: AnswerPair): boolean =>
  was?.denied === true &&
  is?.denied === true &&
  [was, is].some(({ verdict }) => verdict.no_value_counts === true);

const isNamed = (place: SaidPlace): boolean => Object.keys(place).length > 0;

/**
 * Chance that a value is right by a verdict; 0 where nothing speaks for it. Results of engine 1 have fewer
 * fields.
 */
export function chanceOf(verdict: Partial<SubjectResult> | undefined, value: string | null): number {
  if (verdict === undefined || verdict.no_value_counts) return 0;
  const { leading_value: leading = null, rival_values: rivals = [] } = verdict;
  const rival = rivals.find((one) => one.value === value);
  if (rival !== undefined) return rival.calibrated_probability;
  // Where no claim of yes or no counts, the chance is that of yes.
  const isLeading =
    value === null ||
    (leading === null ? value === 'true' && rivals.length === 0 : saysTheSame(leading, value));
  if (isLeading) return verdict.calibrated_probability ?? verdict.expected_probability ?? 0;
  return rivals.find((one) => saysTheSame(one.value, value))?.calibrated_probability ?? 0;
}

/** The value among the rivals of a verdict, of several places the strongest. */
function rivalOf({ rival_values: rivals = [] }: Partial<SubjectResult>, value: string | null) {
  if (value === null) return undefined;
  return rivals.find((one) => one.value === value) ?? rivals.find((one) => saysTheSame(one.value, value));
}

function placeOf(rival: SaidPlace | undefined): SaidPlace {
  const { scope, event_start_time, event_end_time } = rival ?? {};
  return {
    ...(scope !== undefined && { scope }),
    ...(event_start_time !== undefined && { event_start_time }),
    ...(event_end_time !== undefined && { event_end_time }),
  };
}

/**
 * Whether no leads, or sources only deny what the verdict is about and it is not likely: what refutes the
 * denials can make it so.
 */
function isDeniedIn(verdict: AnswerVerdict): boolean {
  // Results of engine 1 list none.
  const { rival_values: rivals }: Partial<AnswerVerdict> = verdict;
  const { leading_value: value } = verdict;
  const no = value === 'true' ? rivals?.find((one) => one.value === 'false' && !one.apart) : undefined;
  if (no) {
    const lead = no.calibrated_probability - chanceOf(verdict, value);
    // Where both are as likely, the one with more weight is the one that somebody says.
    const isEven = Math.abs(lead) < TIED_WITHIN;
    return (isEven ? no.expected_probability - verdict.expected_probability : lead) > TIED_WITHIN;
  }
  return rivals?.[0]?.denied === true && chanceOf(verdict, value) <= 0.5;
}

/** Whether both are about a question as a whole and have other statuses. */
const isOtherStatus = ({ truth_status: was }: ComparedVerdict, { truth_status: is }: ComparedVerdict) =>
  was !== undefined && is !== undefined && was !== is;

/** Whether another value leads, or is likelier, or the same one in another scope or time. */
const leadsAnother = (was: ComparedVerdict, is: ComparedVerdict): boolean =>
  leadOf(was) !== leadOf(is) ||
  !isSame(was.likelier?.value, is.likelier?.value) ||
  !isSame(was.leading_value, is.leading_value);

/** What tells equal values apart: which are tied or denied, and where and when they are said. */
function leadOf({ tied, tied_places: places = [], leading_value, denied, ...place }: ComparedVerdict) {
  const value = leading_value ?? undefined;
  return JSON.stringify([
    denied,
    tied?.map((one, index) => [one, whereSaid({ value: one, ...places[index] })]),
    whereSaid({ value, ...place }),
  ]);
}

const isSame = (was: string | null | undefined, is: string | null | undefined): boolean =>
  was == null || is == null ? was === is : saysTheSame(was, is);

/** The verdicts of a result by question. Pure. */
export function verdictsOf({ subject_results: verdicts }: Pick<JudgedVerdicts, 'subject_results'>): Verdicts {
  return new Map(verdicts.map((verdict) => [keyOf(verdict), verdict]));
}

/** The question of a verdict, as a key. Pure. */
export const keyOf = ({
  subject_id,
  predicate,
}: {
  readonly subject_id?: string | null | undefined;
  readonly predicate: string;
}): string => JSON.stringify([subject_id, predicate]);
