import { matches, type Fact, type FactRule } from './facts.ts';
import { soleStatement } from './neighborhood.ts';
import { textOutside, textsAround, textsOf } from './text-outside.ts';

/**
 * Whether `other` alone makes `fact` without effect where both hold: it matches every request that `fact`
 * matches, and denies it or does the same as `fact`. False where that cannot be told: where macros take part,
 * or where a regular expression, more than a text, would have to match all that another pattern matches.
 */
export function subsumes(other: Fact, fact: Fact): boolean {
  if (fact.deny && !other.deny) return false;
  const [narrow, wide] = [soleStatement(fact), soleStatement(other)];
  if (narrow === null || wide === null || [...narrow.rules, ...wide.rules].some(usesMacro)) return false;
  return wide.rules.every((rule) => {
    const own = narrow.byKey.get(rule.rule.key);
    return own !== undefined && liesWithin(own, rule);
  });
}

/** Whether every text that the one rule matches is matched by the other, as far as that can be told. */
function liesWithin(one: FactRule, other: FactRule): boolean {
  if (one.engine === other.engine && one.pattern === other.pattern) return true;
  const { matcher } = one.rule;
  if (matcher.kind === 'exact') return matches(other, matcher.text, { user: undefined, owner: undefined });
  const wide = textsOf(other);
  return wide !== null && textOutside(textsAround(one), [wide]) === null;
}

function usesMacro({ rule }: FactRule): boolean {
  return rule.usesUser || rule.usesOwner;
}
