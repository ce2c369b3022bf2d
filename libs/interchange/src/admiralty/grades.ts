import type { EvidenceInput } from '@platform/opinion-fusion';
import { ADMIRALTY as STEPS, admiraltyStep as stepOf, gradeStatement } from '@platform/workbench/claims';
import { evidenceIdOf } from '../collector.ts';
import type { LeftOutList } from '../imported.ts';
import { plainText } from '../read-json.ts';

/** Reliability and truth that cannot be judged: neither good nor bad, so that no number says it. */
const UNJUDGED = { letter: 'f', digit: '6' } as const;

export type Letter = (typeof STEPS)[number]['letter'] | typeof UNJUDGED.letter;
export type Digit = (typeof STEPS)[number]['digit'] | typeof UNJUDGED.digit;

/** The grade A to E of a stated reliability in [0, 1]. */
export const letterOf = (reliability: number): Letter => stepOf(Math.round(reliability * 100)).letter;

/** The reliability in [0, 1] that a grade states; null for F. */
export function reliabilityOf(letter: Letter): number | null {
  const step = STEPS.find((one) => one.letter === letter);
  return step === undefined ? null : step.confidence / 100;
}

/** The grade 1 to 5 of a confidence from 0 to 100. */
export const digitOf = (confidence: number): Digit => stepOf(confidence).digit;

/** The confidence from 0 to 100 that a grade states; null for 6. */
const confidenceOfDigit = (digit: Digit): number | null =>
  STEPS.find((one) => one.digit === digit)?.confidence ?? null;

/** A value of `opinion-enum` of STIX. */
export const opinionOf = (confidence: number) => stepOf(confidence).opinion;

/** The confidence behind a value of `opinion-enum`; null for another word. */
export const confidenceOfOpinion = (opinion: unknown): number | null =>
  STEPS.find((one) => one.opinion === opinion)?.confidence ?? null;

/** How confident somebody is in a claim, as evidence on it, by which version of its event. */
export const gradeEvidence = (claimId: string, confidence: number, event?: string): EvidenceInput => ({
  id: gradeId(claimId),
  claim_id: claimId,
  ...gradeStatement(confidence, event),
});

/** The id of the item of evidence that states the credibility of a claim; each has at most one. */
export const gradeId = (claimId: string) => evidenceIdOf('credibility', claimId);

/** The confidence from 0 to 100 that an item of evidence states of its claim. */
export function confidenceOfEvidence({ valence, weight }: EvidenceInput): number {
  const side = { supports: 1, refutes: -1 }[valence.toLowerCase()] ?? 0;
  return Math.min(100, Math.max(0, Math.round(50 + side * 50 * (weight ?? 1))));
}

/** What tags or labels say about how far to trust a source or a claim. */
export interface Grades {
  readonly reliability?: Letter;
  /** Confidence from 0 to 100; null where the truth cannot be judged. */
  readonly confidence?: number | null;
}

/**
 * Middle of each band of ICD 203 in percent, by the names of the MISP taxonomy estimative-language, whose
 * words say it too.
 */
const LIKELIHOOD: Readonly<Record<string, number>> = {
  'almost-no-chance': 3,
  'very-unlikely': 13,
  unlikely: 33,
  'roughly-even-chance': 50,
  likely: 68,
  'very-likely': 88,
  'almost-certain': 97,
};

const TAGS = {
  reliability: 'admiralty-scale:source-reliability',
  credibility: 'admiralty-scale:information-credibility',
  likelihood: 'estimative-language:likelihood-probability',
} as const;

export const reliabilityTag = (letter: Letter) => `${TAGS.reliability}="${letter}"`;
export const credibilityTag = (digit: Digit) => `${TAGS.credibility}="${digit}"`;
/** The tag of a word of ICD 203. */
export const likelihoodTag = (word: string) => `${TAGS.likelihood}="${word.replaceAll(' ', '-')}"`;

/** Whether a tag is of a taxonomy that `gradesOf` reads. */
export const isGrade = (tag: string) =>
  Object.values(TAGS).some((name) => tag.trim().toLowerCase().startsWith(`${name}=`));

/**
 * The grades among machine tags of MISP, which STIX has as labels. A likelihood counts where no credibility
 * is stated. Tags of other taxonomies say nothing of that.
 */
export function gradesOf(tags: readonly unknown[], path: string, leftOut: LeftOutList): Grades {
  let reliability: Letter | undefined;
  let credibility: number | null | undefined;
  let likelihood: number | undefined;
  const skip = (reason: string) => leftOut.add(path, reason);
  for (const tag of tags) {
    const [, name, value = ''] = /^([^=]+)="([^"]*)"$/.exec(plainText(tag).trim().toLowerCase()) ?? [];
    if (name === TAGS.reliability) {
      if (!/^[a-f]$/.test(value)) skip(`${TAGS.reliability} must be a letter from a to f`);
      else if (reliability !== undefined) skip(`${TAGS.reliability} is stated twice: the first one stands`);
      else reliability = value as Letter;
    } else if (name === TAGS.credibility) {
      if (!/^[1-6]$/.test(value)) skip(`${TAGS.credibility} must be a digit from 1 to 6`);
      else if (credibility !== undefined) skip(`${TAGS.credibility} is stated twice: the first one stands`);
      else credibility = confidenceOfDigit(value as Digit);
    } else if (name === TAGS.likelihood) {
      if (!Object.hasOwn(LIKELIHOOD, value))
        skip(`${TAGS.likelihood} must be one of ${Object.keys(LIKELIHOOD).join(', ')}`);
      else if (likelihood !== undefined) skip(`${TAGS.likelihood} is stated twice: the first one stands`);
      else likelihood = LIKELIHOOD[value]!;
    } else if (isGrade(plainText(tag)))
      skip(`${plainText(tag).slice(0, 80)} is not a grade: it must be written as ${reliabilityTag('b')}`);
  }
  if (credibility === null) skip('credibility 6: the truth cannot be judged, so that none is stated');
  const confidence = credibility === undefined ? likelihood : credibility;
  return {
    ...(reliability !== undefined && { reliability }),
    ...(confidence !== undefined && { confidence }),
  };
}
