import type {
  InvestigationInput,
  InvestigationResult,
  InvestigationSummary,
  ItemChange,
  MovePart,
  VerdictMove as WholeMove,
} from '@platform/opinion-fusion';
import type { JudgedInvestigation, PaneId } from '@platform/viewer/browser';

/** Answers of the API, as far as the workbench reads them. */

export interface SessionMeta {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly judged_at: string | null;
}

export interface Session {
  readonly session_id: string;
  readonly name: string;
  readonly payload: InvestigationInput;
  /** Changes with every write; an update says which one it was made from. */
  readonly version: string;
  readonly updated_at: string;
  readonly judged_at: string | null;
  readonly interpretation: string | null;
  readonly interpretation_updated_at: string | null;
}

export interface JudgementRecord {
  readonly id: string;
  readonly judged_at: string;
  readonly duration_ms: number | null;
  readonly input_snapshot: InvestigationInput;
  readonly result: InvestigationResult | InvestigationSummary;
  /** Absent where no quote is pinned. */
  readonly quotes?: JudgedInvestigation['quotes'];
}

/** A move of a verdict whose items are cut to the first, and counted. */
export interface VerdictMove extends Omit<WholeMove, 'parts'> {
  readonly parts: readonly (MovePart & { readonly item_count: number })[];
}

export interface JudgementComparison {
  /** At most 50. */
  readonly changes: readonly ItemChange[];
  readonly change_count: number;
  readonly settings: readonly string[];
  readonly verdicts: readonly VerdictMove[];
  readonly changed_verdicts: number;
  readonly unchanged_verdicts: number;
}

export interface Share {
  readonly share_uuid: string;
  readonly slug: string;
  readonly preferred_pane: PaneId;
  readonly is_public: boolean;
  readonly url: string;
  readonly snapshot_taken_at: string | null;
  /** Null for what is not set, here and below. */
  readonly answer_finding: { readonly subject_id: string; readonly predicate: string } | null;
  readonly patterns: Readonly<Record<string, string>> | null;
  readonly byline: string | null;
  readonly publisher: string | null;
  readonly contact: string | null;
}
