/**
 * What can be known of a Rust regex without running it: whether it is only literal text in disguise, which
 * text its matches begin with, whether it is anchored, and how large it becomes when its repetitions are
 * written out. Everything said here is sound (held against the regex crate by a property test); where the
 * pattern is unclear, nothing is said. Reading costs about a microsecond; compiling costs up to 5 ms.
 */
export interface RegexShape {
  /**
   * The whole meaning as plain text, or null: `exact` (`^a$`), `prefix` (`^a`), `suffix` (`a$`), `contains`
   * (`a`), `line` (`^a.*$`: begins with it, and no newline follows).
   */
  readonly literal: { readonly kind: LiteralKind; readonly text: string } | null;
  /** Every matching value begins with this; empty when unknown. */
  readonly prefix: string;
  /** Whether every branch is tied to both ends. */
  readonly anchored: boolean;
  /** Positions after writing out counted repetitions; Unicode classes count {@link UNICODE_CLASS}. */
  readonly positions: number;
  /** A placeholder stands inside a character class, where a macro cannot be literal text. */
  readonly placeholderInClass: boolean;
}

export type LiteralKind = 'exact' | 'prefix' | 'suffix' | 'contains' | 'line';

/** Stand in for `$current_user()` and `$resource_owner()`; noncharacters, which no policy text may hold. */
export const USER_PLACEHOLDER = '\u{fdd0}';
export const OWNER_PLACEHOLDER = '\u{fdd1}';

