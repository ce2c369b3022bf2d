import { macroValue, type MacroValues, type TemplatePart } from './macros.ts';

/**
 * GLOB patterns: `*` any run without `/`, `?` one Unicode scalar but `/`, `[a-z]` and `[!a-z]` one scalar of
 * (not of) the set and never `/`, `**` as a whole path component any run of components. All else is literal,
 * braces and backslashes included. Case-sensitive, no special treatment of leading dots.
 *
 * A pattern is matched component by component; within a component, and again over components, only the
 * last star is ever retried (a match further left can always be kept), so the time is at most the product of
 * the two lengths and never exponential. Source: decisions page, "GLOB".
 */

/** One position of a component: literal text, `?` (null), or a character set. */
type Atom = string | null | CharSet;

interface CharSet {
  readonly negated: boolean;
  /** Inclusive code point ranges, flat: from, to, from, to. */
  readonly ranges: readonly number[];
}

/** Atoms between two stars, with the number of scalars they take. */
interface Run {
  readonly atoms: readonly Atom[];
  readonly scalars: number;
}

/** The runs of a path component; n runs have n - 1 stars between them. `'**'` stands for any components. */
type Component = readonly Run[] | '**';

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' | 'star' | 'globstar' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'macro'; readonly part: Exclude<TemplatePart, string> };

export interface Glob {
  readonly tokens: readonly Token[];
  /** Components of a pattern without macros; null when they depend on the macros' values. */
  readonly components: readonly Component[] | null;
  /** Literal text every match begins with; the whole pattern when `isLiteral`. */
  readonly prefix: string;
  readonly isLiteral: boolean;
}

/** A pattern that is not a GLOB; `message` is for the policy's author. */
export class GlobError extends Error {}

/** @throws GlobError on an unclosed or empty set, a reversed range, or `**` that is not a whole component. */
export function parseGlob(parts: readonly TemplatePart[]): Glob {
  const tokens = parts.flatMap((part, index) =>
    typeof part === 'string'
      ? tokenize(part, index > 0, index < parts.length - 1)
      : [{ kind: 'macro' as const, part }],
  );
  const first = tokens[0];
  return {
    tokens,
    components: tokens.some((token) => token.kind === 'macro') ? null : toComponents(tokens),
    prefix: first?.kind === 'text' ? first.text : '',
    isLiteral: tokens.length === 0 || (tokens.length === 1 && first?.kind === 'text'),
  };
}

/** Whether the whole of `text` matches. Macros of the pattern must be resolved in `values`. */
export function matchGlob(glob: Glob, text: string, values: MacroValues): boolean {
  if (!text.startsWith(glob.prefix)) return false;
  const components =
    glob.components ??
    toComponents(
      glob.tokens.map((token) =>
        token.kind === 'macro'
          ? { kind: 'text' as const, text: macroValue(token.part.macro, values) as string }
          : token,
      ),
    );
  return matchComponents(components, text.split('/'));
}

function tokenize(source: string, macroBefore: boolean, macroAfter: boolean): Token[] {
  const tokens: Token[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') tokens.push({ kind: 'text', text });
    text = '';
  };
  for (let i = 0; i < source.length;) {
    const char = source[i] as string;
    if (char === '*') {
      let end = i + 1;
      while (source[end] === '*') end += 1;
      const opens = i === 0 ? !macroBefore : source[i - 1] === '/';
      const closes = end === source.length ? !macroAfter : source[end] === '/';
      if (end - i > 2) throw new GlobError('more than two `*` in a row');
      if (end - i === 2 && !(opens && closes)) throw new GlobError('`**` must be a whole path component');
      flush();
      tokens.push({ kind: end - i === 2 ? 'globstar' : 'star' });
      i = end;
    } else if (char === '?') {
      flush();
      tokens.push({ kind: 'one' });
      i += 1;
    } else if (char === '[') {
      flush();
      const { set, end } = readSet(source, i);
      tokens.push({ kind: 'set', set });
      i = end;
    } else {
      text += char;
      i += 1;
    }
  }
  flush();
  return tokens;
}

/** Reads `[...]` from its bracket; a `]` right after `[` or `[!` is a member. */
function readSet(source: string, open: number): { set: CharSet; end: number } {
  const negated = source[open + 1] === '!';
  const first = open + (negated ? 2 : 1);
  const close = source.indexOf(']', first + 1);
  if (close < 0) throw new GlobError('`[` without its `]`');
  const members = Array.from(source.slice(first, close), (char) => char.codePointAt(0) as number);
  const ranges: number[] = [];
  for (let i = 0; i < members.length;) {
    const from = members[i] as number;
    const isRange = members[i + 1] === 0x2d && i + 2 < members.length;
    const to = isRange ? (members[i + 2] as number) : from;
    if (to < from) throw new GlobError('a range that runs backwards');
    ranges.push(from, to);
    i += isRange ? 3 : 1;
  }
  return { set: { negated, ranges }, end: close + 1 };
}

