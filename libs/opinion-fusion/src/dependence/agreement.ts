import { COPYING } from '../contract/constants.ts';

/**
 * One source's statements: `values[i]` is what the source says about `items[i]`. An item is one thing asked
 * (subject, predicate, scope, …), ascending; of several statements on one item the first counts. Equal value
 * ids on one item mean agreeing values.
 */
export interface SourceStatements {
  readonly source: string;
  readonly items: Int32Array;
  readonly values: Int32Array;
  /** When each statement was made, milliseconds; NaN, or no list at all, where that is not known. */
  readonly times?: Float64Array;
  /** Whether nobody stands behind the source by name: its word suspects no source that is identified. */
  readonly isUnidentified?: boolean;
  /** How reliable the source is said to be; 1 where nothing is said. Probability. */
  readonly reliability?: number;
}

/** What is known of the values that a source could state. */
export interface ValueDomains {
  /** How many wrong values an item of this id could have, ≥ 1. */
  readonly falseValues: (item: number) => number;
  /** The domain of an item id, by any number of its own; −1 where nothing is known of it. */
  readonly domain: (item: number) => number;
  /** The label of a value id, numbered over all domains. */
  readonly label: (value: number) => number;
}

/**
 * Two sources worth comparing: a < b, the slots on which they agree, and how many items they state
 * differently.
 */
export interface ComparedPair {
  readonly a: number;
  readonly b: number;
  readonly agreeing: Int32Array;
  /** Who spoke later, parallel to `agreeing`: 1 for a, −1 for b, 0 where that is not known. */
  readonly later: Int8Array;
  readonly differences: number;
}

/**
 * The statements by number. Sources are numbered in the order of their ids, items and slots as they are then
 * first met; a slot is one value of one item. So no number depends on the order of the input.
 */
export interface Index {
  readonly sources: readonly string[];
  /** By source: 1 where it is not identified. */
  readonly isUnidentified: Uint8Array;
  /** By source: how reliable it is said to be. Probability. */
  readonly reliability: Float64Array;
  /** Source s states slots[starts[s]] … slots[starts[s + 1] − 1], one slot for each of its items, by item. */
  readonly starts: Int32Array;
  readonly slots: Int32Array;
  /** When each of these was stated, milliseconds; NaN where that is not known. */
  readonly times: Float64Array;
  /**
   * The item of a slot, the slots of an item (smallest first claimant first), sources per slot and per item.
   */
  readonly itemOf: Int32Array;
  /** The caller's item id of a slot, by which the statements of a source ascend. */
  readonly idOf: Int32Array;
  readonly slotsOf: readonly (readonly number[])[];
  readonly claimants: Int32Array;
  readonly speakers: Int32Array;
  /** Wrong values that an item could have, ≥ 1. By item. */
  readonly falseValues: Float64Array;
  /**
   * The domain of an item, −1 where nothing is known of it; the label of a slot, numbered over all domains.
   */
  readonly domainOf: Int32Array;
  readonly labelOf: Int32Array;
  /** Share of the value that most sources of an item state; probability. By item. */
  readonly topShare: Float64Array;
  readonly pairs: readonly ComparedPair[];
  /** Pairs that share values off the majority and were left out for the work they would take. */
  readonly leftOut: number;
}

/**
 * Numbers the statements and finds the pairs worth comparing. O(statements) but for the pairs, whose work is
 * bounded.
 */
export function indexStatements(given: readonly SourceStatements[], domains: ValueDomains): Index {
  const ordered = [...given].sort((x, y) => (x.source < y.source ? -1 : x.source > y.source ? 1 : 0));
  const total = ordered.reduce((sum, { items }) => sum + items.length, 0);
  const starts = new Int32Array(ordered.length + 1);
  const slots = new Int32Array(total);
  const times = new Float64Array(total).fill(NaN);
  const itemOf = new Int32Array(total);
  const labelOf = new Int32Array(total);
  const claimants = new Int32Array(total);
  const speakers = new Int32Array(total);
  const slotsOf: number[][] = [];
  /** By item and value in one number, exact below 2⁵³: items are at most as many as statements. */
  const slotOf = new Map<number, number>();
  const idOf = new Int32Array(total);
  const numberOf = new Map<number, number>();
  let stated = 0;
  let slotCount = 0;
  ordered.forEach(({ items, values, times: own }, s) => {
    starts[s] = stated;
    for (let i = 0; i < items.length; i++) {
      if (i > 0 && items[i] === items[i - 1]) continue;
      let item = numberOf.get(items[i]!);
      if (item === undefined) {
        item = slotsOf.length;
        numberOf.set(items[i]!, item);
        slotsOf.push([]);
      }
      const known = slotsOf[item]!;
      const key = item * 2 ** 32 + (values[i]! >>> 0);
      let slot = slotOf.get(key);
      if (slot === undefined) {
        slot = slotCount++;
        slotOf.set(key, slot);
        known.push(slot);
        itemOf[slot] = item;
        labelOf[slot] = domains.label(values[i]!);
        idOf[slot] = items[i]!;
      }
      claimants[slot]!++;
      speakers[item]!++;
      if (own) times[stated] = own[i]!;
      slots[stated++] = slot;
    }
  });
  starts[ordered.length] = stated;

  const falseValues = Float64Array.from(slotsOf, (known) => domains.falseValues(idOf[known[0]!]!));
  const index = {
    sources: ordered.map(({ source }) => source),
    isUnidentified: Uint8Array.from(ordered, (one) => (one.isUnidentified ? 1 : 0)),
    reliability: Float64Array.from(ordered, (one) => one.reliability ?? 1),
    starts,
    slots,
    times,
    itemOf,
    slotsOf,
    claimants,
    speakers,
    falseValues,
    domainOf: Int32Array.from(slotsOf, (known) => domains.domain(idOf[known[0]!]!)),
    labelOf,
    topShare: topShares(slotsOf, claimants, speakers),
    idOf,
  };
  return { ...index, ...comparedPairs(index, slotCount) };
}

