const ACTIVITY_DECAY = 0.95;
const ACTIVITY_MAX = 1e100;

/**
 * Variables by activity, the most active first, then by number: a binary heap that knows where each one is.
 * Activity is an exponentially weighted count of the conflicts that a variable took part in (N. Eén and N.
 * Sörensson, MiniSat 2003).
 */
export class ActivityOrder {
  readonly #activity: Float64Array;
  readonly #heap: Int32Array;
  readonly #placeOf: Int32Array;
  #size: number;
  #increment = 1;

  constructor(count: number) {
    this.#activity = new Float64Array(count);
    this.#heap = Int32Array.from({ length: count }, (_, k) => k);
    this.#placeOf = this.#heap.slice();
    this.#size = count;
  }

  /** The first variable without a value, taken out; −1 when all have one. */
  takeFirstOpen(values: Int8Array): number {
    while (this.#size > 0) {
      const first = this.#heap[0]!;
      const last = this.#heap[--this.#size]!;
      this.#placeOf[first] = -1;
      if (this.#size > 0) {
        this.#heap[0] = last;
        this.#placeOf[last] = 0;
        this.#sink(0);
      }
      if (values[first] === 0) return first;
    }
    return -1;
  }

  insert(variable: number): void {
    if (this.#placeOf[variable] !== -1) return;
    this.#placeOf[variable] = this.#size;
    this.#heap[this.#size] = variable;
    this.#rise(this.#size++);
  }

  bump(variable: number): void {
    this.#activity[variable]! += this.#increment;
    if (this.#activity[variable]! > ACTIVITY_MAX) {
      for (let k = 0; k < this.#activity.length; k++) this.#activity[k]! /= ACTIVITY_MAX;
      this.#increment /= ACTIVITY_MAX;
    }
    if (this.#placeOf[variable] !== -1) this.#rise(this.#placeOf[variable]!);
  }

  decay(): void {
    this.#increment /= ACTIVITY_DECAY;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#activity[a]! - this.#activity[b]!;
    return difference > 0 || (difference === 0 && a < b);
  }

  #rise(place: number): void {
    const variable = this.#heap[place]!;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(variable, this.#heap[parent]!)) break;
      this.#put(this.#heap[parent]!, place);
      place = parent;
    }
    this.#put(variable, place);
  }

  #sink(place: number): void {
    const variable = this.#heap[place]!;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child++;
      if (!this.#isBefore(this.#heap[child]!, variable)) break;
      this.#put(this.#heap[child]!, place);
      place = child;
    }
    this.#put(variable, place);
  }

  #put(variable: number, place: number): void {
    this.#heap[place] = variable;
    this.#placeOf[variable] = place;
  }
}
