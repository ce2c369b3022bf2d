import type { SearchBudget } from './search-budget.ts';
import { type Choice, type Option, reachable, visitSolutions } from './choice.ts';

/** Scores asked for at most; up to so many extensions the list is the best of all of them. */
const SCORES_MAX = 20_000;

/** Members and choices gone through at most in the local search, which keeps it short on large extensions. */
const SEARCHED_NODES_MAX = 10_000_000;

/** How extensions are made of the nodes of choices, and which are better. */
interface Ranking {
  /** Extensions listed at most. */
  readonly limit: number;
  /** The members of an extension, ascending, from the pieces that a choice gives. */
  readonly members: (pieces: readonly Int32Array[]) => number[];
  /** Higher is better; equal scores are ordered by the members. */
  readonly score: (members: readonly number[]) => number;
}

interface RankedList {
  readonly best: number[][];
  /** False when shouldStop ended the ranking; at least one extension is listed even then. */
  readonly isComplete: boolean;
}

/**
 * The best solutions of a settled choice, best first.
 *
 * Up to SCORES_MAX solutions: exactly the best, all are scored. Above: a best-first local search in which
 * neighbors differ in one choice. It first goes through the choices once and keeps the best option of each,
 * then looks at all neighbors of the best solution not yet looked around, as long as that one would be
 * listed and scores are left. When it ends before they are used up, no neighbor of a listed solution that is
 * missing is better than the last one listed; when moreover the score is a sum over independent choices, the
 * list is the best of all. Deterministic.
 */
export function bestExtensions(
  root: Choice,
  count: bigint,
  ranking: Ranking,
  budget: SearchBudget,
): RankedList {
  const list = new BestList(ranking.limit);
  if (count <= BigInt(SCORES_MAX)) {
    const isComplete = visitSolutions(root, (pieces) => {
      const members = ranking.members(pieces);
      list.add({ members, score: ranking.score(members), base: FIRST_OPTIONS, change: null });
      return !budget.isStopped();
    });
    return { best: list.members(), isComplete };
  }
  return new LocalSearch(root, ranking, list, budget).run();
}

/** Which option is taken where; a choice not named takes its first. */
type Picks = ReadonlyMap<Choice, number>;
const FIRST_OPTIONS: Picks = new Map();

/** An extension as one change of the picks it was found from. */
interface Candidate {
  readonly members: number[];
  readonly score: number;
  readonly base: Picks;
  readonly change: { readonly choice: Choice; readonly option: number } | null;
}

function picksOf({ base, change }: Candidate): Picks {
  return change === null ? base : new Map(base).set(change.choice, change.option);
}

class LocalSearch {
  readonly #root: Choice;
  readonly #ranking: Ranking;
  readonly #list: BestList;
  readonly #budget: SearchBudget;
  #scoresLeft = SCORES_MAX;
  #nodesLeft = SEARCHED_NODES_MAX;
  #isStopped = false;

  constructor(root: Choice, ranking: Ranking, list: BestList, budget: SearchBudget) {
    this.#root = root;
    this.#ranking = ranking;
    this.#list = list;
    this.#budget = budget;
  }

  run(): RankedList {
    this.#sweep();
    const lookedAround = new Set<Candidate>();
    for (;;) {
      const next = this.#list.first((candidate) => !lookedAround.has(candidate));
      if (next === undefined || !this.#mayScore()) break;
      lookedAround.add(next);
      const picks = picksOf(next);
      for (const choice of this.#open(picks)) this.#tryOptions(picks, choice, Infinity);
    }
    return { best: this.#list.members(), isComplete: !this.#isStopped };
  }

  /**
   * Each choice in turn gets its best option, the others as they are; half of the scores are shared out among
   * them.
   */
  #sweep(): void {
    let best = this.#candidate(FIRST_OPTIONS, null);
    const done = new Set<Choice>();
    const total = reachable(this.#root).length;
    for (;;) {
      const picks = picksOf(best);
      const choice = this.#open(picks).find((open) => !done.has(open));
      if (choice === undefined || !this.#mayScore()) return;
      const share = Math.ceil(this.#scoresLeft / 2 / Math.max(1, total - done.size));
      done.add(choice);
      const found = this.#tryOptions(picks, choice, share);
      if (found !== null && isBetter(found, best)) best = found;
    }
  }

  /** Scores at most `limit` other options of a choice and gives the best of them. */
  #tryOptions(picks: Picks, choice: Choice, limit: number): Candidate | null {
    let best: Candidate | null = null;
    const taken = picks.get(choice) ?? 0;
    for (
      let option = 0, tried = 0;
      option < choice.options.length && tried < limit && this.#mayScore();
      option++
    ) {
      if (option === taken) continue;
      tried++;
      const candidate = this.#candidate(picks, { choice, option });
      if (best === null || isBetter(candidate, best)) best = candidate;
    }
    return best;
  }

  #mayScore(): boolean {
    if (this.#budget.isStopped()) this.#isStopped = true;
    return this.#scoresLeft > 0 && this.#nodesLeft > 0 && !this.#isStopped;
  }

  #candidate(base: Picks, change: Candidate['change']): Candidate {
    this.#scoresLeft--;
    const pieces: Int32Array[] = [];
    this.#walk(base, change, (_, option) => pieces.push(option.members));
    const members = this.#ranking.members(pieces);
    this.#nodesLeft -= pieces.length + members.length;
    const candidate = { members, score: this.#ranking.score(members), base, change };
    this.#list.add(candidate);
    return candidate;
  }

  /** The choices with more than one option that the picks lead through. */
  #open(picks: Picks): Choice[] {
    const open: Choice[] = [];
    this.#walk(picks, null, (choice) => {
      if (choice.options.length > 1) open.push(choice);
    });
    return open;
  }

  #walk(picks: Picks, change: Candidate['change'], visit: (choice: Choice, option: Option) => void): void {
    const pending = [this.#root];
    for (let choice = pending.pop(); choice !== undefined; choice = pending.pop()) {
      const taken = choice === change?.choice ? change.option : (picks.get(choice) ?? 0);
      const option = choice.options[taken]!;
      visit(choice, option);
      for (let k = option.parts.length - 1; k >= 0; k--) pending.push(option.parts[k]!);
    }
  }
}

/** At most `limit` candidates, the best first, each once. */
class BestList {
  readonly #limit: number;
  readonly #candidates: Candidate[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(candidate: Candidate): void {
    let low = 0;
    let high = this.#candidates.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBetter(candidate, this.#candidates[middle]!)) high = middle;
      else low = middle + 1;
    }
    const before = this.#candidates[low - 1];
    if (low >= this.#limit || (before !== undefined && !isBetter(before, candidate))) return;
    this.#candidates.splice(low, 0, candidate);
    if (this.#candidates.length > this.#limit) this.#candidates.pop();
  }

  first(condition: (candidate: Candidate) => boolean): Candidate | undefined {
    return this.#candidates.find(condition);
  }

  members(): number[][] {
    return this.#candidates.map((candidate) => candidate.members);
  }
}

function isBetter(a: Candidate, b: Candidate): boolean {
  return a.score > b.score || (a.score === b.score && compareMembers(a.members, b.members) < 0);
}

/** Lexicographic order of ascending lists; a list comes before its continuations. */
export function compareMembers(a: readonly number[], b: readonly number[]): number {
  const shared = Math.min(a.length, b.length);
  for (let k = 0; k < shared; k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}
