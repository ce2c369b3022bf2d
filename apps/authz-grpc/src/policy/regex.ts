import { RRegex, RRegexSet, escape } from 'rregex';
import type { RegexShape } from './regex-shape.ts';

/**
 * REGEX patterns run in the Rust regex crate (npm `rregex`, WebAssembly). Compiled patterns are large (a
 * Unicode class costs about 300 kB, a cold single pattern another 0.3 ms on its first match), so the patterns
 * of one context key are compiled together as sets, on first use, and a {@link RegexMemory} frees the sets
 * used longest ago when they outgrow its bound.
 */

/** Patterns of a set; beyond it, matching a set costs more than what is shared between its patterns. */
const SET_PATTERNS_MAX = 200;
/** Positions of a set: bounds the time its compilation may hold the event loop to tens of milliseconds. */
const SET_POSITIONS_MAX = 3_000;
/** Positions of one pattern; more is refused at write and cannot be evaluated. */
export const PATTERN_POSITIONS_MAX = 10_000;
/**
 * Positions × UTF-16 length of the value that one match may cost, the crate's worst case being about 10 ns
 * each. Beyond it the check fails closed rather than hold every other tenant's checks.
 */
export const MATCH_STEPS_MAX = 10_000_000;
/** UTF-8 bytes a macro may stand for in a REGEX; validation compiles the pattern with that much text. */
export const MACRO_BYTES_MAX = 1_024;

const BYTES_PER_POSITION = 1_024;
const BYTES_PER_PATTERN = 4_096;
/** Bytes of lazily built automata that a set gathers while it is matched. */
const BYTES_PER_SET = 256 * 1_024;

/** The crate's own escaping, as one unit for whatever repetition follows it. */
export function escapeForRegex(text: string): string {
  return `(?:${escape(text)})`;
}

