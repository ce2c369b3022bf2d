import { parseGlob, readTemplate, type Rule } from '@platform/decide/parts';
import type { FactRule } from './facts.ts';

/*
 * Whether one pattern matches only what others match, decided by walking both at once over every text that
 * the one matches. Patterns are told apart by few characters, so one of each kind stands for all of them.
 */

/** A way from one place of a pattern to another, by one character or by none. */
interface Edge {
  readonly to: number;
  readonly accepts: ((char: string) => boolean) | null;
}

/** The texts of a pattern without macros: those that lead from the first place to the last one. */
export interface Texts {
  /** Characters that all of them begin with: an edge each. */
  readonly start: readonly string[];
  readonly edges: readonly (readonly Edge[])[];
  /** Characters that the pattern tells from others behind its start. */
  readonly chars: readonly string[];
}

/** Pairs of places that one search looks at, and steps from them: some tens of milliseconds. */
const PAIRS_MAX = 4_096;
const STEPS_MAX = 300_000;

const ANY = () => true;
const IN_NAME = (char: string) => char !== '/';
const IS_SLASH = (char: string) => char === '/';

class Builder {
  readonly start: string[] = [];
  readonly edges: Edge[][] = [[]];
  readonly chars = new Set<string>();

  get #last(): number {
    return this.edges.length - 1;
  }

  #step(accepts: Edge['accepts']): void {
    this.edges[this.#last]!.push({ to: this.edges.length, accepts });
    this.edges.push([]);
  }

  text(text: string): this {
    for (const char of text) {
      if (this.start.length === this.#last) this.start.push(char);
      else this.chars.add(char);
      this.#step((other) => other === char);
    }
    return this;
  }

  one(accepts: (char: string) => boolean): void {
    this.#step(accepts);
  }

  /** Any run of these characters, none included. */
  run(accepts: (char: string) => boolean): this {
    this.#step(null);
    this.edges[this.#last]!.push({ to: this.#last, accepts });
    this.#step(null);
    return this;
  }

  /** Any number of names, each with the slash behind it. */
  names(): void {
    this.#step(null);
    const boundary = this.#last;
    const inName = this.edges.push([]) - 1;
    for (const from of [boundary, inName])
      this.edges[from]!.push({ to: inName, accepts: IN_NAME }, { to: boundary, accepts: IS_SLASH });
    this.edges[boundary]!.push({ to: this.edges.push([]) - 1, accepts: null });
  }

  done(): Texts {
    return { start: this.start, edges: this.edges, chars: [...this.chars] };
  }
}

/** The texts that a rule matches; null for a regular expression that is more than a text, and for macros. */
export function textsOf({ rule, pattern }: FactRule): Texts | null {
  if (rule.usesUser || rule.usesOwner) return null;
  const { matcher } = rule;
  const built = new Builder();
  switch (matcher.kind) {
    case 'exact':
      return built.text(matcher.text).done();
    case 'prefix':
      return built.text(matcher.text).run(ANY).done();
    case 'suffix':
      return built.run(ANY).text(matcher.text).done();
    case 'contains':
      return built.run(ANY).text(matcher.text).run(ANY).done();
    case 'glob':
      return globTexts(pattern, built);
    default:
      return null;
  }
}

/** Texts among which are all that a rule matches. */
export const textsAround = (one: FactRule): Texts => textsOf(one) ?? textsFrom(startOf(one.rule));

const startOf = ({ anchor }: Rule): string => (anchor === null || anchor.kind === 'regex' ? '' : anchor.text);

/** Every text that begins with this one. */
export const textsFrom = (start: string): Texts => new Builder().text(start).run(ANY).done();

function globTexts(pattern: string, built: Builder): Texts {
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
        built.one((char) => IN_NAME(char) && isIn(char.codePointAt(0)!) !== negated);
        break;
      }
      case 'macro':
        throw new Error('INVARIANT: textsOf takes no pattern with macros');
    }
    isBehindNames = token.kind === 'globstar';
  }
  return built.done();
}

/** Characters for what patterns leave open; those that patterns seldom name come first. */
const FRESH_CHARS = ['q', '7', 'Z', '-', 'é', '\u{E000}'];

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
  const chars = [fresh, ...named, '/'];
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
  for (const at of withFree(one.edges, [shared])) visit(at, first, one.start.slice(0, shared).join(''));
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
