import { analyze } from '../analyze.ts';
import { InvalidInvestigation } from '../contract/invalid-investigation.ts';
import type {
  ClaimInput,
  InvestigationInput,
  InvestigationResult,
  RivalValue,
  StopSignal,
  SubjectResult,
  TruthStatus,
} from '../contract/types.ts';
import { saysTheSame } from '../model/same-value.ts';
import { agePart, type AgePart } from '../report/age-words.ts';
import { askedOf, statement, textOf } from '../report/statements.ts';
import { isDeniedTie, likelierRival, tiedValues } from '../report/summary.ts';
import {
  answerIn,
  answersOf,
  holdsAt,
  pairedAnswers,
  regionsOf,
  type AnswerPair,
  type AnswerVerdict,
} from './answers.ts';
import {
  changesBetween,
  QUESTION_SETTING,
  type InputChanges,
  type ItemChange,
  type SaidPlace,
} from './input-changes.ts';

/** A judgement as it is kept. */
export interface ComparedJudgement {
  readonly input: InvestigationInput;
  /** In full, of whichever engine. */
  readonly result: InvestigationResult;
  readonly judgedAt: Date;
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
  /** Where `VerdictMove.value` is said, where another value leads. */
  readonly value_place?: SaidPlace;
  /** Present where another value is likelier than the one that leads by weight; the likeliest (ADR 0036). */
  readonly likelier?: { readonly value: string; readonly chance: number };
  /** Chance that `VerdictMove.value` is right; null where no value counts. The move takes it for 0. */
  readonly chance: number | null;
}

/** How far the changes of one step moved a chance. */
export interface MovePart {
  /**
   * `items` and `settings` are changes of the input, `time` is what age took, `engine` what another version
   * of the engine judges otherwise.
   */
  readonly cause: 'items' | 'settings' | 'time' | 'engine';
  readonly items: readonly ItemChange[];
  /** Names of the settings that changed. */
  readonly settings: readonly string[];
  readonly move: number;
}

/** What became of one verdict, or of the part of it that is about one scope and time. */
export interface VerdictMove {
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
  /** They sum to `move`. Changes that move a verdict only together share what they moved. */
  readonly parts: readonly MovePart[];
}

export interface JudgementComparison extends InputChanges {
  /**
   * Verdicts with another truth status or value, or one that holds now on one side alone, and those of which
   * one step moved the chance by CHANGED_FROM; the former first, then by move. A question whose answers hold
   * in several scopes or times has one for each.
   */
  readonly verdicts: readonly VerdictMove[];
  readonly unchanged_verdicts: number;
}

/** Steps of items, each judged in two orders; all analyses together judge about this many claims. */
const STEPS_MAX = 24;
const CLAIMS_JUDGED_MAX = 40_000;
/** Moves that are no more than the rounding of sums. */
const NOTHING = 1e-12;

/**
 * Smallest move of a chance that counts as a change: a tenth of a percentage point. Between two judgements of
 * one input every verdict moves by less, as its claims grow older.
 */
const CHANGED_FROM = 0.001;

/**
 * What changed between two judgements, and how far each change moved each verdict. The changes are made one
 * after the other, and every verdict is judged after each: time first, then settings, then items in the order
 * in which `changesBetween` lists them, and once more in the opposite order. The part of an item is the mean
 * of both, so that of two claims neither has all that they move only together, or each alone. Items whose
 * state in between cannot be judged, as a claim before its source, share a part with the next; so do those of
 * one question where there are too many to judge singly. Throws the signal's reason.
 */
