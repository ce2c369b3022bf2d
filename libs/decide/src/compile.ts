import {
  buildIndex,
  search,
  startCheck,
  type Found,
  type IndexedStatement,
  type IndexNode,
} from './policy-index.ts';
import { explainPolicy, type ReadyPolicy } from './explain.ts';
import { resolveMacros } from './macros.ts';
import { failureOf, throughPauses, type RegexMemo, type Step } from './regex-memo.ts';
import { MACRO_BYTES_MAX, MATCH_STEPS_MAX, type DomainRegexes, type RegexEngine } from './regexes.ts';
import { createRuleCompiler, RuleError, type CheckState } from './rule.ts';
import type {
  CompiledPolicySet,
  Decision,
  DomainPolicies,
  Engine,
  Explanation,
  Policy,
  PolicyExplanation,
  PolicyRef,
  Problem,
  ProblemCode,
  RequestContext,
  PolicySet,
} from './types.ts';

const ENGINES: ReadonlySet<string> = new Set<Engine>(['fixed', 'prefix', 'regex', 'glob']);

export interface CompileOptions {
  /** What compiles regexes; without it a set with a REGEX denies every check (`regex_not_loaded`). */
  readonly regexes?: RegexEngine | undefined;
}

/** One domain's policies, compiled: what a cache keeps, by domain and version, and `combineDomains` takes. */
export interface CompiledDomain extends CompiledPolicySet {
  readonly domainId: string;
  readonly version: number;
  /** The policies as compiled, for what is built over the same statements, as searches are. */
  readonly policies: readonly ReadyPolicy[];
  /**
   * Appends the problems that fail every check, and those that fail a check with this context whatever its
   * policies say.
   */
  collectProblems(state: CheckState, problems: Problem[]): void;
  /** Compiles, a piece at each step, the regexes that would make a first check wait. Never throws. */
  warm(): Generator<void>;
}

/**
 * Compiles one domain's policies. Never throws: a policy that cannot be evaluated becomes a problem of every
 * check, because skipping it would drop a deny or turn an inverted rule into an allow.
 */
export function compileDomain(domain: DomainPolicies, options: CompileOptions = {}): CompiledDomain {
  return toEnd(compileDomainInSteps(domain, options));
}

function toEnd<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** As `compileDomain`, one policy per step, so that the caller can do other work in between. */
export function* compileDomainInSteps(
  domain: DomainPolicies,
  options: CompileOptions = {},
): Generator<void, CompiledDomain> {
  const reader = new PolicyReader(domain, options.regexes?.openDomain() ?? null);
  const policies: ReadyPolicy[] = [];
  for (const policy of domain.policies) {
    policies.push(reader.read(policy, policies.length));
    yield;
  }
  if (reader.regexes !== null) yield* reader.regexes.build();
  return new IndexedDomain(domain, policies, reader);
}

/**
 * Decides several compiled domains as one: a domain and all its superiors. Any deny wins, else any allow,
 * else false; `matched` and the explanation follow the order given. Costs nothing and owns nothing.
 */
export function combineDomains(domains: readonly CompiledDomain[]): PolicySet {
  return new CombinedDomains(domains);
}

/** A class, for every check may combine and three closures each time are its larger part. */
export class CombinedDomains implements PolicySet {
  /** In the order in which they decide. */
  readonly domains: readonly IndexedDomain[];

  /** Errors: a TypeError for anything but what `compileDomain` returned. */
  constructor(domains: readonly CompiledDomain[]) {
    for (const domain of domains)
      if (!(domain instanceof IndexedDomain))
        throw new TypeError('only what compileDomain returned can be combined');
    this.domains = domains as readonly IndexedDomain[];
  }

  evaluate(context: RequestContext, memo?: RegexMemo): Decision {
    return decide(this.domains, context, memo);
  }

  explain(context: RequestContext): Explanation {
    return toEnd(this.explainInSteps(context));
  }

  explainInSteps(context: RequestContext, memo?: RegexMemo): Generator<Step, Explanation> {
    return explainDomains(this.domains, context, memo);
  }
}