function toComponents(tokens: readonly Token[]): Component[] {
  const components: Component[] = [];
  let runs: Run[] = [];
  let atoms: Atom[] = [];
  let isGlobstar = false;
  const endRun = () => {
    runs.push({
      atoms,
      scalars: atoms.reduce((sum, atom) => sum + (typeof atom === 'string' ? scalarCount(atom) : 1), 0),
    });
    atoms = [];
  };
  const endComponent = () => {
    endRun();
    components.push(isGlobstar ? '**' : runs);
    runs = [];
    isGlobstar = false;
  };
  for (const token of tokens) {
    if (token.kind === 'text') {
      token.text.split('/').forEach((piece, index) => {
        if (index > 0) endComponent();
        if (piece !== '') atoms.push(piece);
      });
    } else if (token.kind === 'one') atoms.push(null);
    else if (token.kind === 'set') atoms.push(token.set);
    else if (token.kind === 'star') endRun();
    else isGlobstar = true;
  }
  endComponent();
  // `a/**` is everything below `a`, not `a` itself: a final `**` takes one component at least.
  const anyName: Run[] = [
    { atoms: [], scalars: 0 },
    { atoms: [], scalars: 0 },
  ];
  if (components.at(-1) === '**') components.push(anyName);
  return components;
}

function matchComponents(components: readonly Component[], names: readonly string[]): boolean {
  let c = 0;
  let n = 0;
  let starC = -1;
  let starN = 0;
  for (;;) {
    const component = components[c];
    if (component === '**') {
      c += 1;
      starC = c;
      starN = n;
    } else if (component !== undefined && n < names.length && matchRuns(component, names[n] as string)) {
      c += 1;
      n += 1;
    } else if (component === undefined && n === names.length) {
      return true;
    } else if (starC >= 0 && starN < names.length) {
      starN += 1;
      n = starN;
      c = starC;
    } else {
      return false;
    }
  }
}

function matchRuns(runs: readonly Run[], name: string): boolean {
  const first = runs[0] as Run;
  let at = matchAtoms(first.atoms, name, 0);
  if (at < 0) return false;
  if (runs.length === 1) return at === name.length;
  for (let r = 1; r < runs.length - 1; r += 1) {
    at = findAtoms((runs[r] as Run).atoms, name, at);
    if (at < 0) return false;
  }
  const last = runs[runs.length - 1] as Run;
  const start = stepBack(name, last.scalars);
  return start >= at && matchAtoms(last.atoms, name, start) === name.length;
}

/** End of the leftmost place at or after `from` where the atoms match, or -1. */
function findAtoms(atoms: readonly Atom[], name: string, from: number): number {
  const head = atoms[0];
  for (let at = from; at <= name.length; at += scalarWidth(name, at)) {
    if (typeof head === 'string') {
      at = name.indexOf(head, at);
      if (at < 0) return -1;
    }
    const end = matchAtoms(atoms, name, at);
    if (end >= 0) return end;
  }
  return -1;
}

/** End of the atoms matched at `at`, or -1. */
function matchAtoms(atoms: readonly Atom[], name: string, at: number): number {
  for (const atom of atoms) {
    if (typeof atom === 'string') {
      if (!name.startsWith(atom, at)) return -1;
      at += atom.length;
    } else {
      if (at >= name.length) return -1;
      if (atom !== null && !inSet(atom, name.codePointAt(at) as number)) return -1;
      at += scalarWidth(name, at);
    }
  }
  return at;
}

function inSet(set: CharSet, scalar: number): boolean {
  for (let i = 0; i < set.ranges.length; i += 2) {
    if (scalar >= (set.ranges[i] as number) && scalar <= (set.ranges[i + 1] as number)) return !set.negated;
  }
  return set.negated;
}

function scalarWidth(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function scalarCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += scalarWidth(text, at)) count += 1;
  return count;
}

/** Index `scalars` scalars before the end of the text, or -1 when it is shorter. */
function stepBack(text: string, scalars: number): number {
  let at = text.length;
  for (let left = scalars; left > 0; left -= 1) {
    if (at === 0) return -1;
    at -= at > 1 && (text.codePointAt(at - 2) as number) > 0xffff ? 2 : 1;
  }
  return at;
}
