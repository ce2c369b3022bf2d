import type { ClaimAnalysisSummary, EvidenceGap, RankedClaim, SubjectResult } from '../contract/types.ts';
import type { Warning } from '../contract/warnings.ts';
import type { CopyingSearch } from '../dependence/source-dependence.ts';
import type { ConflictAnalysis } from '../interpretations/conflict-analysis.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Weighed } from '../weighing/weighing.ts';
import type { EntangledParts } from './entangled-parts.ts';

/** What one analysis leaves for the next one of an investigation that changed a little; never changed. */
export interface Judgement {
  readonly weighed: Weighed;
  /** By the place of a claim. */
  readonly claimAnalyses: readonly ClaimAnalysisSummary[];
  /** By the place of a claim. */
  readonly ranked: readonly RankedClaim[];
  readonly search: CopyingSearch | null;
  readonly parts: EntangledParts;
  /** By `questionKey`. */
  readonly questions: ReadonlyMap<string, JudgedQuestion>;
}

/** What was found on one question with claims of its own. */
export interface JudgedQuestion {
  readonly verdict: Verdict;
  readonly conflict: ConflictAnalysis;
  readonly result: SubjectResult;
  readonly gap: EvidenceGap;
  /** What was warned of with the result. */
  readonly warned: readonly Warning[];
  /** Whether a tie was broken by how often sources were found right, or would be where that is known. */
  readonly asksAccuracy: boolean;
}
