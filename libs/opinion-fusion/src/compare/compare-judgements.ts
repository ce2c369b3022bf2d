import { analyze } from '../analyze.ts';
import { InvalidInvestigation } from '../contract/invalid-investigation.ts';
import type {
  InvestigationInput,
  InvestigationResult,
  StopSignal,
  SubjectResult,
} from '../contract/types.ts';
import {
  chanceOf,
  isTurned,
  isDenialUnjudged,
  keyOf,
  movesBetween,
  verdictsOf,
  type AnswerMove,
  type MovedAnswer,
  type Verdicts,
} from './answer-moves.ts';
import { answerBetween, answersAndDenials, type Answer } from './answers.ts';
import { changesBetween, QUESTION_SETTING, type InputChanges, type ItemChange } from './input-changes.ts';

/** A judgement as it is kept. */
export interface ComparedJudgement {
  readonly input: InvestigationInput;
  /** In full, of whichever engine. */
  readonly result: InvestigationResult;
  readonly judgedAt: Date;
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

/** What became of one answer, and by what. */
export interface VerdictMove extends AnswerMove {
  /** They sum to `move`. Changes that move a verdict only together share what they moved. */
  readonly parts: readonly MovePart[];
}

export interface JudgementComparison extends InputChanges {
  /**
   * Verdicts with another truth status or value, or one of another scope or time, and those of which one step
   * moved the chance by CHANGED_FROM; the former first, then by move. A question whose answers hold in
   * several scopes or times has one for each.
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

  const known = new Map<SubjectResult | undefined, readonly Answer[]>();
  const answersIn = (verdict: SubjectResult | undefined) => {
    if (!known.has(verdict)) known.set(verdict, answersAndDenials(verdict));
    return known.get(verdict)!;
  };
  const moves = movesBetween(before.result, after.result).map((answer): VerdictMove => ({
    ...answer.move,
    parts: partsOf(answer, states, [first, last], answersIn),
  }));
  const moved = ({ move }: { readonly move: number }) => Math.abs(move) >= CHANGED_FROM;
  const changed = moves.filter((verdict) => isTurned(verdict) || moved(verdict) || verdict.parts.some(moved));
  return {
    ...changes,
    verdicts: changed.toSorted(
      (a, b) => Number(isTurned(b)) - Number(isTurned(a)) || Math.abs(b.move) - Math.abs(a.move),
    ),
    unchanged_verdicts: moves.length - changed.length,
  };
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

/**
 * What each step moved the chance of the followed value by, where it holds; nothing where a judgement gives
 * it no chance.
 */
function partsOf(
  { pair, move }: MovedAnswer,
  states: readonly State[],
  [first, last]: readonly [Verdicts, Verdicts],
  answersIn: typeof answersAndDenials,
): MovePart[] {
  if (isDenialUnjudged(pair)) return [];
  const key = keyOf(move);
  const denied = pair.find((side) => side?.denied);
  const chance = (verdicts: Verdicts) => {
    const between = () => answerBetween(pair, answersIn(verdicts.get(key)));
    const answer = verdicts === first ? pair[0] : verdicts === last ? pair[1] : between();
    // Whether a denial is given a chance depends on what is said elsewhere.
    const isUnjudged = [answer, denied].some((one) => one?.verdict.no_value_counts);
    const said = answer?.denied && denied && isUnjudged ? denied : answer;
    return chanceOf(said?.verdict, move.value);
  };
  return states
    .map(({ steps, ...part }) => ({
      ...part,
      move: steps.reduce((sum, [from, to]) => sum + chance(to) - chance(from), 0) / steps.length,
    }))
    .filter((part) => Math.abs(part.move) > NOTHING);
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
