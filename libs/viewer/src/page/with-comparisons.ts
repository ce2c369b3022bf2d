import { leadsOther } from '@platform/opinion-fusion';
import { changesSince } from './changes-since.ts';
import type { JudgedInvestigation, OtherLead } from '../snapshot.ts';

/**
 * The same with what comparing verdicts tells: those without some claims in which another value leads are
 * marked, and of the judgement before there are the answers that moved since. Reading values as the engine
 * does takes its table of units, which no browser need load. Pure.
 */
export function withComparisons<Shown extends JudgedInvestigation>(shown: Shown): Shown {
  const { explanations, previous } = shown;
  return {
    ...shown,
    explanations: explanations.map((now) => ({
      ...now,
      smallest_change:
        now.smallest_change && marked(now.smallest_change, leadsOther(now.smallest_change, now)),
      without_source: now.without_source.map((row) => marked(row, leadsOther(row, now))),
    })),
    ...(previous && { previous: changed(previous, shown) }),
  };
}

type Previous = NonNullable<JudgedInvestigation['previous']>;

/** The judgement before with what moved since in place of its result, which a page has no longer. */
function changed({ result, input, ...previous }: Previous, now: JudgedInvestigation): Previous {
  return result ? { ...previous, changes: changesSince({ result, input }, now) } : previous;
}

function marked<Row extends object>(row: Row, isOther: boolean): Row & OtherLead {
  return isOther ? { ...row, leads_other: true } : row;
}
