import {
  expand,
  parseGlob,
  readTemplate,
  type LiteralKind,
  type MacroValues,
  type Rule,
} from '@platform/decide/parts';
import type { FactRule } from './facts.ts';
import type { Arc, TextGraph } from './text-graph.ts';

/*
 * Whether one pattern matches only what others match, decided by walking both at once over every text that
 * the one matches. Patterns are told apart by few characters, so one of each kind stands for all of them.
 */

/** The texts of a pattern. */
export interface Texts {
  /** Characters that all of them begin with, in a pattern an edge each. */
  readonly start: readonly string[];
  readonly edges: TextGraph;
  /** Characters that the pattern tells from others behind its start. */
  readonly chars: readonly string[];
}

/** Pairs of places that one search looks at, and steps from them: some tens of milliseconds. */
const PAIRS_MAX = 4_096;
const STEPS_MAX = 300_000;

/** Characters in place of what a pattern leaves open. */
export const OPEN_CHARS = ['q', '7', 'Z', '-', 'é'];
const ANY = { accepts: () => true, chars: ['q', '/', '7', 'Z', '-', 'é'] };
const IN_NAME = { accepts: (char: string) => char !== '/', chars: OPEN_CHARS };
const only = (char: string) => ({ accepts: (other: string) => other === char, chars: [char] });
const NOTHING = { accepts: null, chars: [] };

type Kind = Pick<Arc, 'accepts' | 'chars'>;

class Builder {
  readonly start: string[] = [];
  readonly edges: Arc[][] = [[]];
  readonly chars = new Set<string>();

