import { DomainError } from '@platform/error-contracts';
import type { AnalysisProgress } from '../engine/analysis-task.ts';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import type { SessionDeps } from '../ports.ts';
import { withDeadline } from '../engine/with-deadline.ts';

export type SubmitInvestigationDeps = Pick<SessionDeps, 'now' | 'config'> & {
  readonly analysis: Pick<AnalysisPool, 'analyze' | 'validate'>;
};

export interface SubmitInvestigationOptions {
  /**
   * Aborted when nobody waits for the result any more; the work then stops and the call rejects with its
   * reason.
   */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: AnalysisProgress) => void;
  /** The owner whose place in the fair queue the work takes. */
  readonly owner: string;
  /** W3C `traceparent` of the request. */
  readonly traceparent?: string | undefined;
}

/**
 * Judges one investigation and keeps nothing. `input` is an InvestigationInput, as a value or as the bytes of
 * its JSON text (these are transferred and empty afterwards); the answer is the JSON text, in UTF-8, of an
 * InvestigationResult or, with summary_mode, an InvestigationSummary. Throws DomainError `unprocessable`
 * naming every problem with its path, `payload_too_large`, `deadline_exceeded`, `unavailable`, `internal`.
 */
export async function submitInvestigation(
  deps: SubmitInvestigationDeps,
  input: unknown,
  options: SubmitInvestigationOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = bodyOf(deps, input);
  const { onProgress, owner, traceparent } = options;
  return withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.analyze(body, { now: deps.now(), signal, onProgress, owner, traceparent }),
  );
}

/**
 * Returns the errors and warnings that judging the investigation would give, as the JSON text of a
 * ValidationResponse in UTF-8, and keeps nothing. Takes and throws what `submitInvestigation` does, except
 * that problems of the investigation are in the response.
 */
export async function validateInvestigation(
  deps: SubmitInvestigationDeps,
  input: unknown,
  options: SubmitInvestigationOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = bodyOf(deps, input);
  return withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.validate(body, {
      now: deps.now(),
      signal,
      owner: options.owner,
      traceparent: options.traceparent,
    }),
  );
}

function bodyOf(
  { config: { bodyBytesMax } }: Pick<SubmitInvestigationDeps, 'config'>,
  input: unknown,
): Uint8Array<ArrayBuffer> {
  const body = input instanceof Uint8Array ? (input as Uint8Array<ArrayBuffer>) : encodeInput(input);
  if (body.length > bodyBytesMax)
    throw new DomainError('payload_too_large', `the investigation is larger than ${bodyBytesMax} bytes`);
  return body;
}

/** `JSON.stringify` gives no text for undefined and functions, which are no investigation either. */
function encodeInput(input: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(input) ?? 'null');
}
