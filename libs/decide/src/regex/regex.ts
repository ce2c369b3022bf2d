import { openRegexCrate, type RegexCrate, type RegexCrateSet } from './regex-crate.ts';
import { StandIns } from './regex-members.ts';
import { readRegexShape, wholeTail, writeForm, type RegexShape, type RegexTail } from './regex-shape.ts';
import { expand, type MacroValues, type TemplatePart } from '../macros.ts';
import { PAUSED, type RegexMemo, type RegexSetRunner } from '../regex-memo.ts';
import { matchesSlot, type ExpandedRunner, type RegexSlot } from '../regexes.ts';

/**
 * REGEX patterns run in the Rust regex crate, each without the literal text it begins with
 * ({@link RegexTail}). What is left is compiled on first use, the patterns of one context key and one
 * beginning together as a set; sets of equal patterns are one set, whichever domains they are of. A
 * {@link RegexMemory} bounds what all of them hold.
 */

/** Patterns of a set; beyond it, matching a set costs more than what is shared between its patterns. */
const SET_PATTERNS_MAX = 200;
/** Positions of a set: bounds the time its compilation may hold the event loop to tens of milliseconds. */
const SET_POSITIONS_MAX = 3_000;
/** Patterns of a set that is compiled before the first check; a smaller one takes a millisecond or two. */
const WARM_PATTERNS_MIN = 4;
/** Positions of one pattern; more is refused at write and cannot be evaluated. */
export const PATTERN_POSITIONS_MAX = 10_000;
/** Memory of the crate that only parses and tries patterns out; at that size another one takes its place. */
const SCRATCH_BYTES_MAX = 16 * 1_024 * 1_024;
let scratch: { readonly crate: RegexCrate; readonly parsed: Map<string, string | null> } | null = null;

/**
 * A scratch instance of the crate for patterns that are not kept, with its findings about the patterns it
 * parsed.
 */
function useScratch(): NonNullable<typeof scratch> {
  if (scratch === null || scratch.crate.bytes > SCRATCH_BYTES_MAX)
    scratch = { crate: openRegexCrate(), parsed: new Map() };
  return scratch;
}

/** The crate's own escaping, as one unit for whatever repetition follows it. */
export function escapeForRegex(text: string): string {
  return `(?:${useScratch().crate.escape(text)})`;
}

