import type {
  InvestigationInput,
  InvestigationResult,
  InvestigationSummary,
  OutcomePlace,
} from '@platform/opinion-fusion';
import type { JudgedInvestigation, PaneId } from '@platform/viewer/browser';

/** Answers of the API, as far as the workbench reads them. */

/** What colleagues are invited to. */
export type InvitedRole = 'read' | 'edit' | 'publish';

export interface Member {
  readonly user_id: string;
  readonly username: string;
  readonly role: InvitedRole;
}

/** Whose a session is, and what the user is to it; null where a policy lets them in. */
interface Owned {
  readonly owner_name: string | null;
  readonly role: 'owner' | InvitedRole | null;
}

export interface SessionMeta extends Owned {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly judged_at: string | null;
  readonly claim_count: number;
  readonly leading_answer: { readonly text: string } | null;
}

export interface Session extends Owned {
  readonly session_id: string;
  readonly name: string;
  readonly payload: InvestigationInput;
  /** Changes with every write; an update says which one it was made from. */
  readonly version: string;
  readonly updated_at: string;
  readonly judged_at: string | null;
  readonly interpretation: string | null;
  readonly interpretation_updated_at: string | null;
  /** Whether it had a share, public or hidden, when it was read. */
  readonly has_share: boolean;
  /** As its share has it, which not all who read the session may read. */
  readonly presentation: Presented;
}

/** How a share is presented; null for what is not set. */
export interface Presented {
  readonly answer_finding: { readonly subject_id: string; readonly predicate: string } | null;
  readonly patterns: Readonly<Record<string, string>> | null;
  readonly byline: string | null;
  readonly publisher: string | null;
  readonly contact: string | null;
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

/** A share as lists have it. */
export interface ListedShare {
  readonly session_id: string;
  readonly is_public: boolean;
}

export interface Share extends Presented {
  readonly share_uuid: string;
  readonly slug: string;
  readonly preferred_pane: PaneId;
  readonly is_public: boolean;
  readonly url: string;
  readonly snapshot_taken_at: string | null;
}

/** What turned out to be true of a question, and what the judgement before had said. */
export interface Outcome extends OutcomePlace {
  readonly id: string;
  readonly subject_id: string;
  readonly predicate: string;
  readonly value: string;
  readonly known_at: string;
  readonly note: string | null;
  readonly url: string | null;
  readonly forecast:
    | (OutcomePlace & {
        readonly leading_value: string | null;
        readonly denied?: true;
        readonly chance: number;
        readonly tied?: true;
        readonly likelier?: { readonly value: string; readonly chance: number };
        readonly was_right: boolean | null;
        readonly sources_right: number;
        readonly sources_wrong: number;
      })
    | null;
  readonly caution: string | null;
}

/** How right the judgements of a tenant, or of the user, were. */
export interface Calibration {
  /** Scored and unscored ones. */
  readonly outcomes: number;
  readonly scored: number;
  readonly unscored: number;
  readonly accuracy: number | null;
  readonly brier: number | null;
  readonly bins: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
    /** null in an empty bin, as `share_right` is. */
    readonly mean_chance: number | null;
    readonly share_right: number | null;
  }[];
}

export type WatchRule =
  | 'leading_changed'
  | 'chance_moved'
  | 'became_contested'
  | 'goes_stale'
  | 'document_changed'
  | 'policies_changed';

export interface Subscription {
  readonly id: string;
  readonly rules: readonly WatchRule[];
  readonly chance_step: number;
  readonly subject_id: string | null;
  readonly predicate: string | null;
  readonly webhook_url: string | null;
  readonly created_at: string;
  /** null = it is not paused. */
  readonly paused_at: string | null;
  readonly last_number: number;
  /** Why documents or policies are not told about at present; null = they are. */
  readonly problem: string | null;
}

/** The secret of a webhook is in the response to its creation alone. */
export type CreatedSubscription = Subscription & { readonly secret: string | null };

interface LeadingChance {
  readonly value: string | null;
  readonly scope?: string | null;
  readonly event_start_time?: string;
  readonly event_end_time?: string;
  readonly denied?: true;
  readonly tied?: true;
  readonly likelier?: { readonly value: string; readonly chance: number };
  readonly chance: number | null;
}

export interface WatchEvent {
  readonly id: string;
  readonly number: number;
  readonly type: WatchRule;
  readonly timestamp: string;
  readonly data: {
    readonly questions?: readonly {
      readonly subject_id: string;
      readonly predicate: string;
      readonly before?: LeadingChance;
      readonly before_now?: number;
      readonly after?: LeadingChance;
      readonly stale_at?: string;
    }[];
    readonly documents?: readonly {
      readonly document: string;
      readonly filename: string;
      readonly type: 'created' | 'written' | 'renamed' | 'deleted' | 'restored';
      readonly version: number;
    }[];
    readonly policy_sets?: readonly { readonly version: number; readonly message: string }[];
  };
  readonly delivery: 'none' | 'pending' | 'delivered' | 'parked';
  readonly problem: string | null;
}
