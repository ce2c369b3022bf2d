import { quotedText } from '@platform/decide/quoted-text';
import { combineDomains, compileDomain } from './compile.ts';
import { FactReader, matchesRequest, type Fact } from './facts.ts';
import { neighborhoodOf } from './neighborhood.ts';
import { isLate, isSpent, type Budget, type Gap } from './search-budget.ts';
import { subsumes } from './subsumes.ts';
import type { CompiledDomain, Decision, DomainPolicies, Engine, RequestContext } from './types.ts';
import { directionOf, findWitness, helps, sidesFor, type SidedFact } from './witness.ts';

/** A change of one domain's policies, and the domains whose decisions it takes part in. */
export interface PolicyChange {
  /** The changed domain, with the policies of now. */
  readonly before: DomainPolicies;
  readonly after: DomainPolicies;
  /** The other domains that decide with it, by id. */
  readonly others: ReadonlyMap<string, DomainPolicies>;
  /** The changed domain and those below it: the ids of all that decide on a domain, its own first. */
  readonly scopes: readonly (readonly string[])[];
}

/** What one of the two sets says and the other does not, and what that does. */
export interface ComparedFact {
  readonly kind: 'added' | 'removed';
  readonly policy: string;
  /** In words, as a predicate: "allows …". */
  readonly words: string;
  /**
   * `witnessed`: a request that it matches shows it, in its direction - what allows more is shown by a gain,
   * what allows less by a loss; `no_effect`: there is none; `not_decided`: none was found, and one may exist.
   */
  readonly outcome: 'witnessed' | 'no_effect' | 'not_decided';
  /** Why it is not decided; empty else. */
  readonly reason: string;
  readonly witness: Witness | null;
}

/** A request that was really decided by both sets, differently. */
export interface Witness {
  readonly context: RequestContext;
  readonly before: Decision;
  readonly after: Decision;
}

/** Rule tests of one comparison: some seconds. */
export const TESTS_MAX = 2_000_000;

/**
 * For every goal, requests are looked for among few facts before they are looked for among all: so many
 * facts to begin with, and so many tests, or this share of the budget where that is less.
 */
const FEW_MAX = 16;
const FEW_TESTS = 40_000;
const FEW_SHARE = 0.1;
/** Facts that one edit may leave undecided: what it removes and what it adds. */
const OF_ONE_EDIT = 2;

const REASONS: Readonly<Record<Gap | 'unverified', string>> = {
  spelling: 'the subject is an id that is not in lower case, which checks refuse where an account has it',
  too_many: 'there are more combinations of other statements than are tried',
  regex: 'regular expressions take part, and the texts tried for them decide the same',
  wildcards: 'wildcards take part, and the texts tried for them decide the same',
  macros: 'macros take part, and the users and owners tried decide the same',
  inverted: 'inverted policies take part, and the combinations of values tried decide the same',
  unverified: 'a policy cannot be evaluated',
};

const FEWER_TRY_MORE = '; a plan of fewer edits at once tries more';

/** A domain that the change takes part in. */
interface Scope {
  readonly domainId: string;
  readonly facts: ReadonlyMap<string, SidedFact>;
  readonly near: (goal: SidedFact) => readonly SidedFact[];
  readonly domains: (side: 'before' | 'after') => Pick<CompiledDomain, 'evaluate'>;
}

/** A fact that one of the two sets has alone. */
interface Goal {
  readonly kind: ComparedFact['kind'];
  readonly fact: Fact;
  /** Where it may still have an effect. */
  open: Scope[];
  witness: Witness | null;
  reason: Gap | 'unverified' | null;
}

/**
 * What the set after says and the set before does not, and the reverse, by meaning: names, order and how
 * statements are spread over policies do not count. For each, a request that the two decide differently in
 * its direction, if one is found; each was decided by the evaluator with both sets. What is left when the
 * budget is spent is not decided. Never throws for policies that validation accepts.
 */
