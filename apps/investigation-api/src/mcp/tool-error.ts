import type { CallToolResult } from '@modelcontextprotocol/server';
import type { DomainError, ErrorKind } from '@platform/error-contracts';
import { renderInvestigationError } from '@platform/error-contracts';

/** What a caller can do about an error of a kind, where the message alone does not say. */
const REMEDY: { readonly [K in ErrorKind]?: string } = {
  conflict: 'choose another session_id, or leave it out',
  failed_precondition: 'call judge_investigation_session first',
  payload_too_large:
    'send fewer claims at a time, or ask for less; update_investigation_session adds claims to a session in parts',
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
  const remedy = error.kind === 'not_found' ? whereToLook(error.message) : REMEDY[error.kind];
  const retry = error.retryAfterSeconds === undefined ? '' : ` after ${error.retryAfterSeconds} s`;
  const lines = [
    `${error.kind} (${status}): ${field}${(body as { error: string }).error}`,
    ...(remedy === undefined ? [] : [`Remedy: ${remedy}${retry}.`]),
  ];
  return lines.join('\n');
}

/** The tool that lists what there is of the kind that was not found. */
const LISTED_BY: readonly (readonly [what: RegExp, tool: string])[] = [
  [/^no such session/, 'list_investigation_sessions lists those you may read'],
  [/^no such judgement/, 'list_session_judgements lists those of the session'],
  [/^the session has not been judged/, 'call judge_investigation_session first'],
  [
    /^no such (actor|claim|subject|evidence|inference|distinction)/,
    'get_investigation_session with detail full shows those of the session',
  ],
  [/^no such share/, 'list_investigation_session_shares lists yours'],
];

function whereToLook(message: string): string | undefined {
  // A message of several lines lists what there is by itself.
  if (message.includes('\n')) return undefined;
  return LISTED_BY.find(([what]) => what.test(message))?.[1];
}