export function compareJudgements(
  before: ComparedJudgement,
  after: ComparedJudgement,
  { signal }: { readonly signal?: StopSignal } = {},
): JudgementComparison {
  const changes = changesBetween(before.input, after.input);
  const judge = (input: InvestigationInput, now: Date) =>
    verdictsOf(analyze({ ...input, summary_mode: false }, { now, signal }) as InvestigationResult);

  const first = verdictsOf(before.result);
  const last = verdictsOf(after.result);
  const states: State[] = [];
  let now = judge(before.input, before.judgedAt);
  states.push({ cause: 'engine', items: [], settings: [], steps: [[first, now]] });
  const step = (part: Pick<MovePart, 'cause' | 'items' | 'settings'>, input: InvestigationInput) => {
    const next = judge(input, after.judgedAt);
    states.push({ ...part, steps: [[now, next]] });
    now = next;
  };
  if (before.judgedAt.getTime() !== after.judgedAt.getTime())
    step({ cause: 'time', items: [], settings: [] }, before.input);
  let input = before.input;
  const settings = changes.settings.filter((name) => name !== QUESTION_SETTING);
  if (settings.length > 0) {
    input = withSettings(input, after.input, settings);
    step({ cause: 'settings', items: [], settings }, input);
  }
  const claims = Math.max(before.input.claims.length, after.input.claims.length, 1);
  const stepsMax = Math.max(1, Math.min(STEPS_MAX, Math.floor(CLAIMS_JUDGED_MAX / claims / 2)));
  const withItems = (from: InvestigationInput, items: readonly ItemChange[]) =>
    items.reduce((state, change) => withChange(state, change, after.input), from);
  const start = { input, verdicts: now, states: states.length };
  let waiting: ItemChange[] = [];
  for (const group of groupsOf(changes.items, stepsMax)) {
    waiting = [...waiting, ...group];
    input = withItems(input, group);
    try {
      step({ cause: 'items', items: waiting, settings: [] }, input);
      waiting = [];
    } catch (error) {
      if (!(error instanceof InvalidInvestigation)) throw error;
    }
  }
  const ends: Verdicts[] = [now];
  const units = states.slice(start.states);
  if (units.length > 1 && waiting.length === 0) {
    const opposite = oppositeSteps(units, start, (state, items) => {
      const next = withItems(state, items);
      return { input: next, verdicts: judge(next, after.judgedAt) };
    });
    if (opposite !== null) {
      for (const [index, unit] of units.entries())
        states[start.states + index] = { ...unit, steps: [...unit.steps, opposite.steps[index]!] };
      ends.push(opposite.end);
    }
  }
  // Lists may stand in another order than they would by these changes; that changes nothing.
  states.push({
    cause: waiting.length > 0 ? 'items' : 'engine',
    items: waiting,
    settings: [],
    steps: ends.map((end) => [end, last]),
  });

  const keys = new Set([...last.keys(), ...first.keys()]);
  const [wasDenied, isDenied] = [denialsOf(before.input), denialsOf(after.input)];
  const compared = { wasDenied, isDenied, before: before.result, after: after.result };
  const moves = [...keys].flatMap((key) =>
    pairedAnswers(answersOf(first.get(key)), answersOf(last.get(key))).map((pair) =>
      moveOf(key, pair, compared, states),
    ),
  );
  const turned = ({ before: was, after: is }: VerdictMove) =>
    was === null || is === null || isOtherStatus(was, is) || leadsAnother(was, is, after.judgedAt);
  const moved = ({ move }: { readonly move: number }) => Math.abs(move) >= CHANGED_FROM;
  const changed = moves.filter((verdict) => turned(verdict) || moved(verdict) || verdict.parts.some(moved));
  return {
    ...changes,
    verdicts: changed.toSorted(
      (a, b) => Number(turned(b)) - Number(turned(a)) || Math.abs(b.move) - Math.abs(a.move),
    ),
    unchanged_verdicts: moves.length - changed.length,
  };
}

type Verdicts = ReadonlyMap<string, SubjectResult>;
type Denials = (verdict: AnswerVerdict) => boolean;
interface Compared {
  readonly wasDenied: Denials;
  readonly isDenied: Denials;
  readonly before: InvestigationResult;
  readonly after: InvestigationResult;
}
/** The verdicts before and after a change, in each order in which it was made. */
type State = Pick<MovePart, 'cause' | 'items' | 'settings'> & {
  readonly steps: readonly (readonly [Verdicts, Verdicts])[];
};
interface Judged {
  readonly input: InvestigationInput;
  readonly verdicts: Verdicts;
}

/**
 * What the changes of items add when each list of added, replaced or removed ones is made from its end on,
 * in the order of `units`. What cannot be judged before another comes after all others. Null where even that
 * cannot be judged.
 */
function oppositeSteps(
  units: readonly State[],
  start: Judged,
  made: (input: InvestigationInput, items: readonly ItemChange[]) => Judged,
): { readonly steps: readonly State['steps'][number][]; readonly end: Verdicts } | null {
  const runs = new Map<string, State[]>();
  for (const unit of units) {
    const [{ change, kind }] = unit.items as [ItemChange];
    const run = `${change === 'removed'} ${kind}`;
    if (!runs.get(run)?.push(unit)) runs.set(run, [unit]);
  }
  const steps = new Map<State, State['steps'][number]>();
  let now = start;
  const make = (unit: State) => {
    try {
      const next = made(now.input, unit.items);
      steps.set(unit, [now.verdicts, next.verdicts]);
      now = next;
      return true;
    } catch (error) {
      if (!(error instanceof InvalidInvestigation)) throw error;
      return false;
    }
  };
  const late = new Set([...runs.values()].flatMap((run) => run.toReversed()).filter((unit) => !make(unit)));
  if (!units.filter((unit) => late.has(unit)).every(make)) return null;
  return { steps: units.map((unit) => steps.get(unit)!), end: now.verdicts };
}