/** Positions a Unicode class such as `\w` counts: its UTF-8 automaton is about that many times a letter's. */
const UNICODE_CLASS = 20;
const NEGATED_CLASS = 3;
const ASCII_PUNCTUATION = /[!-/:;=?@[-`{-~]/;
const COUNT = /\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}/y;
const POSIX_CLASS = /\[:\^?[a-z]+:\]/y;
const GROUP_NAME = /(?:P?<[^>]*>|:)/y;
const FLAGS = /[a-zA-Z-]+/y;

type Item = { readonly kind: 'text'; text: string } | { readonly kind: 'start' | 'end' | 'any_line' | 'gap' };

interface Branches {
  readonly branches: readonly (readonly Item[])[];
  readonly positions: number;
}

/** Thrown inside this file only: the structure is not clear enough to say anything. */
class Unclear extends Error {}

/** Returns null when the structure is unclear: malformed patterns, and verbose mode (`(?x)`). */
export function readRegexShape(pattern: string): RegexShape | null {
  const reader = new Reader(pattern);
  try {
    const { branches, positions } = reader.readBranches(0);
    return {
      ...(reader.flagged || branches.length !== 1
        ? { literal: null, prefix: '' }
        : readLiteral(branches[0] as readonly Item[])),
      anchored: branches.every((items) => items[0]?.kind === 'start' && items.at(-1)?.kind === 'end'),
      positions,
      placeholderInClass: reader.placeholderInClass,
    };
  } catch (error) {
    if (error instanceof Unclear) return null;
    throw error;
  }
}

/** Rough bound of the positions of a pattern whose structure is unclear: every count applied to all of it. */
export function boundPositions(pattern: string): number {
  let bound = NEGATED_CLASS * pattern.length;
  for (const [, low, , high] of pattern.matchAll(/\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}/g)) {
    bound *= Math.max(1, Number(high || low));
  }
  return bound;
}

function readLiteral(items: readonly Item[]): Pick<RegexShape, 'literal' | 'prefix'> {
  let from = 0;
  let to = items.length;
  while (from < to && items[from]?.kind === 'start') from += 1;
  while (to > from && items[to - 1]?.kind === 'end') to -= 1;
  const start = from > 0;
  const end = to < items.length;
  // An unanchored side may be anything already, so `.*` there says nothing.
  while (!start && from < to && items[from]?.kind === 'any_line') from += 1;
  while (!end && to > from && items[to - 1]?.kind === 'any_line') to -= 1;
  const body = items.slice(from, to);
  const [first, second] = body;
  const prefix = start && first?.kind === 'text' ? first.text : '';
  if (body.length === 0 || (body.length === 1 && first?.kind === 'text')) {
    const text = first?.kind === 'text' ? first.text : '';
    return {
      literal: { kind: start ? (end ? 'exact' : 'prefix') : end ? 'suffix' : 'contains', text },
      prefix,
    };
  }
  const isLine =
    start &&
    end &&
    (body.length === 1 ? first : prefix !== '' && body.length === 2 ? second : undefined)?.kind ===
      'any_line';
  return { literal: isLine ? { kind: 'line', text: prefix } : null, prefix };
}

class Reader {
  flagged = false;
  placeholderInClass = false;
  private at = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  readBranches(depth: number): Branches {
    if (depth > 250) throw new Unclear();
    const branches: Item[][] = [[]];
    let positions = 1;
    while (this.at < this.source.length) {
      const char = this.source[this.at] as string;
      if (char === ')') {
        if (depth === 0) throw new Unclear();
        return { branches, positions };
      }
      if (char === '|') {
        this.at += 1;
        branches.push([]);
      } else {
        positions += this.readAtom(branches[branches.length - 1] as Item[], depth);
      }
    }
    if (depth > 0) throw new Unclear();
    return { branches, positions };
  }

  /** Reads one atom with its repetitions, appends it, and returns its positions. */
  private readAtom(items: Item[], depth: number): number {
    const { item, positions, isDot, isWidthless } = this.readUnit(depth);
    let times = 1;
    let repetitions = 0;
    let isStar = false;
    for (;;) {
      const char = this.source[this.at];
      if (char === '*' || char === '+' || char === '?') {
        isStar = char === '*';
        this.at += 1;
      } else if (char === '{') {
        const [, low, , high] = this.match(COUNT) ?? [];
        if (low === undefined) throw new Unclear();
        times *= Math.max(1, Number(high || low || 1));
        isStar = false;
      } else break;
      if (this.source[this.at] === '?') this.at += 1;
      repetitions += 1;
    }
    const previous = items.at(-1);
    if (repetitions > 0) items.push({ kind: isDot && isStar && repetitions === 1 ? 'any_line' : 'gap' });
    else if (item.kind === 'text' && previous?.kind === 'text') previous.text += item.text;
    else items.push(item);
    return isWidthless ? positions : positions * times;
  }

  private readUnit(depth: number): { item: Item; positions: number; isDot?: boolean; isWidthless?: boolean } {
    const char = String.fromCodePoint(this.source.codePointAt(this.at) as number);
    this.at += char.length;
    switch (char) {
      case '^':
        return { item: { kind: 'start' }, positions: 1, isWidthless: true };
      case '$':
        return { item: { kind: 'end' }, positions: 1, isWidthless: true };
      case '.':
        return { item: { kind: 'gap' }, positions: NEGATED_CLASS, isDot: true };
      case '\\':
        return this.readEscape();
      case '[':
        return { item: { kind: 'gap' }, positions: this.readClass() };
      case '(':
        return { item: { kind: 'gap' }, positions: this.readGroup(depth) };
      case '*':
      case '+':
      case '?':
      case '{':
        throw new Unclear();
      default:
        return { item: { kind: 'text', text: char }, positions: char.length };
    }
  }

  private readEscape(): { item: Item; positions: number; isWidthless?: boolean } {
    const char = this.source[this.at];
    if (char === undefined) throw new Unclear();
    this.at += 1;
    if (ASCII_PUNCTUATION.test(char)) return { item: { kind: 'text', text: char }, positions: 1 };
    if (char === 'A') return { item: { kind: 'start' }, positions: 1 };
    if (char === 'z') return { item: { kind: 'end' }, positions: 1 };
    const isWide = /[pPdwsDWS]/.test(char);
    if (/[pPxuUbB]/.test(char)) {
      if (this.source[this.at] === '{') {
        const close = this.source.indexOf('}', this.at);
        if (close < 0) throw new Unclear();
        // `\b{3}` is a counted word boundary, `\b{start}` a kind of its own.
        if (!/[bB]/.test(char) || /[a-z]/.test(this.source[this.at + 1] ?? '')) this.at = close + 1;
      } else {
        this.at += { p: 1, P: 1, x: 2, u: 4, U: 8 }[char] ?? 0;
      }
    } else if (!/[ntrfvadwsDWS<>]/.test(char)) {
      throw new Unclear();
    }
    return { item: { kind: 'gap' }, positions: isWide ? UNICODE_CLASS : 1, isWidthless: /[bB<>]/.test(char) };
  }

  /** Reads a class from behind its bracket, nested classes included. */
  private readClass(): number {
    let positions = 1;
    if (this.source[this.at] === '^') {
      this.at += 1;
      positions = NEGATED_CLASS;
    }
    let hasMember = false;
    while (this.source[this.at] === '-') {
      this.at += 1;
      hasMember = true;
    }
    if (!hasMember && this.source[this.at] === ']') this.at += 1;
    for (;;) {
      const char = this.source[this.at];
      if (char === undefined) throw new Unclear();
      if (char === USER_PLACEHOLDER || char === OWNER_PLACEHOLDER) this.placeholderInClass = true;
      if (char === '[') {
        if (this.match(POSIX_CLASS)) continue;
        this.at += 1;
        positions += this.readClass();
      } else if (char === '\\') {
        if (/[pPdwsDWS]/.test(this.source[this.at + 1] ?? '')) positions = UNICODE_CLASS;
        this.at += 2;
      } else {
        this.at += 1;
        if (char === ']') return positions;
      }
    }
  }

  private readGroup(depth: number): number {
    if (this.source[this.at] === '?') {
      this.at += 1;
      if (!this.match(GROUP_NAME)) {
        const flags = this.match(FLAGS)?.[0];
        if (flags === undefined || flags.includes('x')) throw new Unclear();
        this.flagged = true;
        const next = this.source[this.at];
        this.at += 1;
        if (next === ')') return 1;
        if (next !== ':') throw new Unclear();
      }
    }
    const { positions } = this.readBranches(depth + 1);
    if (this.source[this.at] !== ')') throw new Unclear();
    this.at += 1;
    return positions;
  }

  private match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }
}
