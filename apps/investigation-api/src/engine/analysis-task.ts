import type { Forecast, OutcomePlace } from '@platform/opinion-fusion';
import type { FeedChanges, LeadingAnswer, ShareDocument } from '@platform/viewer';
import type { TextPieces } from '../model/text-pieces.ts';
import type { PinnedQuote } from '../model/pinned-quote.ts';
import type { ValueOrJson } from '../wire/json-bytes.ts';
import type { PackedJson } from '../wire/packed-json.ts';
import type { PresentationFields } from '../wire/presentation.ts';
import type { PartTexts, PayloadOutline, ResultPart } from './result-part.ts';
import type { WatchOutcome, WatchTask } from './watch-task.ts';

/**
 * What the request thread asks of a worker. Texts are JSON; bytes are JSON in UTF-8, transferred and not
 * copied.
 */
export type AnalysisTask =
  | ((AnalyzeTask | JudgeTask | ExplainTask | CompareTask | PreviewTask) & ResultForm)
  | AnswerTask
  | PartTask
  | FreezeTask
  | ForecastTask
  | WatchTask;

/** In which form the result comes back. */
export interface ResultForm {
  /** Results of up to VALUE_BYTES_MAX come as values; all others, and without this every one, as JSON. */
  readonly asValue?: boolean | undefined;
}

/**
 * Largest JSON of a result that comes back as a value. Larger ones are parsed where they arrive, which takes
 * the request thread half as long as receiving a copied value. Bytes.
 */
export const VALUE_BYTES_MAX = 128 * 1024;

/** An investigation: its JSON in UTF-8, the same as a session keeps it, or the value, which is copied. */
export type AnalysisInput = Uint8Array<ArrayBuffer> | TextPieces | { readonly value: unknown };

/** Judge an investigation that was sent, or only return the errors and warnings that judging would give. */
export interface AnalyzeTask {
  readonly kind: 'analyze' | 'validate';
  readonly body: AnalysisInput;
  /**
   * A larger result comes as its summary unless the input has summary_mode or, as an argument of the tool,
   * `detail` full. Left out, the result comes as summary_mode says. Bytes.
   */
  readonly fullBytesMax?: number | undefined;
  /** The analysis runs as of this time. Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether anybody listens to progress. */
  readonly wantsProgress: boolean;
}

/** Judge the investigation that a session holds. */
export interface JudgeTask {
  readonly kind: 'judge';
  /** Whose last judgement, where the worker still has it, spares judging what did not change. */
  readonly sessionId: string;
  readonly payload: TextPieces;
  /** Whether the response is compact, in the place of the payload's own setting; null = as stored. */
  readonly summaryMode: boolean | null;
  /** Only this part of the result is sent, whatever `summaryMode` says. */
  readonly part?: ResultPart | undefined;
  /** How the share is presented, which says what of the result is the answer. */
  readonly presentation: PresentationFields;
  readonly nowMs: number;
  readonly wantsProgress: boolean;
}

/** Cut a part out of a full result, and outline the payload of its session. */
export interface PartTask extends PartTexts {
  readonly kind: 'part';
  readonly part: ResultPart;
}

/** A part of a result, and what a payload is about. */
export interface CutParts<Result = object> {
  readonly result: ValueOrJson<Result> | null;
  readonly outline: PayloadOutline | null;
}

/** A judgement as it is kept. */
export interface JudgedTexts {
  readonly inputSnapshot: PackedJson;
  readonly result: PackedJson;
}

/** A new judgement, with the bytes of its result in UTF-8. */
export interface KeptJudgement extends JudgedTexts {
  readonly resultBytes: number;
  /** JSON of the LeadingAnswer, which is null without a verdict. */
  readonly answer: string;
}

/** Say what a judgement answers. */
export interface AnswerTask extends JudgedTexts {
  readonly kind: 'answer';
  /** How the share is presented. */
  readonly presentation: PresentationFields;
}

