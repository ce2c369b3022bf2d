/** Tests that a search may make, over all that it is asked; it counts them down. */
export interface Budget {
  left: number;
  /** The time of `performance.now()` at which searching ends whatever is left. */
  readonly endsAt?: number;
}

export const isLate = ({ endsAt = Infinity }: Budget): boolean => performance.now() > endsAt;

/** Whether a search is over, where it may use up the budget to this floor. */
export const isSpent = (budget: Budget, floor = 0): boolean => budget.left <= floor || isLate(budget);

/** Why a search that found nothing does not prove that there is nothing. */
export type Gap = 'too_many' | 'spelling' | 'regex' | 'wildcards' | 'macros' | 'inverted';