/** By item: the share of the value that most sources state; 0 where nobody speaks. */
function topShares(slotsOf: Index['slotsOf'], claimants: Int32Array, speakers: Int32Array): Float64Array {
  return Float64Array.from(slotsOf, (known, item) => {
    const most = known.reduce((high, slot) => Math.max(high, claimants[slot]!), 0);
    return most / Math.max(1, speakers[item]!);
  });
}

type Statements = Omit<Index, 'pairs' | 'leftOut'>;

/** The pairs that agree on enough items and share at least one value off the majority. */
function comparedPairs(index: Statements, slotCount: number): { pairs: ComparedPair[]; leftOut: number } {
  const { sources, starts, slots, claimants } = index;
  const crowded = (slot: number) => claimants[slot]! > COPYING.claimantsMax;
  const rare = offMajority(index, slotCount);

  // Who states a slot, ascending; crowded slots are left out.
  const ends = new Int32Array(slotCount);
  let room = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    if (!crowded(slot)) room += claimants[slot]!;
    ends[slot] = room;
  }
  const filled = ends.map((end, slot) => (crowded(slot) ? end : end - claimants[slot]!));
  const stating = new Int32Array(room);
  const crowdedStatements = new Int32Array(sources.length);
  for (let s = 0; s < sources.length; s++) {
    for (let i = starts[s]!; i < starts[s + 1]!; i++) {
      const slot = slots[i]!;
      if (crowded(slot)) crowdedStatements[s]!++;
      else stating[filled[slot]!++] = s;
    }
  }

  const agreed = new Int32Array(sources.length);
  const rarely = new Int32Array(sources.length);
  const met: MetPair[] = [];
  for (let a = 0; a < sources.length; a++) {
    const touched: number[] = [];
    for (let i = starts[a]!; i < starts[a + 1]!; i++) {
      const slot = slots[i]!;
      if (crowded(slot)) continue;
      for (let at = ends[slot]! - 1; stating[at]! > a && at >= 0; at--) {
        const b = stating[at]!;
        if (agreed[b]!++ === 0) touched.push(b);
        rarely[b]! += rare[slot]!;
      }
    }
    for (const b of touched) {
      const atMost = agreed[b]! + Math.min(crowdedStatements[a]!, crowdedStatements[b]!);
      if (rarely[b]! > 0 && atMost >= COPYING.sharedMin) {
        met.push({
          a,
          b,
          rarely: rarely[b]!,
          work: starts[a + 1]! - starts[a]! + starts[b + 1]! - starts[b]!,
        });
      }
      agreed[b] = 0;
      rarely[b] = 0;
    }
  }
  const affordable = withinWork(met);
  const pairs = affordable
    .map(({ a, b }) => compare(index, a, b))
    .filter(({ agreeing }) => agreeing.length >= COPYING.sharedMin);
  return { pairs, leftOut: met.length - affordable.length };
}

/** 1 for each slot that is not the one value most sources give its item. */
function offMajority({ slotsOf, claimants }: Statements, slotCount: number): Uint8Array {
  const rare = new Uint8Array(slotCount).fill(1);
  for (const known of slotsOf) {
    if (known.length === 0) continue;
    let most = known[0]!;
    let single = true;
    for (const slot of known.slice(1)) {
      if (claimants[slot]! > claimants[most]!) [most, single] = [slot, true];
      else if (claimants[slot] === claimants[most]) single = false;
    }
    if (single) rare[most] = 0;
  }
  return rare;
}

/**
 * All pairs when comparing them fits the work allowed; else those with the most shared rare values, then by
 * source.
 */
function withinWork(met: MetPair[]): readonly MetPair[] {
  const total = met.reduce((sum, { work }) => sum + work, 0);
  if (total <= COPYING.workMax) return met;
  let left: number = COPYING.workMax;
  return met
    .sort((x, y) => y.rarely - x.rarely || x.a - y.a || x.b - y.b)
    .filter(({ work }) => (left -= work) >= 0);
}

/**
 * Two sources that share values: how many off the majority, and the statements to read for comparing them.
 */
interface MetPair {
  readonly a: number;
  readonly b: number;
  readonly rarely: number;
  readonly work: number;
}

function compare({ starts, slots, times, idOf }: Statements, a: number, b: number): ComparedPair {
  const agreeing: number[] = [];
  const later: number[] = [];
  let differences = 0;
  let i = starts[a]!;
  let j = starts[b]!;
  while (i < starts[a + 1]! && j < starts[b + 1]!) {
    const order = idOf[slots[i]!]! - idOf[slots[j]!]!;
    if (order === 0) {
      if (slots[i] === slots[j]) {
        agreeing.push(slots[i]!);
        // A time that is not known compares as neither later nor earlier.
        later.push(times[i]! > times[j]! ? 1 : times[i]! < times[j]! ? -1 : 0);
      } else differences++;
    }
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return { a, b, agreeing: Int32Array.from(agreeing), later: Int8Array.from(later), differences };
}
