import { addCautions, warnOfLeftOut, warnOfLikelier } from './report/cautions.ts';
import { warnOfNoEstimate, warnOfNumbers } from './report/number-cautions.ts';
import { accumulate } from './report/accumulation.ts';
import { analyzeClaims } from './report/claim-analyses.ts';
import { analyzeConflicts } from './interpretations/conflict-analysis.ts';
import { ENGINE_VERSION } from './contract/constants.ts';
import { judgeInvestigation } from './verdict/judge-investigation.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { rankClaims } from './report/ranking.ts';
import { analyzeSensitivity } from './report/sensitivity.ts';
import { summarizeResult } from './report/summary.ts';
import { analyzeTime } from './report/temporal.ts';
import { formatTime } from './contract/timestamp.ts';
import { truthStatus } from './verdict/truth-status.ts';
import type {
  InvestigationResult,
  InvestigationSummary,
  StopSignal,
  SubjectResult,
} from './contract/types.ts';
import { summarize } from './verdict/verdict.ts';
import type { Verdict } from './verdict/verdict.ts';
import type { Weighed } from './weighing/weighing.ts';
import { estimateNumber, numericVoices } from './verdict/numeric-estimate.ts';
import { warnOfSharedOrigins } from './report/origin-cautions.ts';
import { warnOfNearValues } from './report/value-cautions.ts';
import { rivalryOf } from './verdict/rivals.ts';
import { Warnings } from './contract/warnings.ts';

/** What an analysis works on, in this order. */
export const PHASES = ['read', 'weigh', 'judge', 'interpret', 'report'] as const;
export type Phase = (typeof PHASES)[number];

export interface AnalyzeOptions {
  /** The instant of the analysis; becomes `evaluated_at`. */
  readonly now: Date;
  /** Asked between and within phases; once aborted, `analyze` throws its reason. */
  readonly signal?: StopSignal;
  /** Told when a phase begins: `done` of `total` phases are finished. */
  readonly onProgress?: (progress: {
    readonly phase: Phase;
    readonly done: number;
    readonly total: number;
  }) => void;
}

/**
 * Judges an investigation: verdicts, ranked claims, conflicts, sensitivity, time, conditional conclusions and
 * warnings; with `summary_mode` the compact result. Pure: the same input and `now` give the same result,
 * whatever the order of the lists. Throws InvalidInvestigation for an input that cannot be judged, and the
 * signal's reason when it is aborted. Source: the contract's processing rules 1–16; reasoning model §1–§10.
 */
export function analyze(input: unknown, options: AnalyzeOptions): InvestigationResult | InvestigationSummary {
  const { now, signal, onProgress } = options;
  const enter = (phase: Phase) => {
    if (signal?.aborted) throw signal.reason ?? new Error('the analysis was aborted');
    onProgress?.({ phase, done: PHASES.indexOf(phase), total: PHASES.length });
  };

  const warnings = new Warnings();
  const { weighed, dependence, verdicts } = judgeInvestigation(input, now, warnings, enter);
  const { model } = weighed;

  enter('interpret');
  const conflicts = analyzeConflicts(verdicts, weighed, warnings, () => signal?.aborted ?? false);

  enter('report');
  addCautions(verdicts, conflicts, weighed, warnings);
  warnOfNumbers(weighed, warnings);
  warnOfNearValues(weighed, warnings);
  warnOfSharedOrigins(weighed, warnings);
  const temporal = analyzeTime(weighed, warnings);
  const accumulative = accumulate(weighed, warnings);
  const subjectResults = verdicts.map((verdict) => subjectResult(verdict, weighed, warnings));
  warnOfNoEstimate(weighed, subjectResults, warnings);
  const result: InvestigationResult = {
    research_question: model.input.research_question,
    decay_half_life_days: model.settings.halfLifeDays,
    subject_results: subjectResults,
    conflict_analysis: conflicts.map((conflict) => conflict.argumentation),
    claim_analyses: analyzeClaims(weighed),
    ranked_claims: rankClaims(weighed),
    sensitivity_analysis: analyzeSensitivity(verdicts, conflicts, weighed),
    ...(temporal && { temporal_analysis: temporal }),
    ...(accumulative && { accumulative_analysis: accumulative }),
    source_dependence: dependence.detected,
    ...(weighed.estimate && { estimated_reliability: [...weighed.estimate.reliabilities] }),
    evaluated_at: formatTime(now.getTime()),
    engine_version: ENGINE_VERSION,
    warnings: warnings.sentences(),
  };
  if (signal?.aborted) throw signal.reason ?? new Error('the analysis was aborted');
  return model.input.summary_mode === true ? summarizeResult(result) : result;
}

function subjectResult(verdict: Verdict, weighed: Weighed, warnings: Warnings): SubjectResult {
  const { calibrated, rivals, isTied, likelier } = rivalryOf(verdict, weighed);
  if (likelier) warnOfLikelier(verdict, likelier, weighed, warnings);
  const numbers = numericVoices(verdict, weighed);
  if (numbers) warnOfLeftOut(verdict, numbers, warnings);
  return {
    subject_id: verdict.subject.id,
    subject_name: verdict.subject.name,
    predicate: verdict.predicate,
    truth_status: truthStatus(verdict.opinion),
    confidence: summarize(verdict.opinion),
    expected_probability: expectedProbability(verdict.opinion),
    calibrated_probability: calibrated,
    rival_values: [...rivals],
    ...(isTied && { tied: true }),
    ...(numbers && { numeric_estimate: estimateNumber(numbers) }),
    leading_value: verdict.leadingValue,
    source_count: verdict.sources,
    independent_source_count: verdict.independentSources,
  };
}
