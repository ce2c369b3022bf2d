import { NUMERIC_TOLERANCE } from './constants.ts';
import { AGREE, CONFLICT, relation } from './statements.ts';
import type { StatementGroup } from './statements.ts';
import type { Value } from './value.ts';

/** Told a position; true ends the visit. */
export type Visit = (position: number) => boolean | void;

/** Which of some statements of one bucket agree and conflict with one of them; statements go by their position in the list. */
export interface RelatedStatements {
  /** Positions of the statements that agree with the one at `position`, itself included, ascending. */
  agreeing(position: number): readonly number[];
  /** Positions of those that conflict with it, ascending. */
  conflicting(position: number): readonly number[];
  /** The same in any order, each told once. */
  visitAgreeing(position: number, visit: Visit): void;
  visitConflicting(position: number, visit: Visit): void;
}

/** So few statements are compared with each other sooner than sorted. */
const COMPARED_MAX = 16;

/** `relation` between all of some statements of one bucket; work grows with what is found, not with the pairs there are. */
export function relatedStatements(groups: readonly StatementGroup[]): RelatedStatements {
  return groups.length <= COMPARED_MAX ? new ComparedStatements(groups) : new SortedStatements(groups);
}

class ComparedStatements implements RelatedStatements {
  readonly #groups: readonly StatementGroup[];

  constructor(groups: readonly StatementGroup[]) {
    this.#groups = groups;
  }

  agreeing(position: number): readonly number[] {
    return collected((visit) => this.visitAgreeing(position, visit));
  }

  conflicting(position: number): readonly number[] {
    return collected((visit) => this.visitConflicting(position, visit));
  }

  visitAgreeing(position: number, visit: Visit): void {
    this.#visit(position, AGREE, visit);
  }

  visitConflicting(position: number, visit: Visit): void {
    this.#visit(position, CONFLICT, visit);
  }