/** Compiles and combines in one step; the set owns its domains and frees them together. */
export function compilePolicySet(
  domains: readonly DomainPolicies[],
  options: CompileOptions = {},
): CompiledPolicySet {
  const compiled = domains.map((domain) => compileDomain(domain, options));
  return Object.assign(combineDomains(compiled), {
    bytes: compiled.reduce((sum, { bytes }) => sum + bytes, 0),
    size: compiled.reduce((sum, { size }) => sum + size, 0),
    free: () => compiled.forEach((domain) => domain.free()),
  });
}

/** Deny comes first, because any deny wins. */
const EFFECTS = ['deny', 'allow'] as const;
const DENIED: Decision = Object.freeze({ allowed: false, matched: null, problems: [] });

function decide(domains: readonly IndexedDomain[], context: RequestContext, memo?: RegexMemo): Decision {
  const state = startCheck(context, resolveMacros(context), memo);
  const problems: Problem[] = [];
  for (const domain of domains) domain.collectProblems(state, problems);
  if (problems.length > 0) return { ...DENIED, problems };
  for (const effect of EFFECTS) {
    for (const domain of domains) {
      const found = domain.findFirst(effect, state);
      if (found === null) continue;
      if ('code' in found) return { ...DENIED, problems: [found] };
      return { allowed: effect === 'allow', matched: found, problems: [] };
    }
  }
  return DENIED;
}

function* explainDomains(
  domains: readonly IndexedDomain[],
  context: RequestContext,
  memo?: RegexMemo,
): Generator<Step, Explanation> {
  const decision = yield* throughPauses(() => decide(domains, context, memo));
  // A freed or too costly set must not be run policy by policy either.
  const isRunnable = decision.problems.every(
    ({ code }) => code !== 'set_freed' && code !== 'match_too_costly' && code !== 'macro_oversized',
  );
  const state = startCheck(context, resolveMacros(context), memo);
  const policies: PolicyExplanation[] = [];
  if (!isRunnable) return { decision, policies };
  for (const domain of domains) {
    for (const ordinal of domain.policies.keys()) {
      policies.push(yield* throughPauses(() => domain.explainPolicy(ordinal, state)));
      yield;
    }
  }
  return { decision, policies };
}

/** One effect's policies: those that match by a statement, and those that match by the lack of one. */
interface EffectIndex {
  readonly plain: IndexNode;
  readonly inverted: IndexNode;
  /** Ordinals of the inverted policies, ascending. */
  readonly invertedOrdinals: readonly number[];
}

/** A cost that a context may bring on: the policy to name, and how large its pattern is. */
interface Costly {
  readonly ordinal: number;
  readonly positions: number;
}

/** Makes policies ready, equal rules once, and gathers their regexes. */
class PolicyReader {
  readonly regexes: DomainRegexes | null;
  private readonly domainId: string;
  private readonly version: number;
  private readonly compileRule: ReturnType<typeof createRuleCompiler>;

  constructor({ domainId, version }: DomainPolicies, regexes: DomainRegexes | null) {
    this.domainId = domainId;
    this.version = version;
    this.regexes = regexes;
    this.compileRule = createRuleCompiler({ regexes });
  }

