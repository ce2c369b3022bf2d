import type { SearchBudget } from './search-budget.ts';
import { type SetList, WORK_PER_KEPT_MEMBER } from './maximal-independent-sets.ts';
import type { Residual } from './residual.ts';

/** One way to go on: these nodes are accepted, and each part is chosen independently of the others. */
export interface Option {
  readonly members: Int32Array;
  readonly parts: readonly Choice[];
}

/**
 * The solutions of a residual: those of one option or of another. Choices share parts, so they form a graph
 * without circles: a part always has fewer nodes than the choice, or as many of which more are blocked.
 */
export interface Choice {
  readonly residual: Residual;
  /** There is at least one option. */
  options: Option[];
  /** False when the budget ended the listing of these options. */
  isComplete: boolean;
  /** The rest is filled in by `settle`. */
  summary: Summary | null;
}

interface Summary {
  /** The number of solutions. */
  readonly count: bigint;
  /** True when the empty set is the only solution. */
  readonly isEmpty: boolean;
  /** True when no search below was cut short either. */
  readonly isExact: boolean;
  /** The nodes known to be in every solution, in no order. */
  readonly always: readonly number[];
}

export function newChoice(residual: Residual): Choice {
  return { residual, options: [], isComplete: true, summary: null };
}

/**
 * Sums up a choice and all below it. The empty set is a solution only where it is the only one: options that
 * come to nothing are dropped beside others. Where options are missing no node counts as always accepted.
 */
export function settle(root: Choice): Summary {
  const choices = reachable(root, (choice) => choice.summary === null);
  // Parts before the choices that they are part of; the root alone may have a part that is as large as
  // itself.
  choices.sort(
    (a, b) =>
      Number(a === root) - Number(b === root) ||
      a.residual.nodes.length - b.residual.nodes.length ||
      blockedCount(b) - blockedCount(a),
  );
  for (const choice of choices) choice.summary = summarize(choice);
  return root.summary!;
}

function blockedCount({ residual }: Choice): number {
  return residual.blocked.reduce((sum, mark) => sum + mark, 0);
}

function summarize(choice: Choice): Summary {
  const isExact =
    choice.isComplete && choice.options.every((option) => option.parts.every((p) => p.summary!.isExact));
  const isEmpty = (option: Option) =>
    option.members.length === 0 && option.parts.every((p) => p.summary!.isEmpty);
  const filled = choice.options.filter((option) => !isEmpty(option));
  if (filled.length < choice.options.length) {
    // What is dropped may have more to it than was found.
    if (filled.length > 0 && !isExact) choice.isComplete = false;
    choice.options = filled.length > 0 ? filled : [choice.options[0]!];
  }
  let count = 0n;
  for (const option of choice.options) {
    let product = 1n;
    for (const part of option.parts) product *= part.summary!.count;
    count += product;
  }
  const always = choice.isComplete ? intersection(choice.options) : [];
  return { count, isEmpty: filled.length === 0, isExact, always };
}

function intersection(options: readonly Option[]): number[] {
  let common: number[] | null = null;
  for (const option of options) {
    const certain = [...option.members];
    for (const part of option.parts) for (const node of part.summary!.always) certain.push(node);
    if (common === null) common = certain;
    else {
      const these = new Set(certain);
      common = common.filter((node) => these.has(node));
    }
    if (common.length === 0) return common;
  }
  return common ?? [];
}

/** The choices that can be met from the root on, root included, as far as the condition holds. */
export function reachable(root: Choice, condition: (choice: Choice) => boolean = () => true): Choice[] {
  const met = new Set<Choice>();
  const pending = [root];
  for (let choice = pending.pop(); choice !== undefined; choice = pending.pop()) {
    if (met.has(choice) || !condition(choice)) continue;
    met.add(choice);
    for (const option of choice.options) for (const part of option.parts) pending.push(part);
  }
  return [...met];
}

/** A list that shares its tail with others. */
interface Chain<T> {
  readonly head: T;
  readonly tail: Chain<T> | null;
}

/**
 * Calls `visit` with each solution of a settled choice, in a fixed order, as the member lists that make it
 * up; each is found once. Ends early when visit returns false; true when all were visited.
 */
export function visitSolutions(root: Choice, visit: (pieces: Int32Array[]) => boolean): boolean {
  const states: { open: Chain<Choice> | null; taken: Chain<Int32Array> | null }[] = [
    { open: { head: root, tail: null }, taken: null },
  ];
  for (let state = states.pop(); state !== undefined; state = states.pop()) {
    let { open, taken } = state;
    // A node with one option offers no alternative to return to.
    while (open !== null && open.head.options.length === 1) {
      const option: Option = open.head.options[0]!;
      open = opened(option, open.tail);
      if (option.members.length > 0) taken = { head: option.members, tail: taken };
    }
    if (open === null) {
      const pieces: Int32Array[] = [];
      for (let at = taken; at !== null; at = at.tail) pieces.push(at.head);
      if (!visit(pieces)) return false;
      continue;
    }
    const { options } = open.head;
    for (let k = options.length - 1; k >= 0; k--) {
      const option = options[k]!;
      states.push({ open: opened(option, open.tail), taken: { head: option.members, tail: taken } });
    }
  }
  return true;
}

function opened(option: Option, rest: Chain<Choice> | null): Chain<Choice> | null {
  let open = rest;
  for (let k = option.parts.length - 1; k >= 0; k--) open = { head: option.parts[k]!, tail: open };
  return open;
}

/** All solutions of a choice, each ascending, as far as the budget goes; at least one. */
export function listSolutions(root: Choice, budget: SearchBudget): SetList {
  const { isExact } = settle(root);
  const sets: Int32Array[] = [];
  const isListed = visitSolutions(root, (pieces) => {
    if (sets.length > 0 && budget.isSpent) return false;
    const set = new Int32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      set.set(piece, at);
      at += piece.length;
    }
    budget.tryConsume(WORK_PER_KEPT_MEMBER * (1 + set.length));
    sets.push(set.sort());
    return true;
  });
  return { sets, isComplete: isListed && isExact };
}
