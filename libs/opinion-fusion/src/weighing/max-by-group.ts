/** Classes and their amounts in turns: class, amount, class, amount, … */
export type GroupAmounts = readonly number[];

/** The amounts of many statements behind each other, so that walking over most of them for each of them is quick. */
export class AmountsInRow {
  readonly classes: Int32Array;
  readonly amounts: Float64Array;
  /** Those of the i-th statement stand from starts[i] up to starts[i + 1]. */
  readonly starts: Int32Array;

  constructor(statements: readonly GroupAmounts[]) {
    let length = 0;
    for (const entries of statements) length += entries.length / 2;
    this.classes = new Int32Array(length);
    this.amounts = new Float64Array(length);
    this.starts = new Int32Array(statements.length + 1);
    let at = 0;
    statements.forEach((entries, statement) => {
      for (let i = 0; i < entries.length; i += 2) {
        this.classes[at] = entries[i]!;
        this.amounts[at] = entries[i + 1]!;
        at += 1;
      }
      this.starts[statement + 1] = at;
    });
  }
}

/**
 * Adds up contributions so that each dependence class counts once, by its strongest one. One instance serves many sums:
 * `start`, then `add`, then `sum` or `entries`. Classes are added in the order of their first contribution, which follows
 * the order of ids. Source: evidence-based subjective logic (Škorić, de Hoogh, Zannone 2016); reasoning model §1.
 */
export class MaxByGroup {
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

  addAll(entries: GroupAmounts): void {
    for (let i = 0; i < entries.length; i += 2) this.add(entries[i]!, entries[i + 1]!);
  }

  /** Adds what the named statements of a row have, in the order given. */
  addOf(statements: readonly number[], { classes, amounts, starts }: AmountsInRow): void {
    for (let i = 0; i < statements.length; i += 1) {
      const statement = statements[i]!;
      const end = starts[statement + 1]!;
      for (let at = starts[statement]!; at < end; at += 1) this.add(classes[at]!, amounts[at]!);
    }
  }

  /** Σ over classes of the strongest contribution; evidence items, ≥ 0. */
  sum(): number {
    let sum = 0;
    for (const cls of this.#touched) sum += this.#amount[cls]!;
    return sum;
  }

  entries(): GroupAmounts {
    const entries: number[] = [];
    for (const cls of this.#touched) entries.push(cls, this.#amount[cls]!);
    return entries;
  }
}
