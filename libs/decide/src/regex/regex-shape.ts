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
  /**
   * Positions after writing out counted repetitions. A Unicode class counts {@link UNICODE_CLASS} where the
   * pattern is compiled as it is written, and 1 where it has a form, in which it is a few characters.
   */
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
   * The pattern cut at what may match characters beyond ASCII, for {@link writeForm}. Null when the structure
   * does not allow to tell: such a pattern is only compiled as it is written.
   */
  readonly form: RegexTemplate | null;
}

export interface RegexTemplate {
  readonly parts: readonly (string | RegexAtom)[];
  /** Characters {@link OUTSIDE} that the parts have as text, each of which matches itself alone. */
  readonly literals: readonly string[];
  /** Word boundaries are in it. */
  readonly seesWords: boolean;
}

/**
 * The characters that stand-ins take the place of: those beyond ASCII, and 18 control characters, which stand
 * for them. No escape has one of these as its meaning, but for those of code points.
 */
export const OUTSIDE = /[^\0-\r -\x7f]/gu;

/** What matches one character, perhaps one of {@link OUTSIDE}. */
export interface RegexAtom {
  /** An item of a class: `\w`, `[^/]`, or under `(?i)` a letter. */
  readonly text: string;
  readonly ignoresCase: boolean;
}

/**
 * The pattern with each atom cut down to the characters given for it, as items of a class: a small part of
 * the automaton that the whole class makes. It matches what the pattern matches among values of those
 * characters.
 */
export function writeForm({ parts }: RegexTemplate, membersOf: (atom: RegexAtom) => string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const members = membersOf(part);
      // The crate reads no empty class. What an atom matches in both cases was found out already: with `i` in
      // force, its `k` would be Kelvin's sign as well.
      const cut = members === '' ? '[a&&b]' : `[${members}]`;
      return part.ignoresCase ? `(?-i:${cut})` : cut;
    })
    .join('');
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
/** Scripts without upper and lower case, of which a pattern may name many characters. */
const CASELESS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
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
  let reader = new Reader(pattern, 1);
  try {
    let read = reader.readBranches(0);
    if (!reader.hasForm) {
      reader = new Reader(pattern, UNICODE_CLASS);
      read = reader.readBranches(0);
    }
    const { branches, positions } = read;
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
  return { skip: 0, pattern, form: null };
}

/** Rough bound of the positions of a pattern whose structure is unclear: every count applied to all of it. */
export function boundPositions(pattern: string): number {
  return NEGATED_CLASS * pattern.length * multiplyCounts(pattern);
}

/** Rough bound of those positions that are classes beyond ASCII, whatever the structure. */
export function boundUnicodePositions(pattern: string): number {
  const count = (units: RegExp) => pattern.match(units)?.length ?? 0;
  const positions = UNICODE_CLASS * count(/\\[pPdwsDWS]/g) + NEGATED_CLASS * count(/[.[]/g);
  return positions * multiplyCounts(pattern);
}

function multiplyCounts(pattern: string): number {
  let product = 1;
  for (const [, low, , high] of pattern.matchAll(/\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}/g)) {
    product *= Math.max(1, Number(high || low));
  }
  return product;
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

/** A class that nothing {@link OUTSIDE} is in: neither negated nor with escapes or classes inside. */
const PRINTABLE_CLASS = /^\[[ -Z\]_-~]+\]$/;
/** Brackets of a class; the crate nests 250 levels, and what is asked about a class adds some. */
const CLASS_BRACKETS_MAX = 200;

function readTail(
  { source, prefixEnd, lookBehindEnd, units, hasForm, seesWords }: Reader,
  prefix: string,
): RegexTail {
  // What looks back, as `\b` does, would see another neighbor without the prefix.
  const from = prefix !== '' && lookBehindEnd <= prefixEnd ? prefixEnd : 0;
  const skip = from === 0 ? 0 : prefix.length;
  const start = from === 0 ? '' : '^';
  const pattern = start + source.slice(from);
  if (!hasForm) return { skip, pattern, form: null };
  const parts: (string | RegexAtom)[] = [start];
  const literals = new Set<string>();
  let at = from;
  for (const { end, length, atom } of units) {
    if (end <= from) continue;
    if (atom === null) literals.add(source.slice(end - length, end));
    else {
      parts.push(source.slice(at, end - length), atom);
      at = end;
    }
  }
  parts.push(source.slice(at));
  return { skip, pattern, form: { parts, literals: [...literals], seesWords } };
}

function isOutside(char: string): boolean {
  OUTSIDE.lastIndex = 0;
  return OUTSIDE.test(char);
}

