/**
 * Claims by many sources about many items, with the right value of some or all items. One file of this shape
 * each.
 */
export interface DataSet {
  readonly name: string;
  /**
   * `binary`: true and false; `closed`: values out of `classes`; `open`: any text; `numeric`: numbers as
   * text.
   */
  readonly kind: 'binary' | 'closed' | 'open' | 'numeric';
  readonly classes?: readonly string[];
  /** Numeric sets: how far from the truth a number is still right, as a share of the truth. */
  readonly tolerance?: { readonly relative: number };
  readonly sources: readonly string[];
  readonly items: readonly string[];
  /** Source index, item index, value. A source speaks at most once on an item. */
  readonly claims: readonly (readonly [number, number, string])[];
  /** Item index to right value; a number in numeric sets. Items without an entry have no known answer. */
  readonly gold: Readonly<Record<string, string | number>>;
}

/** What one source says about an item; `value` is an index into the values of the item. */
export interface Vote {
  readonly source: number;
  readonly value: number;
}

/** An item with its distinct values in the order in which they were first claimed. */
export interface Item {
  readonly values: readonly string[];
  readonly votes: readonly Vote[];
}

/** A data set as the methods see it: the right values are not in it. */
export interface Question {
  readonly kind: DataSet['kind'];
  readonly sourceCount: number;
  /** Empty for open and numeric sets. */
  readonly classes: readonly string[];
  readonly items: readonly Item[];
}

/** What a method says about an item. */
export interface Answer {
  readonly value: string;
  /** The stated chance that the value is right; null for a method that states none. Probability. */
  readonly probability: number | null;
}

/** A method of truth discovery: one answer for each item that has claims, null for the others. */
export type Method = (question: Question) => (Answer | null)[];

/** The set without its right values, votes grouped by item. */
export function toQuestion(set: DataSet): Question {
  const values: string[][] = set.items.map(() => []);
  const votes: Vote[][] = set.items.map(() => []);
  for (const [source, item, value] of set.claims) {
    let place = values[item]!.indexOf(value);
    if (place === -1) place = values[item]!.push(value) - 1;
    votes[item]!.push({ source, value: place });
  }
  return {
    kind: set.kind,
    sourceCount: set.sources.length,
    classes: set.classes ?? [],
    items: set.items.map((_, item) => ({ values: values[item]!, votes: votes[item]! })),
  };
}

/** Whether a value is the right one: equal as text, or within the tolerance of a numeric set. */
export function isRight(set: DataSet, value: string, right: string | number): boolean {
  if (set.kind !== 'numeric') return value === String(right);
  const truth = Number(right);
  return Math.abs(Number(value) - truth) <= (set.tolerance?.relative ?? 0) * Math.abs(truth);
}
