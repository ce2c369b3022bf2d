import { NUMERIC_TOLERANCE, ROUGH_YEAR_TOLERANCE } from '../contract/constants.ts';
import { byCodeUnits } from '../contract/rounding.ts';
import { isRoughYear, isYear, roughYearKey, valuesAgree } from './value.ts';
import type { Value } from './value.ts';

/** Ranks from `first` to `last`, both included. */
export interface Ranks {
  readonly first: number;
  readonly last: number;
}

/** So near the tolerance rounding may decide whether two numbers agree: there `valuesAgree` is asked. */
const UNSURE = 1e-9;
/** Lengths of the keys of a year, a month and a day: `d:2024`, `d:2024-05`, `d:2024-05-01`. */
const DATE_KEY_LENGTHS = ['d:YYYY'.length, 'd:YYYY-MM'.length, 'd:YYYY-MM-DD'.length];

/** Values of which only neighbors by rank can agree. */
type Family = 'text' | 'date' | `year ${string}` | `rough year ${string}` | `number ${string}`;

/** Which of the dates that agree with one: all, or besides those as exact the more, the less or no exact. */
type Precision = 'any' | 'finer' | 'coarser' | 'same';

/**
 * Some values in an order in which those that agree with one of them stand together in a few stretches. Ranks
 * count from 0; values of equal key share one.
 */
