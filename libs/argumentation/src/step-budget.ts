/** What a search may spend. It counts steps and not time, so that the same input ends at the same place. */
export class StepBudget {
  left: number;

  /** `steps` ≥ 0, Infinity for no bound. */
  constructor(steps: number) {
    this.left = steps;
  }

  /** Takes `steps`; false, and nothing is taken, when fewer are left. */
  tryConsume(steps: number): boolean {
    if (steps > this.left) return false;
    this.left -= steps;
    return true;
  }
}
