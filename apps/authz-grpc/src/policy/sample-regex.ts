import type { Arc, TextGraph } from './text-graph.ts';

/**
 * Texts that a Rust regular expression probably matches, as a graph: its structure is read as far as most
 * patterns go, classes within what is common of them. Null where it cannot be read or is too large.
 * Proposals, to be tested with the crate. Never throws.
 */
export function textsOfRegex(pattern: string): TextGraph | null {
  for (const room of ROOMS) {
    try {
      return new GraphBuilder(room).build(new Reader(pattern).read());
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
    }
  }
  return null;
}

/** How often what may be repeated is, at most, beyond what has to be: enough for the id of a domain. */
const ROOMS = [64, 2];
const PLACES_MAX = 3_000;

/** Ranges of a class of which a character each is tried. */
const RANGES_MAX = 20;

class Unread extends Error {}

/** Ranges of code points, both ends included. */
type Ranges = readonly (readonly [from: number, to: number])[];

type Node =
  | { readonly kind: 'chars'; readonly ranges: Ranges }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'branches'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeated'; readonly part: Node; readonly min: number; readonly max: number };

const NOTHING: Node = { kind: 'sequence', parts: [] };
/** Printable characters, which values have. */
const ALL: Ranges = [
  [0x20, 0x7e],
  [0xa0, 0xd7ff],
  [0xe000, 0xfdcf],
];
const ANYTHING: Node = { kind: 'chars', ranges: ALL };
/** Characters that stand for most others; a slash among the first, for names below one. */
const COMMON = ['q', '7', '/', 'Z', '-', 'é', ' ', '.', '_'];
const point = (char: string) => char.codePointAt(0) as number;
const spans = (text: string): Ranges =>
  Array.from({ length: text.length / 2 }, (_, at) => [point(text[2 * at]!), point(text[2 * at + 1]!)]);
