import { areWithdrawn, whereExplained, type VerdictExplanation } from '@platform/opinion-fusion';
import { changesSince } from './changes-since.ts';
import { inBrackets } from '../format/words.ts';
import { verdictsOf } from '../model.ts';
import type { Compared, JudgedInvestigation } from '../snapshot.ts';
import { otherwiseWords } from './otherwise-words.ts';

/**
 * The same with what comparing verdicts tells: those without some claims say in words what would be, where
 * that is another and not all of the claims are withdrawn, and of the judgement before there are the answers
 * that moved since. Reading values as the engine does takes its table of units, which no browser need load.
 * Pure.
 */
export function withComparisons<Shown extends JudgedInvestigation>(shown: Shown): Shown {
  const { explanations, previous } = shown;
  return {
    ...shown,
    explanations: explanations.map((now) => compared(now, shown)),
    ...(previous && { previous: changed(previous, shown) }),
  };
}

type Previous = NonNullable<JudgedInvestigation['previous']>;

/** The judgement before with what moved since in place of its result, which a page has no longer. */
function changed({ result, input: _input, ...previous }: Previous, now: JudgedInvestigation): Previous {
  return result ? { ...previous, changes: changesSince({ result }, now) } : previous;
}

type Row = Omit<VerdictExplanation['without_source'][number], 'actor_id' | 'flips'>;

function compared(now: VerdictExplanation, { result }: JudgedInvestigation): VerdictExplanation & Compared {
  const verdict = verdictsOf(result).find(
    ({ subject_id, predicate }) => subject_id === now.subject_id && predicate === now.predicate,
  );
  const whereOf = (row?: Row) => inBrackets(verdict ? whereExplained(now, verdict, row) : '');
  const where = whereOf();
  const told = <R extends Row>(row: R): (R & Compared)[] => {
    const place = whereOf(row);
    const words = otherwiseWords(row, now, place === where ? '' : place);
    return words && !areWithdrawn(row.claim_ids, now.contributions) ? [{ ...row, otherwise: words }] : [];
  };
  const { smallest_change: change, without_source } = now;
  return {
    ...now,
    ...(where !== '' && { where }),
    smallest_change: (change && told(change)[0]) ?? null,
    without_source: without_source.flatMap(told),
  };
}
