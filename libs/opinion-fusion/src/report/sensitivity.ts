import type { ConflictAnalysis } from '../interpretations/conflict-analysis.ts';
import { expectedProbability, opinionFromEvidence } from '@platform/subjective-logic';
import { quote } from '../contract/quote.ts';
import { recentSource } from './age-words.ts';
import { byCodeUnits, roundForComparison } from '../contract/rounding.ts';
import { clause, textOf } from './statements.ts';
import { truthStatus } from '../verdict/truth-status.ts';
import type { AgeDecides, EvidenceGap, SensitivityAnalysis } from '../contract/types.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Where one more item of evidence would move a verdict most, largest first. Source: reasoning model §8. */
export function analyzeSensitivity(gaps: readonly EvidenceGap[]): SensitivityAnalysis {
  const sorted = gaps.toSorted(
    (a, b) =>
      roundForComparison(b.potential_shift) - roundForComparison(a.potential_shift) ||
      byCodeUnits(a.subject_id, b.subject_id) ||
      byCodeUnits(a.predicate, b.predicate),
  );
  return { evidence_gaps: sorted };
}

/**
 * What one more item of evidence would do to a verdict; `supporters` are sources that agree with the leading
 * claim by claims about claims alone. Never throws.
 */
export function evidenceGap(
  verdict: Verdict,
  { discriminating }: ConflictAnalysis,
  {
    isLeaderless,
    supporters,
    age,
    isOld,
    asOf,
    isSuperseded,
  }: {
    readonly isLeaderless: boolean;
    readonly supporters: number;
    readonly age: AgeDecides | null;
    readonly isOld: boolean;
    readonly asOf: string | null | undefined;
    /** Whether all that speaks against it is superseded. */
    readonly isSuperseded: boolean;
  },
): EvidenceGap {
  const { r, s, opinion } = verdict;
  const P = expectedProbability(opinion);
  const up = Math.abs(expectedProbability(opinionFromEvidence(r + 1, s)) - P);
  const down = Math.abs(expectedProbability(opinionFromEvidence(r, s + 1)) - P);
  const contested = truthStatus(opinion) === 'Both';
  const wanted = (aged: AgeDecides | null) =>
    suggest(verdict, {
      towards: roundForComparison(up) >= roundForComparison(down),
      contested: contested && !isSuperseded,
      discriminating,
      isLeaderless,
      voices: verdict.independentSources + supporters,
      age: aged,
      asOf,
      isSuperseded,
    });
  const gap: EvidenceGap = {
    subject_id: verdict.subject.id,
    predicate: verdict.predicate,
    uncertainty: opinion.uncertainty,
    expected_probability: P,
    potential_shift: Math.max(up, down),
    is_contested: contested,
    suggestion: age && !isOld ? `${wanted(null)} Or ${SET_HALF_LIFE}` : wanted(age),
  };
  if (discriminating.length > 0) gap.discriminating_claims = [...discriminating];
  return gap;
}

const SET_HALF_LIFE = 'set decay_half_life_days to how fast such claims age.';

/** Suggests a kind of evidence, the value it would bear on, and a sort of source. */
function suggest(
  verdict: Verdict,
  {
    towards,
    contested,
    discriminating,
    isLeaderless,
    voices,
    age,
    asOf,
    isSuperseded,
  }: {
    /** Whether evidence for the verdict would move it at least as far as evidence against it. */
    readonly towards: boolean;
    readonly contested: boolean;
    readonly discriminating: readonly string[];
    readonly isLeaderless: boolean;
    readonly voices: number;
    readonly age: AgeDecides | null;
    readonly asOf: string | null | undefined;
    readonly isSuperseded: boolean;
  },
): string {
  const { leadingValue, subject, predicate, r, s } = verdict;
  const question =
    leadingValue === null || (isLeaderless && leadingValue !== 'true')
      ? `on ${quote(predicate)} of ${quote(subject.name)}`
      : `on whether ${quote(textOf(clause({ subject: subject.name, predicate, value: leadingValue })))}`;
  if (leadingValue === null && verdict.inferences.length > 0)
    return `Look for a direct statement ${question} by an independent expert or regulator: so far it is only inferred.`;
  if (leadingValue === null)
    return `Look for any statement ${question} by a source reliable enough to count.`;
  if (age)
    return `Look for ${recentSource(asOf)} ${question}: age has taken ${Math.round(100 * age.weight_lost)} % of the weight of what is said; or ${SET_HALF_LIFE}`;
  if (contested) {
    const apart =
      discriminating.length > 0 ? `, one that tells apart the claims ${listed(discriminating)}` : '';
    return `Look for a primary record or a regulator's or expert's finding ${question}${apart}: there is evidence on both sides.`;
  }
  if (voices <= 1 && r > 0 && !isSuperseded && roundForComparison(s) > roundForComparison(r))
    return `Look for a second, independent source ${question}: one voice says so, and more speaks against it.`;
  if (voices <= 1)
    return `Look for a second, independent source ${question}: the verdict rests on one voice.`;
  return towards
    ? `Look for further confirmation ${question} by an expert or regulator independent of the ${voices} voices heard.`
    : `Look for evidence against, ${question}, by an expert or regulator independent of the ${voices} voices heard: nothing would move the verdict more.`;
}

const NAMED = 4;

function listed(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).map(quote).join(', ');
  return ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named;
}
