import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DomainError, ErrorKind } from '@platform/error-contracts';
import { renderInvestigationError } from '@platform/error-contracts';

/** What a caller can do about an error of a kind, where the message alone does not say. */
const REMEDY: { readonly [K in ErrorKind]?: string } = {
  not_found: 'check the ids and names sent',
  conflict: 'choose another session_id, or leave it out',
  failed_precondition: 'call judge_investigation_session first',
  invalid_argument: 'correct the field named and call again',
  unprocessable: 'correct the fields named and call again; get_docs describes every field',
  validation_failed: 'correct the fields named and call again; get_docs describes every field',
  payload_too_large: 'send fewer claims at a time, or ask for less',
  deadline_exceeded: 'send fewer claims at a time and call again',
  unavailable: 'call again later',
  internal: 'call again; if the error persists, give the request id to the operator of the service',
};

/**
 * An error as a tool answers it, without structured content, which would have to obey the tool's output
 * schema.
 */
export function toolError(error: DomainError, requestId: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: errorText(error, requestId) }] };
}

/** An error in words: code and HTTP status of the same error over REST, field, message and remedy. */
export function errorText(error: DomainError, requestId: string): string {
  const { status, body } = renderInvestigationError(error, { requestId });
  const field = error.field === undefined ? '' : `${error.field}: `;
  const remedy = REMEDY[error.kind];
  const retry = error.retryAfterSeconds === undefined ? '' : ` after ${error.retryAfterSeconds} s`;
  const lines = [
    `${error.kind} (${status}): ${field}${(body as { error: string }).error}`,
    ...(remedy === undefined ? [] : [`Remedy: ${remedy}${retry}.`]),
  ];
  return lines.join('\n');
}
