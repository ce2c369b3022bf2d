import type {
  Category,
  ClaimAudit,
  InvestigationInput,
  InvestigationResult,
  InvestigationSummary,
  ItemChange,
  MovePart,
  Part,
  VerdictExplanation,
  VerdictMove as WholeMove,
  WithoutDistinction,
} from '@platform/opinion-fusion';

/** Panes of the page, in reading order. A share may open with any of them. */
export const PANE_IDS = ['overview', 'sources', 'timeline', 'mesh', 'distinctions', 'audit'] as const;
export type PaneId = (typeof PANE_IDS)[number];

export interface JudgementMeta {
  readonly id: string;
  readonly session_id: string;
  readonly judged_at: string;
  readonly duration_ms: number | null;
}

/** What moved since the judgement before. */
export interface ChangesSince {
  /** Answers of both judgements, those of one question in several scopes or times each. */
  readonly all: number;
  /** Those that came, went or have another status or value, or moved by a percent or more. */
  readonly answers: readonly ChangedAnswer[];
}

/** A move as every list of moves tells it. */
export interface MoveWords {
  /** That the value that is followed is so. */
  readonly verdict: readonly Part[];
  /** Its chance in either judgement, where and when, and what leads besides where it is another. */
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  /** `+17.3 points`; empty where one of the judgements has no such answer. */
  readonly move: string;
}

/** An answer that moved, in words. */
export interface ChangedAnswer extends MoveWords {
  readonly subject_id: string;
  readonly predicate: string;
  /** What led before: `“Moser” led (74 %)`, or its chance alone; null where that is no other. */
  readonly was: readonly Part[] | null;
}

/** Set by `withComparisons` on an explanation and on the verdicts without some claims. */
export interface Compared {
  /** `Bo (from 2010 on) would lead`: what would be without some claims. */
  readonly otherwise?: readonly Part[];
  /** ` (in Berlin)`: the scope and time of the answer. */
  readonly where?: string;
}

/** What an investigation answers, sentence by sentence. */
export interface AnswerWords {
  /** The finding that it is of. */
  readonly finding: NonNullable<Presentation['answer_finding']>;
  /**
   * The answer itself without its chance and full stop: `Probably Wilbur and Orville Wright` where its author
   * marked the finding that answers, else the finding as a sentence.
   */
  readonly headline: readonly Part[];
  /** `chance 78 %`. */
  readonly chance: string;
  /** The sources that agree and those that disagree. Empty where the reasons are not known. */
  readonly sources: readonly Part[];
  /** What the answer depends on: a sentence for each distinction about it. */
  readonly conditions: readonly (readonly Part[])[];
  /** The evidence that would help most to settle the question; empty where the result names none. */
  readonly next: readonly Part[];
}

/** Who speaks for a verdict and against it, in words and figures. */
export interface SidesWords {
  /** `4 for, 2 more not independent`. */
  readonly for: string;
  /** `1 against, 1 other answer`. */
  readonly against: string;
  /** `4 for, 1 against`. */
  readonly short: string;
  /** Sources of either side, each once, and those of them that count. */
  readonly all: number;
  readonly independent: number;
  /** Whether nobody declared so of one that is not counted. */
  readonly suspected: boolean;
}

/** The sentences of an investigation, made once: browsers draw them and load nothing that makes them. */
export interface Words {
  /** The answer in words; null without verdicts. */
  readonly answer: AnswerWords | null;
  /** Of each verdict in the order of `Model.verdicts`. */
  readonly verdicts: readonly (readonly Part[])[];
  /** The same; null where the reasons are not known. */
  readonly sides: readonly (SidesWords | null)[];
  /** Of each claim in the order of the input. */
  readonly claims: readonly (readonly Part[])[];
}

/** Figures of a whole judgement, for a page that holds a part of its claims. */
export interface Totals {
  readonly claims: number;
  /** Those that claim something. */
  readonly sources: number;
  readonly actors: number;
  readonly verdicts: number;
  /** Ranked claims by category. */
  readonly ranked: Readonly<Partial<Record<Category, number>>>;
  /** Of each actor in the order of the input, how many claims it makes. */
  readonly claims_by_actor: readonly number[];
  /**
   * Of each verdict in the order of the result, which is that of `Model.verdicts`: its claims and their mean
   * freshness, which is null where none was weighed.
   */
  readonly by_verdict: readonly { readonly claims: number; readonly freshness: number | null }[];
}

