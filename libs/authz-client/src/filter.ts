import { GlobError, parseGlob } from '@platform/decide/glob';

/**
 * What a plan leaves to be asked of each resource: a condition on its object and attributes. It holds for
 * exactly the resources on which a check is allowed.
 */
export type Filter =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'all' | 'any'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  /** The attribute is one text, not a list. */
  | { readonly kind: 'single'; readonly key: string }
  | FilterMatch
  | FilterCompared;

/** A value of the attribute, or any of several, passes the test; none does when the attribute is absent. */
export interface FilterMatch {
  readonly kind: 'match';
  readonly test: FilterTest;
  /** `object`, `owner` or `resource.<key>`. */
  readonly key: string;
  /** What it is compared with, in pieces that stand one after the other. */
  readonly parts: readonly FilterPart[];
}

/** A text that was known when the plan was made, such as the subject, passes the test. */
export interface FilterCompared {
  readonly kind: 'compared';
  readonly test: FilterTest;
  readonly text: string;
  /** As those of a match. */
  readonly parts: readonly FilterPart[];
}

/**
 * `glob`: the policies' GLOB. `regex`: Rust's `regex`, anywhere in the value. The others are of literal text.
 */
export type FilterTest = 'equals' | 'starts_with' | 'ends_with' | 'contains' | 'glob' | 'regex';

/** Text, or the resource's own attribute, which stands for itself in a glob and in a regex too. */
export type FilterPart = string | { readonly attribute: string };

/** What a predicate asks about a resource. */
export type ResourceValues = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** Whether Rust's `regex` finds the pattern in the value. */
export type RegexTest = (pattern: string, value: string) => boolean;

/** Whether a filter may ask a resource for the key: everything else is known when a plan is made. */
export function isAsked(key: string): boolean {
  return key === 'object' || key === 'owner' || key.startsWith('resource.');
}

/**
 * Throws TypeError for a filter that asks for a key which no resource has, as `subject`: read as an absent
 * attribute it would leave conditions out. And for a glob that is not valid in policies, which it names.
 */
export function requireAsked(filter: Filter): void {
  if (filter.kind === 'constant') return;
  if (filter.kind === 'not') return requireAsked(filter.of);
  if (filter.kind === 'all' || filter.kind === 'any') return filter.of.forEach(requireAsked);
  const keys = 'key' in filter ? [filter.key] : [];
  if ('parts' in filter)
    keys.push(...filter.parts.flatMap((part) => (typeof part === 'string' ? [] : part.attribute)));
  const other = keys.find((key) => !isAsked(key));
  if (other !== undefined) throw new TypeError(`the filter asks a resource for \`${other}\``);
  if ('parts' in filter && filter.test === 'glob') requireGlob(filter.parts);
}

