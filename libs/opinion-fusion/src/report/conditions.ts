import type { InvestigationResult, RankedClaim, SubjectResult } from '../contract/types.ts';

/** Distinctions of a question that are told, and the longest texts of each. Characters. */
const DISTINCTIONS_MAX = 2;
const CONDITION_LENGTH = 100;
const VALUE_LENGTH = 60;

type Kept = Partial<Pick<InvestigationResult, 'ranked_claims' | 'accumulative_analysis'>>;

/**
 * What follows on the question of a verdict under the conditions of its distinctions, the first of them:
 * `if a sworn log: Peary (41 %); if independent witnesses: Amundsen (41 %)`, with the chance of each, long
 * texts cut. Empty without distinctions. Pure.
 */
export function conditionsPart(
  { subject_id, predicate }: Pick<SubjectResult, 'subject_id' | 'predicate'>,
  { ranked_claims: claims = [], accumulative_analysis: analysis }: Kept,
): Pick<SubjectResult, 'conditions'> {
  const conclusions = analysis?.conditional_conclusions ?? [];
  if (conclusions.length === 0) return {};
  const byId = new Map(claims.map((claim) => [claim.claim_id, claim]));
  const told = conclusions.flatMap((one) => {
    const claim = byId.get(one.favored_claim_id);
    if (claim?.subject_id !== subject_id || claim.predicate !== predicate) return [];
    const condition = one.condition.replace(/^\s*if\s+/i, '');
    const chance = one.calibrated_probability ?? one.expected_probability;
    return [`if ${cut(condition, CONDITION_LENGTH)}: ${saidUnder(claim, chance)}`];
  });
  return told.length === 0 ? {} : { conditions: told.slice(0, 2 * DISTINCTIONS_MAX).join('; ') };
}

/**
 * What a claim says under a condition, with its chance: `no (74 %)`, long values cut. The chance of a
 * conclusion that a claim of no is favored in is that of yes; in [0, 1]. Pure.
 */
export function saidUnder({ value }: Pick<RankedClaim, 'value'>, chance: number): string {
  const isNo = /^\s*(?:false|no|n)\s*$/i.test(value);
  return `${cut(value, VALUE_LENGTH)} (${Math.round(100 * (isNo ? 1 - chance : chance))} %)`;
}

/** A text of at most `most` code units, and `…` where it was longer; half of a pair is no character. Pure. */
export const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
