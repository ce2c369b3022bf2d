/** What the request thread asks of a worker: judge the investigation written in these bytes. */
export interface AnalysisTask {
  /** A JSON text as it came in; transferred, not copied. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The analysis runs as of this time. Milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether anybody listens to progress. */
  readonly wantsProgress: boolean;
}

/** The worker's answer: the result as JSON bytes, or what is wrong with the input, in words for its sender. */
export type AnalysisReply = { readonly result: Uint8Array<ArrayBuffer> } | { readonly problem: string };

/** How far an analysis is: the engine's phase, and steps done of the total. */
export interface AnalysisProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}
