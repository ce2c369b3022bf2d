import { addCautions, warnOfLeftOut, warnOfLikelier } from './report/cautions.ts';
import { warnOfCompactDates } from './report/compact-date-cautions.ts';
import { warnOfTurned } from './report/estimate-cautions.ts';
import { warnOfNoEstimate, warnOfNumbers } from './report/number-cautions.ts';
import { accumulate } from './report/accumulation.ts';
import { analyzeClaims } from './report/claim-analyses.ts';
import { analyzeConflicts } from './interpretations/conflict-analysis.ts';
import { ENGINE_VERSION, RIVALS_MAX } from './contract/constants.ts';
import { judgeInvestigation } from './verdict/judge-investigation.ts';
import { expectedProbability } from '@platform/subjective-logic';
import { rankClaims } from './report/ranking.ts';
import { disputedPlaces, moreValues } from './report/more-values.ts';
import { analyzeSensitivity, evidenceGap } from './report/sensitivity.ts';
import { summarizeResult, tiedValues } from './report/summary.ts';
import { analyzeTime } from './report/temporal.ts';
import { formatTime } from './contract/timestamp.ts';
import { truthStatus } from './verdict/truth-status.ts';
import type {
  AgeDecides,
  InvestigationResult,
  InvestigationSummary,
  StopSignal,
  SubjectResult,
} from './contract/types.ts';
import { countSides, isOnlyDenied, noValueCounts, saysNo, summarize } from './verdict/verdict.ts';
import type { Verdict } from './verdict/verdict.ts';
import type { Weighed } from './weighing/weighing.ts';
import { listedDenials } from './verdict/denials.ts';
import { estimateNumber, numericVoices } from './verdict/numeric-estimate.ts';
import { warnOfSharedOrigins } from './report/origin-cautions.ts';
import { warnOfNearValues } from './report/value-cautions.ts';
import { ageDecides, hasAged, isOld } from './verdict/age-decides.ts';
import { rivalryOf } from './verdict/rivals.ts';
import { weighUnaged } from './weighing/weighing.ts';
import { Warnings } from './contract/warnings.ts';
import { EntangledParts } from './again/entangled-parts.ts';
import { questionKey } from './model/question-key.ts';
import type { JudgedQuestion, Judgement } from './again/judgement.ts';
import { Unchanged } from './again/unchanged.ts';
import type { ConflictAnalysis } from './interpretations/conflict-analysis.ts';

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
  return analyzeWith(input, options, null).result;
}

/**
 * The same as `analyze`, to the byte, and what it leaves for the next analysis: given what the one before
 * left, only those parts of the investigation are judged whose numbers may differ. Dependence between
 * sources, learned reliabilities, ranks and warnings are always found for the whole; where anything in a part
 * has a time, it is judged again for every new instant, and with `reliability: "estimated"` nearly everything
 * is. Pure: `earlier` stays as it is, and results may share objects, so that nobody may change them. Throws
 * as `analyze` does.
 */
export function analyzeAgain(
  input: unknown,
  options: AnalyzeOptions,
  earlier: Judgement | null,
): { readonly result: InvestigationResult | InvestigationSummary; readonly judgement: Judgement } {
  const { result, questions, unchanged, ...left } = analyzeWith(input, options, earlier);
  const named = questions.map(
    (one) => [questionKey(one.result.subject_id, one.result.predicate), one] as const,
  );
  const parts = unchanged?.parts ?? new EntangledParts(left.weighed.model, left.weighed.pairs);
  return { result, judgement: { ...left, parts, questions: new Map(named) } };
}

