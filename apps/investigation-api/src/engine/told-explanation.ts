import {
  agePart,
  conditionsPart,
  type InvestigationInput,
  type InvestigationResult,
  type VerdictExplanation,
} from '@platform/opinion-fusion';

/**
 * An explanation with what a reader needs beside its ids: the name of the subject, the chance, the rival
 * values and the disputes that the judgement found, what is superseded, what age decides, what distinctions
 * conclude, and for each contribution who speaks and what they say. Claims that deny a value that nobody
 * states are listed with it alone. The chance is null and the rivals, at most eight, are empty for a
 * judgement that does not have them. Every contribution of the explanation is told, however many there are;
 * a name is null where the input does not hold the item. Chances are probabilities. Never throws.
 */
export function toldExplanation(
  explanation: VerdictExplanation,
  input: InvestigationInput,
  result: Partial<InvestigationResult>,
): object {
  const { subject_results: verdicts = [], decay_half_life_days: days = 0 } = result;
  const { subject_id, predicate } = explanation;
  const actors = new Map(input.actors.map(({ id, name }) => [id, name]));
  const claims = new Map(input.claims.map((claim) => [claim.id, claim]));
  const subject = input.subjects.find(({ id }) => id === subject_id);
  const denying = new Set(explanation.denials?.flatMap(({ claim_ids: ids }) => ids));
  const verdict = verdicts.find((one) => one.subject_id === subject_id && one.predicate === predicate);
  return {
    ...explanation,
    subject_name: subject?.name ?? subject_id,
    calibrated_probability: verdict?.calibrated_probability ?? null,
    rival_values: verdict?.rival_values ?? [],
    more_rival_values: verdict?.more_rival_values,
    more_values_apart: verdict?.more_values_apart,
    more_tied_values: verdict?.more_tied_values,
    disputed_apart: verdict?.disputed_apart,
    ...(verdict?.no_value_counts && { no_value_counts: true }),
    ...(verdict?.superseded && { superseded: verdict.superseded }),
    ...(verdict && agePart(verdict, { decay_half_life_days: days })),
    ...conditionsPart(explanation, result),
    unrelated_claim_ids: explanation.unrelated_claim_ids.filter((id) => !denying.has(id)),
    contributions: explanation.contributions.map((contribution) => {
      const claim = contribution.claim_id === null ? undefined : claims.get(contribution.claim_id);
      return {
        ...contribution,
        actor_name: contribution.actor_id === null ? null : (actors.get(contribution.actor_id) ?? null),
        value: claim?.value ?? null,
        denies: claim?.valence?.toLowerCase() === 'refutes',
      };
    }),
  };
}
