import { RRegex, escape } from 'rregex';
import type { DomainPolicies, Engine, Policy, PolicyRef, RequestContext } from './types.ts';

/**
 * The executable specification of a check: one loop over every policy, statement, rule and value, no index,
 * nothing compiled ahead, nothing shared with the evaluator but the words of `types.ts`. It is slow and meant
 * to be read; a property test holds the evaluator equal to it.
 *
 * Each test answers yes, no, or maybe. A rule is a maybe when its macro has no value; all and any carry it on
 * as Kleene's logic does; a policy that ends as maybe is taken as whichever lets nothing through.
 */
type Answer = 'yes' | 'no' | 'maybe';

export interface ReferenceDecision {
  readonly allowed: boolean;
  readonly matched: PolicyRef | null;
  /** Policies that cannot be evaluated, whatever the context. */
  readonly broken: readonly PolicyRef[];
}

export function decideByReference(
  domains: readonly DomainPolicies[],
  context: RequestContext,
): ReferenceDecision {
  const all = domains.flatMap(({ domainId, version, policies }) =>
    policies.map((policy) => ({ policy, ref: { domainId, domainVersion: version, policy: policy.name } })),
  );
  const broken = all.filter(({ policy }) => isBroken(policy)).map(({ ref }) => ref);
  if (broken.length > 0) return { allowed: false, matched: null, broken };
  const results = all.map(({ policy, ref }) => ({ policy, ref, applies: applies(policy, context) }));
  const deny = results.find(({ policy, applies }) => policy.deny && applies);
  const allow = results.find(({ policy, applies }) => !policy.deny && applies);
  return { allowed: !deny && !!allow, matched: (deny ?? allow)?.ref ?? null, broken };
}

function applies(policy: Policy, context: RequestContext): boolean {
  const match = any(policy.statements.map(({ rules }) => matchStatement(policy.engine, rules, context)));
  const result = policy.invert ? not(match) : match;
  return result === 'maybe' ? policy.deny : result === 'yes';
}

function matchStatement(
  engine: Engine,
  rules: Readonly<Record<string, string>>,
  context: RequestContext,
): Answer {
  const patterns = Object.values(rules).join(' ');
  const answers = Object.entries(rules).map(([key, pattern]) => matchRule(engine, key, pattern, context));
  if (patterns.includes('$current_user()') && patterns.includes('$resource_owner()')) {
    const user = macroValue('$current_user()', context);
    const owner = macroValue('$resource_owner()', context);
    answers.push(user === undefined || owner === undefined ? 'maybe' : user === owner ? 'yes' : 'no');
  }
  return all(answers);
}

function matchRule(engine: Engine, key: string, pattern: string, context: RequestContext): Answer {
  const pieces = pattern.split(/(\$current_user\(\)|\$resource_owner\(\))/);
  const texts = pieces.map((piece, i) => (i % 2 === 1 ? macroValue(piece, context) : piece));
  if (texts.includes(undefined)) return 'maybe';
  const isMacro = (i: number) => i % 2 === 1;
  const values = [context.get(key) ?? []].flat();
  return any(values.map((value) => (matchValue(engine, texts as string[], isMacro, value) ? 'yes' : 'no')));
}

function matchValue(
  engine: Engine,
  texts: string[],
  isMacro: (i: number) => boolean,
  value: string,
): boolean {
  switch (engine) {
    case 'fixed':
      return value === texts.join('');
    case 'prefix':
      return value.slice(0, texts.join('').length) === texts.join('');
    case 'regex':
      return matchRegex(texts.map((text, i) => (isMacro(i) ? `(?:${escape(text)})` : text)).join(''), value);
    case 'glob':
      return matchGlobNaively(readGlob(texts.map((text, i) => [text, isMacro(i)])), Array.from(value), 0, 0);
  }
}

function macroValue(macro: string, context: RequestContext): string | undefined {
  const value = context.get(macro === '$current_user()' ? 'subject' : 'owner');
  return typeof value === 'string' ? value : undefined;
}

/** The errors of a policy that validation would have refused, found by trying. */
function isBroken(policy: Policy): boolean {
  if (!['fixed', 'prefix', 'regex', 'glob'].includes(policy.engine)) return true;
  if (policy.statements.length === 0) return true;
  return policy.statements.some(({ rules }) => {
    const patterns = Object.values(rules);
    return patterns.length === 0 || patterns.some((pattern) => isBadPattern(policy.engine, pattern));
  });
}