/** The crate's reason to refuse the pattern, or null; compiles it whole, which may take 300 ms. */
export function findCompileError(pattern: string): string | null {
  try {
    new RRegex(pattern).free();
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * The crate's reason not to parse the pattern, or null. Repeating it zero times lets the crate parse and
 * translate it and then build an empty automaton: 0.1 ms where compiling takes up to 300 ms. A pattern that
 * is no sequence on its own (`a)(b`) or unclear is compiled whole; so is nothing else.
 */
export function findParseError(pattern: string, shape: RegexShape | null): string | null {
  // The newline ends a comment of verbose mode, which would swallow the bracket.
  return shape === null ? findCompileError(pattern) : findCompileError(`(?:${pattern}\n){0}`);
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (
    text
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^error: /, '')
      .replace(/\.$/, '') ?? 'not a regular expression'
  );
}

/** Bounds what compiled sets hold together, over all policy sets of the process. Not thread-shared. */
export class RegexMemory {
  private readonly used = new Set<RegexSet>();
  private bytes = 0;
  private readonly bytesMax: number;
  private made: RegexSet[] | null = null;

  /** `bytesMax` is compared with estimates; WebAssembly memory is reused but never given back. */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytesHeld(): number {
    return this.bytes;
  }

  /** Runs `make` and tells which sets were made in it, for their maker to compile when it suits him. */
  collect<T>(make: () => T): { readonly result: T; readonly sets: readonly RegexSet[] } {
    const sets: RegexSet[] = [];
    this.made = sets;
    try {
      return { result: make(), sets };
    } finally {
      this.made = null;
    }
  }

  add(set: RegexSet): void {
    this.made?.push(set);
  }

  touch(set: RegexSet): void {
    if (this.used.delete(set)) {
      this.used.add(set);
      return;
    }
    this.used.add(set);
    this.bytes += set.bytes;
    for (const oldest of this.used) {
      if (this.bytes <= this.bytesMax || oldest === set) break;
      oldest.free();
    }
  }

  forget(set: RegexSet): void {
    if (this.used.delete(set)) this.bytes -= set.bytes;
  }
}

/** Results of the sets within one check: which patterns of a set match a value. */
export type RegexMemo = Map<RegexSet, Map<string, ReadonlySet<number>>>;

/** Patterns of one context key compiled together; compiled on first use, compiled again after `free`. */
export class RegexSet {
  readonly bytes: number;
  private readonly memory: RegexMemory;
  /** One set, or several when the crate's size limit refuses them together. */
  private compiled: { readonly set: RRegexSet; readonly first: number }[] | null = null;
  private readonly patterns: readonly string[];

  constructor(patterns: readonly string[], positions: number, memory: RegexMemory) {
    this.patterns = patterns;
    this.memory = memory;
    this.bytes = BYTES_PER_SET + patterns.length * BYTES_PER_PATTERN + positions * BYTES_PER_POSITION;
    memory.add(this);
  }

  /** Compiles the patterns unless they are, which may take tens of milliseconds. @throws when the crate fails. */
  compile(): void {
    this.compiled ??= compileSets(this.patterns, 0);
    this.memory.touch(this);
  }

  /** Indexes of the patterns that match `value` anywhere. @throws when the crate fails. */
  matches(value: string, memo: RegexMemo): ReadonlySet<number> {
    let ofValue = memo.get(this);
    if (ofValue === undefined) memo.set(this, (ofValue = new Map()));
    let found = ofValue.get(value);
    if (found === undefined) {
      this.compile();
      const all = new Set<number>();
      for (const { set, first } of this.compiled ?? []) {
        for (const index of set.matches(value) as readonly number[]) all.add(first + index);
      }
      ofValue.set(value, (found = all));
    }
    return found;
  }

  free(): void {
    for (const { set } of this.compiled ?? []) set.free();
    this.compiled = null;
    this.memory.forget(this);
  }
}

function compileSets(patterns: readonly string[], first: number): { set: RRegexSet; first: number }[] {
  try {
    return [{ set: new RRegexSet([...patterns]), first }];
  } catch (error) {
    if (patterns.length === 1) throw error;
    const half = patterns.length >> 1;
    return [
      ...compileSets(patterns.slice(0, half), first),
      ...compileSets(patterns.slice(half), first + half),
    ];
  }
}

/** Where a pattern is found: its set and its index there. Filled in by {@link RegexBank.build}. */
export interface RegexSlot {
  readonly pattern: string;
  readonly prefix: string;
  readonly positions: number;
  set: RegexSet;
  index: number;
}

/** The distinct patterns of one context key in one domain, cut into sets. */
export class RegexBank {
  /** Positions of the largest pattern. */
  positionsMax = 0;
  private readonly slots = new Map<string, RegexSlot>();
  private readonly sets: RegexSet[] = [];

  add(pattern: string, shape: Pick<RegexShape, 'prefix' | 'positions'>): RegexSlot {
    let slot = this.slots.get(pattern);
    if (slot === undefined) {
      slot = { pattern, prefix: shape.prefix, positions: shape.positions, set: UNBUILT, index: -1 };
      this.slots.set(pattern, slot);
      this.positionsMax = Math.max(this.positionsMax, shape.positions);
    }
    return slot;
  }

  /**
   * Cuts the patterns into sets, neighbours by literal prefix together: a value then needs the few sets whose
   * prefixes it has.
   */
  build(memory: RegexMemory): void {
    const sorted = [...this.slots.values()].sort((a, b) =>
      a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0,
    );
    for (let from = 0; from < sorted.length;) {
      let to = from;
      let positions = 0;
      while (to < sorted.length && to - from < SET_PATTERNS_MAX) {
        const next = (sorted[to] as RegexSlot).positions;
        if (to > from && positions + next > SET_POSITIONS_MAX) break;
        positions += next;
        to += 1;
      }
      const part = sorted.slice(from, to);
      const set = new RegexSet(
        part.map((slot) => slot.pattern),
        positions,
        memory,
      );
      part.forEach((slot, index) => Object.assign(slot, { set, index }));
      this.sets.push(set);
      from = to;
    }
  }

  free(): void {
    for (const set of this.sets) set.free();
  }
}

const UNBUILT = new RegexSet([], 0, new RegexMemory(0));

/** Compiled expansions of one REGEX with macros, by the text they expanded to; the oldest goes first. */
export class ExpandedRegexes {
  private readonly compiled = new Map<string, RRegex>();
  private readonly countMax: number;

  constructor(countMax: number) {
    this.countMax = countMax;
  }

  /** Whether the expanded pattern matches anywhere. @throws when the crate refuses it. */
  matches(pattern: string, value: string): boolean {
    let regex = this.compiled.get(pattern);
    if (regex === undefined) {
      regex = new RRegex(pattern);
      for (const [oldest, old] of this.compiled) {
        if (this.compiled.size < this.countMax) break;
        old.free();
        this.compiled.delete(oldest);
      }
      this.compiled.set(pattern, regex);
    }
    return regex.isMatch(value);
  }

  free(): void {
    for (const regex of this.compiled.values()) regex.free();
    this.compiled.clear();
  }
}
