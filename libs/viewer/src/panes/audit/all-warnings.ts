import type { JudgedInvestigation } from '../../snapshot.ts';

/** What the engine objected to, and the quotes that are not where they were pinned or were not looked up. */
export function allWarnings({
  result,
  quotes,
}: Pick<JudgedInvestigation, 'result' | 'quotes'>): readonly string[] {
  return [...result.warnings, ...(quotes?.warnings ?? [])];
}
