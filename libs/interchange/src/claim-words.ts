import {
  questionSubject,
  readable,
  textOf,
  type ClaimInput,
  type InvestigationInput,
  type SubjectInput,
} from '@platform/opinion-fusion';
import { claimStatement, placeText } from '@platform/viewer';

/** The fields that say how a claim means its value, as far as it has them: its side, its scope, its time. */
export function conditionsOf(claim: ClaimInput): Readonly<Record<string, string>> {
  const { target_claim_id, valence, scope, event_start_time, event_end_time } = claim;
  const given = { target_claim_id, valence, scope, event_start_time, event_end_time };
  return Object.fromEntries(Object.entries(given).flatMap(([field, text]) => (text ? [[field, text]] : [])));
}

/**
 * What a claim says, in the words of the page; of a claim about a claim, on which side of it that stands.
 */
export function claimWords(claim: ClaimInput, subjects: ReadonlyMap<string, SubjectInput>): string {
  const { target_claim_id: target, subject_id: subject, predicate, value, valence } = claim;
  if (!target) return textOf(claimStatement(claim, subjects.get(subject ?? '')?.name));
  const side = valence?.toLowerCase() === 'refutes' ? 'Against' : 'On';
  return `${side} the claim ${target}: ${predicate}: ${value}${placeText(claim)}`;
}

export type InferenceInput = NonNullable<InvestigationInput['inferences']>[number];

/** The rule that an inference follows, as far as it has words for it. */
export function ruleOf({ rule_param, rule_param2 }: InferenceInput): Readonly<Record<string, string>> {
  const given = { rule_param, rule_param2 };
  return Object.fromEntries(Object.entries(given).flatMap(([field, text]) => (text ? [[field, text]] : [])));
}

/** What an inference concludes: its description, or else the question on which it speaks. */
export function inferenceWords(
  { description, subject_id: subject, predicate }: InferenceInput,
  { subjects }: Pick<InvestigationInput, 'subjects'>,
): string {
  const name = subjects.find(({ id }) => id === subject)?.name ?? subject;
  return description?.trim() || `${questionSubject(name, predicate)}: ${readable(predicate)}`;
}

/** A subject with a value of a property, in a sentence of the page without its full stop. */
export function sentenceOf({
  subject,
  predicate,
  value,
}: {
  readonly subject: string;
  readonly predicate: string;
  readonly value: string;
}): string {
  const claim = { id: '', actor_id: '', subject_id: subject, predicate, value, content: '' };
  return textOf(claimStatement(claim));
}
