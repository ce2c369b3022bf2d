import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DomainError, ErrorKind } from '@platform/error-contracts';
import { renderInvestigationError } from '@platform/error-contracts';

/** What a caller can do about an error of a kind that has no remedy of its own. */
const REMEDY: { readonly [K in ErrorKind]?: string } = {
  conflict:
    'choose another session_id, or leave it out; update_investigation_session changes the session that has it',
  payload_too_large:
    'send fewer claims at a time, or ask for less; update_investigation_session adds claims to a session in parts',
  deadline_exceeded: 'send fewer claims at a time and call again',
  unavailable: 'call again later',
  internal: 'call again; if the error persists, give the request id to the operator of the service',
};

/** What an error that says what to do has: a general remedy behind it could say otherwise. */
const SAYS_WHAT_TO_DO = /[:;] (?:set|send|ask|choose|try again) /;

/**
 * An error as a tool returns it, without structured content, which would have to obey the tool's output
 * schema.
 */
export function toolError(error: DomainError, requestId: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: errorText(error, requestId) }] };
}

/** An error in words: code and HTTP status of the same error over REST, field, message and remedy. */
export function errorText(error: DomainError, requestId: string): string {
  const { status, body } = renderInvestigationError(error, { requestId });
  const field = error.field === undefined ? '' : `${error.field}: `;
  const general = SAYS_WHAT_TO_DO.test(error.message) ? undefined : REMEDY[error.kind];
  const remedy = error.remedy ?? general;
  const retry = error.retryAfterSeconds === undefined ? '' : ` after ${error.retryAfterSeconds} s`;
  const lines = [
    `${error.kind} (${status}): ${field}${(body as { error: string }).error}`,
    ...(remedy === undefined ? [] : [`Remedy: ${remedy}${retry}.`]),
  ];
  return lines.join('\n');
}
