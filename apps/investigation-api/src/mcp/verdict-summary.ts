import type { z } from 'zod';
import type {
  EvidenceGap as EvidenceGapSchema,
  InvestigationResult as ResultSchema,
  InvestigationSummary as SummarySchema,
  SubjectResult as SubjectResultSchema,
} from '../wire/result-schema.ts';

type InvestigationResult = z.output<typeof ResultSchema>;
type InvestigationSummary = z.output<typeof SummarySchema>;
type SubjectResult = z.output<typeof SubjectResultSchema>;
type EvidenceGap = z.output<typeof EvidenceGapSchema>;

const VERDICTS_MAX = 12;
const CONDITIONS_MAX = 6;
const WARNINGS_MAX = 5;

/**
 * A result in a few lines for people: the verdicts, most decided first, what holds under which condition, the
 * most useful next pieces of evidence, and the warnings. The data beside it have the rest.
 */
export function summarizeVerdict(result: InvestigationResult | InvestigationSummary): string {
  const sections =
    'summary_mode' in result
      ? [result.synthesis, ...verdictLines(result.top_findings), ...gapLines(result.top_evidence_gaps)]
      : [
          ...verdictLines(result.subject_results),
          ...conditionLines(result),
          ...gapLines(result.sensitivity_analysis.evidence_gaps),
        ];
  return [result.research_question, ...sections, ...warningLines(result.warnings)].join('\n');
}

function verdictLines(verdicts: readonly SubjectResult[]): string[] {
  const decided = verdicts.toSorted(
    (a, b) => Math.abs(b.expected_probability - 0.5) - Math.abs(a.expected_probability - 0.5),
  );
  return [
    ...decided.slice(0, VERDICTS_MAX).map(verdictLine),
    ...more(verdicts.length, VERDICTS_MAX, 'verdicts'),
  ];
}

function verdictLine(verdict: SubjectResult): string {
  const { support, opposition, uncertainty } = verdict.confidence;
  const { leading_value: leading } = verdict;
  // Of a boolean the truth status says it all: `= true: False` would only puzzle.
  const value = leading === null || leading === 'true' ? '' : ` = ${leading}`;
  return (
    `- ${verdict.subject_name}: ${verdict.predicate}${value}: ${verdict.truth_status}, ` +
    `chance ${percent(verdict.calibrated_probability ?? verdict.expected_probability)} (support ${percent(support)}, opposition ` +
    `${percent(opposition)}, unknown ${percent(uncertainty)}; ${sources(verdict)})`
  );
}

function sources({
  source_count: all,
  independent_source_count: independent,
  confidence,
}: SubjectResult): string {
  if (all === 0) return confidence.uncertainty === 1 ? 'no claim carries weight' : 'inferred only';
  if (all === 1) return '1 source';
  return independent === all ? `${all} independent sources` : `${all} sources, ${independent} independent`;
}

function conditionLines(result: InvestigationResult): string[] {
  const conclusions = result.accumulative_analysis?.conditional_conclusions ?? [];
  const values = new Map(result.claim_analyses.map((claim) => [claim.claim_id, claim.value]));
  const lines = conclusions
    .slice(0, CONDITIONS_MAX)
    .map(
      ({ condition, favored_claim_id: id, calibrated_probability: chance, expected_probability: share }) =>
        `- ${condition}: ${values.get(id) ?? ''} (claim ${id}), chance ${percent(chance ?? share)}`,
    );
  return [...lines, ...more(conclusions.length, CONDITIONS_MAX, 'conditional conclusions')];
}

function gapLines(gaps: readonly EvidenceGap[]): string[] {
  const contested = gaps.find((gap) => gap.is_contested);
  const shown = [gaps[0], ...(contested === gaps[0] ? [] : [contested])].filter((gap) => gap !== undefined);
  return shown.map((gap) => `Most useful next: ${gap.suggestion}`);
}

function warningLines(warnings: readonly string[]): string[] {
  return [
    ...warnings.slice(0, WARNINGS_MAX).map((warning) => `Warning: ${warning}`),
    ...more(warnings.length, WARNINGS_MAX, 'warnings'),
  ];
}

function more(total: number, shown: number, what: string): string[] {
  return total > shown ? [`… ${what} further in the data: ${total - shown}`] : [];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
