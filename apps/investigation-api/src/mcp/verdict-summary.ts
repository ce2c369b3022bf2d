import { decidedFirst, questionSubject, tiedValues, whereLeading, whereSaid } from '@platform/opinion-fusion';
import type { z } from 'zod';
import type {
  EvidenceGap as EvidenceGapSchema,
  InvestigationResult as ResultSchema,
  InvestigationSummary as SummarySchema,
  SubjectResult as SubjectResultSchema,
} from '../wire/result-schema.ts';
import type { VerdictPart } from './shown-result.ts';
import { warningLines } from './warning-lines.ts';
import { percent, short, statusWords } from './words.ts';

type InvestigationResult = z.output<typeof ResultSchema>;
type InvestigationSummary = z.output<typeof SummarySchema>;
type SubjectResult = z.output<typeof SubjectResultSchema>;
type EvidenceGap = z.output<typeof EvidenceGapSchema>;

/** Verdicts that are listed where no other number is asked for. */
export const VERDICTS_MAX = 5;
const CONDITIONS_MAX = 6;
const RIVALS_MAX = 2;

/**
 * A result in a few lines for people: the verdicts, most decided first, what holds under which condition, the
 * most useful next pieces of evidence, and the warnings; of a part, its verdicts and the warnings. The data
 * have the rest.
 */
export function summarizeVerdict(result: InvestigationResult | InvestigationSummary | VerdictPart): string {
  const sections =
    'verdicts' in result
      ? partLines(result)
      : 'summary_mode' in result
        ? [...verdictLines(result.top_findings), ...overviewOf(result), ...gapLines(result.top_evidence_gaps)]
        : [
            ...verdictLines(result.subject_results),
            ...conditionLines(result),
            ...gapLines(result.sensitivity_analysis.evidence_gaps),
          ];
  return [result.research_question, ...sections, ...warningLines(result.warnings)].join('\n');
}

/** What the synthesis says beyond the findings: how many more there are, and whether sources contradict. */
function overviewOf({ synthesis, top_findings: findings }: InvestigationSummary): string[] {
  if (findings.length === 0) return [synthesis];
  return [...synthesis.matchAll(OVERVIEW)].map(([sentence]) => sentence);
}

/** Sentences of a synthesis that speak of no single finding. */
const OVERVIEW =
  /\d+ further verdicts[^.]*\.|On (?:no question|\d+ of \d+ questions)[^.]*\.|The sources do not contradict[^.]*\./g;

function partLines({ verdicts, verdict_count: count, next_offset: next }: VerdictPart): string[] {
  const last = next ?? count;
  return [
    ...verdicts.map(verdictLine),
    verdicts.length === 0
      ? `There are ${count} verdicts, so none begins at this offset.`
      : `These are ${last - verdicts.length + 1} to ${last} of ${count} verdicts.`,
  ];
}

function verdictLines(verdicts: readonly SubjectResult[]): string[] {
  const shown = decidedFirst(verdicts).slice(0, VERDICTS_MAX);
  return [...shown.map(verdictLine), ...more(verdicts.length, VERDICTS_MAX, 'verdicts')];
}

function verdictLine(verdict: SubjectResult): string {
  const { support, opposition, uncertainty } = verdict.confidence;
  const { leading_value: leading } = verdict;
  // Of a boolean the truth status says it all: `= true: False` would only puzzle.
  const value = leading === null || leading === 'true' ? '' : ` = ${leading}`;
  const where = inBrackets(whereLeading(verdict));
  const tie = tiedValues(verdict);
  const tied = tie ? ` (tied: ${tie.map(said).join(' and ')}; no value leads)` : '';
  const chance = verdict.calibrated_probability ?? verdict.expected_probability;
  return (
    `- ${questionSubject(verdict.subject_name, verdict.predicate)}: ${verdict.predicate}${tie ? tied : value + where}: ${statusWords(verdict.truth_status, chance)}, ` +
    `chance that it is true ${percent(chance)} (support ${percent(support)}, ` +
    `opposition ${percent(opposition)}, unknown ${percent(uncertainty)}; ${sources(verdict)})${rivals(verdict)}`
  );
}

/** A verdict as it is kept: those of engine 1 have no rival values. */
type Kept = Omit<SubjectResult, 'rival_values'> & Partial<Pick<SubjectResult, 'rival_values'>>;

/** ` (in winter, from 1990 to 2000)`: a scope and time, if there are any. */
export const inBrackets = (where: string) => (where === '' ? '' : ` (${short(where, 60)})`);

/** A value with its scope and time, if it has them. */
const said = (rival: SubjectResult['rival_values'][number]) =>
  `${short(rival.value, 60)}${inBrackets(whereSaid(rival))}`;

/** The other values asserted, with their chances; of true and false the one says all. */
function rivals({ leading_value: leading, rival_values: values = [] }: Kept): string {
  const others = values.filter(({ value }) => value !== leading);
  if (others.length === 0 || leading === 'true' || leading === 'false') return '';
  const named = others.slice(0, RIVALS_MAX);
  const words = named.map((rival) => `${said(rival)} ${percent(rival.calibrated_probability)}`);
  const left = others.length - named.length;
  return `; others say ${words.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
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

function more(total: number, shown: number, what: string): string[] {
  return total > shown ? [`… ${what} further in the data: ${total - shown}`] : [];
}
