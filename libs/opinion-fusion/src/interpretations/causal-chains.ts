import { CHAINS_MAX } from '../contract/constants.ts';
import type { Framework } from './framework.ts';
import type { Claim } from '../model/model.ts';
import { maximalPaths } from './paths.ts';
import { quote } from '../contract/quote.ts';
import { byCodeUnits } from '../contract/rounding.ts';
import type { SubjectArgumentation } from '../contract/types.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Warnings } from '../contract/warnings.ts';

/**
 * [premise, inference] for each premise of each inference kept, and every maximal simple path of two or more
 * Causal claims along support edges other than agreement, from a claim that no such edge of another Causal
 * claim enters; sorted. Beyond CHAINS_MAX paths the rest is left out with a warning. Source: reasoning model
 * §7 and §10.
 */
export function causalChains(
  verdict: Verdict,
  framework: Framework | null,
  warnings: Warnings,
): SubjectArgumentation['causal_chains'] {
  const chains: string[][] = [];
  for (const { input, premises } of verdict.inferences)
    for (const premise of new Set(premises)) chains.push([premise.id, input.id]);
  if (framework && framework.supports.size > 0) {
    const { paths, complete } = causalPaths(framework);
    for (const path of paths) chains.push(path.map((claim) => claim.id));
    if (!complete) {
      warnings.add(
        'listing_truncated',
        verdict.subject.id,
        `There are more causal chains on ${quote(verdict.predicate)} of ${quote(verdict.subject.id)} than the ${CHAINS_MAX} listed.`,
      );
    }
  }
  return chains.sort(byIds).map((argument_ids) => ({ argument_ids }));
}

/** Lexicographic order of lists of ids. */
export function byIds(a: readonly string[], b: readonly string[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) if (a[i] !== b[i]) return byCodeUnits(a[i]!, b[i]!);
  return a.length - b.length;
}

function causalPaths({ claims, supports }: Framework): { paths: Claim[][]; complete: boolean } {
  const isCausal = (claim: Claim) => claim.type === 'Causal';
  const next = (claim: Claim): Claim[] =>
    [...(supports.get(claim) ?? [])].filter(isCausal).sort((a, b) => byCodeUnits(a.id, b.id));
  const causal = claims.filter(isCausal);
  const entered = new Set<Claim>();
  for (const claim of causal) for (const target of next(claim)) entered.add(target);
  return maximalPaths(
    causal.filter((claim) => !entered.has(claim)),
    next,
    CHAINS_MAX,
  );
}
