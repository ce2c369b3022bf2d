import { matches, type Fact, type FactRule } from './facts.ts';
import { soleStatement } from './neighborhood.ts';

/**
 * Whether `other` alone makes `fact` without effect where both hold: it matches every request that `fact`
 * matches, and denies it or does the same as `fact`. False where that is not plain: one pattern is the other,
 * or lies within it by the text that it begins with, holds or is.
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

/** Whether every text that the one rule matches is matched by the other, as far as that is plain. */
function liesWithin(one: FactRule, other: FactRule): boolean {
  if (one.engine === other.engine && one.pattern === other.pattern) return true;
  const [own, wide] = [one.rule.matcher, other.rule.matcher];
  if (own.kind === 'exact') return matches(other, own.text, { user: undefined, owner: undefined });
  const start = one.rule.anchor?.kind === 'prefix' ? one.rule.anchor.text : '';
  switch (wide.kind) {
    case 'prefix':
      return start.startsWith(wide.text);
    case 'suffix':
      return own.kind === 'suffix' && own.text.endsWith(wide.text);
    case 'contains': {
      const held = own.kind === 'suffix' || own.kind === 'contains' ? own.text : start;
      return held.includes(wide.text);
    }
    default:
      return false;
  }
}

function usesMacro({ rule }: FactRule): boolean {
  return rule.usesUser || rule.usesOwner;
}
