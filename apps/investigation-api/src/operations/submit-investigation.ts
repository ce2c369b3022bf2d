import { DomainError } from '@platform/error-contracts';
import type { z } from 'zod';
import type { AnalysisInput, AnalysisProgress } from '../engine/analysis-task.ts';
import { withMember, type ValueOrJson } from '../wire/json-bytes.ts';
import { checkedQuotes } from '../quotes/quote-checks.ts';
import type { ValidationResponse } from '../wire/session-schema.ts';
import type { AnalysisPool, Verdicts } from '../engine/analysis-pool.ts';
import type { SessionDeps } from '../ports.ts';
import { withDeadline } from '../engine/with-deadline.ts';

export type SubmitInvestigationDeps = Pick<SessionDeps, 'now' | 'config' | 'documents'> & {
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
  /** Token or API key of the caller, as whom documents are read. */
  readonly credential: string;
  /** W3C `traceparent` of the request. */
  readonly traceparent?: string | undefined;
  /** Makes the response a value where it is small. */
  readonly asValue?: boolean;
  /** Makes a larger result its summary, unless the input has summary_mode or `detail` full. Bytes. */
  readonly fullBytesMax?: number;
}

/**
 * Judges one investigation and keeps nothing. `input` is an InvestigationInput, as a value or as the bytes of
 * its JSON text (these are transferred and empty afterwards); the response is an InvestigationResult or, with
 * summary_mode, an InvestigationSummary, as its JSON text in UTF-8 unless a value is asked for; where quotes
 * are pinned to documents, with what becomes of them as its last member `quotes`. Throws
 * DomainError `unprocessable` naming every problem with its path, `payload_too_large`, `deadline_exceeded`,
 * `unavailable`, `internal`.
 */
export async function submitInvestigation(
  deps: SubmitInvestigationDeps,
  input: unknown,
  options: SubmitInvestigationOptions,
): Promise<ValueOrJson<Verdicts>> {
  const body = bodyOf(deps, input);
  const { credential, ...how } = options;
  const { result, quotes } = await withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.analyze(body, { ...how, now: deps.now(), signal }),
  );
  const checks = await checkedQuotes(deps, quotes, { ...how, credential });
  return checks === null ? result : withMember(result, 'quotes', checks.shown);
}

/**
 * Returns the errors and warnings that judging the investigation would give, as the JSON text of a
 * ValidationResponse in UTF-8, and keeps nothing. Takes and throws what `submitInvestigation` does, except
 * that problems of the investigation are in the response.
 */
export async function validateInvestigation(
  deps: SubmitInvestigationDeps,
  input: unknown,
  options: Omit<SubmitInvestigationOptions, 'credential'>,
): Promise<ValueOrJson<z.output<typeof ValidationResponse>>> {
  const body = bodyOf(deps, input);
  return withDeadline(deps.config.analysisTimeoutMs, options.signal, (signal) =>
    deps.analysis.validate(body, { ...options, now: deps.now(), signal }),
  );
}

function bodyOf(
  { config: { bodyBytesMax } }: Pick<SubmitInvestigationDeps, 'config'>,
  input: unknown,
): AnalysisInput {
  const isJson = input instanceof Uint8Array;
  if ((isJson ? input.length : leastBytes(input)) > bodyBytesMax)
    throw new DomainError('payload_too_large', `the investigation is larger than ${bodyBytesMax} bytes`);
  return isJson ? (input as Uint8Array<ArrayBuffer>) : { value: input };
}

/** Lower bound of the bytes of a value as JSON: escapes are not counted, and a number counts as one byte. */
function leastBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let bytes = 1;
  for (const [key, member] of Object.entries(value))
    bytes += (Array.isArray(value) ? 0 : Buffer.byteLength(key) + 3) + leastBytes(member) + 1;
  return bytes;
}