export class ValueOrder {
  readonly #values: readonly Value[];
  readonly #rankOf = new Map<string, number>();
  readonly #families = new Map<Family, Ranks>();
  /** One entry per rank. */
  readonly #agreeing: Record<Precision, (readonly Ranks[] | undefined)[]> = {
    any: [],
    finer: [],
    coarser: [],
    same: [],
  };

  constructor(values: Iterable<Value>) {
    const byKey = new Map<string, Value>();
    for (const value of values) byKey.set(value.key, value);
    const families = new Map<Family, Value[]>();
    for (const value of byKey.values()) {
      const family = familyOf(value);
      const known = families.get(family);
      if (known) known.push(value);
      else families.set(family, [value]);
    }
    const ordered: Value[] = [];
    for (const [family, members] of families) {
      members.sort((a, b) => amountOf(a) - amountOf(b) || byCodeUnits(a.key, b.key));
      this.#families.set(family, { first: ordered.length, last: ordered.length + members.length - 1 });
      for (const value of members) {
        this.#rankOf.set(value.key, ordered.length);
        ordered.push(value);
      }
    }
    this.#values = ordered;
  }

  /** The rank of a value that is among those ordered. */
  rankOf(value: Value): number {
    return this.#rankOf.get(value.key)!;
  }

  /**
   * The ranks whose values agree with the value of a rank, its own included; ascending, with room between
   * them. Of dates that are more or less exact, those of a precision.
   */
  agreeing(rank: number, precision: Precision = 'any'): readonly Ranks[] {
    return (this.#agreeing[precision][rank] ??= joined(this.#found(this.#values[rank]!, rank, precision)));
  }

  /** All other ranks, likewise. */
  disagreeing(rank: number): readonly Ranks[] {
    const others: Ranks[] = [];
    let first = 0;
    for (const stretch of this.agreeing(rank)) {
      if (first < stretch.first) others.push({ first, last: stretch.first - 1 });
      first = stretch.last + 1;
    }
    if (first < this.#values.length) others.push({ first, last: this.#values.length - 1 });
    return others;
  }

  #found(value: Value, rank: number, precision: Precision): Ranks[] {
    const found = [{ first: rank, last: rank }];
    const [hasFiner, hasCoarser] = [
      precision === 'any' || precision === 'finer',
      precision === 'any' || precision === 'coarser',
    ];
    if (value.kind === 'number' || (value.kind === 'date' && value.year !== null)) {
      this.#addNear(value, `number ${value.unit}`, found);
      this.#addNear(value, `rough year ${value.unit}`, found);
      if (isRoughYear(value) || !isYear(value)) this.#addNear(value, `year ${value.unit}`, found);
    }
    if (hasFiner && value.kind === 'number' && value.year !== null && value.unit === '')
      this.#addContinued(`d:${value.year}-`, found);
    if (value.kind === 'date') {
      for (const length of hasCoarser ? DATE_KEY_LENGTHS : []) {
        const prefix = length < value.key.length ? this.#rankOf.get(value.key.slice(0, length)) : undefined;
        if (prefix !== undefined) found.push({ first: prefix, last: prefix });
      }
      if (hasFiner) this.#addContinued(value.key, found);
      if (hasCoarser && value.year === null) {
        const rough = this.#rankOf.get(roughYearKey(value.key.slice('d:'.length, 'd:YYYY'.length)));
        if (rough !== undefined) found.push({ first: rough, last: rough });
      }
    }
    return found;
  }

  /** The numbers of a family that are near. */
  #addNear(value: Value, family: Family, found: Ranks[]): void {
    const among = this.#families.get(family);
    if (!among) return;
    const bounds = isYear(value) && !family.startsWith('number') ? boundsOfYears : boundsOfNumbers;
    const [outerLow, outerHigh] = bounds(amountOf(value), UNSURE);
    const [innerLow, innerHigh] = bounds(amountOf(value), -UNSURE);
    const first = this.#firstFrom(among, (other) => amountOf(other) >= outerLow);
    const sure = this.#firstFrom(among, (other) => amountOf(other) >= innerLow);
    const afterSure = this.#firstFrom(among, (other) => amountOf(other) > innerHigh);
    const end = this.#firstFrom(among, (other) => amountOf(other) > outerHigh);
    const addUnsure = (from: number, to: number) => {
      for (let rank = from; rank < to; rank += 1)
        if (valuesAgree(value, this.#values[rank]!)) found.push({ first: rank, last: rank });
    };
    addUnsure(first, sure);
    if (sure < afterSure) found.push({ first: sure, last: afterSure - 1 });
    addUnsure(afterSure, end);
  }

  /** The dates that have this one as their beginning. */
  #addContinued(key: string, found: Ranks[]): void {
    const among = this.#families.get('date');
    if (!among || key.length > DATE_KEY_LENGTHS.at(-1)!) return;
    const first = this.#firstFrom(among, (other) => other.key >= key);
    const end = this.#firstFrom(among, (other) => other.key >= key && !other.key.startsWith(key));
    if (first < end) found.push({ first, last: end - 1 });
  }

  /** The first rank of a stretch from which on all fulfil a condition; the one after it where none does. */
  #firstFrom({ first, last }: Ranks, fulfils: (value: Value) => boolean): number {
    let low = first;
    let high = last + 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fulfils(this.#values[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Between which numbers those lie that are near one, the tolerance widened by a little. */
function boundsOfNumbers(amount: number, little: number): readonly [number, number] {
  const tolerance = NUMERIC_TOLERANCE + little;
  // What is near x lies between x·(1 − t) and x ÷ (1 − t), whatever the sign.
  const [towards0, away] = [amount * (1 - tolerance), amount / (1 - tolerance)];
  return amount < 0 ? [away, towards0] : [towards0, away];
}

/** Likewise, for years of which one is said to be inexact. */
function boundsOfYears(year: number, little: number): readonly [number, number] {
  const tolerance = ROUGH_YEAR_TOLERANCE + little;
  return [year - tolerance, year + tolerance];
}

function familyOf(value: Value): Family {
  if (value.kind === 'text' || value.kind === 'boolean') return 'text';
  if (isYear(value)) return isRoughYear(value) ? `rough year ${value.unit}` : `year ${value.unit}`;
  return value.kind === 'number' ? `number ${value.unit}` : 'date';
}

/** What numbers and bare years are ordered by; 0 for others. */
function amountOf(value: Value): number {
  if (value.kind === 'number') return value.amount;
  return value.kind === 'date' && value.year !== null ? value.year : 0;
}

/** Stretches put in order; those that touch or overlap become one. */
function joined(stretches: Ranks[]): Ranks[] {
  stretches.sort((a, b) => a.first - b.first);
  const apart: Ranks[] = [];
  for (const stretch of stretches) {
    const before = apart.at(-1);
    if (before && stretch.first <= before.last + 1)
      apart[apart.length - 1] = { first: before.first, last: Math.max(before.last, stretch.last) };
    else apart.push(stretch);
  }
  return apart;
}