  read(policy: Policy, ordinal: number): ReadyPolicy {
    const fail = (code: ProblemCode, message: string): ReadyPolicy => ({
      policy,
      statements: [],
      problem: { domainId: this.domainId, domainVersion: this.version, policy: policy.name, code, message },
    });
    if (!ENGINES.has(policy.engine))
      return fail('unknown_engine', `engine \`${policy.engine}\` is not evaluated`);
    if (policy.engine === 'regex' && this.regexes === null)
      return fail('regex_not_loaded', 'the policy has regexes, and what runs them is not loaded');
    if (policy.statements.length === 0) return fail('no_statements', 'the policy has no statements');
    const statements: IndexedStatement[] = [];
    for (const { rules } of policy.statements) {
      const entries = Object.entries(rules);
      if (entries.length === 0) return fail('no_rules', 'a statement has no rules');
      try {
        const compiled = entries.map(([key, pattern]) => this.compileRule(policy.engine, key, pattern));
        statements.push({
          ordinal,
          rules: compiled,
          // A statement whose macro has no value may or may not match; the policy must then come out as the
          // effect that lets nothing through. A deny comes out true when its statement matches, or, inverted,
          // when it does not; an allow comes out false the other way round.
          unresolvedMatches: policy.deny !== policy.invert,
          needsEqualMacros: compiled.some((rule) => rule.usesUser) && compiled.some((rule) => rule.usesOwner),
        });
      } catch (error) {
        if (error instanceof RuleError) return fail('bad_pattern', error.message);
        throw error;
      }
    }
    return { policy, statements, problem: null };
  }
}

class IndexedDomain implements CompiledDomain {
  readonly domainId: string;
  readonly version: number;
  readonly bytes: number;
  readonly size: number;
  readonly policies: readonly ReadyPolicy[];
  private readonly policyNames: readonly string[];
  private readonly effects: Readonly<Record<'deny' | 'allow', EffectIndex>>;
  private readonly problems: readonly Problem[];
  private readonly regexes: DomainRegexes | null;
  /** First policy whose REGEX is expanded with the user, with the owner. */
  private readonly expandsUser: number | null;
  private readonly expandsOwner: number | null;
  /** Per context key the REGEX with most positions. */
  private readonly costly: ReadonlyMap<string, Costly>;
  private isFree = false;

  constructor(domain: DomainPolicies, policies: readonly ReadyPolicy[], reader: PolicyReader) {
    this.domainId = domain.domainId;
    this.version = domain.version;
    this.size = domain.policies.length;
    this.policies = policies;
    this.regexes = reader.regexes;
    this.policyNames = domain.policies.map(({ name }) => name);
    this.problems = this.policies.flatMap(({ problem }) => problem ?? []);
    this.effects = { deny: this.indexEffect(true), allow: this.indexEffect(false) };
    this.expandsUser = this.findExpanding('usesUser');
    this.expandsOwner = this.findExpanding('usesOwner');
    this.costly = this.findCostly();
    this.bytes = estimateBytes(domain.policies);
  }

  evaluate(context: RequestContext, memo?: RegexMemo): Decision {
    return decide([this], context, memo);
  }

  explain(context: RequestContext): Explanation {
    return toEnd(this.explainInSteps(context));
  }

  explainInSteps(context: RequestContext, memo?: RegexMemo): Generator<Step, Explanation> {
    return explainDomains([this], context, memo);
  }

  explainPolicy(ordinal: number, state: CheckState): PolicyExplanation {
    return explainPolicy(this.policies[ordinal] as ReadyPolicy, this.ref(ordinal), state);
  }

  *warm(): Generator<void> {
    if (this.regexes !== null) yield* this.regexes.warm();
  }

  free(): void {
    this.isFree = true;
    this.regexes?.free();
  }

  collectProblems(state: CheckState, problems: Problem[]): void {
    if (this.isFree) problems.push(this.problem(0, 'set_freed', 'the policy set is no longer in use'));
    for (const problem of this.problems) problems.push(problem);
    this.collectOversized(this.expandsUser, state.macros.user, problems);
    this.collectOversized(this.expandsOwner, state.macros.owner, problems);
    for (const [key, { ordinal, positions }] of this.costly) {
      const values = state.context.get(key) ?? [];
      const longest =
        typeof values === 'string' ? values.length : Math.max(0, ...values.map(({ length }) => length));
      if (longest * positions > MATCH_STEPS_MAX) {
        problems.push(
          this.problem(
            ordinal,
            'match_too_costly',
            `its pattern for \`${key}\` is too large for a value of ${longest} characters`,
          ),
        );
      }
    }
  }

