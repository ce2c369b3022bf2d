import { combineDomains, compileDomain } from './compile.ts';
import { FactReader, type Fact } from './facts.ts';
import { neighborhoodOf } from './neighborhood.ts';
import { subsumes } from './subsumes.ts';
import type { CompiledDomain, Decision, DomainPolicies, Engine, RequestContext } from './types.ts';
import {
  directionOf,
  findWitness,
  isLate,
  isSpent,
  type Budget,
  type Gap,
  type SidedFact,
} from './witness.ts';

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

/** Facts that a search takes whole; of more, it looks among so many first, with this share of the budget. */
const FEW_MAX = 16;
const FEW_SHARE = 0.1;

const REASONS: Readonly<Record<Gap | 'unverified', string>> = {
  spelling: 'the subject is an id that is not in lower case, which checks refuse where an account has it',
  too_many: 'there are more combinations of other statements than are tried',
  regex: 'regular expressions take part, and the texts tried for them decide the same',
  wildcards: 'wildcards take part, and the texts tried for them decide the same',
  macros: 'macros take part, and the users and owners tried decide the same',
  inverted: 'inverted policies take part, and the combinations of values tried decide the same',
  unverified: 'a policy cannot be evaluated',
};

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
    const goals = [
      ...[...before.values()]
        .filter(({ id }) => !after.has(id))
        .map((fact) => ({ kind: 'removed' as const, fact })),
      ...[...after.values()]
        .filter(({ id }) => !before.has(id))
        .map((fact) => ({ kind: 'added' as const, fact })),
    ];
    const { domainId } = change.before;
    const scopes = change.scopes.map((ids) => {
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
    const nearOf = (id: string) => {
      const sizes = scopes.map(({ facts, near }) => near(facts.get(id) as SidedFact).length);
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    // Cheap searches come first, so that a few wide statements do not use up the tests of all others.
    const order = goals.map(({ fact }, index) => ({ index, near: nearOf(fact.id) }));
    order.sort((a, b) => a.near - b.near);
    const compared: ComparedFact[] = [];
    for (const { index } of order) compared[index] = compareGoal(goals[index] as (typeof goals)[number]);
    return compared;

    function compareGoal({ kind, fact }: (typeof goals)[number]): ComparedFact {
      const told = { kind, policy: fact.policy, words: describe(fact) };
      let reason = '';
      // Where another domain says the same, it changes nothing.
      const changed = scopes.filter(({ facts }) => facts.get(fact.id)!.before !== facts.get(fact.id)!.after);
      // A domain with many policies must not use up the tests for one that a few of them would show.
      const floor = budget.left * (1 - FEW_SHARE);
      for (const { domainId: id, facts, near, domains } of changed) {
        if (isSpent(budget, floor)) break;
        const goal = facts.get(fact.id)!;
        const others = near(goal);
        if (others.length <= FEW_MAX) continue;
        const { found } = findWitness(id, goal, fewOf(goal, others), budget);
        const witness = found === null ? null : decideBoth(domains, found);
        if (witness?.after.allowed === (directionOf(goal) === 'gain'))
          return { ...told, outcome: 'witnessed', reason: '', witness };
      }
      for (const { domainId: id, facts, near, domains } of changed) {
        const goal = facts.get(fact.id)!;
        const others = near(goal);
        const { found, gap } = findWitness(id, goal, isSpent(budget) ? [] : others, budget);
        const witness = found === null ? null : decideBoth(domains, found);
        if (witness !== null) return { ...told, outcome: 'witnessed', reason: '', witness };
        const isCovered = others.some(
          (other) => !isLate(budget) && subsumes(other.fact, fact) && settles(other, goal, others),
        );
        if (reader.isBroken) reason = REASONS.unverified;
        else if (isCovered) continue;
        else if (gap === 'too_many') reason = REASONS.too_many;
        else if (found !== null || gap !== null) reason ||= REASONS[gap ?? 'unverified'];
      }
      return { ...told, outcome: reason === '' ? 'no_effect' : 'not_decided', reason, witness: null };
    }
  } finally {
    for (const domain of compiled.values()) domain.free();
    reader.free();
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
  const [denied, allowed] =
    directionOf(goal) === 'gain' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  if (other.fact.deny) return other[allowed];
  return other[denied] && !near.some((one) => one.fact.deny && one[denied] && !one[allowed]);
}

/** Those that one side alone says, and the first of those that decide the other way. */
function fewOf(goal: SidedFact, near: readonly SidedFact[]): SidedFact[] {
  const changed = near.filter(({ before, after }) => before !== after);
  const opposite = near.filter((one) => one.before === one.after && one.fact.deny !== goal.fact.deny);
  return [...changed.slice(0, FEW_MAX / 2), ...opposite.slice(0, FEW_MAX / 2)];
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
      .map(([key, pattern]) => `\`${key}\` ${VERBS[engine]} \`${pattern}\``)
      .join(' and '),
  );
  const which = conditions.join(', or ');
  return `${deny ? 'denies' : 'allows'} ${invert ? 'all but ' : ''}requests whose ${which}`;
}
