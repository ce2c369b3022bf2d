import { leadsOther, noneWouldLead } from '@platform/opinion-fusion';
import type { JudgedInvestigation, OtherLead } from '../snapshot.ts';

/**
 * The same with the verdicts marked in which another value leads: those without some claims, and those of the
 * judgement before, where none leads any more included. Reading values as the engine does takes its table of
 * units, which no browser need load. Pure.
 */
export function withOtherLeads<Shown extends JudgedInvestigation>(shown: Shown): Shown {
  const { previous, explanations, result } = shown;
  return {
    ...shown,
    explanations: explanations.map((now) => ({
      ...now,
      smallest_change:
        now.smallest_change && marked(now.smallest_change, leadsOther(now.smallest_change, now)),
      without_source: now.without_source.map((row) => marked(row, leadsOther(row, now))),
    })),
    ...(previous && { previous: { ...previous, result: againstNow(previous.result, result) } }),
  };
}

function marked<Row extends object>(row: Row, isOther: boolean): Row & OtherLead {
  return isOther ? { ...row, leads_other: true } : row;
}

type Result = JudgedInvestigation['result'];

function againstNow(before: Result, now: Result): Result {
  if ('summary_mode' in before) return before;
  const verdicts = 'summary_mode' in now ? now.top_findings : now.subject_results;
  const key = ({ subject_id, predicate }: (typeof verdicts)[number]) =>
    JSON.stringify([subject_id, predicate]);
  const nowOf = new Map(verdicts.map((verdict) => [key(verdict), verdict]));
  return {
    ...before,
    subject_results: before.subject_results.map((verdict) => {
      const after = nowOf.get(key(verdict));
      return marked(
        verdict,
        after !== undefined && (leadsOther(after, verdict) || noneWouldLead(after, verdict)),
      );
    }),
  };
}
