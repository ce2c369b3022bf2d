import type { Category, SubjectResult, TruthStatus } from '@platform/opinion-fusion';
import { evidenceStrength, likelihoodWord } from '@platform/opinion-fusion';
import { decimal, percent } from './numbers.ts';

/**
 * The sentence on how likely a verdict is, `Likely (72 %).`, in the words of ICD 203. Confidence is never in it: ICD 203
 * D.6.e.(2) forbids the two in one sentence.
 */
export function likelihoodSentence(
  verdict: Pick<SubjectResult, 'truth_status' | 'expected_probability'>,
): string {
  const share = percent(verdict.expected_probability);
  if (verdict.truth_status === 'Neither') return `Not enough evidence either way (${share}).`;
  const sentence = `${capital(likelihoodWord(verdict.expected_probability))} (${share})`;
  return verdict.truth_status === 'Both' ? `${sentence}, with evidence on both sides.` : `${sentence}.`;
}

/** The sentence on how much stands behind it: `Evidence: moderate, uncertainty 0.31.` */
export function evidenceSentence(uncertainty: number): string {
  return `Evidence: ${evidenceStrength(uncertainty)}, uncertainty ${decimal(uncertainty)}.`;
}

/**
 * What stands for the value of a verdict that has none: where all claims are retracted or below the credibility floor nothing
 * is known at all; what is inferred has some evidence.
 */
function withoutValue({ confidence }: Pick<SubjectResult, 'confidence'>): string {
  return confidence.uncertainty === 1 ? 'no weight' : 'inferred';
}

/** A claim's value as it is shown; an empty value reads `(empty)`, so that no reader looks for missing text. */
export function shownValue(value: string): string {
  return value.trim() === '' ? '(empty)' : value;
}

/** What a verdict speaks of, in a few words. */
export function verdictValue(verdict: Pick<SubjectResult, 'leading_value' | 'confidence'>): string {
  return verdict.leading_value === null ? withoutValue(verdict) : shownValue(verdict.leading_value);
}

/** What each of Belnap's four values means, in plain words. */
export const TRUTH_STATUS_MEANING: Readonly<Record<TruthStatus, string>> = {
  True: 'Supported, and hardly anything speaks against it.',
  False: 'Opposed, and hardly anything speaks for it.',
  Both: 'Contradicted: there is evidence for it and evidence against it.',
  Neither: 'Open: there is too little evidence to speak for or against it.',
};

/** One word for a truth status as a reader meets it. */
export const TRUTH_STATUS_LABEL: Readonly<Record<TruthStatus, string>> = {
  True: 'True',
  False: 'False',
  Both: 'Both (contradicted)',
  Neither: 'Neither (too little evidence)',
};

export const CATEGORY_MEANING: Readonly<Record<Category, string>> = {
  strong: 'belief exceeds disbelief by 0.5 or more',
  moderate: 'belief exceeds disbelief by 0.2 or more',
  contested: 'belief and disbelief are both 0.2 or more',
  weak: 'belief and disbelief are close, and one of them is low',
  refuted: 'disbelief exceeds belief by 0.2 or more',
};

/** A machine name as it is read: `flew_under_power` → `flew under power`. Changes nothing but underscores. */
export function readable(name: string): string {
  return name.replaceAll('_', ' ').trim() || name;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
