import { LRUCache } from 'lru-cache';
import { expand, readTemplate, type MacroValues } from '@platform/decide/parts';
import { escapeForRegex } from '@platform/decide/regex';
import { textsOfRegex } from './sample-regex.ts';
import type { FactRule } from './facts.ts';
import type { Arc, TextGraph } from './text-graph.ts';
import { OPEN_CHARS, textsFrom, textsOf } from './text-outside.ts';

/*
 * Texts that a rule may match, for requests that show what a rule does. They are proposals: the search tests
 * each with the evaluator's own rule.
 */

/** Texts that patterns seldom name: in place of what a pattern leaves open, and of what none must match. */
export const FRESH = ['other', '7', 'Zq-9', 'q'] as const;

/** Graphs of regular expressions, which many searches of one comparison ask for. */
const graphs = new LRUCache<string, { readonly graph: TextGraph | null }>({ max: 500 });

/** The texts that a rule probably matches; null for a regular expression that is not read. */
export function graphOf(one: FactRule, macros: MacroValues): TextGraph | null {
  if (one.engine !== 'regex') return textsOf(one, macros)?.edges ?? null;
  const text = expand(readTemplate(one.pattern).parts, macros, escapeForRegex);
  const known = graphs.get(text) ?? { graph: textsOfRegex(text) };
  graphs.set(text, known);
  return known.graph;
}

/** Objects of a domain, as checks take them: names that are not empty, nor `.` or `..`. */
export function objectsOf(domainId: string): TextGraph {
  const base = textsFrom(`svc://${domainId}/`).edges.slice(0, -2);
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

/** Characters that an object may hold within a name. */
const isInSegment = (char: string) => /[^\0- "#/<>?[\\\]^`{|}\x7f-\x9f]/.test(char);
