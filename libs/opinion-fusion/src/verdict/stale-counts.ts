import { Warnings } from '../contract/warnings.ts';
import { decayFactor, effectiveHalfLife, isStale } from '../weighing/ageing.ts';
import { judgeInvestigation } from './judge-investigation.ts';

/** How many claims judging would find stale. */
export interface StaleCounts {
  /** Claims that are judged: without repetitions, and those that are left out. */
  readonly claims: number;
  /** Stale ones of them for each half-life that was asked for. */
  readonly stale: readonly number[];
}

/**
 * How many claims of an investigation would be stale with each of the half-lives, in days and > 0, in place
 * of its own. Claims are weighed once: half-lives move no origin of an age. Throws InvalidInvestigation for
 * an input that cannot be judged. Source: rule 13. Pure.
 */
export function staleCounts(
  input: unknown,
  halfLivesDays: readonly number[],
  { now }: { readonly now: Date },
): StaleCounts {
  const { weighed } = judgeInvestigation(input, now, new Warnings(), () => {});
  const { claims } = weighed.model;
  const stale = halfLivesDays.map(
    (baseDays) =>
      claims.filter((claim) => {
        const { ageDays } = weighed.weighings[claim.index]!.ageing;
        return isStale(decayFactor(ageDays, effectiveHalfLife(claim, baseDays)));
      }).length,
  );
  return { claims: claims.length, stale };
}
