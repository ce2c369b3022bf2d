import {
  compileDomain as compile,
  compileDomainInSteps as compileInSteps,
  compilePolicySet as compileSet,
  type CompiledDomain,
  type CompiledPolicySet,
  type DomainPolicies,
  type Problem,
  type RequestContext,
} from '@platform/decide';
import {
  CombinedDomains,
  PAUSED,
  resolveMacros,
  startCheck,
  type CheckState,
  type RegexMemo,
} from '@platform/decide/parts';
import { regexEngine, RegexMemory } from '@platform/decide/regex';
import { combinePlanned, type Planned } from './filter.ts';
import { combineNarrowed, combineReach, NarrowIndex, type Narrowed } from './narrow.ts';
import { EVERYTHING, type Range } from './ranges.ts';
import type { SearchableSet } from './types.ts';

/** Bytes of compiled regexes, over all domains of the process, unless the caller brings its own bound. */
const REGEX_BYTES_MAX = 96 * 1_024 * 1_024;
const defaultMemory = new RegexMemory(REGEX_BYTES_MAX);

export interface CompileOptions {
  /** Bound of the compiled regexes; one for the whole process by default. */
  readonly regexMemory?: RegexMemory;
}

const withRegexes = ({ regexMemory = defaultMemory }: CompileOptions) => ({
  regexes: regexEngine(regexMemory),
});

/** Compiles one domain's policies, regexes included. */
export function compileDomain(domain: DomainPolicies, options: CompileOptions = {}): CompiledDomain {
  return compile(domain, withRegexes(options));
}

/** As `compileDomain`, one policy per step, so that the caller can do other work in between. */
export function compileDomainInSteps(
  domain: DomainPolicies,
  options: CompileOptions = {},
): Generator<void, CompiledDomain> {
  return compileInSteps(domain, withRegexes(options));
}

/** Compiles and combines in one step; the set owns its domains and frees them together. */
export function compilePolicySet(
  domains: readonly DomainPolicies[],
  options: CompileOptions = {},
): CompiledPolicySet {
  return compileSet(domains, withRegexes(options));
}

/**
 * Decides several compiled domains as one: a domain and all its superiors. Any deny wins, else any allow,
 * else false; `matched` and the explanation follow the order given. Costs nothing and owns nothing.
 */
export function combineDomains(domains: readonly CompiledDomain[]): SearchableSet {
  return new SearchableDomains(domains);
}

class SearchableDomains extends CombinedDomains implements SearchableSet {
  *prepare(): Generator<void> {
    for (const domain of this.domains) yield* prepare(domain);
  }

  narrow(context: RequestContext, memo?: RegexMemo): readonly Range[] {
    return combineNarrowed(narrowDomains(this.domains, context, memo));
  }

  reach(context: RequestContext): readonly Range[] {
    return combineReach(narrowDomains(this.domains, context));
  }

  *plan(context: RequestContext): ReturnType<SearchableSet['plan']> {
    const { state, problems } = startSearch(this.domains, context);
    const planned: Planned[] = [];
    for (const domain of problems.length > 0 ? [] : this.domains)
      planned.push(yield* readyOf(domain).index.plan(state));
    const filter = yield* combinePlanned(planned);
    // A set may have been freed between two steps.
    return { filter, problems: startSearch(this.domains, context).problems };
  }

  names(key: 'subject' | 'action'): ReadonlySet<string> {
    return new Set(this.domains.flatMap((domain) => [...readyOf(domain).names[key]]));
  }
}

/** What only searches and plans need of a domain. */
interface ForSearches {
  readonly index: NarrowIndex;
  /** Texts that rules name whole, by key; the text of a prefix is the shortest that it allows. */
  readonly names: Readonly<Record<'subject' | 'action', Set<string>>>;
}

/** Kept as long as the domain is. */
const ready = new WeakMap<CompiledDomain, ForSearches>();

/** Makes what searches and plans need, which the first one finds missing. */
function* prepare(domain: CompiledDomain): Generator<void> {
  if (ready.has(domain)) return;
  const index = yield* NarrowIndex.inSteps(domain.policies);
  const names: ForSearches['names'] = { subject: new Set(), action: new Set() };
  for (const { statements } of domain.policies) {
    for (const { rules } of statements) {
      for (const { key, matcher } of rules) {
        if (key !== 'subject' && key !== 'action') continue;
        if (matcher.kind === 'exact' || matcher.kind === 'prefix') names[key].add(matcher.text);
      }
    }
    yield;
  }
  ready.set(domain, { index, names });
}

/** What searches and plans need, made at once where it is missing. */
function readyOf(domain: CompiledDomain): ForSearches {
  if (!ready.has(domain)) for (const _ of prepare(domain));
  return ready.get(domain) as ForSearches;
}

function startSearch(
  domains: readonly CompiledDomain[],
  context: RequestContext,
  memo?: RegexMemo,
): { readonly state: CheckState; readonly problems: Problem[] } {
  const state = startCheck(context, resolveMacros(context), memo);
  const problems: Problem[] = [];
  for (const domain of domains) domain.collectProblems(state, problems);
  return { state, problems };
}

function narrowDomains(
  domains: readonly CompiledDomain[],
  context: RequestContext,
  memo?: RegexMemo,
): readonly Narrowed[] {
  const { state, problems } = startSearch(domains, context, memo);
  if (problems.some(({ code }) => code === 'set_freed')) return [UNKNOWN];
  // One problem denies every check.
  return problems.length > 0 ? [] : domains.map((domain) => narrowDomain(domain, state));
}

/** Leaves everything to the checks. */
const UNKNOWN: Narrowed = { allowed: [EVERYTHING], denied: [], required: [] };

function narrowDomain(domain: CompiledDomain, state: CheckState): Narrowed {
  try {
    return readyOf(domain).index.narrow(state);
  } catch (error) {
    if (error === PAUSED) throw error;
    // The regex crate failed: each check will say so.
    return UNKNOWN;
  }
}
