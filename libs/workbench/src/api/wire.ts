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

/** An item that came, went or was replaced between two judgements. */
export interface ItemChange {
  readonly change: 'added' | 'removed' | 'replaced';
  readonly kind: string;
  readonly id: string;
  /** Those of a claim. */
  readonly subject_id?: string;
  readonly predicate?: string;
  readonly value?: string;
  readonly actor_id?: string;
}

/** A verdict of one of two compared judgements. */
export interface ComparedVerdict {
  readonly leading_value: string | null;
  /** Chance of the value that is followed. Probability. */
  readonly chance: number;
}

export interface VerdictMove {
  readonly subject_id: string;
  readonly subject_name: string;
  readonly predicate: string;
  /** The value whose chance is followed. */
  readonly value: string | null;
  /** Null where the judgement has no such verdict. */
  readonly before: ComparedVerdict | null;
  readonly after: ComparedVerdict | null;
  readonly move: number;
  /** Sum to `move`. */
  readonly parts: readonly {
    readonly cause: 'items' | 'settings' | 'time' | 'engine';
    readonly items: readonly ItemChange[];
    readonly item_count: number;
    readonly settings: readonly string[];
    readonly move: number;
  }[];
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
}

/** A share in the list of all. */
export interface SharedSession extends Share {
  readonly session_id: string;
}
