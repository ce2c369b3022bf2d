import type { DependenceClasses } from './dependence-classes.ts';
import type { Claim } from '../model/model.ts';

/**
 * Counts claims by the dependence class of their actors; one instance serves many counts: `start`, then `add`
 * and `of`.
 */
export class GroupCounter {
  readonly #classes: DependenceClasses;
  readonly #count: Int32Array;
  readonly #seenIn: Int32Array;
  #round = 0;

  constructor(classes: DependenceClasses) {
    this.#classes = classes;
    this.#count = new Int32Array(classes.count);
    this.#seenIn = new Int32Array(classes.count);
  }

  start(): void {
    this.#round += 1;
  }

  add(claim: Claim): void {
    const cls = this.#classes.of(claim.actor);
    if (this.#seenIn[cls] !== this.#round) {
      this.#seenIn[cls] = this.#round;
      this.#count[cls] = 0;
    }
    this.#count[cls]! += 1;
  }

  /** Claims added since `start` whose actors are of the class of this claim's actor. */
  of(claim: Claim): number {
    const cls = this.#classes.of(claim.actor);
    return this.#seenIn[cls] === this.#round ? this.#count[cls]! : 0;
  }

  /** Whether the actors of two claims are of one class. */
  areOneVoice(a: Claim, b: Claim): boolean {
    return this.#classes.of(a.actor) === this.#classes.of(b.actor);
  }
}
