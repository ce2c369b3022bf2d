import { INFERRED_EVIDENCE_MAX, RULE_STRENGTH } from '../contract/constants.ts';
import type { Claim, Model } from '../model/model.ts';
import { quote } from '../contract/quote.ts';
import type { InferenceInput } from '../contract/types.ts';
import type { RuleType } from '../contract/vocabulary.ts';
import type { Warnings } from '../contract/warnings.ts';
import type { Weighed } from '../weighing/weighing.ts';

/** An inference that takes part. */
export interface KeptInference {
  readonly input: InferenceInput;
  readonly premises: readonly Claim[];
  /** The least belief among the premises, 0..1. */
  readonly belief: number;
  /** ρ × the least belief among the premises: evidence items for the conclusion, 0..0.9. */
  readonly amount: number;
}

const TESTIFYING: ReadonlySet<string> = new Set(['Expert', 'Regulator', 'Analyst']);

/**
 * The inferences without an error, by id; the others are dropped with a warning. Source: rules 9, 11; §4.
 * Never throws.
 */
export function keepInferences({ model, weighings }: Weighed, warnings: Warnings): KeptInference[] {
  const isSilent = (claim: Claim) => weighings[claim.index]!.silent;
  return readInferences(model, isSilent, warnings).map(({ input, premises }) => {
    const belief = premises.reduce(
      (least, claim) => Math.min(least, weighings[claim.index]!.opinion.belief),
      1,
    );
    return { input, premises, belief, amount: RULE_STRENGTH[input.rule_type as RuleType] * belief };
  });
}

/**
 * As `keepInferences`, without what they amount to; `isSilent` says which claims count for nothing. Never
 * throws.
 */
export function readInferences(
  { inferences, claimById }: Pick<Model, 'inferences' | 'claimById'>,
  isSilent: (claim: Claim) => boolean,
  warnings: Warnings,
): Pick<KeptInference, 'input' | 'premises'>[] {
  return inferences.flatMap((input) => {
    const premises = input.premise_claim_ids.map((id) => claimById.get(id));
    const lost = premises.findIndex((claim) => !claim || isSilent(claim) || claim.isWithdrawn);
    const error =
      lost === -1
        ? ruleError(input, premises as Claim[])
        : `its premise ${quote(input.premise_claim_ids[lost]!)} ${premises[lost] ? 'is retracted, corrected by its own source or below the credibility floor' : 'is not among the claims'}`;
    if (error === null) return [{ input, premises: premises as Claim[] }];
    warnings.add('inference_dropped', input.id, `Inference ${quote(input.id)} was dropped: ${error}.`);
    return [];
  });
}

/** Evidence that a pair's inferences add to r together: items, at most INFERRED_EVIDENCE_MAX. */
export function inferredEvidence(inferences: readonly KeptInference[]): number {
  let sum = 0;
  for (const { amount } of inferences) sum += amount;
  return Math.min(sum, INFERRED_EVIDENCE_MAX);
}

/**
 * What a rule asks of its inference and does not find; null when all is there. Rule 9; reasoning model §4.
 */
function ruleError(input: InferenceInput, premises: readonly Claim[]): string | null {
  if (premises.length === 0) return 'it has no premise';
  const given = (text: string | null | undefined) => text != null && text.trim() !== '';
  switch (input.rule_type as RuleType) {
    case 'a_fortiori':
      return given(input.rule_param) ? null : 'a_fortiori needs the ordering hint in rule_param';
    case 'analogy':
      return given(input.rule_param) ? null : 'analogy needs the shared feature in rule_param';
    case 'generalization':
      if (!given(input.rule_param)) return 'generalization needs the exemplar in rule_param';
      return new Set(premises).size > 1 ? null : 'generalization needs more than one premise';
    case 'default':
      return given(input.rule_param) ? null : 'default needs its description in rule_param';
    case 'custom':
      return given(input.rule_param) && given(input.rule_param2)
        ? null
        : 'custom needs its name in rule_param and its description in rule_param2';
    case 'temporal_precedence':
      return precedenceError(premises);
    case 'expert_testimony': {
      const other = premises.find((claim) => !TESTIFYING.has(claim.actor.type));
      return other
        ? `expert_testimony needs premises of an Expert, Regulator or Analyst, and ${quote(other.id)} comes from a source of type ${other.actor.type}`
        : null;
    }
  }
}

function precedenceError(premises: readonly Claim[]): string | null {
  if (premises.length < 2) return 'temporal_precedence needs at least two premises';
  let before = -Infinity;
  for (const claim of premises) {
    const at = claim.from === -Infinity ? claim.assertedAt : claim.from;
    if (at === null)
      return `temporal_precedence needs a time, and ${quote(claim.id)} has neither event_start_time nor assertion_time`;
    if (at <= before)
      return 'temporal_precedence needs premises whose times strictly increase in the order listed';
    before = at;
  }
  return null;
}