/** The flags in force that change which characters match. */
interface Flags {
  readonly i: boolean;
  readonly s: boolean;
  readonly R: boolean;
  readonly u: boolean;
}

function setFlags(before: Flags, written: string): Flags {
  const [on = '', off = ''] = written.split('-');
  const of = (flag: keyof Flags) => on.includes(flag) || (before[flag] && !off.includes(flag));
  return { i: of('i'), s: of('s'), R: of('R'), u: of('u') };
}

class Reader {
  flagged = false;
  seesWords = false;
  /** The pattern can be cut at its atoms. */
  hasForm = true;
  /** A flag lets `^` and `$` match at lines. */
  isMultiLine = false;
  placeholderInClass = false;
  /** Where the literal text that follows the starting anchors ends; 0 when there is none. */
  prefixEnd = 0;
  /** Where the last unit that looks at what is before it ends. */
  lookBehindEnd = 0;
  /** What may match a character beyond ASCII, in order: atoms, and characters that match themselves. */
  readonly units: { readonly end: number; readonly length: number; readonly atom: RegexAtom | null }[] = [];
  readonly source: string;
  private flags: Flags = { i: false, s: false, R: false, u: true };
  private readonly unicodeClass: number;
  private at = 0;

  /** `unicodeClass`: positions of a Unicode class. */
  constructor(source: string, unicodeClass: number) {
    this.source = source;
    this.unicodeClass = unicodeClass;
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
        this.addAtom(1, this.flags.s ? '\\p{any}' : this.flags.R ? '[^\\r\\n]' : '[^\\n]');
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
        // Kelvin's sign and the long s are a `k` and an `s` where case is ignored.
        if (isOutside(char) || (this.flags.i && /[ks]/i.test(char))) this.addChar(char);
        return { item: { kind: 'text', text: char }, positions: char.length };
    }
  }

  private addChar(char: string): void {
    if (!this.flags.u) this.hasForm &&= char <= '\x7f';
    else if (this.flags.i && char > ' ' && !CASELESS.test(char)) this.addAtom(char.length, char);
    else this.units.push({ end: this.at, length: char.length, atom: null });
  }

  private addAtom(length: number, text: string): void {
    // Without Unicode classes hold nothing beyond ASCII, and a form could not give them anything.
    if (!this.flags.u) return;
    this.units.push({ end: this.at, length, atom: { text, ignoresCase: this.flags.i } });
  }

  private readOuterClass(): number {
    const from = this.at - 1;
    const positions = this.readClass();
    const text = this.source.slice(from, this.at);
    if (text.split('[').length > CLASS_BRACKETS_MAX) this.hasForm = false;
    const isPrintable = PRINTABLE_CLASS.test(text);
    if (!this.flags.u) this.hasForm &&= isPrintable;
    else if (this.flags.i || !isPrintable) this.addAtom(text.length, text);
    return positions;
  }

  private readEscape(): { item: Item; positions: number; isWidthless?: boolean } {
    const from = this.at - 1;
    const char = this.source[this.at];
    if (char === undefined) throw new Unclear();
    this.at += 1;
    if (ASCII_PUNCTUATION.test(char)) return { item: { kind: 'text', text: char }, positions: 1 };
    if (/[AbB<>]/.test(char)) this.lookBehindEnd = this.at;
    if (/[bB<>]/.test(char)) this.seesWords = true;
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
    if (!this.flags.u && /[xuU]/.test(char)) this.hasForm = false;
    if (isWide || /[xuU]/.test(char)) this.addAtom(this.at - from, this.source.slice(from, this.at));
    return {
      item: { kind: 'gap' },
      positions: isWide ? this.unicodeClass : 1,
      isWidthless: /[bB<>]/.test(char),
    };
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
        if (/[pPdwsDWS]/.test(escaped)) positions = this.unicodeClass;
        this.at += escaped === USER_PLACEHOLDER || escaped === OWNER_PLACEHOLDER ? 1 : 2;
      } else {
        this.at += 1;
        if (char === ']') return positions;
      }
    }
  }

  private readGroup(depth: number): number {
    const outer = this.flags;
    if (this.source[this.at] === '?') {
      this.at += 1;
      if (!this.match(GROUP_NAME)) {
        const flags = this.match(FLAGS)?.[0];
        if (flags === undefined || flags.includes('x')) throw new Unclear();
        this.flagged = true;
        if (flags.includes('m')) this.isMultiLine = true;
        this.flags = setFlags(outer, flags);
        const next = this.source[this.at];
        this.at += 1;
        if (next === ')') return 1;
        if (next !== ':') throw new Unclear();
      }
    }
    const { positions } = this.readBranches(depth + 1);
    this.flags = outer;
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