  #visit(position: number, wanted: typeof AGREE | typeof CONFLICT, visit: Visit): void {
    const group = this.#groups[position]!;
    for (let other = 0; other < this.#groups.length; other += 1)
      if (relation(group, this.#groups[other]!) === wanted && visit(other)) return;
  }
}

function collected(visitAll: (visit: Visit) => void): number[] {
  const found: number[] = [];
  visitAll((position) => {
    found.push(position);
  });
  return found;
}

/** The statements on one value, by polarity. */
interface OnOneValue {
  readonly value: Value;
  readonly asserting: Intervals;
  readonly denying: Intervals;
}

/**
 * Statements sorted by value and time. Whether two values agree is left to `relation`; the order of values only says which
 * can: those of one form, numbers of one unit next to each other (bare years among those without unit), dates of one year.
 */
class SortedStatements implements RelatedStatements {
  readonly #groups: readonly StatementGroup[];
  readonly #onValue = new Map<string, OnOneValue>();
  /** By unit, by amount. */
  readonly #numbers = new Map<string, { readonly amount: number; readonly on: OnOneValue }[]>();
  readonly #datesOfYear = new Map<string, OnOneValue[]>();
  readonly #asserting: Intervals;
  readonly #found: Uint8Array;

  constructor(groups: readonly StatementGroup[]) {
    this.#groups = groups;
    this.#found = new Uint8Array(groups.length);
    this.#asserting = new Intervals(groups);
    groups.forEach((group, position) => {
      let on = this.#onValue.get(group.value.key);
      if (!on) {
        on = { value: group.value, asserting: new Intervals(groups), denying: new Intervals(groups) };
        this.#onValue.set(group.value.key, on);
        this.#place(on);
      }
      (group.denies ? on.denying : on.asserting).add(position);
      if (!group.denies) this.#asserting.add(position);
    });
    for (const list of this.#numbers.values()) list.sort((a, b) => a.amount - b.amount);
  }

  agreeing(position: number): readonly number[] {
    return this.#ascending((visit) => this.visitAgreeing(position, visit));
  }

  conflicting(position: number): readonly number[] {
    const group = this.#groups[position]!;
    if (group.denies || !this.#asserting.isAtOneTime) {
      return this.#ascending((visit) => this.visitConflicting(position, visit));
    }
    // Nearly all assertions conflict: they are the ones that the few others leave.
    const marks = this.#found;
    const marked = collected((visit) => this.visitAgreeing(position, visit));
    for (const agreed of marked) marks[agreed] = 1;
    const conflicting: number[] = [];
    for (const other of this.#asserting.positions) if (marks[other] === 0) conflicting.push(other);
    for (const agreed of marked) marks[agreed] = 0;
    const asserted = conflicting.length;
    this.#visitAlike(group, true, CONFLICT, (other) => {
      conflicting.push(other);
    });
    return conflicting.length === asserted ? conflicting : conflicting.sort((a, b) => a - b);
  }

  visitAgreeing(position: number, visit: Visit): void {
    const group = this.#groups[position]!;
    this.#visitAlike(group, group.denies, AGREE, visit);
  }

  visitConflicting(position: number, visit: Visit): void {
    const group = this.#groups[position]!;
    if (this.#visitAlike(group, !group.denies, CONFLICT, visit) || group.denies) return;
    this.#asserting.visitOverlapping(
      group,
      (other) => relation(group, this.#groups[other]!) === CONFLICT && visit(other),
    );
  }

  /** Visits the statements of one polarity that stand in a relation to `group` because their values agree; true when ended. */
  #visitAlike(group: StatementGroup, denying: boolean, wanted: number, visit: Visit): boolean {
    const ifRelated: Visit = (other) => relation(group, this.#groups[other]!) === wanted && visit(other);
    const among = (on: OnOneValue) =>
      (denying ? on.denying : on.asserting).visitOverlapping(group, ifRelated);
    const { value } = group;
    if (value.kind === 'number') return this.#visitNear(value.unit, value.amount, null, among);
    if (value.kind !== 'date') return among(this.#onValue.get(value.key)!);
    for (const on of this.#datesOfYear.get(yearOf(value))!) if (among(on)) return true;
    return value.year !== null && this.#visitNear('', value.year, 'number', among);
  }

  /** Visits values whose amounts may be near; a number meets bare years too, a bare year numbers alone. */
  #visitNear(
    unit: string,
    amount: number,
    kind: 'number' | null,
    among: (on: OnOneValue) => boolean,
  ): boolean {
    const list = this.#numbers.get(unit) ?? [];
    // Twice the tolerance leaves room for rounding; `relation` has the last word.
    const reach = Math.abs(amount) * NUMERIC_TOLERANCE * 2;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]!.amount < amount - reach) low = middle + 1;
      else high = middle;
    }
    for (; low < list.length && list[low]!.amount <= amount + reach; low += 1) {
      const { on } = list[low]!;
      if ((kind === null || on.value.kind === kind) && among(on)) return true;
    }
    return false;
  }

  #place(on: OnOneValue): void {
    const { value } = on;
    if (value.kind === 'number') append(this.#numbers, value.unit, { amount: value.amount, on });
    if (value.kind !== 'date') return;
    append(this.#datesOfYear, yearOf(value), on);
    if (value.year !== null) append(this.#numbers, '', { amount: value.year, on });
  }

  /** What is visited, ascending: few positions are sorted, of many the marks are read off. */
  #ascending(visitAll: (visit: Visit) => void): number[] {
    const found = collected(visitAll);
    if (found.length < this.#groups.length / 16) return found.sort((a, b) => a - b);
    const marks = this.#found;
    for (const position of found) marks[position] = 1;
    let next = 0;
    for (let position = 0; position < marks.length; position += 1) {
      if (marks[position] === 0) continue;
      marks[position] = 0;
      found[next++] = position;
    }
    return found;
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** The year of a date as its key has it: `d:2024-05-01`. */
function yearOf(date: Value): string {
  return date.key.slice(0, 'd:YYYY'.length);
}

/** Some of the statements, by time: a list by beginning with the latest end of each part of it, halved and halved again. */
class Intervals {
  readonly #groups: readonly StatementGroup[];
  readonly #positions: number[] = [];
  #from = NaN;
  #to = NaN;
  #isAtOneTime = true;
  /** Latest ends: of the part i its halves are 2i and 2i + 1; null until asked for. */
  #latest: Float64Array | null = null;
  #leaves = 0;

  constructor(groups: readonly StatementGroup[]) {
    this.#groups = groups;
  }

  /** All are added before any is asked for. */
  add(position: number): void {
    const { from, to } = this.#groups[position]!;
    if (this.#positions.length === 0) [this.#from, this.#to] = [from, to];
    else if (from !== this.#from || to !== this.#to) this.#isAtOneTime = false;
    this.#positions.push(position);
  }

  /** Whether all are of the same time; their positions then stay ascending. */
  get isAtOneTime(): boolean {
    return this.#isAtOneTime;
  }

  get positions(): readonly number[] {
    return this.#positions;
  }

  /** Visits those whose time overlaps that of a statement; true when the visit was ended. */
  visitOverlapping(when: StatementGroup, visit: Visit): boolean {
    if (this.#positions.length === 0) return false;
    if (this.#isAtOneTime) {
      if (!(this.#from < when.to && when.from < this.#to)) return false;
      for (const position of this.#positions) if (visit(position) === true) return true;
      return false;
    }
    this.#latest ??= this.#sort();
    return this.#visitPart(1, this.#leaves, 0, when, visit);
  }

  #visitPart(part: number, size: number, first: number, when: StatementGroup, visit: Visit): boolean {
    if (first >= this.#positions.length || !(this.#latest![part]! > when.from)) return false;
    const position = this.#positions[first]!;
    if (!(this.#groups[position]!.from < when.to)) return false;
    if (size === 1) return visit(position) === true;
    const half = size / 2;
    return (
      this.#visitPart(2 * part, half, first, when, visit) ||
      this.#visitPart(2 * part + 1, half, first + half, when, visit)
    );
  }

  #sort(): Float64Array {
    const groups = this.#groups;
    this.#positions.sort((a, b) =>
      groups[a]!.from < groups[b]!.from ? -1 : groups[a]!.from > groups[b]!.from ? 1 : a - b,
    );
    this.#leaves = 1;
    while (this.#leaves < this.#positions.length) this.#leaves *= 2;
    const latest = new Float64Array(2 * this.#leaves).fill(-Infinity);
    this.#positions.forEach((position, i) => (latest[this.#leaves + i] = groups[position]!.to));
    for (let part = this.#leaves - 1; part > 0; part -= 1)
      latest[part] = Math.max(latest[2 * part]!, latest[2 * part + 1]!);
    return latest;
  }
}
