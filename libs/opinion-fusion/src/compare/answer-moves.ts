import type {
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
  RivalValue,
  SubjectResult,
  TruthStatus,
} from '../contract/types.ts';
import { saysTheSame } from '../model/same-value.ts';
import { agePart, type AgePart } from '../report/age-words.ts';
import { askedOf, statement, textOf } from '../report/statements.ts';
import { isDeniedTie, likelierRival, tiedValues, whereSaid } from '../report/summary.ts';
import { answersOf, pairedAnswers, type AnswerPair, type AnswerVerdict } from './answers.ts';
import type { SaidPlace } from './input-changes.ts';

/** What a judgement says, of whichever engine. */
export interface JudgedVerdicts {
  readonly result: Pick<InvestigationResult, 'subject_results' | 'decay_half_life_days'>;
  /** Absent where the result alone is kept. */
  readonly input?: InvestigationInput;
}

/** A verdict as one judgement has it, with the scope and time in which its leading value is said. */
export interface ComparedVerdict extends SaidPlace, AgePart {
  /** Absent where another value leads the question, in another scope or of another time. */
  readonly truth_status?: TruthStatus;
  readonly leading_value: string | null;
  /** The values that are tied, in the order of their texts; leading_value is then null. */
  readonly tied?: readonly string[];
  /**
   * Present where claims there only deny the leading value, so that it is not likely, or several, or no is
   * likelier than yes.
   */
  readonly denied?: true;
  /** The values, where claims only deny several, in the order of their texts; leading_value is then null. */
  readonly denied_values?: readonly string[];
  /** Where `AnswerMove.value` is said, where another value leads. */
  readonly value_place?: SaidPlace;
  /** Present where another value is likelier than the one that leads by weight; the likeliest (ADR 0036). */
  readonly likelier?: { readonly value: string; readonly chance: number };
  /** Chance that `AnswerMove.value` is right; null where no value counts. The move takes it for 0. */
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
   * The value whose chance is followed: what leads now, else what led before; of values that are tied, or
   * only denied, what led before if it is one of them, else the first.
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

/** Every answer of two judgements with what became of it, the questions of the later one first. Pure. */
export function movesBetween(before: JudgedVerdicts, after: JudgedVerdicts): readonly MovedAnswer[] {
  const [first, last] = [verdictsOf(before.result), verdictsOf(after.result)];
  const [wasDenied, isDenied] = [denialsOf(before.input), denialsOf(after.input)];
  const compared = { wasDenied, isDenied, before: before.result, after: after.result };
  return [...new Set([...last.keys(), ...first.keys()])].flatMap((key) =>
    pairedAnswers(answersOf(first.get(key)), answersOf(last.get(key))).map((pair) => ({
      pair,
      move: moveOf(pair, compared),
    })),
  );
}

/** Whether an answer came or went, has another status or value, or is of another scope or time. Pure. */
export const isTurned = ({ before: was, after: is }: AnswerMove): boolean =>
  was === null || is === null || isOtherStatus(was, is) || leadsAnother(was, is);

/** The verdicts of a judgement by `keyOf`. */
export type Verdicts = ReadonlyMap<string, SubjectResult>;
type Denials = (verdict: AnswerVerdict) => boolean;
interface Compared {
  readonly wasDenied: Denials;
  readonly isDenied: Denials;
  readonly before: JudgedVerdicts['result'];
  readonly after: JudgedVerdicts['result'];
}

function moveOf([wasIn, isIn]: AnswerPair, { wasDenied, isDenied, before, after }: Compared): AnswerMove {
  const [was, is] = [wasIn?.verdict, isIn?.verdict];
  const { subject_id, subject_name, predicate } = (is ?? was)!;
  const none = leaderlessIn(is);
  const led = was?.leading_value ?? null;
  const kept =
    none && led !== null && leaderlessIn(was) === null && none.values.find((one) => saysTheSame(one, led));
  const leading = none ? kept || none.values[0]! : is?.leading_value;
  const value = leading ?? leaderlessIn(was)?.values[0] ?? led;
  const side = (
    verdict: AnswerVerdict | undefined,
    isOnlyDenied: Denials,
    judged: JudgedVerdicts['result'],
  ): ComparedVerdict | null => {
    if (verdict === undefined) return null;
    const { truth_status } = verdict;
    const tie = leaderlessIn(verdict);
    const leading_value = tie ? null : verdict.leading_value;
    const noneLeads = tie?.isDenied ? { denied_values: tie.values } : { tied: tie?.values };
    const place = leading_value === value ? {} : placeOf(rivalOf(verdict, value));
    const likelier = tie ? null : likelierRival(verdict);
    return {
      ...(truth_status && { truth_status }),
      leading_value,
      ...(tie ? noneLeads : placeOf(verdict.rival_values?.[0])),
      ...((tie ? tie.isDenied : isOnlyDenied(verdict)) && { denied: true }),
      ...(Object.keys(place).length > 0 && { value_place: place }),
      ...(likelier && { likelier }),
      ...agePart(verdict, judged),
      chance: verdict.no_value_counts ? null : chanceOf(verdict, value),
    };
  };
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
    before: side(was, wasDenied, before),
    after: side(is, isDenied, after),
    move: chanceOf(is, value) - chanceOf(was, value),
  };
}

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
 * Whether no is likelier than yes by a verdict, or the claims in its scope deny its leading value, none
 * affirms it, and it is not likely. Without an input its own word for the last.
 */
