/**
 * Steps of work (one attack looked at, one machine word of a set) that one conflict of the budget buys. Most searches
 * end by work and not by conflicts: enumerating maximal independent sets has no conflicts at all. At 20,000 conflicts
 * this comes to 10⁸ steps, one to two seconds.
 */
const WORK_PER_CONFLICT = 5_000;

/** Steps of work between two questions to shouldStop. */
const WORK_PER_QUESTION = 1 << 14;

/** What one call may spend. Counts steps, never time, so that the same input ends at the same place. */
export class Budget {
  #conflicts: number;
  #work: number;
  #untilQuestion = WORK_PER_QUESTION;
  #shouldStop: (() => boolean) | undefined;
  #isSpent = false;
  #isStopped = false;
  #given = 0;
  #givenConflicts = 0;

  /** `conflicts` ≥ 0, Infinity for no bound. `shouldStop` ends everything as soon as it answers true. */
  constructor(conflicts: number, shouldStop?: () => boolean) {
    this.#conflicts = conflicts;
    this.#work = conflicts * WORK_PER_CONFLICT;
    this.#shouldStop = shouldStop;
  }

  /** True once anything ran out; stays true. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes `steps` of work; true while there is budget left. */
  spend(steps: number): boolean {
    this.#work -= steps;
    if (this.#work < 0) this.#isSpent = true;
    this.#untilQuestion -= steps;
    if (this.#untilQuestion < 0) {
      this.#untilQuestion = WORK_PER_QUESTION;
      this.#ask();
    }
    return !this.#isSpent;
  }

  /** True once shouldStop has said so, asked again now. For the ranking, which may go on when the search is over. */
  isStopped(): boolean {
    this.#ask();
    return this.#isStopped;
  }

  #ask(): void {
    if (!this.#isStopped && this.#shouldStop?.() === true) this.#isStopped = this.#isSpent = true;
  }

  /** A budget of its own with this share, in (0, 1], of what is left; what it took is taken here by `absorb`. */
  share(share: number): Budget {
    const part = new Budget(this.#conflicts * share, this.#shouldStop);
    part.#work = this.#work * share;
    part.#isSpent = this.#isSpent;
    part.#isStopped = this.#isStopped;
    part.#given = part.#work;
    part.#givenConflicts = part.#conflicts;
    return part;
  }

  absorb(part: Budget): void {
    // An endless budget gives endless shares, of which nothing can be said to be taken.
    if (this.#work !== Infinity) this.spend(part.#given - part.#work);
    if (this.#conflicts !== Infinity) this.#conflicts -= part.#givenConflicts - part.#conflicts;
    this.#isStopped ||= part.#isStopped;
    this.#isSpent ||= part.#isStopped;
  }

  /** Takes one conflict of the SAT core; true while there is budget left. */
  spendConflict(): boolean {
    if (--this.#conflicts < 0) this.#isSpent = true;
    return !this.#isSpent;
  }
}
