import { ActivityOrder } from './activity-order.ts';
import type { SearchBudget } from './search-budget.ts';

/** A literal is 2·variable when the variable is true, 2·variable + 1 when it is false. */
export type Literal = number;
/** The literal that says the opposite. */
export const not = (literal: Literal): Literal => literal ^ 1;

/**
 * For each literal p, what p alone implies: to[start[p]] … to[start[p + 1] − 1]. Must contain every
 * contrapositive.
 */
export interface Implications {
  readonly start: Int32Array;
  readonly to: Int32Array;
}

type Outcome = 'model' | 'no more models' | 'budget spent';

/**
 * Conflicts of the first restart interval; Luby's sequence multiplies it. Eén and Sörensson, MiniSat 2003.
 */
const RESTART_CONFLICTS = 100;
/** Learned clauses kept before the first clean-up, and how many more after each. */
const LEARNED_KEPT = 4_000;
const LEARNED_KEPT_GROWTH = 2_000;
/**
 * Learned clauses that join at most so many decision levels are kept for ever. Audemard and Simon, Glucose
 * 2009.
 */
const GLUE_LEVELS = 2;

const NO_REASON = -1;
/** Steps of work charged for each clause looked into: it lies anywhere in memory. */
const WORK_PER_CLAUSE = 2;
/**
 * Steps of work charged for each variable seen while learning, which costs more than one step of propagation.
 */
const WORK_PER_SEEN = 16;
/**
 * A clause is [size, levels joined (0: not learned), where the last search for a literal ended, literals …]
 * in the arena.
 */
const HEADER = 3;

/**
 * Conflict-driven clause learning over propositional clauses that lists models one after the other and can be
 * interrupted. After J. P. Marques-Silva and K. A. Sakallah (GRASP, 1999), M. Moskewicz et al. (Chaff, 2001)
 * and N. Eén and N. Sörensson (MiniSat, 2003): two watched literals, first unique implication point,
 * activity-ordered decisions, Luby restarts, clean-up of learned clauses.
 *
 * Decisions are taken on the first `choices` variables only, and always make them **true**. So a model is
 * maximal: any other model that has all its true choice variables agrees with all decisions, hence with all
 * that follows from them, and the false choice variables follow (E. Di Rosa, E. Giunchiglia, M. Maratea,
 * "Solving satisfiability problems with preferences", Constraints 15, 2010). This is why phases are not
 * saved.
 */
export class CdclSolver {
  readonly #choices: number;
  readonly #implications: Implications;
  readonly #budget: SearchBudget;
  /** Per variable: 1 true, −1 false, 0 open. */
  readonly #values: Int8Array;
  readonly #levels: Int32Array;
  /** Per variable: a place in the arena, NO_REASON, or −2 − p for the literal p that implies it alone. */
  readonly #reasons: Int32Array;
  readonly #isSeen: Uint8Array;
  readonly #trail: Int32Array;
  #trailSize = 0;
  #propagated = 0;
  readonly #levelStarts: number[] = [];
  #arena = new Int32Array(1 << 12);
  #arenaSize = 0;
  /** Per literal: clauses to look at when it becomes false, each with another of its literals, as pairs. */
  readonly #watches: number[][];
  /**
   * The clause that failed: a place in the arena, or NO_REASON for a clause of the two literals in
   * #conflictPair.
   */
  #conflict = NO_REASON;
  readonly #conflictPair: [Literal, Literal] = [0, 0];
  #isContradictory = false;
  readonly #order: ActivityOrder;
  #learnedCount = 0;
  #learnedKept = LEARNED_KEPT;
  #restarts = 0;
  #conflictsUntilRestart = RESTART_CONFLICTS;

  constructor(variables: number, choices: number, implications: Implications, budget: SearchBudget) {
    this.#choices = choices;
    this.#implications = implications;
    this.#budget = budget;
    this.#values = new Int8Array(variables);
    this.#levels = new Int32Array(variables);
    this.#reasons = new Int32Array(variables);
    this.#isSeen = new Uint8Array(variables);
    this.#trail = new Int32Array(variables);
    this.#watches = Array.from({ length: 2 * variables }, () => []);
    this.#order = new ActivityOrder(choices);
  }

  /** 1 true, −1 false, 0 open. */
  value(literal: Literal): number {
    const value = this.#values[literal >> 1]!;
    return (literal & 1) === 0 ? value : -value;
  }

