import { StepBudget } from './step-budget.ts';

/**
 * Steps of work (one attack looked at, one machine word of a set) that one conflict of the budget buys. Most
 * searches end by work and not by conflicts: enumerating maximal independent sets has no conflicts at all. At
 * 20,000 conflicts this comes to 10⁸ steps, one to two seconds.
 */
const WORK_PER_CONFLICT = 5_000;

/** Steps of work between two questions to shouldStop. */
const WORK_PER_QUESTION = 1 << 14;

/** The budget of one search for extensions: steps of work, and conflicts of the SAT core. */
export class SearchBudget {
  readonly #work: StepBudget;
  readonly #conflicts: StepBudget;
  readonly #shouldStop: (() => boolean) | undefined;
  readonly #given: { readonly work: number; readonly conflicts: number };
  #untilQuestion = WORK_PER_QUESTION;
  #isSpent = false;
  #isStopped = false;

  /** `conflicts` ≥ 0, Infinity for no bound. `shouldStop` ends everything as soon as it returns true. */
  constructor(conflicts: number, shouldStop?: () => boolean, work = conflicts * WORK_PER_CONFLICT) {
    this.#conflicts = new StepBudget(conflicts);
    this.#work = new StepBudget(work);
    this.#given = { work, conflicts };
    this.#shouldStop = shouldStop;
  }

  /** True once anything ran out; stays true. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Takes `steps` of work; true while there is budget left. */
  tryConsume(steps: number): boolean {
    if (!this.#work.tryConsume(steps)) this.#isSpent = true;
    this.#untilQuestion -= steps;
    if (this.#untilQuestion < 0) {
      this.#untilQuestion = WORK_PER_QUESTION;
      this.#ask();
    }
    return !this.#isSpent;
  }

  /** Takes one conflict of the SAT core; true while there is budget left. */
  tryConsumeConflict(): boolean {
    if (!this.#conflicts.tryConsume(1)) this.#isSpent = true;
    return !this.#isSpent;
  }

  /**
   * True once shouldStop has returned true; asks it now. The ranking may continue when the search is over.
   */
  isStopped(): boolean {
    this.#ask();
    return this.#isStopped;
  }

  #ask(): void {
    if (!this.#isStopped && this.#shouldStop?.() === true) this.#isStopped = this.#isSpent = true;
  }

  /** A separate budget with this share, in (0, 1], of what is left; `absorb` adds its spending here. */
  share(share: number): SearchBudget {
    const part = new SearchBudget(this.#conflicts.left * share, this.#shouldStop, this.#work.left * share);
    part.#isSpent = this.#isSpent;
    part.#isStopped = this.#isStopped;
    return part;
  }

  absorb(part: SearchBudget): void {
    // Infinity − Infinity is NaN, so unlimited budgets skip the bookkeeping.
    if (this.#work.left !== Infinity) this.tryConsume(part.#given.work - part.#work.left);
    if (this.#conflicts.left !== Infinity)
      this.#conflicts.tryConsume(part.#given.conflicts - part.#conflicts.left);
    this.#isStopped ||= part.#isStopped;
    this.#isSpent ||= part.#isStopped;
  }
}
