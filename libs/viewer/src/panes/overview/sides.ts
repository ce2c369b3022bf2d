import type { Contribution } from '@platform/opinion-fusion';
import type { Verdict } from '../../model.ts';

/** Who speaks for a verdict and against it. */
export interface Sides {
  readonly for: Voices;
  readonly against: Voices;
  /** Sources of either side, each once, and those of them that count. */
  readonly all: number;
  readonly independent: number;
}

/** The sources of one side: every number of sources on a page is one of these. */
export interface Voices {
  /** Sources that count, each a voice of its own. */
  readonly independent: number;
  /** Further sources that are not independent of those, by the author's word or the program's suspicion. */
  readonly copies: number;
  /** Whether nobody declared so of one of them: pages then say that it may not be independent. */
  readonly suspected: boolean;
}

/**
 * The distinct sources whose own claims bear on a verdict, by side; null where the reasons are not known.
 * Pure.
 */
export function sidesOf({ explanation }: Pick<Verdict, 'explanation'>): Sides | null {
  if (!explanation) return null;
  const spoken = explanation.contributions.filter(isSpoken);
  const sources = (all: readonly Contribution[]) => new Set(all.map(({ actor_id }) => actor_id)).size;
  return {
    for: voicesOf(spoken.filter(({ side }) => side === 'support')),
    against: voicesOf(spoken.filter(({ side }) => side === 'opposition')),
    all: sources(spoken),
    independent: sources(spoken.filter(({ counted }) => counted > 0)),
  };
}

/** Whether it is a claim of a source that counts, or that another one counts for. */
export const isSpoken = ({ route, counted, outcome }: Contribution): boolean =>
  route === 'voice' && (counted > 0 || outcome === 'dependent');

/** The distinct sources of claims of one side. Pure. */
export function voicesOf(spoken: readonly Contribution[]): Voices {
  const speakers = new Set(spoken.filter(({ counted }) => counted > 0).map(({ actor_id }) => actor_id));
  const copies = spoken.filter(({ actor_id }) => !speakers.has(actor_id));
  return {
    independent: speakers.size,
    copies: new Set(copies.map(({ actor_id }) => actor_id)).size,
    suspected: copies.some(({ suspected }) => suspected),
  };
}

/**
 * `4 for`, `4 for, 2 more not independent` or `2 more may not be independent`; empty where the reasons are
 * not known.
 */
export function sideText(sides: Sides | null, side: 'for' | 'against'): string {
  if (sides === null) return '';
  const { independent, copies, suspected } = sides[side];
  const more = `, ${copies} more ${suspected ? 'may not be' : 'not'} independent`;
  return `${independent} ${side}${copies > 0 ? more : ''}`;
}