const single = (code: number): Ranges => {
  if (code > 0x10_ff_ff) throw new Unread();
  return [[code, code]];
};
const LETTERS = spans('AZaz');
const SETS: Readonly<Record<string, Ranges>> = {
  d: spans('09'),
  w: spans('09AZ__az'),
  s: [...spans('  \t\r'), [0xa0, 0xa0]],
  alnum: spans('09AZaz'),
  alpha: LETTERS,
  blank: spans('  \t\t'),
  digit: spans('09'),
  graph: spans('!~'),
  lower: spans('az'),
  print: spans(' ~'),
  punct: spans('!/:@[`{~'),
  space: spans('  \t\r'),
  upper: spans('AZ'),
  word: spans('09AZ__az'),
  xdigit: spans('09AFaf'),
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' };

function outside(ranges: Ranges): Ranges {
  let left: Ranges = ALL;
  for (const [from, to] of ranges)
    left = left.flatMap(([low, high]): Ranges =>
      to < low || from > high
        ? [[low, high]]
        : [
            ...(low < from ? [[low, from - 1] as const] : []),
            ...(to < high ? [[to + 1, high] as const] : []),
          ],
    );
  return left;
}

const both = (one: Ranges, other: Ranges): Ranges =>
  one.flatMap(([from, to]) =>
    other.flatMap(([low, high]): Ranges => {
      const common = [Math.max(from, low), Math.min(to, high)] as const;
      return common[0] <= common[1] ? [common] : [];
    }),
  );

/** What `(?i)` adds, of letters within ASCII and of single ones. */
function withCases(ranges: Ranges): Ranges {
  const shifted = both(ranges, LETTERS).map(([from, to]) => {
    const by = from < point('a') ? 32 : -32;
    return [from + by, to + by] as const;
  });
  const others = ranges.flatMap(([from, to]): Ranges => {
    const char = String.fromCodePoint(from);
    const cases = from === to ? [char.toLowerCase(), char.toUpperCase()] : [];
    return cases.filter((one) => one !== char && one.length === 1).flatMap((one) => single(point(one)));
  });
  return [...ranges, ...shifted, ...others];
}

/** Code points within which Unicode classes are looked at: the alphabets. */
const COMMON_POINTS = 0x31_00;

/** Unicode classes that patterns named; there are some hundreds of names. */
const properties = new Map<string, Ranges>();

/** The common characters of a Unicode class. */
function rangesOfProperty(name: string): Ranges {
  const known = properties.get(name);
  if (known !== undefined) return known;
  for (const property of [name, `Script=${name}`]) {
    let test: RegExp;
    try {
      test = new RegExp(`\\p{${property}}`, 'u');
    } catch {
      continue;
    }
    const found: [number, number][] = [];
    for (let code = 0; code < COMMON_POINTS; code += 1) {
      if (!test.test(String.fromCodePoint(code))) continue;
      const last = found.at(-1);
      if (last?.[1] === code - 1) last[1] = code;
      else found.push([code, code]);
    }
    properties.set(name, found);
    return found;
  }
  throw new Unread();
}

class Reader {
  #at = 0;
  #flags: ReadonlySet<string> = new Set();
  readonly #pattern: string;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): Node {
    const read = this.#readBranches();
    if (this.#at < this.#pattern.length) throw new Unread();
    return read;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** What the sticky expression finds here. */
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #next(): string {
    const code = this.#pattern.codePointAt(this.#at);
    if (code === undefined) throw new Unread();
    const char = String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #readBranches(): Node {
    const parts = [this.#readSequence()];
    while (this.#take('|')) parts.push(this.#readSequence());
    return { kind: 'branches', parts };
  }

  #readSequence(): Node {
    const parts: Node[] = [];
    for (;;) {
      if (this.#flags.has('x')) this.#match(/(?:\s|#[^\n]*)*/y);
      if (this.#at === this.#pattern.length || /[|)]/.test(this.#pattern[this.#at] as string)) break;
      parts.push(this.#readRepeated(this.#readAtom()));
    }
    return { kind: 'sequence', parts };
  }

  #chars(ranges: Ranges): Node {
    return { kind: 'chars', ranges: this.#flags.has('i') ? withCases(ranges) : ranges };
  }

  #readAtom(): Node {
    const char = this.#next();
    switch (char) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return ANYTHING;
      case '(':
        return this.#readGroup();
      case '[':
        return this.#chars(this.#readClass());
      case '\\': {
        if (this.#take('A')) return { kind: 'start' };
        if (this.#take('z')) return { kind: 'end' };
        // Whether a word begins or ends here shows when texts are tested.
        if (this.#match(/b\{[a-z-]+\}|[bB<>]/y) !== null) return NOTHING;
        return this.#chars(this.#readEscape());
      }
      default:
        return this.#chars(single(point(char)));
    }
  }

  #readGroup(): Node {
    const before = this.#flags;
    if (this.#take('?') && this.#match(/P?<\w+>/y) === null) {
      const [, on = '', off = '', end] = this.#match(/([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])/y) ?? [];
      if (end === undefined) throw new Unread();
      this.#flags = new Set([...before, ...on].filter((flag) => !off.includes(flag)));
      if (end === ')') return NOTHING;
    }
    const inner = this.#readBranches();
    if (!this.#take(')')) throw new Unread();
    this.#flags = before;
    return inner;
  }

  /** What stands behind a backslash. */
  #readEscape(): Ranges {
    const [, kind, caret, long, short] = this.#match(/([pP])(?:\{(\^?)([^}]+)\}|(.))/y) ?? [];
    if (kind !== undefined) {
      const ranges = rangesOfProperty((long ?? short) as string);
      return (kind === 'P') !== (caret === '^') ? outside(ranges) : ranges;
    }
    const hex = this.#match(/[xuU]\{(\p{AHex}+)\}|x(\p{AHex}{2})|u(\p{AHex}{4})|U(\p{AHex}{8})/uy);
    if (hex !== null) return single(parseInt(hex.slice(1).join(''), 16));
    const char = this.#next();
    const set = /[dws]/i.test(char) ? SETS[char.toLowerCase()] : undefined;
    if (set !== undefined) return char === char.toLowerCase() ? set : outside(set);
    const control = CONTROLS[char];
    if (control === undefined && /[A-Za-z0-9]/.test(char)) throw new Unread();
    return single(point(control ?? char));
  }

  #readClass(): Ranges {
    const isNegated = this.#take('^');
    let total: Ranges = [];
    let found: Ranges = [];
    let operator = '';
    const combine = (): Ranges => {
      if (operator === '') return found;
      return both(total, operator === '&&' ? found : outside(found));
    };
    for (let isFirst = true; isFirst || !this.#take(']'); isFirst = false) {
      const [next] = isFirst ? [] : (this.#match(/&&|--|~~/y) ?? []);
      if (next === '~~') throw new Unread();
      if (next !== undefined) [total, found, operator] = [combine(), [], next];
      else found = [...found, ...this.#readItem()];
    }
    const ranges = this.#flags.has('i') ? withCases(combine()) : combine();
    return isNegated ? outside(ranges) : ranges;
  }

  /** One item of a class. */
  #readItem(): Ranges {
    const [, caret, name] = this.#match(/\[:(\^?)([a-z]+):\]/y) ?? [];
    if (name !== undefined) return caret === '^' ? outside(SETS[name] ?? []) : (SETS[name] ?? []);
    if (this.#take('[')) return this.#readClass();
    if (this.#flags.has('x') && this.#match(/\s+/y) !== null) return [];
    const readOne = () => (this.#take('\\') ? this.#readEscape() : single(point(this.#next())));
    const first = readOne();
    if (first.length !== 1 || this.#match(/-(?![-\]])/y) === null) return first;
    return [[first[0]![0], readOne()[0]![1]]];
  }

  #readRepeated(atom: Node): Node {
    let part = atom;
    for (;;) {
      const found = this.#match(/[*+?]|\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}/y);
      if (found === null) return part;
      const [sign, low, comma, high] = found;
      const min = low === undefined ? (sign === '+' ? 1 : 0) : Number(low);
      const most = high === '' ? Infinity : Number(high);
      const max = low === undefined ? (sign === '?' ? 1 : Infinity) : comma === '' ? min : most;
      part = { kind: 'repeated', part, min, max };
      this.#take('?');
    }
  }
}

/** An arc of a graph that still has anchors. */
type Edge = Arc & { readonly anchor?: 'start' | 'end' };

class GraphBuilder {
  readonly #room: number;
  readonly #edges: Edge[][] = [[]];

  constructor(room: number) {
    this.#room = room;
  }

  build(node: Node): TextGraph {
    const end = this.#open(this.#add(this.#open(0), node));
    return withoutAnchors(this.#edges, end);
  }

  #place(): number {
    if (this.#edges.length >= PLACES_MAX) throw new Unread();
    return this.#edges.push([]) - 1;
  }

  #link(from: number, to: number, anchor?: 'start' | 'end'): number {
    this.#edges[from]!.push({ to, accepts: null, chars: [], ...(anchor && { anchor }) });
    return to;
  }

  /** Whatever stands before or behind a match. */
  #open(from: number): number {
    return this.#add(from, { kind: 'repeated', part: ANYTHING, min: 0, max: Infinity });
  }

  /** The place that the node leads to from this one. */
  #add(from: number, node: Node): number {
    switch (node.kind) {
      case 'chars': {
        const to = this.#place();
        this.#edges[from]!.push({ to, ...arcOf(node.ranges) });
        return to;
      }
      case 'start':
      case 'end':
        return this.#link(from, this.#place(), node.kind);
      case 'sequence':
        return node.parts.reduce((at, part) => this.#add(at, part), from);
      case 'branches': {
        const to = this.#place();
        for (const part of node.parts) this.#link(this.#add(this.#link(from, this.#place()), part), to);
        return to;
      }
      case 'repeated': {
        const { part, min, max } = node;
        let at = from;
        for (let count = 0; count < min; count += 1) {
          const next = this.#add(at, part);
          // Nothing, as often as it may be repeated, is nothing.
          if (next === at) break;
          at = next;
        }
        const to = this.#place();
        if (max === Infinity) {
          const start = this.#link(at, this.#place());
          this.#link(this.#add(start, part), start);
          return this.#link(start, to);
        }
        for (let count = min; count < Math.min(max, min + this.#room); count += 1) {
          this.#link(at, to);
          at = this.#add(at, part);
        }
        return this.#link(at, to);
      }
    }
  }
}

function arcOf(ranges: Ranges): Omit<Arc, 'to'> {
  const accepts = (char: string) => ranges.some(([from, to]) => from <= point(char) && point(char) <= to);
  const ends = ranges
    .slice(0, RANGES_MAX)
    .flatMap((range) => range.map((code) => String.fromCodePoint(code)));
  return { accepts, chars: [...COMMON.filter(accepts).slice(0, 3), ...ends] };
}

/** The same texts without anchors: nothing stands before a start or behind an end. */
function withoutAnchors(edges: readonly (readonly Edge[])[], end: number): TextGraph {
  const states = [{ at: 0, isBegun: false, isEnded: false }];
  const numbers = new Map<string, number>([[JSON.stringify(states[0]), 0]]);
  const arcs: Arc[][] = [];
  for (const { at, isBegun, isEnded } of states) {
    const ofState: Arc[] = [];
    for (const { anchor, to, accepts, chars } of edges[at]!) {
      if ((anchor === 'start' && isBegun) || (accepts !== null && isEnded)) continue;
      const next = { at: to, isBegun: isBegun || accepts !== null, isEnded: isEnded || anchor === 'end' };
      const id = JSON.stringify(next);
      const number = numbers.get(id) ?? states.push(next) - 1;
      numbers.set(id, number);
      ofState.push({ to: number, accepts, chars });
    }
    arcs.push(ofState);
  }
  for (const [index, { at }] of states.entries())
    if (at === end) arcs[index]!.push({ to: states.length, accepts: null, chars: [] });
  return [...arcs, []];
}