  private collectOversized(ordinal: number | null, value: string | undefined, problems: Problem[]): void {
    if (ordinal === null || value === undefined || !isOversized(value)) return;
    const message = `a macro of its pattern stands for more than ${MACRO_BYTES_MAX} bytes`;
    problems.push(this.problem(ordinal, 'macro_oversized', message));
  }

  /** The first policy with this effect that matches, or null; a problem when the regex crate failed. */
  findFirst(effect: 'deny' | 'allow', state: CheckState): PolicyRef | Problem | null {
    const { plain, inverted, invertedOrdinals } = this.effects[effect];
    const first = new LowestOrdinal();
    let lowest: number;
    try {
      search(plain, state, first);
      lowest = first.limit;
      if (invertedOrdinals.length > 0 && (invertedOrdinals[0] as number) < lowest) {
        const matched = new AllOrdinals();
        search(inverted, state, matched);
        const unmatched = invertedOrdinals.find((ordinal) => !matched.ordinals.has(ordinal));
        lowest = Math.min(lowest, unmatched ?? Infinity);
      }
    } catch (error) {
      return this.problem(0, 'match_failed', failureOf(error));
    }
    return lowest === Infinity ? null : this.ref(lowest);
  }

  private indexEffect(deny: boolean): EffectIndex {
    const ofEffect = this.policies.filter(({ policy }) => policy.deny === deny);
    const statements = (invert: boolean) =>
      ofEffect.flatMap((ready) => (ready.policy.invert === invert ? ready.statements : []));
    return {
      plain: buildIndex(statements(false)),
      inverted: buildIndex(statements(true)),
      invertedOrdinals: this.policies.flatMap(({ policy, problem }, ordinal) =>
        policy.deny === deny && policy.invert && problem === null ? [ordinal] : [],
      ),
    };
  }

  private findExpanding(macro: 'usesUser' | 'usesOwner'): number | null {
    const ordinal = this.policies.findIndex(({ statements }) =>
      statements.some(({ rules }) => rules.some((rule) => rule[macro] && rule.matcher.kind === 'expanded')),
    );
    return ordinal < 0 ? null : ordinal;
  }

  private findCostly(): ReadonlyMap<string, Costly> {
    const costly = new Map<string, Costly>();
    for (const { statements } of this.policies) {
      for (const { ordinal, rules } of statements) {
        for (const { key, matcher } of rules) {
          const positions =
            matcher.kind === 'regex'
              ? matcher.slot.positions
              : matcher.kind === 'expanded'
                ? matcher.positions
                : 0;
          if (positions > (costly.get(key)?.positions ?? 0)) costly.set(key, { ordinal, positions });
        }
      }
    }
    return costly;
  }

  private ref(ordinal: number): PolicyRef {
    const policy = this.policyNames[ordinal] ?? '';
    return { domainId: this.domainId, domainVersion: this.version, policy };
  }

  private problem(ordinal: number, code: ProblemCode, message: string): Problem {
    return { ...this.ref(ordinal), code, message };
  }
}

/** Keeps the lowest ordinal reported and asks for nothing above it. */
class LowestOrdinal implements Found {
  limit = Infinity;

  add(ordinal: number): void {
    this.limit = ordinal;
  }
}

class AllOrdinals implements Found {
  readonly limit = Infinity;
  readonly ordinals = new Set<number>();

  add(ordinal: number): void {
    this.ordinals.add(ordinal);
  }
}

function isOversized(value: string): boolean {
  return value.length * 3 > MACRO_BYTES_MAX && new TextEncoder().encode(value).length > MACRO_BYTES_MAX;
}

/** Heap of the policies as given and of what compiling adds; the figures per part are measured averages. */
function estimateBytes(policies: readonly Policy[]): number {
  let bytes = 1_024;
  for (const { name, description, statements } of policies) {
    bytes += 512 + name.length + description.length;
    for (const { rules } of statements) {
      bytes += 256;
      for (const [key, pattern] of Object.entries(rules)) bytes += 512 + 2 * (key.length + pattern.length);
    }
  }
  return bytes;
}