function moveOf(
  key: string,
  pair: AnswerPair,
  { wasDenied, isDenied, before, after }: Compared,
  states: readonly State[],
): VerdictMove {
  const [was, is] = [pair[0]?.verdict, pair[1]?.verdict];
  const { subject_id, subject_name, predicate } = (is ?? was)!;
  const none = leaderlessIn(is);
  const led = was?.leading_value ?? null;
  const kept =
    none && led !== null && leaderlessIn(was) === null && none.values.find((one) => saysTheSame(one, led));
  const leading = none ? kept || none.values[0]! : is?.leading_value;
  const value = leading ?? leaderlessIn(was)?.values[0] ?? led;
  const regions = regionsOf(pair);
  const chance = (verdicts: Verdicts) =>
    chanceOf(answerIn(answersOf(verdicts.get(key)), regions)?.verdict, value);
  const parts = states
    .map(({ steps, ...part }) => ({
      ...part,
      move: steps.reduce((sum, [from, to]) => sum + chance(to) - chance(from), 0) / steps.length,
    }))
    .filter(({ move }) => Math.abs(move) > NOTHING);
  const side = (
    verdict: AnswerVerdict | undefined,
    isOnlyDenied: Denials,
    judged: InvestigationResult,
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
    parts,
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
 * affirms it, and it is not likely.
 */
function denialsOf({ claims }: InvestigationInput): Denials {
  const keyOf = (one: { readonly subject_id?: string | null; readonly predicate: string }, scope = '') =>
    JSON.stringify([one.subject_id, one.predicate, scope.trim().toLowerCase()]);
  const said = new Map<string, ClaimInput[]>();
  for (const claim of claims) {
    const key = keyOf(claim, claim.scope ?? '');
    if (!said.get(key)?.push(claim)) said.set(key, [claim]);
  }
  return (verdict: Partial<SubjectResult> & Pick<SubjectResult, 'subject_id' | 'predicate'>) => {
    const { leading_value: value = null, rival_values: rivals = [] } = verdict;
    if (value === null) return false;
    const no = value === 'true' && rivals.find((one) => one.value === 'false' && !one.apart);
    if (no) return no.calibrated_probability > chanceOf(verdict, value);
    const own = (said.get(keyOf(verdict, rivals[0]?.scope)) ?? []).filter((one) =>
      saysTheSame(one.value, value),
    );
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

/** Whether another value leads, or is likelier than it, or the same one holds now on one side alone. */
function leadsAnother(was: ComparedVerdict, is: ComparedVerdict, now: Date): boolean {
  const [none, noneNow] = [was, is].map((side) => JSON.stringify([side.tied, side.denied_values]));
  if (none !== noneNow || !isSame(was.likelier?.value, is.likelier?.value)) return true;
  if (was.tied || was.denied_values) return false;
  if (!isSame(was.leading_value, is.leading_value)) return true;
  return holdsAt(was, now.getTime()) !== holdsAt(is, now.getTime());
}

const isSame = (was: string | null | undefined, is: string | null | undefined): boolean =>
  was == null || is == null ? was === is : saysTheSame(was, is);

function verdictsOf({ subject_results: verdicts }: InvestigationResult): Verdicts {
  return new Map(
    verdicts.map((verdict) => [JSON.stringify([verdict.subject_id, verdict.predicate]), verdict]),
  );
}

/** Changes one by one where there are few, else by question, the last group with what is left. */
function groupsOf(changes: readonly ItemChange[], groupsMax: number): ItemChange[][] {
  if (changes.length <= groupsMax) return changes.map((change) => [change]);
  const groups = new Map<string, ItemChange[]>();
  for (const change of changes) {
    const key = JSON.stringify([
      change.change,
      change.kind,
      change.subject_id ?? null,
      change.predicate ?? null,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const all = [...groups.values()];
  return all.length <= groupsMax ? all : [...all.slice(0, groupsMax - 1), all.slice(groupsMax - 1).flat()];
}

function withChange(
  input: InvestigationInput,
  { kind, id, change }: ItemChange,
  after: InvestigationInput,
): InvestigationInput {
  const list = (input[kind] ?? []) as readonly { readonly id: string }[];
  const item = (after[kind] as readonly { readonly id: string }[] | null | undefined)?.find(
    (one) => one.id === id,
  );
  const next =
    change === 'removed'
      ? list.filter((one) => one.id !== id)
      : change === 'added'
        ? [...list, item!]
        : list.map((one) => (one.id === id ? item! : one));
  return { ...input, [kind]: next };
}

function withSettings(
  input: InvestigationInput,
  after: InvestigationInput,
  names: readonly string[],
): InvestigationInput {
  const changed = Object.fromEntries(
    names.map((name) => [name, (after as unknown as Record<string, unknown>)[name] ?? undefined]),
  );
  return { ...input, ...changed };
}