function requireGlob(parts: readonly FilterPart[]): void {
  try {
    // What an attribute stands for is literal text, as what a macro stands for.
    parseGlob(parts.map((part) => (typeof part === 'string' ? part : { macro: 'current_user' })));
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const pattern = parts.map((part) => (typeof part === 'string' ? part : `<${part.attribute}>`)).join('');
    throw new TypeError(`the filter has the glob \`${pattern}\`, which is not valid: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * The filter as a function of a resource's values, `object` among them. Regexes are Rust's, which JavaScript
 * does not have: without a test for them the function throws where it comes to one. Throws TypeError as
 * `requireAsked`.
 */
export function filterPredicate(filter: Filter, regex?: RegexTest): (values: ResourceValues) => boolean {
  requireAsked(filter);
  return predicateOf(filter, regex);
}

function predicateOf(filter: Filter, regex: RegexTest | undefined): (values: ResourceValues) => boolean {
  switch (filter.kind) {
    case 'constant':
      return () => filter.value;
    case 'single':
      return (values) => typeof valueOf(values, filter.key) === 'string';
    case 'not': {
      const inner = predicateOf(filter.of, regex);
      return (values) => !inner(values);
    }
    case 'all': {
      const inner = filter.of.map((each) => predicateOf(each, regex));
      return (values) => inner.every((holds) => holds(values));
    }
    case 'any': {
      const inner = filter.of.map((each) => predicateOf(each, regex));
      return (values) => inner.some((holds) => holds(values));
    }
    case 'match':
      return (values) => {
        const found = valueOf(values, filter.key);
        const parts = fillIn(filter.parts, values);
        if (found === undefined || parts === null) return false;
        const matches = matcherOf(filter.test, parts, regex);
        return typeof found === 'string' ? matches(found) : found.some(matches);
      };
    case 'compared':
      return (values) => {
        const parts = fillIn(filter.parts, values);
        return parts !== null && matcherOf(filter.test, parts, regex)(filter.text);
      };
  }
}

/** Throws TypeError for what JavaScript lets stand where texts are compared, as a Date. */
function valueOf(values: ResourceValues, key: string): string | readonly string[] | undefined {
  const value: unknown = Object.hasOwn(values, key) ? (values[key] ?? undefined) : undefined;
  if (value === undefined || typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new TypeError(`\`${key}\` of the resource must be a text or a list of texts`);
}

/** A piece of a pattern, and whether it is an attribute's value. */
type Piece = readonly [text: string, isValue: boolean];

/** The pieces with the resource's own attributes; null when one is not a single text. */
function fillIn(parts: readonly FilterPart[], values: ResourceValues): readonly Piece[] | null {
  const pieces: Piece[] = [];
  for (const part of parts) {
    const text = typeof part === 'string' ? part : valueOf(values, part.attribute);
    if (typeof text !== 'string') return null;
    pieces.push([text, typeof part !== 'string']);
  }
  return pieces;
}

function matcherOf(
  test: FilterTest,
  pieces: readonly Piece[],
  regex: RegexTest | undefined,
): (value: string) => boolean {
  const text = pieces.map(([piece]) => piece).join('');
  switch (test) {
    case 'equals':
      return (value) => value === text;
    case 'starts_with':
      return (value) => value.startsWith(text);
    case 'ends_with':
      return (value) => value.endsWith(text);
    case 'contains':
      return (value) => value.includes(text);
    case 'glob': {
      const pattern = new RegExp(globRegex(pieces), 'u');
      return (value) => pattern.test(value);
    }
    case 'regex': {
      if (regex === undefined) throw new TypeError('the filter has a regex: give a test for them');
      const pattern = pieces.map(([piece, isValue]) => (isValue ? asRust(piece) : piece)).join('');
      return (value) => regex(pattern, value);
    }
  }
}

/** The text as a regex of Rust that matches nothing else. */
function asRust(text: string): string {
  return `(?:${text.replaceAll(/[\\.+*?()|[\]{}^$#&\-~]/g, String.raw`\$&`)})`;
}

/**
 * A GLOB as a regular expression that JavaScript (with `u`) and Postgres read alike: `*` and `?` are no `/`,
 * `**` is any components, sets hold no `/`.
 */
export function globRegex(pieces: readonly Piece[]): string {
  const written = pieces.map(([text, isValue], index) =>
    isValue ? Array.from(text, literal).join('') : globPart(text, index === pieces.length - 1),
  );
  return `^(${written.join('')})$`;
}

function globPart(pattern: string, isLastPart: boolean): string {
  const characters = Array.from(pattern);
  let regex = '';
  for (let at = 0; at < characters.length;) {
    const character = characters[at] as string;
    if (character === '*' && characters[at + 1] === '*') {
      regex += isLastPart && at + 2 === characters.length ? ANY : `(${ANY}/)?`;
      at += 3;
    } else if (character === '[') {
      const { text, end } = readSet(characters, at);
      regex += text;
      at = end;
    } else {
      regex += character === '*' ? '[^/]*' : character === '?' ? '[^/]' : literal(character);
      at += 1;
    }
  }
  return regex;
}

/** Anything, line ends included. */
const ANY = '(.|\\n|\\r|\\u2028|\\u2029)*';

/** A set of a GLOB, from its bracket, as alternatives: engines read sets in different ways. */
function readSet(characters: readonly string[], open: number): { text: string; end: number } {
  const isNegated = characters[open + 1] === '!';
  const first = open + (isNegated ? 2 : 1);
  const close = characters.indexOf(']', first + 1);
  const members = characters.slice(first, close);
  let set = '';
  for (let at = 0; at < members.length;) {
    const [low, dash, high] = [members[at] as string, members[at + 1], members[at + 2]];
    const isRange = dash === '-' && high !== undefined;
    set += isRange ? `${inSet(low)}-${inSet(high)}` : inSet(low);
    at += isRange ? 3 : 1;
  }
  return { text: isNegated ? `[^/${set}]` : `(?!/)[${set}]`, end: close + 1 };
}

function inSet(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}

function literal(character: string): string {
  return /[\\.+*?()|[\]{}^$]/.test(character) ? `\\${character}` : character;
}
