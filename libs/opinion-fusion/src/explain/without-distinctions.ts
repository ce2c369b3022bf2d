import { analyze } from '../analyze.ts';
import { EXPLANATION_WORK } from '../contract/constants.ts';
import type { InvestigationInput, InvestigationResult, SubjectResult } from '../contract/types.ts';
import type { ExplainOptions } from './explain.ts';

/** The verdict on the question of a distinction as it would be if that distinction were not in the input. */
export interface WithoutDistinction {
  distinction_id: string;
  result: SubjectResult;
}

/**
 * For each distinction over two claims of one question, in input order, the question's verdict without it.
 * Distinctions that the work does not suffice for have no row: `budget` is the number of claims that may be
 * read, as in `explainAll`. Pure. Throws InvalidInvestigation for an input that cannot be judged, and the
 * signal's reason when it is aborted. Source: rule 10.
 */
export function withoutDistinctions(
  input: InvestigationInput,
  { now, signal, budget }: ExplainOptions,
): WithoutDistinction[] {
  const { claims } = input;
  const distinctions = input.distinctions ?? [];
  const claimById = new Map(claims.map((claim) => [claim.id, claim]));
  let left = budget ?? EXPLANATION_WORK.least + EXPLANATION_WORK.perClaim * claims.length;
  const rows: WithoutDistinction[] = [];
  for (const { id, argument_a, argument_b } of distinctions) {
    const [a, b] = [claimById.get(argument_a), claimById.get(argument_b)];
    const isOneQuestion =
      a && b && a !== b && a.subject_id && a.subject_id === b.subject_id && a.predicate === b.predicate;
    if (!isOneQuestion || claims.length > left) continue;
    left -= claims.length;
    const others = distinctions.filter((other) => other.id !== id);
    const judged = analyze(
      { ...input, summary_mode: false, distinctions: others },
      { now, ...(signal && { signal }) },
    ) as InvestigationResult;
    const result = judged.subject_results.find(
      (verdict) => verdict.subject_id === a.subject_id && verdict.predicate === a.predicate,
    );
    if (result) rows.push({ distinction_id: id, result });
  }
  return rows;
}