  get #last(): number {
    return this.edges.length - 1;
  }

  one(kind: Kind): void {
    this.edges[this.#last]!.push({ to: this.edges.length, ...kind });
    this.edges.push([]);
  }

  text(text: string): this {
    for (const char of text) {
      if (this.start.length === this.#last) this.start.push(char);
      else this.chars.add(char);
      this.one(only(char));
    }
    return this;
  }

  /** Any run of these characters, none included. */
  run(kind: Kind): this {
    this.edges[this.#last]!.push({ to: this.edges.length, ...kind }, { to: this.#last, ...kind });
    this.one(NOTHING);
    return this;
  }

  /** Any number of names, each with the slash behind it. */
  names(): void {
    this.one(NOTHING);
    const boundary = this.#last;
    const inName = this.edges.push([]) - 1;
    for (const from of [boundary, inName])
      this.edges[from]!.push({ to: inName, ...IN_NAME }, { to: boundary, ...only('/') });
    this.edges[boundary]!.push({ to: this.edges.push([]) - 1, ...NOTHING });
  }

  done(): Texts {
    return { start: this.start, edges: this.edges, chars: [...this.chars] };
  }
}

const NO_MACROS: MacroValues = { user: undefined, owner: undefined };

/**
 * The texts that a rule matches under these macros; null for a regular expression that is more than a text,
 * and where a macro has no value.
 */
export function textsOf({ rule, pattern }: FactRule, macros = NO_MACROS): Texts | null {
  if ((rule.usesUser && macros.user === undefined) || (rule.usesOwner && macros.owner === undefined))
    return null;
  const { matcher } = rule;
  switch (matcher.kind) {
    case 'glob':
      return globTexts(pattern, macros);
    case 'regex':
    case 'expanded':
      return null;
    case 'template':
      return literalTexts(
        matcher.literal,
        expand(matcher.parts, macros, (text) => text),
      );
    default:
      return literalTexts(matcher.kind, matcher.text);
  }
}

function literalTexts(kind: LiteralKind, text: string): Texts | null {
  // Which texts have more than one line is not told apart.
  if (kind === 'line') return null;
  const built = new Builder();
  if (kind === 'suffix' || kind === 'contains') built.run(ANY);
  built.text(text);
  if (kind === 'prefix' || kind === 'contains') built.run(ANY);
  return built.done();
}

/** Texts among which are all that a rule matches. */
export const textsAround = (one: FactRule): Texts => textsOf(one) ?? textsFrom(startOf(one.rule));

const startOf = ({ anchor }: Rule): string => (anchor === null || anchor.kind === 'regex' ? '' : anchor.text);

/** Every text that begins with this one. */
export const textsFrom = (start: string): Texts => new Builder().text(start).run(ANY).done();

function globTexts(pattern: string, macros: MacroValues): Texts {
  const built = new Builder();
  const { tokens } = parseGlob(readTemplate(pattern).parts);
  let isBehindNames = false;
  for (const [index, token] of tokens.entries()) {
    switch (token.kind) {
      case 'text':
        // The slash behind `**` is that of its last name.
        built.text(isBehindNames ? token.text.slice(1) : token.text);
        break;
      case 'one':
        built.one(IN_NAME);
        break;
      case 'star':
        built.run(IN_NAME);
        break;
      case 'globstar':
        if (index === tokens.length - 1) built.run(ANY);
        else built.names();
        break;
      case 'set': {
        const { negated, ranges } = token.set;
        const isIn = (point: number) =>
          ranges.some((from, at) => at % 2 === 0 && point >= from && point <= ranges[at + 1]!);
        for (const edge of ranges.flatMap((point) => [point - 1, point, point + 1]))
          if (edge >= 0 && edge <= 0x10_ff_ff) built.chars.add(String.fromCodePoint(edge));
        const accepts = (char: string) => char !== '/' && isIn(char.codePointAt(0)!) !== negated;
        const named = negated ? [] : ranges.map((point) => String.fromCodePoint(point));
        built.one({ accepts, chars: [...named, ...OPEN_CHARS].filter(accepts) });
        break;
      }
      case 'macro':
        built.text(expand([token.part], macros, (text) => text));
        break;
    }
    isBehindNames = token.kind === 'globstar';
  }
  return built.done();
}

/** Characters for what patterns leave open; those that patterns seldom name come first. */
const PRIVATE = '\u{E000}';
const FRESH_CHARS = ['q', '7', 'Z', '-', 'é', PRIVATE];

/**
 * A shortest text of `one` that is of none of the others; null where there is none, undefined where the
 * search would be too long. It counts its steps down.
 */
export function textOutside(
  one: Texts,
  all: readonly Texts[],
  steps: { left: number } = { left: STEPS_MAX },
): string | null | undefined {
  // A pattern that begins otherwise shares no text with this one.
  const others = all.filter(({ start }) =>
    start.every((char, at) => one.start[at] === undefined || one.start[at] === char),
  );
  const shared = Math.min(...[one, ...others].map(({ start }) => start.length));
  const named = new Set([one, ...others].flatMap(({ start, chars }) => [...start.slice(shared), ...chars]));
  const fresh = FRESH_CHARS.find((char) => !named.has(char));
  if (fresh === undefined) return undefined;
  const chars = fresh === PRIVATE ? [...named, '/', fresh] : [fresh, ...named, '/'];
  const walks = others.map(({ edges }) => new Walk(edges));
  const queue: {
    readonly at: number;
    readonly live: readonly Place[];
    readonly text: string;
  }[] = [];
  const seen = new Set<string>();
  const visit = (at: number, live: readonly Place[], text: string) => {
    const id = `${at};${live.map(({ walk, state }) => `${walk},${state}`).join(';')}`;
    if (seen.has(id)) return;
    seen.add(id);
    queue.push({ at, live, text });
  };
  const first = walks.map((walk, index) => ({ walk: index, state: walk.stateOf([shared]) }));
  const start = one.start.slice(0, shared);
  const places = start.reduce((from, char) => step(one.edges, from, char), withFree(one.edges, [0]));
  for (const at of places) visit(at, first, start.join(''));
  for (let next = 0; next < queue.length; next += 1) {
    if (queue.length > PAIRS_MAX || steps.left <= 0) return undefined;
    const { at, live, text } = queue[next]!;
    steps.left -= chars.length;
    if (at === one.edges.length - 1 && !live.some(({ walk, state }) => walks[walk]!.isEnd(state)))
      return text;
    for (const char of chars) {
      const reached = step(one.edges, [at], char);
      if (reached.length === 0) continue;
      steps.left -= live.length;
      const theirs: Place[] = [];
      for (const { walk, state } of live) {
        const to = walks[walk]!.step(state, char);
        if (to !== DEAD) theirs.push({ walk, state: to });
      }
      for (const to of reached) visit(to, theirs, text + char);
    }
  }
  return null;
}

/** Where the text is in one of the others. */
interface Place {
  readonly walk: number;
  readonly state: number;
}

/** The state of a pattern that no text of this start matches. */
const DEAD = 0;

/** The places that texts lead to, as numbered states that each step is worked out of once. */
class Walk {
  readonly #edges: Texts['edges'];
  readonly #numbers = new Map<string, number>();
  readonly #states: { readonly places: readonly number[]; readonly next: Map<string, number> }[] = [];

  constructor(edges: Texts['edges']) {
    this.#edges = edges;
    this.#number([]);
  }

  #number(places: readonly number[]): number {
    const id = places.join();
    const state = this.#numbers.get(id) ?? this.#states.push({ places, next: new Map() }) - 1;
    this.#numbers.set(id, state);
    return state;
  }

  stateOf(places: readonly number[]): number {
    return this.#number(withFree(this.#edges, places));
  }

  step(state: number, char: string): number {
    const { places, next } = this.#states[state]!;
    const known = next.get(char) ?? this.#number(step(this.#edges, places, char));
    next.set(char, known);
    return known;
  }

  isEnd(state: number): boolean {
    return this.#states[state]!.places.includes(this.#edges.length - 1);
  }
}

/** The places that a character leads to, and those that nothing more leads to from there, in order. */
function step(edges: Texts['edges'], from: readonly number[], char: string): number[] {
  const to = from.flatMap((at) => edges[at]!.flatMap((edge) => (edge.accepts?.(char) ? [edge.to] : [])));
  return withFree(edges, to);
}

function withFree(edges: Texts['edges'], from: readonly number[]): number[] {
  const found = new Set(from);
  for (const at of found) for (const { to, accepts } of edges[at]!) if (accepts === null) found.add(to);
  return [...found].sort((a, b) => a - b);
}