  /** Adds a clause before the search starts. */
  addClause(literals: readonly Literal[]): void {
    const open: number[] = [];
    for (const literal of literals) {
      if (this.value(literal) === 1) return;
      if (this.value(literal) === 0) open.push(literal);
    }
    if (open.length === 0) this.#isContradictory = true;
    else if (open.length === 1) this.#assign(open[0]!, NO_REASON);
    else this.#store(open, 0);
  }

  /**
   * True when no model not yet excluded has this literal, as far as propagation alone tells. Gives up a
   * standing model.
   */
  isRefuted(literal: Literal): boolean {
    this.#backTo(0);
    if (!this.#isContradictory && !this.#propagate()) this.#isContradictory = true;
    if (this.#isContradictory || this.value(literal) !== 0)
      return this.#isContradictory || this.value(literal) === -1;
    this.#levelStarts.push(this.#trailSize);
    this.#assign(literal, NO_REASON);
    const isConsistent = this.#propagate();
    this.#backTo(0);
    return !isConsistent;
  }

  /** Searches on until a model stands, there is none left, or the budget is spent. */
  search(): Outcome {
    if (this.#isContradictory) return 'no more models';
    for (;;) {
      if (!this.#propagate()) {
        if (!this.#budget.tryConsumeConflict()) return 'budget spent';
        if (!this.#learnFromConflict()) return 'no more models';
        if (--this.#conflictsUntilRestart <= 0) this.#restart();
        continue;
      }
      if (this.#budget.isSpent) return 'budget spent';
      const variable = this.#order.takeFirstOpen(this.#values);
      if (variable === -1) return 'model';
      this.#levelStarts.push(this.#trailSize);
      this.#assign(2 * variable, NO_REASON);
    }
  }

  /** Forbids the standing model by a clause that it makes false. */
  exclude(clause: readonly Literal[]): void {
    let top = 0;
    for (const literal of clause) top = Math.max(top, this.#levels[literal >> 1]!);
    if (top === 0) {
      this.#isContradictory = true;
      return;
    }
    this.#budget.tryConsume(clause.length);
    // The two literals assigned last are watched, so that the clause wakes up when the search goes back past
    // them.
    const literals = [...clause];
    for (let place = 0; place < 2 && place < literals.length; place++) {
      let latest = place;
      for (let k = place + 1; k < literals.length; k++) {
        if (this.#levels[literals[k]! >> 1]! > this.#levels[literals[latest]! >> 1]!) latest = k;
      }
      [literals[place], literals[latest]] = [literals[latest]!, literals[place]!];
    }
    if (literals.length === 1) {
      this.#backTo(0);
      this.#assign(literals[0]!, NO_REASON);
      return;
    }
    const place = this.#store(literals, 0);
    const second = this.#levels[literals[1]! >> 1]!;
    if (second < top) {
      this.#backTo(second);
      this.#assign(literals[0]!, place);
    } else {
      this.#backTo(top);
      this.#conflict = place;
      this.#learnFromConflict();
    }
  }

  #assign(literal: Literal, reason: number): void {
    const variable = literal >> 1;
    this.#values[variable] = (literal & 1) === 0 ? 1 : -1;
    this.#levels[variable] = this.#levelStarts.length;
    this.#reasons[variable] = reason;
    this.#trail[this.#trailSize++] = literal;
  }

  #failBinary(a: Literal, b: Literal): void {
    this.#conflict = NO_REASON;
    this.#conflictPair[0] = a;
    this.#conflictPair[1] = b;
  }

  #store(literals: readonly number[], levelsJoined: number): number {
    const place = this.#arenaSize;
    const end = place + HEADER + literals.length;
    if (end > this.#arena.length) {
      const larger = new Int32Array(Math.max(end, this.#arena.length * 2));
      larger.set(this.#arena);
      this.#arena = larger;
    }
    this.#arena[place] = literals.length;
    this.#arena[place + 1] = levelsJoined;
    this.#arena[place + 2] = 2;
    for (let k = 0; k < literals.length; k++) this.#arena[place + HEADER + k] = literals[k]!;
    this.#arenaSize = end;
    this.#watches[literals[0]!]!.push(place, literals[1]!);
    this.#watches[literals[1]!]!.push(place, literals[0]!);
    if (levelsJoined > 0) this.#learnedCount++;
    return place;
  }

  /** Draws the consequences of the trail; false leaves the clause that failed as the conflict. */
  #propagate(): boolean {
    const { start, to } = this.#implications;
    const values = this.#values;
    while (this.#propagated < this.#trailSize) {
      const literal = this.#trail[this.#propagated++]!;
      const end = start[literal + 1]!;
      for (let k = start[literal]!; k < end; k++) {
        const implied = to[k]!;
        const value = (implied & 1) === 0 ? values[implied >> 1]! : -values[implied >> 1]!;
        if (value === 1) continue;
        if (value === -1) {
          this.#failBinary(not(literal), implied);
          return false;
        }
        this.#assign(implied, -2 - literal);
      }
      this.#budget.tryConsume(1 + end - start[literal]!);
      if (!this.#visitWatches(not(literal))) return false;
    }
    return true;
  }

  #visitWatches(falsified: Literal): boolean {
    const watches = this.#watches[falsified]!;
    const arena = this.#arena;
    const values = this.#values;
    let kept = 0;
    let steps = 0;
    for (let k = 0; k < watches.length; k += 2) {
      const place = watches[k]!;
      const other = watches[k + 1]!;
      if (((other & 1) === 0 ? values[other >> 1]! : -values[other >> 1]!) === 1) {
        watches[kept++] = place;
        watches[kept++] = other;
        continue;
      }
      steps += WORK_PER_CLAUSE;
      const from = place + HEADER;
      if (arena[from] === falsified) {
        arena[from] = arena[from + 1]!;
        arena[from + 1] = falsified;
      }
      const first = arena[from]!;
      const end = from + arena[place]!;
      const firstValue = (first & 1) === 0 ? values[first >> 1]! : -values[first >> 1]!;
      let replacement = -1;
      if (firstValue !== 1) {
        // Long clauses are searched from where the last search ended, around (I. P. Gent, 2013).
        const size = end - from;
        let at = from + arena[place + 2]!;
        for (let left = size - 2; left > 0; left--) {
          if (at >= end) at = from + 2;
          const literal = arena[at]!;
          steps++;
          if (((literal & 1) === 0 ? values[literal >> 1]! : -values[literal >> 1]!) !== -1) {
            replacement = at;
            arena[place + 2] = at - from;
            break;
          }
          at++;
        }
      }
      if (replacement !== -1) {
        const literal = arena[replacement]!;
        arena[from + 1] = literal;
        arena[replacement] = falsified;
        this.#watches[literal]!.push(place, first);
        continue;
      }
      watches[kept++] = place;
      watches[kept++] = first;
      if (firstValue === 1) continue;
      if (firstValue === -1) {
        while ((k += 2) < watches.length) {
          watches[kept++] = watches[k]!;
          watches[kept++] = watches[k + 1]!;
        }
        watches.length = kept;
        this.#conflict = place;
        this.#budget.tryConsume(steps + kept);
        return false;
      }
      this.#assign(first, place);
    }
    this.#budget.tryConsume(steps + (watches.length >> 1));
    watches.length = kept;
    return true;
  }

  /** Learns the clause of the first unique implication point and goes back to where it forces a literal. */
  #learnFromConflict(): boolean {
    const level = this.#levelStarts.length;
    if (level === 0) {
      this.#isContradictory = true;
      return false;
    }
    const learned: number[] = [-1];
    const seen: number[] = [];
    let openCount = 0;
    const see = (literal: Literal) => {
      const variable = literal >> 1;
      if (this.#isSeen[variable] === 1 || this.#levels[variable] === 0) return;
      this.#isSeen[variable] = 1;
      seen.push(variable);
      if (variable < this.#choices) this.#order.bump(variable);
      if (this.#levels[variable] === level) openCount++;
      else learned.push(literal);
    };
    if (this.#conflict === NO_REASON) this.#conflictPair.forEach(see);
    else this.#eachLiteral(this.#conflict, see);
    let at = this.#trailSize;
    let pivot = -1;
    for (;;) {
      do at--;
      while (this.#isSeen[this.#trail[at]! >> 1] === 0);
      pivot = this.#trail[at]!;
      if (--openCount === 0) break;
      // The pivot itself, which its reason contains, is seen already.
      const reason = this.#reasons[pivot >> 1]!;
      if (reason >= 0) this.#eachLiteral(reason, see);
      else see(not(-2 - reason));
    }
    this.#budget.tryConsume(WORK_PER_SEEN * seen.length);
    learned[0] = not(pivot);
    const clause = learned.filter((literal, k) => k === 0 || !this.#isRedundant(literal));
    for (const variable of seen) this.#isSeen[variable] = 0;
    this.#order.decay();

    let target = 0;
    const joined = new Set<number>();
    for (let k = 1; k < clause.length; k++) {
      const its = this.#levels[clause[k]! >> 1]!;
      joined.add(its);
      if (its > target) {
        target = its;
        [clause[1], clause[k]] = [clause[k]!, clause[1]!];
      }
    }
    this.#backTo(target);
    if (clause.length === 1) this.#assign(clause[0]!, NO_REASON);
    else this.#assign(clause[0]!, this.#store(clause, joined.size + 1));
    return true;
  }

  #eachLiteral(place: number, visit: (literal: Literal) => void): void {
    const end = place + HEADER + this.#arena[place]!;
    for (let k = place + HEADER; k < end; k++) visit(this.#arena[k]!);
    this.#budget.tryConsume(end - place);
  }

  /** A literal of a learned clause is redundant when its reason says nothing that the clause does not say. */
  #isRedundant(literal: Literal): boolean {
    const reason = this.#reasons[literal >> 1]!;
    if (reason === NO_REASON) return false;
    if (reason < 0) return this.#isCovered((-2 - reason) >> 1);
    const end = reason + HEADER + this.#arena[reason]!;
    for (let k = reason + HEADER; k < end; k++) {
      const variable = this.#arena[k]! >> 1;
      if (variable !== literal >> 1 && !this.#isCovered(variable)) return false;
    }
    return true;
  }

  #isCovered(variable: number): boolean {
    return this.#isSeen[variable] === 1 || this.#levels[variable] === 0;
  }

  #backTo(level: number): void {
    if (this.#levelStarts.length <= level) return;
    const size = this.#levelStarts[level]!;
    for (let k = this.#trailSize - 1; k >= size; k--) {
      const variable = this.#trail[k]! >> 1;
      this.#values[variable] = 0;
      if (variable < this.#choices) this.#order.insert(variable);
    }
    this.#trailSize = size;
    this.#propagated = size;
    this.#levelStarts.length = level;
  }

  #restart(): void {
    this.#backTo(0);
    this.#conflictsUntilRestart = RESTART_CONFLICTS * luby(++this.#restarts);
    if (this.#learnedCount > this.#learnedKept) this.#forgetLearned();
  }

  /**
   * Drops the half of the learned clauses that join most levels. At level 0, where no reason is ever asked
   * for.
   */
  #forgetLearned(): void {
    const joined: number[] = [];
    for (let place = 0; place < this.#arenaSize; place += HEADER + this.#arena[place]!) {
      if (this.#arena[place + 1]! > 0) joined.push(this.#arena[place + 1]!);
    }
    joined.sort((a, b) => a - b);
    const limit = Math.max(GLUE_LEVELS, joined[joined.length >> 1]!);
    const old = this.#arena;
    const oldSize = this.#arenaSize;
    for (const watches of this.#watches) watches.length = 0;
    this.#arena = new Int32Array(old.length);
    this.#arenaSize = 0;
    this.#learnedCount = 0;
    this.#learnedKept += LEARNED_KEPT_GROWTH;
    for (let place = 0; place < oldSize; place += HEADER + old[place]!) {
      const levelsJoined = old[place + 1]!;
      if (levelsJoined > limit) continue;
      // Without what is false for good, and without clauses that are true for good.
      const literals: number[] = [];
      let isTrue = false;
      for (let k = place + HEADER; k < place + HEADER + old[place]!; k++) {
        const value = this.value(old[k]!);
        if (value === 1) isTrue = true;
        else if (value === 0) literals.push(old[k]!);
      }
      if (isTrue) continue;
      if (literals.length > 1) this.#store(literals, levelsJoined);
      else if (literals.length === 1) this.#assign(literals[0]!, NO_REASON);
      else this.#isContradictory = true;
    }
    this.#budget.tryConsume(oldSize);
  }
}

/**
 * 1, 1, 2, 1, 1, 2, 4, …: M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms",
 * 1993. `index` ≥ 1.
 */
function luby(index: number): number {
  let size = 1;
  while (size < index) size = 2 * size + 1;
  while (size !== index) {
    size = (size - 1) / 2;
    if (index > size) index -= size;
  }
  return (size + 1) / 2;
}