export function compareSets(change: PolicyChange, budget: Budget = { left: TESTS_MAX }): ComparedFact[] {
  const reader = new FactReader();
  const compiled = new Map<string, CompiledDomain>();
  const compile = (name: string, domain: DomainPolicies) => {
    const known = compiled.get(name) ?? compileDomain(domain);
    compiled.set(name, known);
    return known;
  };
  try {
    const before = reader.read(change.before.policies);
    const after = reader.read(change.after.policies);
    const others = new Map([...change.others].map(([id, { policies }]) => [id, reader.read(policies)]));
    reader.build();
    const { domainId } = change.before;
    const scopes = change.scopes.map((ids): Scope => {
      const domains = (side: 'before' | 'after') =>
        combineDomains(
          ids.map((id) =>
            id === domainId
              ? compile(side, change[side])
              : compile(id, change.others.get(id) as DomainPolicies),
          ),
        );
      const inherited = ids
        .filter((id) => id !== domainId)
        .flatMap((id) => [...(others.get(id)?.values() ?? [])]);
      const facts = sidesOf(before, after, inherited);
      return { domainId: ids[0] as string, facts, near: neighborhoodOf([...facts.values()]), domains };
    });
    const goalsOf = (kind: Goal['kind'], facts: typeof before, others: typeof before) =>
      [...facts.values()]
        .filter(({ id }) => !others.has(id))
        .map((fact): Goal => {
          // Where another domain says the same, it changes nothing.
          const isChanged = ({ before, after }: SidedFact) => before !== after;
          const open = scopes.filter(({ facts }) => isChanged(facts.get(fact.id)!));
          return { kind, fact, open, witness: null, reason: null };
        });
    const goals = [...goalsOf('removed', before, after), ...goalsOf('added', after, before)];
    // Cheap searches come first, so that a few wide statements do not use up the tests of all others.
    const order = goals.map((goal) => {
      const sizes = scopes.map(({ facts, near }) => near(facts.get(goal.fact.id)!).length);
      return { goal, near: sizes.reduce((sum, size) => sum + size, 0) };
    });
    order.sort((a, b) => a.near - b.near);
    for (const { goal } of order) searchFew(goal, reader.isBroken, budget);
    for (const { goal } of order) if (goal.witness === null) searchAll(goal, reader.isBroken, budget);
    return goals.map(({ kind, fact, witness, reason }) => {
      const told = { kind, policy: fact.policy, words: describe(fact), witness };
      if (witness !== null) return { ...told, outcome: 'witnessed', reason: '' };
      if (reason === null) return { ...told, outcome: 'no_effect', reason: '' };
      const hint = reason === 'too_many' && goals.length > OF_ONE_EDIT ? FEWER_TRY_MORE : '';
      return { ...told, outcome: 'not_decided', reason: REASONS[reason] + hint };
    });
  } finally {
    for (const domain of compiled.values()) domain.free();
    reader.free();
  }
}

/** Looks for the witness of a goal among few facts, and leaves open where it may have one all the same. */
function searchFew(goal: Goal, isBroken: boolean, budget: Budget): void {
  const tests = Math.min(FEW_TESTS, budget.left * FEW_SHARE);
  const few = { ...budget, left: tests };
  goal.open = goal.open.filter((scope) => {
    if (goal.witness !== null) return false;
    const one = scope.facts.get(goal.fact.id)!;
    const others = scope.near(one);
    const { witness, isNone } = searchByFew(scope, one, others, few);
    goal.witness = witness;
    const isCovered = () =>
      others.some(
        (other) => !isLate(budget) && subsumes(other.fact, goal.fact) && settles(other, one, others),
      );
    return isBroken || !(isNone || isCovered());
  });
  budget.left -= tests - few.left;
}

/**
 * Looks for requests that few facts decide as the goal needs it. Facts that decide one of them otherwise join
 * the few. Without them there are more such requests, so that none among few is none at all.
 */
function searchByFew(
  { domainId, domains }: Scope,
  goal: SidedFact,
  others: readonly SidedFact[],
  budget: Budget,
): { readonly witness: Witness | null; readonly isNone: boolean } {
  const hindering: SidedFact[] = [];
  const { helping, isWhole } = helpingOf(goal, others);
  let isNone = isWhole;
  for (const some of helping) {
    for (;;) {
      const { found, gap } = findWitness(domainId, goal, [...some, ...hindering], budget);
      if (found === null) {
        isNone &&= gap === null;
        break;
      }
      const witness = decideBoth(domains, found);
      if (witness?.after.allowed === (directionOf(goal) === 'gain')) return { witness, isNone: false };
      budget.left -= others.length;
      const more = others.filter(
        (one) => hinders(one, goal) && !hindering.includes(one) && matchesRequest(one.fact, found),
      );
      hindering.push(...more);
      if (more.length > 0) continue;
      isNone = false;
      break;
    }
  }
  return { witness: null, isNone };
}

