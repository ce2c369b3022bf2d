import type { Caller } from '../access/caller.ts';
import type { AnalysisProgress } from '../engine/analysis-task.ts';
import type { SessionDeps } from '../ports.ts';
import type { JsonBytes } from './json-bytes.ts';

/** How an operation is called, apart from its input and caller. */
export interface OperationOptions {
  /** Aborted when nobody waits for the answer any more; work then stops and the call rejects with its reason. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: AnalysisProgress) => void;
  /** Where people reach the service, without a slash at the end: `https://example.org`. */
  readonly baseUrl: string;
}

/**
 * One operation on sessions: `input` is what the caller sent, unchecked, a value or a RequestBody; the answer is JSON.
 * All throw DomainError: `unprocessable` naming every problem of the input with its path, `permission_denied` to a caller
 * without tenant, `not_found` where nothing is or the caller may not know of it.
 */
export type Operation<Answer> = (
  deps: SessionDeps,
  input: unknown,
  caller: Caller,
  options: OperationOptions,
) => Promise<JsonBytes<Answer>>;
