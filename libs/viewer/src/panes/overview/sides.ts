import type { Verdict } from '../../model.ts';

/** Who speaks for a verdict and against it. */
export interface Sides {
  readonly for: Voices;
  readonly against: Voices;
}

/** The sources of one side: every number of sources on a page is one of these. */
interface Voices {
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
  const voices = (side: 'support' | 'opposition'): Voices => {
    const own = explanation.contributions.filter((one) => one.side === side && one.route === 'voice');
    const speakers = new Set(own.filter(({ counted }) => counted > 0).map(({ actor_id }) => actor_id));
    const copies = own.filter(({ outcome, actor_id }) => outcome === 'dependent' && !speakers.has(actor_id));
    return {
      independent: speakers.size,
      copies: new Set(copies.map(({ actor_id }) => actor_id)).size,
      suspected: copies.some(({ suspected }) => suspected),
    };
  };
  return { for: voices('support'), against: voices('opposition') };
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