/** The crate's reason to refuse the pattern, or null; compiles it whole, which may take 300 ms. */
export function findCompileError(pattern: string): string | null {
  try {
    new (useScratch().crate.RRegex)(pattern).free();
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
  if (shape === null) return findCompileError(pattern);
  const { parsed } = useScratch();
  const { pattern: tail } = shape.tail;
  let error = parsed.get(tail);
  // The newline ends a comment of verbose mode, which would swallow the bracket.
  if (error === undefined) parsed.set(tail, (error = findCompileError(`(?:${tail}\n){0}`)));
  return error;
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

/** Bounds what compiled regexes hold, over all policy sets of the process. Not thread-shared. */
export class RegexMemory {
  private readonly sets = new Map<string, { readonly set: RegexSet; users: number }>();
  private readonly bytesMax: number;
  private current: Generation | null = null;
  private previous: Generation | null = null;
  private turned = 0;

  /**
   * `bytesMax` bounds the memory of the regex crates as it is, besides what one compilation or match adds.
   */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytesHeld(): number {
    return (this.current?.crate.bytes ?? 0) + (this.previous?.crate.bytes ?? 0);
  }

  /** How often what was compiled longest ago has left memory. */
  get turns(): number {
    return this.turned;
  }

  /** The set of these patterns; the caller releases it. */
  take(tails: readonly RegexTail[]): RegexSet {
    const name = JSON.stringify(tails.map(({ pattern }) => pattern));
    let held = this.sets.get(name);
    if (held === undefined) {
      held = { set: new RegexSet(name, tails, this), users: 0 };
      this.sets.set(name, held);
    }
    held.users += 1;
    return held.set;
  }

  /** Drops a set that no domain uses any more; its compiled patterns leave memory with their generation. */
  release({ name }: RegexSet): void {
    const held = this.sets.get(name);
    if (held === undefined) return;
    held.users -= 1;
    if (held.users === 0) this.sets.delete(name);
  }

  /**
   * The automata of the patterns, which may take tens of milliseconds. @throws when the crate refuses them.
   */
  compile(form: RegexForm): readonly Automaton[] {
    this.current ??= { crate: openRegexCrate(), forms: [] };
    const automata = compileSets(this.current.crate, form.patterns, 0);
    this.current.forms.push(form);
    return automata;
  }

  /**
   * Lets go of what was compiled longest ago when the crates have outgrown the bound: to be called after
   * every use, for matching builds automata too.
   */
  settle(): void {
    if (this.current !== null && this.current.crate.bytes > this.bytesMax / 2) {
      dropped(this.previous);
      this.previous = this.current;
      this.current = null;
      this.turned += 1;
    }
    // A single compilation may be larger than the bound.
    if (this.bytesHeld > this.bytesMax) this.previous = dropped(this.previous);
  }
}

/** The patterns compiled in one instance of the crate, which leaves memory as a whole. */
interface Generation {
  readonly crate: RegexCrate;
  readonly forms: RegexForm[];
}

function dropped(generation: Generation | null): null {
  for (const form of generation?.forms ?? []) form.automata = null;
  return null;
}

/** Several patterns in one automaton, the first of them at index `first` of the set. */
interface Automaton {
  readonly set: RegexCrateSet;
  readonly first: number;
}

/** One way to write the patterns of a set, and what it compiled to. */
interface RegexForm {
  readonly patterns: readonly string[];
  /** One, or several when the crate's size limit refuses all patterns together. */
  automata: readonly Automaton[] | null;
}

const ASCII = /^[\0-\x7f]*$/;
const UNPAUSED: RegexMemo = new Map();

/** Patterns compiled together; on first use, and again after their generation has left memory. */
export class RegexSet implements RegexSetRunner {
  readonly name: string;
  readonly size: number;
  private readonly memory: RegexMemory;
  private readonly tails: readonly RegexTail[];
  /** For values of ASCII, which nearly all values are. */
  private ascii: RegexForm | null = null;
  /** For other values; null where all values run on the patterns as they are written. */
  private readonly standIns: StandIns | null;
  private beyond: RegexForm | null = null;

  constructor(name: string, tails: readonly RegexTail[], memory: RegexMemory) {
    this.name = name;
    this.size = tails.length;
    this.memory = memory;
    this.tails = tails;
    const forms = tails.flatMap(({ form }) => form ?? []);
    const hasAtoms = forms.some(({ parts }) => parts.some((part) => typeof part !== 'string'));
    const hasForm = hasAtoms && forms.length === tails.length;
    this.standIns = hasForm ? new StandIns(forms, () => useScratch().crate) : null;
  }

  /** Compiles what values of ASCII need, unless it is. @throws when the crate fails. */
  compile(): void {
    this.automataOf(this.formFor('', UNPAUSED).form);
    this.memory.settle();
  }

  matches(value: string, memo: RegexMemo): ReadonlySet<number> {
    let ofValue = memo.get(this);
    if (ofValue === undefined) memo.set(this, (ofValue = new Map()));
    let found = ofValue.get(value);
    if (found === undefined) {
      if (memo.isTired?.() === true) throw PAUSED;
      const all = new Set<number>();
      const { form, text } = this.formFor(value, memo);
      for (const { set, first } of this.automataOf(form)) {
        for (const index of set.matches(text)) all.add(first + index);
      }
      this.memory.settle();
      ofValue.set(value, (found = all));
    }
    return found;
  }

  private formFor(value: string, memo: RegexMemo): { readonly form: RegexForm; readonly text: string } {
    const { standIns } = this;
    if (standIns === null || ASCII.test(value)) {
      this.ascii ??= this.write(standIns?.asciiOf());
      return { form: this.ascii, text: value };
    }
    const { text, isNew } = standIns.replace(value, memo);
    if (isNew) this.beyond = null;
    this.beyond ??= this.write(standIns.membersOf());
    return { form: this.beyond, text };
  }

  private write(membersOf?: Parameters<typeof writeForm>[1]): RegexForm {
    const patterns = this.tails.map(({ pattern, form }) =>
      membersOf && form ? writeForm(form, membersOf) : pattern,
    );
    return { patterns, automata: null };
  }

  private automataOf(form: RegexForm): readonly Automaton[] {
    return (form.automata ??= this.memory.compile(form));
  }
}

function compileSets(crate: RegexCrate, patterns: readonly string[], first: number): readonly Automaton[] {
  try {
    return [{ set: new crate.RRegexSet(patterns), first }];
  } catch (error) {
    if (patterns.length === 1) throw error;
    const half = patterns.length >> 1;
    return [
      ...compileSets(crate, patterns.slice(0, half), first),
      ...compileSets(crate, patterns.slice(half), first + half),
    ];
  }
}

/** Filled in by {@link RegexBank.build}. */
interface BankSlot extends RegexSlot {
  readonly tail: RegexTail;
}

/** The distinct patterns of one context key in one domain, cut into sets. */
export class RegexBank {
  private readonly memory: RegexMemory;
  private readonly slots = new Map<string, BankSlot>();
  private readonly sets: RegexSet[] = [];

  constructor(memory: RegexMemory) {
    this.memory = memory;
  }

  add(pattern: string, { prefix, tail, positions }: RegexShape): RegexSlot {
    let slot = this.slots.get(pattern);
    if (slot === undefined)
      this.slots.set(pattern, (slot = { prefix, skip: tail.skip, tail, positions, set: UNBUILT, index: -1 }));
    return slot;
  }

  /**
   * Cuts the patterns into sets: tails behind one prefix together, whole patterns with their neighbors by
   * prefix. Those without a form have sets of their own, for they would keep the others from having one.
   */
  build(): void {
    const groups = new Map<string, BankSlot[]>();
    for (const slot of this.slots.values()) {
      const name = `${slot.tail.form === null} ${slot.tail.skip === 0 ? '' : slot.prefix}`;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [slot]);
      else group.push(slot);
    }
    for (const group of groups.values()) {
      group.sort((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0));
      for (let from = 0; from < group.length;) from = this.buildSet(group, from);
    }
    this.slots.clear();
  }

  /** Makes a set of what fits into it; where the next one begins. */
  private buildSet(group: readonly BankSlot[], from: number): number {
    let to = from;
    let positions = 0;
    while (to < group.length && to - from < SET_PATTERNS_MAX) {
      const next = (group[to] as BankSlot).positions;
      if (to > from && positions + next > SET_POSITIONS_MAX) break;
      positions += next;
      to += 1;
    }
    const part = group.slice(from, to);
    const set = this.memory.take(part.map(({ tail }) => tail));
    part.forEach((slot, index) => Object.assign(slot, { set, index }));
    this.sets.push(set);
    return to;
  }

  /**
   * Compiles, one at each step, the sets that take long enough to be noticed; ends early once others' sets
   * have left memory for it.
   */
  *warm(): Generator<void> {
    const { turns } = this.memory;
    for (const set of this.sets) {
      if (set.size < WARM_PATTERNS_MIN) continue;
      if (this.memory.turns !== turns) return;
      try {
        set.compile();
      } catch {
        // The checks that need the set say so, and are denied.
      }
      yield;
    }
  }

  free(): void {
    for (const set of this.sets.splice(0)) this.memory.release(set);
  }
}

const UNBUILT = new RegexSet('', [], new RegexMemory(0));

/** Compiled expansions of REGEX with macros, by the text they expanded to; the oldest goes first. */
export class ExpandedRegexes implements ExpandedRunner {
  private readonly memory: RegexMemory;
  private readonly slots = new Map<string, { readonly slot: RegexSlot; readonly set: RegexSet }>();
  private readonly countMax: number;

  constructor(countMax: number, memory: RegexMemory) {
    this.countMax = countMax;
    this.memory = memory;
  }

  matches(parts: readonly TemplatePart[], macros: MacroValues, value: string, memo: RegexMemo): boolean {
    const pattern = expand(parts, macros, escapeForRegex);
    let held = this.slots.get(pattern);
    if (held === undefined) {
      const { prefix, tail } = readRegexShape(pattern) ?? { prefix: '', tail: wholeTail(pattern) };
      const set = this.memory.take([tail]);
      held = { set, slot: { prefix, skip: tail.skip, positions: 0, set, index: 0 } };
      for (const [oldest, { set }] of this.slots) {
        if (this.slots.size < this.countMax) break;
        this.memory.release(set);
        this.slots.delete(oldest);
      }
      this.slots.set(pattern, held);
    }
    return matchesSlot(held.slot, value, memo);
  }

  free(): void {
    for (const { set } of this.slots.values()) this.memory.release(set);
    this.slots.clear();
  }
}
