import type { MacroValues } from '@platform/decide/parts';
import { matches, type Fact, type FactRule } from './facts.ts';
import { soleStatement } from './neighborhood.ts';
import { textsThrough } from './text-graph.ts';
import { textOutside, textsAround, textsOf } from './text-outside.ts';

const NO_MACROS: MacroValues = { user: undefined, owner: undefined };

/**
 * Whether `other` alone makes `fact` without effect where both hold: it matches every request that `fact`
 * matches, and denies it or does the same as `fact`. False where that cannot be told: where patterns with
 * macros differ, or where a regular expression, more than a text, would have to match all that another one
 * matches.
 */
export function subsumes(other: Fact, fact: Fact): boolean {
  if (fact.deny && !other.deny) return false;
  const [narrow, wide] = [soleStatement(fact), soleStatement(other)];
  if (narrow === null || wide === null) return false;
  return wide.rules.every((rule) => {
    const own = narrow.byKey.get(rule.rule.key);
    return own !== undefined && liesWithin(own, rule);
  });
}

/** Whether every text that the one rule matches is matched by the other, as far as that can be told. */
function liesWithin(one: FactRule, other: FactRule): boolean {
  if (one.engine === other.engine && one.pattern === other.pattern) return true;
  if (usesMacro(one) || usesMacro(other)) return false;
  const { matcher } = one.rule;
  if (matcher.kind === 'exact') return matches(other, matcher.text, NO_MACROS);
  const sample = sampleOf(one);
  if (sample !== null && !matches(other, sample, NO_MACROS)) return false;
  const wide = textsOf(other);
  return wide !== null && textOutside(textsAround(one), [wide]) === null;
}

const samples = new WeakMap<FactRule, string | null>();

/** A text that the rule matches, which most other rules do not; null where none is known. */
function sampleOf(one: FactRule): string | null {
  const known = samples.get(one);
  if (known !== undefined) return known;
  const own = textsOf(one);
  const [text = null] = own === null ? [] : textsThrough(own.edges);
  const sample = text !== null && matches(one, text, NO_MACROS) ? text : null;
  samples.set(one, sample);
  return sample;
}

function usesMacro({ rule }: FactRule): boolean {
  return rule.usesUser || rule.usesOwner;
}
