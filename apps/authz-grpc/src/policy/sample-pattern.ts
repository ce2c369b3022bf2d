import { LRUCache } from 'lru-cache';
import { expand, parseGlob, readTemplate, type MacroValues } from '@platform/decide/parts';
import { escapeForRegex } from '@platform/decide/regex';
import { textsOfRegex } from './sample-regex.ts';
import { intersect, textsThrough, type Arc, type TextGraph } from './text-graph.ts';
import type { Engine } from './types.ts';

/*
 * Texts that a rule may match, for requests that show what a rule does. They are proposals: the search tests
 * each with the evaluator's own rule.
 */

/** Texts that patterns seldom name: in place of what a pattern leaves open, and of what none must match. */
export const FRESH = ['other', '7', 'Zq-9', 'q'] as const;

const isInName = (char: string) => char !== '/';
const ANY = () => true;

/** Characters in place of what a pattern leaves open. */
const OPEN_CHARS = ['q', '7', 'Z', '-'];

/** Graphs of regular expressions, which many searches of one comparison ask for. */
const graphs = new LRUCache<string, { readonly graph: TextGraph | null }>({ max: 500 });

/** The texts that a pattern probably matches; null for a regular expression that is not read. */
export function graphOf(engine: Engine, pattern: string, macros: MacroValues): TextGraph | null {
  if (engine !== 'regex') return stepsOf(engine, pattern, macros).map(arcsOf).concat([[]]);
  const text = expand(readTemplate(pattern).parts, macros, escapeForRegex);
  const known = graphs.get(text) ?? { graph: textsOfRegex(text) };
  graphs.set(text, known);
  return known.graph;
}

/** One position of a pattern: a character, any one but `/`, one of a set, any run, any run without `/`. */
type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one'; readonly accepts: (char: string) => boolean; readonly members: readonly string[] }
  | { readonly kind: 'run'; readonly crosses: boolean };

function arcsOf(step: Step, at: number): Arc[] {
  const to = at + 1;
  switch (step.kind) {
    case 'char':
      return [{ to, accepts: (char) => char === step.char, chars: [step.char] }];
    case 'one':
      return [
        { to, accepts: step.accepts, chars: [...step.members, ...OPEN_CHARS, 'é'].filter(step.accepts) },
      ];
    case 'run': {
      const accepts = step.crosses ? ANY : isInName;
      return [
        { to, accepts, chars: OPEN_CHARS },
        { to: at, accepts, chars: OPEN_CHARS },
        { to, accepts: null, chars: [] },
      ];
    }
  }
}

function stepsOf(engine: Exclude<Engine, 'regex'>, pattern: string, macros: MacroValues): Step[] {
  const { parts } = readTemplate(pattern);
  const literal = (text: string): Step[] => Array.from(text, (char) => ({ kind: 'char', char }));
  switch (engine) {
    case 'fixed':
      return literal(expand(parts, macros, (text) => text));
    case 'prefix':
      return [...literal(expand(parts, macros, (text) => text)), { kind: 'run', crosses: true }];
    case 'glob':
      return parseGlob(parts).tokens.flatMap((token): Step[] => {
        switch (token.kind) {
          case 'text':
            return literal(token.text);
          case 'macro':
            return literal(expand([token.part], macros, (text) => text));
          case 'one':
            return [{ kind: 'one', accepts: isInName, members: [] }];
          case 'star':
            return [{ kind: 'run', crosses: false }];
          case 'globstar':
            return [{ kind: 'run', crosses: true }];
          case 'set': {
            const { negated, ranges } = token.set;
            const isIn = (char: string) => {
              const point = char.codePointAt(0) as number;
              return ranges.some(
                (from, i) => i % 2 === 0 && point >= from && point <= (ranges[i + 1] as number),
              );
            };
            const members = negated ? [] : ranges.map((point) => String.fromCodePoint(point));
            return [{ kind: 'one', accepts: (char) => isInName(char) && isIn(char) !== negated, members }];
          }
        }
      });
  }
}

/** Objects of a domain, as checks take them: names that are not empty, nor `.` or `..`. */
export function objectsOf(domainId: string): TextGraph {
  const base = stepsOf('fixed', `svc://${domainId}/`, NO_MACROS).map(arcsOf);
  const start = base.length;
  const arc = (to: number, accepts: (char: string) => boolean): Arc => ({
    to,
    accepts,
    chars: [...OPEN_CHARS, '.', '/'].filter(accepts),
  });
  const isNamed = (char: string) => char !== '.' && isInSegment(char);
  return [
    ...base,
    [arc(start + 1, isNamed), arc(start + 2, (char) => char === '.')],
    [
      arc(start + 1, isInSegment),
      arc(start, (char) => char === '/'),
      { to: start + 3, accepts: null, chars: [] },
    ],
    [arc(start + 1, isNamed)],
    [],
  ];
}

const NO_MACROS: MacroValues = { user: undefined, owner: undefined };
/** Characters that an object may hold within a name. */
const isInSegment = (char: string) => /[^\0- "#/<>?[\\\]^`{|}\x7f-\x9f]/.test(char);

/**
 * Texts that the pattern probably matches; macros stand for the values given, and have some. Of a
 * regular expression at most `max`, among the texts of `within`.
 */
export function samplesOf(
  engine: Engine,
  pattern: string,
  macros: MacroValues,
  max: number,
  within?: TextGraph,
): string[] {
  if (engine === 'regex') {
    const graph = graphOf(engine, pattern, macros);
    if (graph === null) return [];
    return textsThrough(within === undefined ? graph : intersect(graph, within), max);
  }
  const steps = stepsOf(engine, pattern, macros);
  const fill = (run: (crosses: boolean) => string) => {
    let text = '';
    for (const step of steps) {
      if (step.kind === 'char') text += step.char;
      else if (step.kind === 'run') text += run(step.crosses);
      else text += [...step.members, 'q', '7', 'Z', '-', 'é'].find(step.accepts) ?? '';
    }
    return text;
  };
  const texts = [...FRESH.map((fresh) => fill(() => fresh)), fill((crosses) => (crosses ? 'other/q' : 'q'))];
  return [...new Set([...texts, fill(() => '')])];
}
