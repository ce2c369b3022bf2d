/** Classes and their amounts in turns: class, amount, class, amount, … */
export type ClassAmounts = readonly number[];

/**
 * Adds up contributions so that each dependence class counts once, by its strongest one. One instance serves many sums:
 * `start`, then `add`, then `sum` or `entries`. Classes are added in the order of their first contribution, which follows
 * the order of ids. Source: evidence-based subjective logic (Škorić, de Hoogh, Zannone 2016); reasoning model §1.
 */
export class StrongestByClass {
  readonly #amount: Float64Array;
  readonly #seenIn: Int32Array;
  #touched: number[] = [];
  #round = 0;

  constructor(classes: number) {
    this.#amount = new Float64Array(classes);
    this.#seenIn = new Int32Array(classes);
  }

  /** Forgets everything added. */
  start(): void {
    this.#round += 1;
    this.#touched = [];
  }

  /** Contributions of nothing leave no trace. */
  add(cls: number, amount: number): void {
    if (amount <= 0) return;
    if (this.#seenIn[cls] !== this.#round) {
      this.#seenIn[cls] = this.#round;
      this.#amount[cls] = amount;
      this.#touched.push(cls);
    } else if (this.#amount[cls]! < amount) {
      this.#amount[cls] = amount;
    }
  }

  addAll(entries: ClassAmounts): void {
    for (let i = 0; i < entries.length; i += 2) this.add(entries[i]!, entries[i + 1]!);
  }

  /** Σ over classes of the strongest contribution; evidence items, ≥ 0. */
  sum(): number {
    let sum = 0;
    for (const cls of this.#touched) sum += this.#amount[cls]!;
    return sum;
  }

  entries(): ClassAmounts {
    const entries: number[] = [];
    for (const cls of this.#touched) entries.push(cls, this.#amount[cls]!);
    return entries;
  }
}
