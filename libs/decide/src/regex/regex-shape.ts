import type { LiteralKind } from '../regexes.ts';

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
  /** Whether every branch is tied to the start of the value, and to its end. */
  readonly anchored: { readonly start: boolean; readonly end: boolean };
  /** Positions after writing out counted repetitions; Unicode classes count {@link UNICODE_CLASS}. */
  readonly positions: number;
  /** A placeholder stands inside a character class, where a macro cannot be literal text. */
  readonly placeholderInClass: boolean;
  readonly tail: RegexTail;
}

/**
 * What is left to run when a value begins with the literal prefix: the pattern matches exactly if `pattern`
 * matches the value without its first `skip` characters. Patterns that differ in their prefixes often have
 * one tail.
 */
export interface RegexTail {
  /** UTF-16 length of the prefix; 0 where the tail is the whole pattern. */
  readonly skip: number;
  readonly pattern: string;
  /**
   * Matches what `pattern` matches among ASCII values, its classes being cut down to ASCII: a twentieth of
   * the automaton or less. Null when the structure does not allow to tell.
   */
  readonly ascii: string | null;
}

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
    const literal =
      reader.flagged || branches.length !== 1
        ? { literal: null, prefix: '' }
        : readLiteral(branches[0] as readonly Item[]);
    return {
      ...literal,
      anchored: {
        start: !reader.isMultiLine && branches.every((items) => items[0]?.kind === 'start'),
        end: !reader.isMultiLine && branches.every((items) => items.at(-1)?.kind === 'end'),
      },
      positions,
      placeholderInClass: reader.placeholderInClass,
      tail: readTail(reader, literal.prefix),
    };
  } catch (error) {
    if (error instanceof Unclear) return null;
    throw error;
  }
}

/** The tail of a pattern of which nothing is known. */
export function wholeTail(pattern: string): RegexTail {
  return { skip: 0, pattern, ascii: null };
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

const ASCII_RANGE = '[\\x00-\\x7F]';
/** `.` among ASCII characters, by default everything but the newline. */
const ASCII_DOT = '[\\x00-\\x09\\x0B-\\x7F]';
/** A class that nothing beyond ASCII is in: neither negated nor with escapes or classes inside. */
const ASCII_CLASS = /^\[[\0-Z\]_-\x7f]+\]$/;

function readTail(
  { source, prefixEnd, lookBehindEnd, classes, dotIsPlain }: Reader,
  prefix: string,
): RegexTail {
  // What looks back, as `\b` does, would see another neighbor without the prefix.
  const from = prefix !== '' && lookBehindEnd <= prefixEnd ? prefixEnd : 0;
  const skip = from === 0 ? 0 : prefix.length;
  const start = from === 0 ? '' : '^';
  const pattern = start + source.slice(from);
  if (!dotIsPlain && classes.some(({ text }) => text === '.')) return { skip, pattern, ascii: null };
  let ascii = start;
  let at = from;
  for (const { end, text } of classes) {
    if (end <= from) continue;
    ascii += source.slice(at, end - text.length);
    ascii += text === '.' ? ASCII_DOT : ASCII_CLASS.test(text) ? text : `[${text}&&${ASCII_RANGE}]`;
    at = end;
  }
  return { skip, pattern, ascii: ascii + source.slice(at) };
}

class Reader {
  flagged = false;
  /** No flag changes the meaning of `.`. */
  dotIsPlain = true;
  /** A flag lets `^` and `$` match at lines. */
  isMultiLine = false;
  placeholderInClass = false;
  /** Where the literal text that follows the starting anchors ends; 0 when there is none. */
  prefixEnd = 0;
  /** Where the last unit that looks at what is before it ends. */
  lookBehindEnd = 0;
  /** Dots, class escapes and outermost classes, in order. */
  readonly classes: { readonly end: number; readonly text: string }[] = [];
  readonly source: string;
  private at = 0;

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
        const items = branches[branches.length - 1] as Item[];
        positions += this.readAtom(items, depth);
        const first = items.findIndex(({ kind }) => kind !== 'start');
        if (depth === 0 && first > 0 && first === items.length - 1 && items[first]?.kind === 'text')
          this.prefixEnd = this.at;
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
        this.lookBehindEnd = this.at;
        return { item: { kind: 'start' }, positions: 1, isWidthless: true };
      case '$':
        return { item: { kind: 'end' }, positions: 1, isWidthless: true };
      case '.':
        this.classes.push({ end: this.at, text: '.' });
        return { item: { kind: 'gap' }, positions: NEGATED_CLASS, isDot: true };
      case '\\':
        return this.readEscape();
      case '[':
        return { item: { kind: 'gap' }, positions: this.readOuterClass() };
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

  private readOuterClass(): number {
    const from = this.at - 1;
    const positions = this.readClass();
    this.classes.push({ end: this.at, text: this.source.slice(from, this.at) });
    return positions;
  }

  private readEscape(): { item: Item; positions: number; isWidthless?: boolean } {
    const from = this.at - 1;
    const char = this.source[this.at];
    if (char === undefined) throw new Unclear();
    this.at += 1;
    if (ASCII_PUNCTUATION.test(char)) return { item: { kind: 'text', text: char }, positions: 1 };
    if (/[AbB<>]/.test(char)) this.lookBehindEnd = this.at;
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
    if (isWide) this.classes.push({ end: this.at, text: this.source.slice(from, this.at) });
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
        // What is escaped is read on its own if it is a placeholder.
        const escaped = this.source[this.at + 1] ?? '';
        if (/[pPdwsDWS]/.test(escaped)) positions = UNICODE_CLASS;
        this.at += escaped === USER_PLACEHOLDER || escaped === OWNER_PLACEHOLDER ? 1 : 2;
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
        if (flags.includes('m')) this.isMultiLine = true;
        if (/[sRu]/.test(flags)) this.dotIsPlain = false;
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
