import type { Verdict } from '../../model.ts';

/** How many sources speak for a verdict and against it. */
export interface Sides {
  readonly for: number;
  readonly against: number;
}

/**
 * The distinct sources whose own claims bear on a verdict, by side; null where the reasons are not known.
 * Pure.
 */
export function sidesOf({ explanation }: Verdict): Sides | null {
  if (!explanation) return null;
  const speakers = (side: 'support' | 'opposition') =>
    new Set(
      explanation.contributions
        .filter(
          (contribution) =>
            contribution.side === side &&
            contribution.route === 'voice' &&
            ['counted', 'dependent', 'capped', 'discounted'].includes(contribution.outcome),
        )
        .map(({ actor_id }) => actor_id),
    ).size;
  return { for: speakers('support'), against: speakers('opposition') };
}
