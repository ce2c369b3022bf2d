import {
  createRuleCompiler,
  isResolved,
  RuleError,
  testRule,
  type MacroValues,
  type Rule,
} from '@platform/decide/parts';
import { regexEngine, RegexMemory } from '@platform/decide/regex';
import type { Engine, Policy } from './types.ts';

/*
 * What sets of policies say, apart from how they say it: a policy without `invert` is each of its statements
 * alone, names and order do not count, and what two sets or two domains say alike is said once.
 */

/** A rule with its pattern as stored. */
export interface FactRule {
  readonly rule: Rule;
  readonly engine: Engine;
  readonly pattern: string;
}

export interface FactStatement {
  readonly rules: readonly FactRule[];
  readonly byKey: ReadonlyMap<string, FactRule>;
  readonly needsEqualMacros: boolean;
  readonly unresolvedMatches: boolean;
}

/** One statement, or one inverted policy: what allows or denies. */
export interface Fact {
  readonly id: string;
  readonly deny: boolean;
  readonly invert: boolean;
  readonly engine: Engine;
  /** One, unless it is inverted. */
  readonly statements: readonly FactStatement[];
  /** Patterns as stored, for words. */
  readonly patterns: readonly Readonly<Record<string, string>>[];
  /** The policy that says it. */
  readonly policy: string;
}

/** Bytes of the regular expressions that comparing compiles. */
const REGEX_BYTES_MAX = 32 * 1024 * 1024;

/** Reads policies into facts, equal rules once. */
export class FactReader {
  readonly #regexes = regexEngine(new RegexMemory(REGEX_BYTES_MAX)).openDomain();
  readonly #compile = createRuleCompiler({ regexes: this.#regexes });
  readonly #statements = new Map<string, FactStatement>();
  /** Whether a policy was read that cannot be evaluated: every check is denied by it. */
  isBroken = false;

  /** By what they say. */
  read(policies: readonly Policy[]): Map<string, Fact> {
    const facts = new Map<string, Fact>();
    for (const { name, deny, invert, engine, statements } of policies) {
      const told = [...new Map(statements.map(({ rules }) => [textOf(rules), rules])).entries()].sort(
        ([a], [b]) => (a < b ? -1 : 1),
      );
      for (const group of invert ? [told] : told.map((one) => [one])) {
        const id = JSON.stringify([deny, invert, engine, group.map(([text]) => text)]);
        if (facts.has(id)) continue;
        try {
          const ready = group.map(([text, rules]) => this.#statement(text, engine, rules, deny !== invert));
          const patterns = group.map(([, rules]) => rules);
          facts.set(id, { id, deny, invert, engine, policy: name, statements: ready, patterns });
        } catch (error) {
          if (!(error instanceof RuleError)) throw error;
          this.isBroken = true;
        }
      }
    }
    return facts;
  }

  #statement(
    text: string,
    engine: Engine,
    patterns: Readonly<Record<string, string>>,
    unresolvedMatches: boolean,
  ): FactStatement {
    const id = `${engine} ${unresolvedMatches} ${text}`;
    const known = this.#statements.get(id);
    if (known !== undefined) return known;
    const rules = Object.entries(patterns).map(([key, pattern]) => ({
      rule: this.#compile(engine, key, pattern),
      engine,
      pattern,
    }));
    const statement = {
      rules,
      byKey: new Map(rules.map((rule) => [rule.rule.key, rule])),
      needsEqualMacros: rules.some(({ rule }) => rule.usesUser) && rules.some(({ rule }) => rule.usesOwner),
      unresolvedMatches,
    };
    this.#statements.set(id, statement);
    return statement;
  }

  /** Makes regular expressions ready; after the last `read`, before the first test. */
  build(): void {
    Array.from(this.#regexes.build());
  }

  free(): void {
    this.#regexes.free();
  }
}

function textOf(rules: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a key has in a request that is being made; null where it is absent. */
export type Chosen = string | readonly string[] | null;
export type Choices = ReadonlyMap<string, Chosen>;

/** True, false, or null where it hangs on what is not chosen yet. */
export type Truth = boolean | null;

/**
 * What slow rules said about values: regular expressions run in WebAssembly, and the same texts come often.
 */
const told = new WeakMap<Rule, Map<string, boolean>>();

/** Whether the rule matches the value, under these macros, which it has. */
export function matches({ rule }: FactRule, value: Chosen, macros: MacroValues): boolean {
  if (value === null) return false;
  if (rule.matcher.kind !== 'regex' && rule.matcher.kind !== 'expanded') return test(rule, value, macros);
  const of = told.get(rule) ?? new Map<string, boolean>();
  told.set(rule, of);
  const id = JSON.stringify([value, rule.usesUser ? macros.user : '', rule.usesOwner ? macros.owner : '']);
  let said = of.get(id);
  if (said === undefined) of.set(id, (said = test(rule, value, macros)));
  return said;
}

function test(rule: Rule, value: Exclude<Chosen, null>, macros: MacroValues): boolean {
  return testRule(rule, { context: new Map([[rule.key, value]]), macros, regexes: new Map() });
}

/** The macros of what is chosen so far. */
export function macrosOf(choices: Choices): MacroValues {
  const [user, owner] = [choices.get('subject'), choices.get('owner')];
  return {
    user: typeof user === 'string' ? user : undefined,
    owner: typeof owner === 'string' ? owner : undefined,
  };
}

function truthOfStatement(statement: FactStatement, choices: Choices, macros: MacroValues): Truth {
  let truth: Truth = true;
  const isOwnerOpen = !choices.has('owner');
  if (statement.needsEqualMacros) {
    if (isOwnerOpen) truth = null;
    else if (macros.owner === undefined || macros.user === undefined) {
      if (!statement.unresolvedMatches) return false;
    } else if (macros.user !== macros.owner) return false;
  }
  for (const one of statement.rules) {
    const { rule } = one;
    if (rule.usesOwner && isOwnerOpen) truth = null;
    else if (!isResolved(rule, macros)) {
      if (!statement.unresolvedMatches) return false;
    } else {
      const value = choices.get(rule.key);
      if (value === undefined) truth = null;
      else if (!matches(one, value, macros)) return false;
    }
  }
  return truth;
}

/** Whether the fact holds, as far as it can be told. */
export function truthOf(fact: Fact, choices: Choices, macros: MacroValues): Truth {
  let truth: Truth = false;
  for (const statement of fact.statements) {
    const one = truthOfStatement(statement, choices, macros);
    if (one === true) {
      truth = true;
      break;
    }
    if (one === null) truth = null;
  }
  return fact.invert && truth !== null ? !truth : truth;
}

/** Whether the fact matches a request, which has no other keys than these. */
export function matchesRequest(fact: Fact, request: Choices): boolean {
  const choices = new Map<string, Chosen>([['owner', null]]);
  for (const { rules } of fact.statements) for (const { rule } of rules) choices.set(rule.key, null);
  for (const [key, value] of request) choices.set(key, value);
  return truthOf(fact, choices, macrosOf(choices)) === true;
}
