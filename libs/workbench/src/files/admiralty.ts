import type { Entity } from '../edit/kinds.ts';
import { comparable, isNothing } from './field-values.ts';

/**
 * The Admiralty Code, from the best step to the worst: reliability of a source, credibility of what it says,
 * `confidence` from 0 to 100 with the least that counts as the step, and `opinion` on somebody else's object.
 * The code itself has words and no numbers: those of credibility are STIX 2.1, Appendix A, and reliability
 * takes the same. Sources: NATO AJP-2.1; MISP taxonomy admiralty-scale; STIX 2.1 §4.11 and Appendix A.
 */
export const ADMIRALTY = [
  {
    letter: 'a',
    digit: '1',
    words: 'confirmed by other sources',
    confidence: 90,
    from: 80,
    opinion: 'strongly-agree',
  },
  { letter: 'b', digit: '2', words: 'probably true', confidence: 70, from: 60, opinion: 'agree' },
  { letter: 'c', digit: '3', words: 'possibly true', confidence: 50, from: 40, opinion: 'neutral' },
  { letter: 'd', digit: '4', words: 'doubtful', confidence: 30, from: 20, opinion: 'disagree' },
  { letter: 'e', digit: '5', words: 'improbable', confidence: 10, from: 0, opinion: 'strongly-disagree' },
] as const;

/** The step that a confidence from 0 to 100 counts as. Pure. */
export const admiraltyStep = (confidence: number) =>
  ADMIRALTY.find(({ from }) => confidence >= from) ?? ADMIRALTY[4];

/** Valence and weight of evidence by a confidence from 0 to 100. Pure. */
export const weighed = (confidence: number) => ({
  valence: confidence > 50 ? 'Supports' : confidence < 50 ? 'Refutes' : 'Neutral',
  ...(confidence !== 50 && { weight: Math.abs(confidence - 50) / 50 }),
});

/**
 * What evidence says that states how confident somebody is in a claim: above 50 for it, below 50 against it,
 * with the distance from 50 as weight, so that the confidence can be told from it. `event` is the time of the
 * version of a MISP event that states it, where what it is on has an earlier one. Pure.
 */
export function gradeStatement(confidence: number, event?: string) {
  const { digit, words } = admiraltyStep(confidence);
  const stated = event === undefined ? '' : `, event of ${event}`;
  return {
    content: `Credibility ${digit}, ${words} (confidence ${confidence} of 100${stated}).`,
    ...weighed(confidence),
  };
}

const CONFIDENCE = /\(confidence (\d+(?:\.\d+)?) of 100(?:, event of ([\d.:TZ-]+))?\)\.$/;

/** Whether evidence is all that an import made of a grade, so that nobody wrote any of it since. Pure. */
export function isGradeAsRead({ id: _id, claim_id: _claimId, ...stated }: Entity): boolean {
  const [, confidence, event] = CONFIDENCE.exec(String(stated['content'])) ?? [];
  const said = Object.entries(stated).filter(([, value]) => !isNothing(value));
  return comparable(Object.fromEntries(said)) === comparable(gradeStatement(Number(confidence), event));
}

/** The confidence that evidence states as an import made it of a grade, and the time of its event. Pure. */
export function gradeOf({ content }: Entity): { readonly confidence: number; readonly event: number } {
  const [, confidence, event] = CONFIDENCE.exec(String(content)) ?? [];
  return { confidence: Number(confidence), event: Date.parse(String(event)) };
}