function analyzeWith(
  input: unknown,
  { now, signal, onProgress }: AnalyzeOptions,
  earlier: Judgement | null,
): {
  readonly result: InvestigationResult | InvestigationSummary;
  readonly questions: readonly JudgedQuestion[];
  readonly unchanged: Unchanged | undefined;
} & Omit<Judgement, 'parts' | 'questions'> {
  const enter = (phase: Phase) => {
    if (signal?.aborted) throw signal.reason ?? new Error('the analysis was aborted');
    onProgress?.({ phase, done: PHASES.indexOf(phase), total: PHASES.length });
  };

  const warnings = new Warnings();
  let unchanged: Unchanged | undefined;
  const { weighed, dependence, verdicts } = judgeInvestigation(
    input,
    now,
    warnings,
    enter,
    earlier ? (parts) => (unchanged = new Unchanged(earlier, parts)) : undefined,
    earlier?.search,
  );
  const { model } = weighed;
  const known = verdicts.map(({ pair }) => (pair && unchanged?.questionOf(pair)) ?? null);

  enter('interpret');
  const conflicts = analyzeConflicts(
    verdicts,
    weighed,
    warnings,
    () => signal?.aborted ?? false,
    known.map((question) => question?.conflict ?? null),
  );

  enter('report');
  addCautions(verdicts, conflicts, weighed, warnings);
  warnOfTurned(verdicts, weighed, warnings);
  warnOfNumbers(weighed, warnings);
  warnOfCompactDates(weighed, warnings);
  warnOfNearValues(weighed, warnings);
  warnOfSharedOrigins(weighed, warnings);
  const temporal = analyzeTime(weighed, warnings);
  const accumulative = accumulate(weighed, warnings);
  const aged = verdicts.flatMap(({ pair }, i) => (pair && !known[i] && hasAged(pair, weighed) ? [pair] : []));
  const unaged = aged.length > 0 ? weighUnaged(weighed, aged) : null;
  const isAged = new Set(aged);
  const questions = verdicts.map((verdict, i) =>
    judgedQuestion(
      verdict,
      conflicts[i]!,
      known[i]!,
      weighed,
      verdict.pair && isAged.has(verdict.pair) ? unaged : null,
    ),
  );
  for (const { warned } of questions) warnings.addAll(warned);
  const subjectResults = questions.map((question) => question.result);
  warnOfNoEstimate(weighed, subjectResults, warnings);
  const claimAnalyses = analyzeClaims(weighed, unchanged?.analysisOf);
  const { listed, byPlace: ranked } = rankClaims(weighed, unchanged?.rankedOf);
  const result: InvestigationResult = {
    research_question: model.input.research_question,
    decay_half_life_days: model.settings.halfLifeDays,
    subject_results: subjectResults,
    conflict_analysis: conflicts.map((conflict) => conflict.argumentation),
    claim_analyses: claimAnalyses,
    ranked_claims: listed,
    sensitivity_analysis: analyzeSensitivity(questions.map(({ gap }) => gap)),
    ...(temporal && { temporal_analysis: temporal }),
    ...(accumulative && { accumulative_analysis: accumulative }),
    source_dependence: dependence.detected,
    ...(weighed.estimate && { estimated_reliability: [...weighed.estimate.reliabilities] }),
    evaluated_at: formatTime(now.getTime()),
    engine_version: ENGINE_VERSION,
    warnings: warnings.sentences(),
  };
  if (signal?.aborted) throw signal.reason ?? new Error('the analysis was aborted');
  return {
    result: model.input.summary_mode === true ? summarizeResult(result) : result,
    claimAnalyses,
    ranked,
    search: dependence.search,
    weighed,
    questions,
    unchanged,
  };
}

function judgedQuestion(
  verdict: Verdict,
  conflict: ConflictAnalysis,
  known: JudgedQuestion | null,
  weighed: Weighed,
  unaged: Weighed | null,
): JudgedQuestion {
  if (known) return { ...known, verdict, conflict };
  const warnings = new Warnings();
  const age = unaged && ageDecides(verdict, weighed, unaged);
  const result = subjectResult(verdict, weighed, warnings, age);
  return {
    verdict,
    conflict,
    result,
    gap: evidenceGap(verdict, conflict, {
      isLeaderless: result.tied === true || result.denied === true,
      supporters: supportersOf(verdict, result, weighed),
      age,
      isOld: verdict.pair !== null && isOld(verdict.pair, weighed),
      asOf: weighed.model.input.as_of,
      isSuperseded: result.superseded?.is_all === true,
    }),
    warned: warnings.list,
    asksAccuracy: [weighed, unaged].some(
      (one) => verdict.pair && one?.candidates.get(verdict.pair)?.asksAccuracy,
    ),
  };
}

/** How many sources agree with the leading claim by claims about claims alone. */
function supportersOf({ leading, sources }: Verdict, result: SubjectResult, weighed: Weighed): number {
  if (!leading) return 0;
  const isNo = saysNo(weighed.groupOf[leading.index]!);
  return Math.max(0, (isNo ? result.opposing_source_count : result.supporting_source_count) - sources);
}

function subjectResult(
  verdict: Verdict,
  weighed: Weighed,
  warnings: Warnings,
  age: AgeDecides | null,
): SubjectResult {
  const { calibrated, rivals, isTied, likelier } = rivalryOf(verdict, weighed);
  const isFull = rivals.length >= RIVALS_MAX;
  const counted = isFull ? rivalryOf(verdict, weighed, 'counted').rivals : rivals;
  const isPlaced = rivals.some((one) => one.scope ?? one.event_start_time ?? one.event_end_time);
  if (likelier) warnOfLikelier(verdict, likelier, weighed, warnings);
  const { counts, superseded } = countSides(verdict, weighed);
  const tie = tiedValues({ tied: isTied, rival_values: rivals });
  const isOfYesAndNo = tie?.every(({ apart, value }) => !apart && (value === 'true' || value === 'false'));
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
    ...((isFull || isPlaced) && { all_values: [...rivalryOf(verdict, weighed, 'everywhere').rivals] }),
    ...moreValues(rivals, counted, isTied),
    ...disputedPlaces(verdict, counted, weighed),
    ...(isTied && { tied: true }),
    ...(isOnlyDenied(verdict, weighed) && { denied: true }),
    ...listedDenials(verdict, weighed),
    ...(superseded && (tie === null || isOfYesAndNo) && { superseded }),
    ...(age && { age_decides: age }),
    ...(numbers && { numeric_estimate: estimateNumber(numbers) }),
    leading_value: verdict.leadingValue,
    ...(noValueCounts(verdict) && { no_value_counts: true as const }),
    source_count: verdict.sources,
    independent_source_count: verdict.independentSources,
    ...counts,
  };
}
