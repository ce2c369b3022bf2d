import { PRIOR_WEIGHT } from '@platform/subjective-logic';
import type { StopSignal } from '../contract/types.ts';
import { ALL_EXPLANATIONS_WORK, EXPLANATION_WORK, RIVALS_MAX } from '../contract/constants.ts';
import { deniedValues } from '../verdict/denials.ts';
import { estimateNumber, numericVoices } from '../verdict/numeric-estimate.ts';
import type { NumericVoices } from '../verdict/numeric-estimate.ts';
import { judgeInvestigation } from '../verdict/judge-investigation.ts';
import type { JudgedInvestigation } from '../verdict/judge-investigation.ts';
import { summarize } from '../verdict/verdict.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { Warnings } from '../contract/warnings.ts';
import { Alternatives, describe } from './alternatives.ts';
import { auditWeighed } from './audit-claims.ts';
import { listContributions } from './contributions.ts';
import type { ClaimAudit, ExplainedEstimate, VerdictExplanation } from './explanation.ts';
import { IncrementalRemoval } from './incremental-removal.ts';
import { findSmallestChange } from './smallest-change.ts';
import { listSpoken } from './spoken.ts';
import { listWithoutSource } from './without-source.ts';
import { StepBudget } from '@platform/argumentation';

export interface ExplainOptions {
  /** The instant of the analysis that is explained: `evaluated_at` of its result. */
  readonly now: Date;
  /** Asked between steps; once aborted, the explanation throws its reason. */
  readonly signal?: StopSignal;
  /**
   * Claims that may be read for verdicts without some claims; whole number ≥ 0. What it does not suffice for
   * is marked by `is_exact` and `without_source_is_complete`. Unless given, EXPLANATION_WORK or
   * ALL_EXPLANATIONS_WORK.
   */
  readonly budget?: number;
}

export interface ExplainPairOptions extends ExplainOptions {
  readonly subject_id: string;
  readonly predicate: string;
}

/**
 * How the verdict of `analyze` on one (subject, predicate) came about; null when there is no verdict on it.
 * Pure, as `analyze` is. Throws InvalidInvestigation for an input that cannot be judged, and the signal's
 * reason when it is aborted. Source: reasoning model §4–§6; the removals are counterfactuals over the same
 * steps.
 */
export function explain(input: unknown, options: ExplainPairOptions): VerdictExplanation | null {
  const judged = judgedFor(input, options);
  const verdict = judged.verdicts.find(
    ({ subject, predicate }) => subject.id === options.subject_id && predicate === options.predicate,
  );
  if (!verdict) return null;
  const alternatives = new Alternatives(judged, options.signal);
  return explainVerdict(verdict, alternatives, options.budget ?? usualBudget(alternatives));
}

/**
 * How all verdicts of `analyze` came about, in the order of subject_results. The budget is for all together:
 * each verdict has an equal share of what the ones before it left. Where that is less than finding the
 * dependence of sources anew takes, all verdicts keep it as found. Throws as `explain` does.
 */
export function explainAll(input: unknown, options: ExplainOptions): VerdictExplanation[] {
  return explainVerdicts(judgedFor(input, options), options);
}

/** `explainAll` and `auditClaims` of one analysis. Throws as `explain` does. */
export function explainAndAudit(
  input: unknown,
  options: ExplainOptions,
): { explanations: VerdictExplanation[]; claimAudits: ClaimAudit[] } {
  const judged = judgedFor(input, options);
  return { explanations: explainVerdicts(judged, options), claimAudits: auditWeighed(judged.weighed) };
}

function judgedFor(input: unknown, { now, signal }: ExplainOptions): JudgedInvestigation {
  return judgeInvestigation(input, now, new Warnings(), checking(signal));
}

function explainVerdicts(judged: JudgedInvestigation, options: ExplainOptions): VerdictExplanation[] {
  const alternatives = new Alternatives(judged, options.signal);
  const { verdicts } = judged;
  const { least, perClaim } = ALL_EXPLANATIONS_WORK;
  let left = options.budget ?? Math.max(least, perClaim * judged.weighed.model.claims.length);
  // Otherwise the last few verdicts would take what all the others could not use.
  if (left < alternatives.dependenceWork * verdicts.length) alternatives.dependenceWork = Infinity;
  return verdicts.map((verdict, index) => {
    const share = Math.floor(left / (verdicts.length - index));
    const work = new StepBudget(share);
    const explanation = explainWithin(verdict, alternatives, work);
    left -= share - work.left;
    return explanation;
  });
}

function explainVerdict(verdict: Verdict, alternatives: Alternatives, budget: number): VerdictExplanation {
  return explainWithin(verdict, alternatives, new StepBudget(budget));
}

function usualBudget({ weighed }: Alternatives): number {
  return EXPLANATION_WORK.least + EXPLANATION_WORK.perClaim * weighed.model.claims.length;
}

function checking(signal: StopSignal | undefined): () => void {
  return () => {
    if (signal?.aborted) throw signal.reason ?? new Error('the explanation was aborted');
  };
}

/** Half of the work, or what is left of it, goes to the sources, the rest to the smallest change. */
function explainWithin(verdict: Verdict, all: Alternatives, work: StepBudget): VerdictExplanation {
  const { weighed, classNames } = all;
  const { spoken, unrelated } = listSpoken(verdict, weighed);
  const alternatives = all.to(verdict);
  const plain = IncrementalRemoval.of(alternatives);
  const forSources = new StepBudget(Math.floor(work.left / 2));
  work.left -= forSources.left;
  const { rows, isComplete } = listWithoutSource(alternatives, spoken, plain, forSources);
  work.left += forSources.left;
  const numbers = numericVoices(verdict, weighed);
  const denials = deniedValues(verdict, weighed).slice(0, RIVALS_MAX);
  return {
    subject_id: verdict.subject.id,
    predicate: verdict.predicate,
    ...describe(verdict, weighed, null),
    leading_claim_id: verdict.leading?.id ?? null,
    confidence: summarize(verdict.opinion),
    r: verdict.r,
    s: verdict.s,
    prior_weight: PRIOR_WEIGHT,
    contributions: listContributions(spoken, verdict, weighed, classNames),
    ...(numbers && { numeric_estimate: explainEstimate(numbers) }),
    ...(denials.length > 0 && {
      denials: denials.map(({ denial, claims }) => ({
        ...denial,
        claim_ids: claims.map(({ id }) => id).sort(),
      })),
    }),
    unrelated_claim_ids: unrelated.map(({ id }) => id).sort(),
    smallest_change: findSmallestChange(alternatives, spoken, plain, work),
    without_source: rows,
    without_source_is_complete: isComplete,
  };
}

function explainEstimate(numbers: NumericVoices): ExplainedEstimate {
  return {
    ...estimateNumber(numbers),
    sources: numbers.sources,
    numbers: numbers.voices.map(({ claim, amount, share }) => ({
      claim_id: claim.id,
      number: amount,
      share,
    })),
  };
}