function isBadPattern(engine: Engine, pattern: string): boolean {
  const known = pattern.replaceAll('$current_user()', '\u0001').replaceAll('$resource_owner()', '\u0001');
  if (/\$[A-Za-z_][A-Za-z0-9_]*\(\)/.test(known)) return true;
  try {
    // The tests of the specification put macros where they are legal, so one letter stands for any text.
    if (engine === 'regex') matchRegex(known.replaceAll('\u0001', '(?:x)'), '');
    if (engine === 'glob') readGlob([[known.replaceAll('\u0001', 'x'), false]]);
    return false;
  } catch {
    return true;
  }
}

const compiled = new Map<string, RRegex | Error>();

/** Compiled patterns are kept, for the tests ask for the same ones often; errors too. */
function matchRegex(pattern: string, value: string): boolean {
  let regex = compiled.get(pattern);
  if (regex === undefined) {
    try {
      regex = new RRegex(pattern);
    } catch (error) {
      regex = error instanceof Error ? error : new Error(String(error));
    }
    compiled.set(pattern, regex);
  }
  if (regex instanceof Error) throw regex;
  return regex.isMatch(value);
}

/** A GLOB, one entry per thing it matches: a scalar's test, `*`, or `**` with the slash behind it. */
type GlobStep = ((scalar: string) => boolean) | '*' | '**' | '**/';

export function readGlob(pieces: readonly (readonly [text: string, isLiteral: boolean])[]): GlobStep[] {
  const marks = pieces.flatMap(([text, isLiteral], piece) =>
    Array.from(text, (scalar) => ({ scalar, isLiteral, piece })),
  );
  const steps: GlobStep[] = [];
  for (let i = 0; i < marks.length;) {
    const { scalar, isLiteral, piece } = marks[i] as (typeof marks)[number];
    // A macro without text still parts what stands on its two sides.
    const at = (offset: number) =>
      marks[i + offset]?.piece === piece ? marks[i + offset]?.scalar : undefined;
    if (isLiteral || !'*?['.includes(scalar)) {
      steps.push((other) => other === scalar);
      i += 1;
    } else if (scalar === '?') {
      steps.push((other) => other !== '/');
      i += 1;
    } else if (scalar === '*') {
      if (at(1) !== '*') {
        steps.push('*');
        i += 1;
        continue;
      }
      const isWhole = (i === 0 || at(-1) === '/') && (i + 2 === marks.length || at(2) === '/');
      if (!isWhole) throw new Error('** is not a whole component');
      steps.push(i + 2 === marks.length ? '**' : '**/');
      i += 3;
    } else {
      const from = i + (at(1) === '!' ? 2 : 1);
      let to = from + 1;
      while (to < marks.length && marks[to]?.scalar !== ']') to += 1;
      if (to >= marks.length) throw new Error('[ without ]');
      const members = marks.slice(from, to).map((mark) => mark.scalar);
      const ranges: [string, string][] = [];
      while (members.length > 0) {
        const [low, dash, high] = members as [string, string?, string?];
        const isRange = dash === '-' && high !== undefined;
        ranges.push([low, isRange ? high : low]);
        members.splice(0, isRange ? 3 : 1);
      }
      const code = (text: string) => text.codePointAt(0) as number;
      if (ranges.some(([low, high]) => code(high) < code(low))) throw new Error('a range runs backwards');
      const isNegated = at(1) === '!';
      steps.push((other) => {
        const isMember = ranges.some(([low, high]) => code(low) <= code(other) && code(other) <= code(high));
        return other !== '/' && isMember !== isNegated;
      });
      i = to + 1;
    }
  }
  return steps;
}

/** Tries every split; exponential, so only for short texts. */
export function matchGlobNaively(
  steps: readonly GlobStep[],
  text: readonly string[],
  s: number,
  t: number,
): boolean {
  const step = steps[s];
  if (step === undefined) return t === text.length;
  if (typeof step === 'function')
    return t < text.length && step(text[t] as string) && matchGlobNaively(steps, text, s + 1, t + 1);
  if (step === '*') {
    return (
      matchGlobNaively(steps, text, s + 1, t) ||
      (t < text.length && text[t] !== '/' && matchGlobNaively(steps, text, s, t + 1))
    );
  }
  if (step === '**') return true;
  // `**/`: the rest may begin here, or behind any slash further on.
  for (let from = t; ; from = text.indexOf('/', from) + 1) {
    if (matchGlobNaively(steps, text, s + 1, from)) return true;
    if (text.indexOf('/', from) < 0) return false;
  }
}

function all(answers: readonly Answer[]): Answer {
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes';
}

function any(answers: readonly Answer[]): Answer {
  return answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
}

function not(answer: Answer): Answer {
  return answer === 'yes' ? 'no' : answer === 'no' ? 'yes' : 'maybe';
}
