import { CROWD_FACTOR } from '../contract/constants.ts';

/**
 * Classes, their amounts, and 1 where an identified source contributes, else 0, in turns: class, amount, 1,
 * class, …
 */
export type GroupAmounts = readonly number[];

/**
 * The amounts of many statements behind each other, so that walking over most of them for each of them is
 * quick.
 */
export class AmountsInRow {
  readonly classes: Int32Array;
  readonly amounts: Float64Array;
  readonly identified: Uint8Array;
  /** Those of the i-th statement stand from starts[i] up to starts[i + 1]. */
  readonly starts: Int32Array;

  constructor(statements: readonly GroupAmounts[]) {
    let length = 0;
    for (const entries of statements) length += entries.length / 3;
    this.classes = new Int32Array(length);
    this.amounts = new Float64Array(length);
    this.identified = new Uint8Array(length);
    this.starts = new Int32Array(statements.length + 1);
    let at = 0;
    statements.forEach((entries, statement) => {
      for (let i = 0; i < entries.length; i += 3) {
        this.classes[at] = entries[i]!;
        this.amounts[at] = entries[i + 1]!;
        this.identified[at] = entries[i + 2]!;
        at += 1;
      }
      this.starts[statement + 1] = at;
    });
  }
}

/**
 * Adds up contributions so that each dependence class counts once, by its strongest one. One instance serves
 * many sums: `start`, then `add`, then `sum` or `entries`. Classes are added in the order of their first
 * contribution, which follows the order of ids. Source: evidence-based subjective logic (Škorić, de Hoogh,
 * Zannone 2016); reasoning model §1.
 */
export class MaxByGroup {
  readonly #amount: Float64Array;
  readonly #seenIn: Int32Array;
  readonly #identified: Uint8Array;
  #touched: number[] = [];
  #round = 0;

  constructor(classes: number) {
    this.#amount = new Float64Array(classes);
    this.#seenIn = new Int32Array(classes);
    this.#identified = new Uint8Array(classes);
  }

  start(): void {
    this.#round += 1;
    this.#touched = [];
  }

  /** A contribution of zero leaves no trace. */
  add(cls: number, amount: number, isIdentified = true): void {
    if (amount <= 0) return;
    if (this.#seenIn[cls] !== this.#round) {
      this.#seenIn[cls] = this.#round;
      this.#amount[cls] = amount;
      this.#identified[cls] = isIdentified ? 1 : 0;
      this.#touched.push(cls);
      return;
    }
    if (isIdentified) this.#identified[cls] = 1;
    if (this.#amount[cls]! < amount) {
      this.#amount[cls] = amount;
    }
  }

  addAll(entries: GroupAmounts): void {
    for (let i = 0; i < entries.length; i += 3) this.add(entries[i]!, entries[i + 1]!, entries[i + 2] === 1);
  }

  /** Adds what the named statements of a row have, in the order given. */
  addOf(statements: readonly number[], { classes, amounts, identified, starts }: AmountsInRow): void {
    for (let i = 0; i < statements.length; i += 1) {
      const statement = statements[i]!;
      const end = starts[statement + 1]!;
      for (let at = starts[statement]!; at < end; at += 1)
        this.add(classes[at]!, amounts[at]!, identified[at] === 1);
    }
  }

  /** Σ over classes of the strongest contribution; evidence items, ≥ 0. */
  sum(): number {
    let sum = 0;
    for (const cls of this.#touched) sum += this.#amount[cls]!;
    return sum;
  }

  /**
   * The same where a crowd of unidentified sources cannot be told from a few: classes without an identified
   * source are sorted descending, and the i-th counts × CROWD_FACTOR^(i − 1). Evidence items, ≥ 0. Source:
   * reasoning model §11.
   */
  crowdSum(): number {
    let sum = 0;
    let crowd: number[] | null = null;
    for (const cls of this.#touched) {
      if (this.#identified[cls] === 1) sum += this.#amount[cls]!;
      else (crowd ??= []).push(this.#amount[cls]!);
    }
    if (crowd === null) return sum;
    crowd.sort((a, b) => b - a);
    let factor = 1;
    for (const amount of crowd) {
      sum += amount * factor;
      factor *= CROWD_FACTOR;
    }
    return sum;
  }

  entries(): GroupAmounts {
    const entries: number[] = [];
    for (const cls of this.#touched) entries.push(cls, this.#amount[cls]!, this.#identified[cls]!);
    return entries;
  }
}