function denialsOf(input: InvestigationInput | undefined): Denials {
  const placeKey = (one: { readonly subject_id?: string | null; readonly predicate: string }, scope = '') =>
    JSON.stringify([one.subject_id, one.predicate, scope.trim().toLowerCase()]);
  const said = new Map<string, ClaimInput[]>();
  for (const claim of input?.claims ?? []) {
    const key = placeKey(claim, claim.scope ?? '');
    if (!said.get(key)?.push(claim)) said.set(key, [claim]);
  }
  return (verdict: Partial<SubjectResult> & Pick<SubjectResult, 'subject_id' | 'predicate'>) => {
    const { leading_value: value = null, rival_values: rivals = [] } = verdict;
    if (value === null) return false;
    const no = value === 'true' && rivals.find((one) => one.value === 'false' && !one.apart);
    if (no) return no.calibrated_probability > chanceOf(verdict, value);
    const own = (said.get(placeKey(verdict, rivals[0]?.scope)) ?? []).filter((one) =>
      saysTheSame(one.value, value),
    );
    if (input === undefined) return rivals[0]?.denied === true;
    const isOnlyDenied = own.length > 0 && own.every(({ valence }) => valence?.toLowerCase() === 'refutes');
    // What refutes the denials can make the value the likely one.
    return isOnlyDenied && chanceOf(verdict, value) <= 0.5;
  };
}

interface Leaderless {
  readonly values: readonly string[];
  /** Sources only deny them; else they are tied. */
  readonly isDenied: boolean;
}

/** The values that compete and of which none leads, in the order of their texts; null where one leads. */
function leaderlessIn(verdict: AnswerVerdict | undefined): Leaderless | null {
  const tie = verdict && tiedValues<RivalValue>(verdict)?.filter(({ apart }) => !apart);
  if (!tie || tie.length < 2) return null;
  return { values: tie.map(({ value }) => value), isDenied: isDeniedTie(tie) };
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
function leadOf({ tied, denied_values, leading_value, value_place, ...place }: ComparedVerdict) {
  const value = leading_value ?? undefined;
  return JSON.stringify([
    tied,
    denied_values,
    whereSaid({ value, ...(value === undefined ? value_place : place) }),
  ]);
}

const isSame = (was: string | null | undefined, is: string | null | undefined): boolean =>
  was == null || is == null ? was === is : saysTheSame(was, is);

/** The verdicts of a result by question. Pure. */
export function verdictsOf({ subject_results: verdicts }: JudgedVerdicts['result']): Verdicts {
  return new Map(verdicts.map((verdict) => [keyOf(verdict), verdict]));
}

/** The question of a verdict, as a key. Pure. */
export const keyOf = ({ subject_id, predicate }: Pick<SubjectResult, 'subject_id' | 'predicate'>): string =>
  JSON.stringify([subject_id, predicate]);
