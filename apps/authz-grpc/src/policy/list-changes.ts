import type { ComparedFact } from './compare-sets.ts';

/** What a plan lists of the changes, and how many there are of each outcome, listed or not. */
export interface ListedChanges {
  readonly changes: readonly ComparedFact[];
  readonly count: Readonly<Record<ComparedFact['outcome'], number>>;
}

/** Changes that one plan lists. */
const LISTED_MAX = 1_000;

const RANK: readonly ComparedFact['outcome'][] = ['witnessed', 'not_decided', 'no_effect'];

/** The first of the changes, by outcome and led by a gain and a loss, and the counts of all. Never throws. */
export function listChanges(facts: readonly ComparedFact[], max = LISTED_MAX): ListedChanges {
  const count = { witnessed: 0, no_effect: 0, not_decided: 0 };
  for (const { outcome } of facts) count[outcome] += 1;
  const sorted = facts.toSorted((a, b) => RANK.indexOf(a.outcome) - RANK.indexOf(b.outcome));
  // No gain is cut off behind losses, nor the reverse.
  const first = (isAllowed: boolean) =>
    facts.find(({ witness }) => witness?.after.allowed === isAllowed) ?? [];
  const leading = sorted.length > max ? [true, false].flatMap(first) : [];
  return { changes: [...new Set([...leading, ...sorted])].slice(0, max), count };
}