/** Explain one verdict of a judgement. */
export interface ExplainTask extends JudgedTexts {
  readonly kind: 'explain';
  /** The instant of the analysis. Milliseconds since 1970. */
  readonly judgedAtMs: number;
  readonly subjectId: string;
  readonly predicate: string;
}

/** A kept judgement and its instant. Milliseconds since 1970. */
export interface JudgedAt extends JudgedTexts {
  readonly judgedAtMs: number;
}

/** Compare two judgements of a session. */
export interface CompareTask {
  readonly kind: 'compare';
  readonly before: JudgedAt;
  readonly after: JudgedAt;
  /** Verdicts passed over, and returned at most. */
  readonly offset: number;
  readonly limit: number;
}

/** Read what a judgement had said about a question whose outcome is known. */
export interface ForecastTask extends JudgedAt {
  readonly kind: 'forecast';
  readonly subjectId: string;
  readonly predicate: string;
  /** What turned out to be true. */
  readonly value: string;
  /** What it is true of. */
  readonly place: OutcomePlace;
}

/** A forecast with the domain of its investigation. */
export type DomainForecast = Forecast & { readonly domain: string };

/** Assemble what a share shows of a judgement. */
export interface FreezeTask extends JudgedTexts {
  readonly kind: 'freeze';
  /** What became of its pinned quotes; null where it has none. */
  readonly quotes: PackedJson | null;
  readonly documents: readonly ShareDocument[];
  readonly frame: SnapshotFrame;
  /** The snapshot that readers see now, where the new one shows what changed since; else null. */
  readonly published: PackedJson | null;
  /** What the publication before left to compare with; null = none did. */
  readonly feedState: PackedJson | null;
}

/** A share as it is published: its snapshot, and what its feed tells about it. */
export interface FrozenShare {
  readonly snapshot: PackedJson;
  /** What the next publication is compared with. */
  readonly feedState: PackedJson | null;
  /** Null where nothing changed. */
  readonly changes: FeedChanges | null;
}

/** Preview what a share would show of a judgement. */
export interface PreviewTask extends JudgedTexts {
  readonly kind: 'preview';
  readonly frame: SnapshotFrame;
  /** Whether the session was edited after the judgement. */
  readonly isEditedSince: boolean;
  readonly interpretationPredatesJudgement: boolean;
  /** How the share is presented. */
  readonly presentation: PresentationFields;
}

/**
 * The small parts of a share's snapshot, as they stand in it. They name no session and no other judgement:
 * readers are anyone.
 */
export interface SnapshotFrame {
  readonly session_name: string;
  readonly interpretation: string | null;
  readonly interpretation_updated_at: string | null;
  /** The judgement that is published. */
  readonly judgement: {
    readonly id: string;
    readonly judged_at: string;
    readonly duration_ms: number | null;
  };
}

/** The worker's result, or what is wrong with the task, in words for its sender. */
export type AnalysisReply =
  | {
      /** Result, explanation or preview, by the kind of task; of `judge` in the form that was asked for. */
      readonly result: ValueOrJson<object>;
      /** Of `judge`: the input as it was judged, and the full result. */
      readonly kept?: KeptJudgement;
      /** Of `judge` and `analyze`: the quotes of the input that are pinned to documents. */
      readonly quotes?: readonly PinnedQuote[];
    }
  /** Of `part`. */
  | { readonly parts: CutParts }
  /** Of `answer`. */
  | { readonly answer: LeadingAnswer | null }
  /** Of `freeze`. */
  | { readonly frozen: FrozenShare }
  /** Of `forecast`; null where the judgement named no value. */
  | { readonly forecast: DomainForecast | null }
  /** Of `watch`. */
  | { readonly watched: readonly WatchOutcome[] }
  | { readonly problem: string }
  /** What was asked for is not there: which there are, in words for who asked. */
  | { readonly absent: string };

/** How far an analysis is: the engine's phase, and steps done of the total. */
export interface AnalysisProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}
