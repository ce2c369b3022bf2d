import { expand, parseGlob, readTemplate, type MacroValues } from '@platform/decide/parts';
import { escapeForRegex } from '@platform/decide/regex';
import { sampleRegex } from './sample-regex.ts';
import type { Engine } from './types.ts';

/*
 * Texts that a rule may match, for requests that show what a rule does. They are proposals: the search tests
 * each with the evaluator's own rule.
 */

/** Texts that patterns seldom name: in place of what a pattern leaves open, and of what none must match. */
export const FRESH = ['other', '7', 'Zq-9', 'q'] as const;

/** One position of a pattern: a character, any one but `/`, one of a set, any run, any run without `/`. */
export type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one'; readonly accepts: (char: string) => boolean; readonly members: readonly string[] }
  | { readonly kind: 'run'; readonly crosses: boolean };

const ANY_NAME = (char: string) => char !== '/';

/** Texts of a regular expression that its steps are made of. */
const REGEX_STEPS_MAX = 4;

/**
 * A pattern as steps; a regular expression as the steps of a few texts that it probably matches, each open at
 * the ends that are not tied.
 */
export function stepsOf(engine: Engine, pattern: string, macros: MacroValues): Step[][] {
  if (engine !== 'regex') return [stepsOfPlain(engine, pattern, macros)];
  const text = regexOf(pattern, macros);
  const open: Step[] = [{ kind: 'run', crosses: true }];
  return sampleRegex(text)
    .slice(0, REGEX_STEPS_MAX)
    .map((sample) => [
      ...(text.startsWith('^') ? [] : open),
      ...Array.from(sample, (char): Step => ({ kind: 'char', char })),
      ...(text.endsWith('$') ? [] : open),
    ]);
}

function regexOf(pattern: string, macros: MacroValues): string {
  return expand(readTemplate(pattern).parts, macros, escapeForRegex);
}

function stepsOfPlain(engine: Exclude<Engine, 'regex'>, pattern: string, macros: MacroValues): Step[] {
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
            return [{ kind: 'one', accepts: ANY_NAME, members: [] }];
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
            return [{ kind: 'one', accepts: (char) => char !== '/' && isIn(char) !== negated, members }];
          }
        }
      });
  }
}

/** Texts that the pattern probably matches; macros stand for the values given, and have some. */
export function samplesOf(engine: Engine, pattern: string, macros: MacroValues): string[] {
  if (engine === 'regex') return sampleRegex(regexOf(pattern, macros));
  const steps = stepsOfPlain(engine, pattern, macros);
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

/** States that the search for a common text may visit. */
const STATES_MAX = 4_096;

/** A text that both patterns probably match; null when there is none of their kind. */
export function commonSample(a: readonly Step[], b: readonly Step[]): string | null {
  for (let i = 0; ; i += 1) {
    const [left, right] = [a[i], b[i]];
    if (left?.kind !== 'char' || right?.kind !== 'char') break;
    if (left.char !== right.char) return null;
  }
  const width = b.length + 1;
  const texts = new Map<number, string>([[0, '']]);
  const queue = [0];
  for (let at = 0; at < queue.length && queue.length < STATES_MAX; at += 1) {
    const state = queue[at] as number;
    const [i, j] = [Math.floor(state / width), state % width];
    const text = texts.get(state) as string;
    if (i === a.length && j === b.length) return text;
    const visit = (nextI: number, nextJ: number, more: string) => {
      const next = nextI * width + nextJ;
      if (texts.has(next)) return;
      texts.set(next, text + more);
      queue.push(next);
    };
    const [left, right] = [a[i], b[j]];
    // Both runs give something to each other before one of them ends: an empty name is none.
    const char = left === undefined || right === undefined ? null : commonChar(left, right);
    if (char !== null && left?.kind === 'run' && right?.kind === 'run') visit(i + 1, j + 1, char);
    else if (char !== null) visit(left?.kind === 'run' ? i : i + 1, right?.kind === 'run' ? j : j + 1, char);
    if (left?.kind === 'run') visit(i + 1, j, '');
    if (right?.kind === 'run') visit(i, j + 1, '');
  }
  return null;
}

/** A character that both steps take; null when there is none. */
function commonChar(one: Step, other: Step): string | null {
  const proposals = [
    ...(one.kind === 'char' ? [one.char] : one.kind === 'one' ? one.members : []),
    ...(other.kind === 'char' ? [other.char] : other.kind === 'one' ? other.members : []),
    'q',
    '7',
    'Z',
    '-',
  ];
  const takes = (step: Step, char: string) => {
    if (step.kind === 'char') return step.char === char;
    return step.kind === 'one' ? step.accepts(char) : step.crosses || char !== '/';
  };
  return proposals.find((char) => takes(one, char) && takes(other, char)) ?? null;
}