/** Whether the fact may decide a request that the goal matches otherwise than the goal needs it. */
function hinders({ fact, ...on }: SidedFact, goal: SidedFact): boolean {
  const [denied, allowed] = sidesFor(goal);
  return fact.deny ? on[allowed] : !goal.fact.deny && on[denied];
}

/** The others that may help to show the goal: those that are tried together, and whether these are all. */
function helpingOf(goal: SidedFact, others: readonly SidedFact[]) {
  const helping = others.filter((one) => helps(one, goal));
  const some = (goal.fact.deny ? likelyFirst(goal.fact, helping) : helping).slice(0, FEW_MAX);
  return { helping: goal.fact.deny ? some.map((one) => [one]) : [some], isWhole: helping.length <= FEW_MAX };
}

/** Those first that ask nothing of the same keys as the fact, then those whose patterns share its words. */
function likelyFirst(fact: Fact, others: readonly SidedFact[]): SidedFact[] {
  const keys = new Set(fact.patterns.flatMap((rules) => Object.keys(rules)));
  const words = new Set(wordsOf(fact));
  const rated = others.map((one) => {
    const isFree = !one.fact.patterns.some((rules) => Object.keys(rules).some((key) => keys.has(key)));
    return { one, rate: isFree ? Infinity : wordsOf(one.fact).filter((word) => words.has(word)).length };
  });
  return rated.sort((a, b) => (a.rate === b.rate ? 0 : b.rate - a.rate)).map(({ one }) => one);
}

const wordsOf = ({ patterns }: Fact): string[] =>
  patterns.flatMap((rules) => Object.values(rules).flatMap((text) => text.match(/[\w-]+/g) ?? []));

/** Looks for the witness of a goal among all facts where it is still open. */
function searchAll(goal: Goal, isBroken: boolean, budget: Budget): void {
  for (const { domainId, facts, near, domains } of goal.open) {
    const one = facts.get(goal.fact.id)!;
    const { found, gap } = findWitness(domainId, one, isSpent(budget) ? [] : near(one), budget);
    goal.witness = found === null ? null : decideBoth(domains, found);
    if (goal.witness !== null) return;
    if (isBroken) goal.reason = 'unverified';
    else if (gap === 'too_many') goal.reason = gap;
    else if (found !== null || gap !== null) goal.reason ??= gap ?? 'unverified';
  }
}

/**
 * Whether `other`, which matches every request that `goal` matches, leaves it nothing to change in its
 * direction. A denial does where it holds on the side that `goal` would allow on. What allows the same does
 * on both sides, and on the side that `goal` would deny on unless denials of that side alone are near, which
 * would then decide.
 */
function settles(other: SidedFact, goal: SidedFact, near: readonly SidedFact[]): boolean {
  if (other.before && other.after) return true;
  const [denied, allowed] = sidesFor(goal);
  if (other.fact.deny) return other[allowed];
  return other[denied] && !near.some((one) => one.fact.deny && one[denied] && !one[allowed]);
}

function sidesOf(
  before: ReadonlyMap<string, Fact>,
  after: ReadonlyMap<string, Fact>,
  inherited: readonly Fact[],
): Map<string, SidedFact> {
  const facts = new Map<string, SidedFact>();
  for (const fact of [...before.values(), ...after.values()])
    facts.set(fact.id, { fact, before: before.has(fact.id), after: after.has(fact.id) });
  for (const fact of inherited) facts.set(fact.id, { fact, before: true, after: true });
  return facts;
}

/** The request as both sets really decide it; null when they agree. */
function decideBoth(
  domains: (side: 'before' | 'after') => Pick<CompiledDomain, 'evaluate'>,
  context: RequestContext,
): Witness | null {
  const [before, after] = [domains('before').evaluate(context), domains('after').evaluate(context)];
  return before.allowed === after.allowed ? null : { context, before, after };
}

const VERBS: Readonly<Record<Engine, string>> = {
  fixed: 'is',
  prefix: 'begins with',
  glob: 'is like',
  regex: 'matches',
};

/** What a fact says, as a predicate of its policy. */
function describe({ deny, invert, engine, patterns }: Fact): string {
  const conditions = patterns.map((rules) =>
    Object.entries(rules)
      .map(([key, pattern]) => `\`${quotedText(key)}\` ${VERBS[engine]} \`${quotedText(pattern)}\``)
      .join(' and '),
  );
  const which = conditions.join(', or ');
  return `${deny ? 'denies' : 'allows'} ${invert ? 'all but ' : ''}requests whose ${which}`;
}