/** A judged investigation, frozen in a share or live in a session: all that the panes draw. */
export interface JudgedInvestigation {
  readonly session_name: string;
  /** Free text of an analyst or a language model; never computed. */
  readonly interpretation: string | null;
  readonly interpretation_updated_at: string | null;
  readonly judgement: {
    readonly id: string;
    readonly judged_at: string;
    readonly duration_ms: number | null;
    readonly engine_version: string;
  };
  /**
   * Judgements of the session up to the shown one, latest first. Absent in a share, which shows one judgement
   * alone.
   */
  readonly judgements?: readonly JudgementMeta[];
  /** The judgement before the shown one; null for the first. Absent in a share. */
  readonly previous?: {
    readonly id: string;
    readonly judged_at: string;
    /** Absent on a page, which has `changes`. */
    readonly result?: InvestigationResult | InvestigationSummary;
    /** Absent where its result alone is kept. */
    readonly input?: InvestigationInput;
    /** What moved since; set by `withComparisons`. */
    readonly changes?: ChangesSince;
  } | null;
  /** Present when lists were cut to what a page can hold: the figures of the whole judgement. */
  readonly totals?: Totals;
  /** Present when evidence was cut to what a page can hold: how many items there are. */
  readonly evidence_total?: number;
  readonly input: InvestigationInput;
  /** Lower-case hexadecimal SHA-256 of the stored JSON text. */
  readonly input_sha256: string;
  readonly result: InvestigationResult | InvestigationSummary;
  readonly result_sha256: string;
  /** One for each verdict; empty where none were computed. */
  readonly explanations: readonly VerdictExplanation[];
  /** One for each claim kept; empty where none were computed. */
  readonly claim_audits: readonly ClaimAudit[];
  /** What it says in sentences; set by `withWords`. */
  readonly words?: Words;
  /** How it is shown; of a share, `share` says so. */
  readonly presentation?: Presentation;
  /**
   * For distinctions over one question, the verdict without them. Absent in shares frozen before it was
   * computed.
   */
  readonly without_distinctions?: readonly WithoutDistinction[];
  /** What became of the quotes that are pinned to stored documents; absent or null where none is. */
  readonly quotes?: {
    readonly checked_at: string;
    readonly items: readonly QuoteCheck[];
    /** One for each quote that is not where it was pinned, or was not looked up. */
    readonly warnings?: readonly string[];
  } | null;
  /** Of a share, what it shows of these documents. */
  readonly documents?: readonly ShareDocument[];
}

/** Where a quote stands, or may stand. Positions in Unicode code points, `end` behind the last one. */
interface QuotePlace {
  readonly start: number;
  readonly end: number;
}

/** What became of a quote that is pinned to a stored document. */
export interface QuoteCheck extends Partial<QuotePlace> {
  readonly kind: 'claims' | 'evidence';
  /** Of the claim or item of evidence. */
  readonly id: string;
  readonly document: string;
  /** Its source has no selector: the digest of the document alone was checked. */
  readonly whole_document?: true;
  readonly state: 'verified' | 'moved' | 'gone' | 'not_checked';
  /** Why it was not checked. */
  readonly reason?:
    'no_access' | 'unavailable' | 'digest_mismatch' | 'too_large' | 'not_configured' | 'no_credential';
  /** The version whose bytes were checked. */
  readonly version?: number;
  /** The version that the quote is pinned to, where it is not kept and the current one was checked. */
  readonly missing_version?: number;
  /** Of a quote that is gone: its characters stand there, but begin or end within a word or number. */
  readonly cut?: true;
  readonly occurrences?: number;
  /** The likeliest first; none is chosen. */
  readonly candidates?: readonly QuotePlace[];
  /** Where the document was edited since. */
  readonly current?: { readonly version: number; readonly state: 'verified' | 'moved' | 'gone' };
}

/** What a share shows of a stored document: the passages that are quoted with what stands around them. */
export interface ShareDocument {
  readonly document: string;
  readonly version: number;
  readonly sha256: string;
  readonly filename: string;
  /** Where it was copied from, as its uploader says. */
  readonly url: string | null;
  /** RFC 3339. */
  readonly added_at: string | null;
  /** Code points of the whole document. */
  readonly length: number;
  /** In order, without overlap; `start` in code points. */
  readonly stretches: readonly {
    readonly start: number;
    readonly text: string;
    /** Number of the page it begins on, where form feeds divide the document into pages. */
    readonly page?: number;
  }[];
  readonly marks: readonly (QuotePlace & {
    readonly kind: 'claims' | 'evidence';
    readonly id: string;
    /** Whether it is one of the places of a quote that has moved. */
    readonly isCandidate: boolean;
  })[];
}

/** What the author of an investigation says about how it is shown. Source: SetShareRequest. */
export interface Presentation {
  /** The finding that answers the question; guessed where it is not given or not among the findings. */
  readonly answer_finding?: { readonly subject_id: string; readonly predicate: string };
  /** Sentence by predicate, with `{subject}` and, unless it is answered by yes or no, `{value}`. */
  readonly patterns?: Readonly<Record<string, string>>;
  readonly byline?: string;
  readonly publisher?: string;
  /** Where readers write to. */
  readonly contact?: string;
}

export interface ShareDetails extends Presentation {
  readonly share_uuid: string;
  readonly slug: string;
  readonly preferred_pane: PaneId;
  /** Absolute address of the page, without fragment. */
  readonly url: string;
  readonly snapshot_taken_at: string;
  readonly updated_at: string;
  /** Whether the session was judged after the snapshot was taken; absent where it was not. */
  readonly judged_since?: boolean;
}

/** What became of one verdict; of each part of the move its first items. */
export interface VerdictMove extends Omit<WholeMove, 'parts'> {
  readonly parts: readonly (MovePart & { readonly item_count: number })[];
}

/** What changed between two judgements; of long lists the beginning, with the number of all. */
export interface JudgementChanges {
  /** At most 50. */
  readonly changes: readonly ItemChange[];
  readonly change_count: number;
  readonly settings: readonly string[];
  readonly verdicts: readonly VerdictMove[];
  readonly changed_verdicts: number;
  readonly unchanged_verdicts: number;
}

/** What changed since the publication that readers saw before, which its author chose to show. */
export interface PublishedChanges extends JudgementChanges {
  /** When the judgement of that publication was made. RFC 3339. */
  readonly since: string;
}

/** The frozen content of a share, as `/share/{uuid}/{slug}.json` returns it. */
export interface ShareSnapshot extends JudgedInvestigation {
  readonly share: ShareDetails;
  /** Null or absent where its author does not show it, or nothing was published before. */
  readonly changes?: PublishedChanges | null;
}
