import type { InvestigationInput, InvestigationResult, InvestigationSummary } from '@platform/opinion-fusion';
import type { PaneId } from '@platform/viewer/browser';

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
}

export interface Share {
  readonly share_uuid: string;
  readonly slug: string;
  readonly preferred_pane: PaneId;
  readonly is_public: boolean;
  readonly url: string;
  readonly snapshot_taken_at: string | null;
}

/** A share in the list of all. */
export interface SharedSession extends Share {
  readonly session_id: string;
}
