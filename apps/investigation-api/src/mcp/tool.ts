import type { ResourceLink, ToolAnnotations } from '@modelcontextprotocol/server';
import { DomainError } from '@platform/error-contracts';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import type { OperationOptions } from '../ports.ts';
import type { SessionDeps } from '../ports.ts';
import { isJson } from '../wire/json-bytes.ts';
import type { CountToolCall } from './tool-calls.ts';
import type { JsonSchema } from './tool-schema.ts';

export const TOOLSETS = [
  'analysis',
  'sessions',
  'shares',
  'colleagues',
  'outcomes',
  'watch',
  'entities',
  'documents',
  'files',
  'docs',
] as const;
export type Toolset = (typeof TOOLSETS)[number];

/**
 * Toolsets of the running service alone, with what of it they need: the command over stdio ends with its
 * client, knows nobody but its user and has no credential for a document store.
 */
export const SERVICE_TOOLSETS: ReadonlyMap<Toolset, string> = new Map([
  ['watch', 'subscriptions, which go on when the client has ended'],
  ['colleagues', 'the users of a tenant'],
  ['documents', 'a document store'],
]);

/** What tools may use. */
export type ToolDeps = SessionDeps & {
  readonly logger: Logger;
  /** Left out where nobody reads metrics: in a client's own process. */
  readonly countCall?: CountToolCall;
};

/** One call of a tool, apart from its input. */
export interface ToolCall extends OperationOptions {
  readonly caller: Caller;
  /** JSON of the arguments where they are large; `input` is empty then. */
  readonly rawArguments?: Uint8Array<ArrayBuffer>;
  /** The tools this connection shows. */
  readonly tools: readonly Tool[];
  /** What to tell with each link of a share, where it does not open everywhere. */
  readonly linkNotice?: string | undefined;
}

/** The response of a tool: a few lines for people, and the data where the tool has an output schema. */
export interface ToolResponse {
  readonly text: string;
  readonly data?: object;
  /** The text tells all that the data do, which it then need not repeat. */
  readonly tellsAll?: boolean;
  /** What can be read further. */
  readonly links?: readonly ResourceLink[];
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** At most 300 characters; the rest is in get_docs. */
  readonly description: string;
  readonly toolset: Toolset;
  readonly annotations: ToolAnnotations;
  /** As get_docs describes it. */
  readonly input: JsonSchema;
  /** As lists show it, where that is less. */
  readonly listedInput?: JsonSchema;
  readonly output?: JsonSchema;
  /** Arguments that work as they stand, after the examples that `exampleNeeds` names. */
  readonly example: object;
  readonly exampleNeeds?: readonly string[];
  /** What to call instead of a response that is too long to be repeated. */
  readonly narrower?: string;
  /** How to read the response, in Markdown. */
  readonly reading: string;
  /** Runs the operation. `input` is what the client sent, unchecked. Throws DomainError. */
  readonly call: (deps: ToolDeps, input: unknown, call: ToolCall) => Promise<ToolResponse>;
}

/** No tool contacts other systems. */
const CLOSED = { openWorldHint: false } as const;
export const READS: ToolAnnotations = { readOnlyHint: true, ...CLOSED };
/** Each call adds something and removes nothing. */
export const ADDS: ToolAnnotations = { destructiveHint: false, ...CLOSED };
/** Repeating a call changes nothing further. */
export const SETS: ToolAnnotations = { ...ADDS, idempotentHint: true };
/** What it does may be seen by anyone with the link, so that hosts ask their user first. */
export const PUBLISHES = { openWorldHint: true } as const;
export const DELETES: ToolAnnotations = { ...SETS, destructiveHint: true };

/** Largest response sent: more overflows the buffers of stdio clients, and no model reads it. Bytes. */
export const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
/** Largest response that is cut here to what is sent: parsing it takes some 100 ms of the thread. Bytes. */
export const PARSED_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Throws `payload_too_large` for a response whose JSON has more than `max` bytes; `remedy` says what to call
 * instead.
 */
export function refuseHugeResponse(response: unknown, remedy: string, max = RESPONSE_BYTES_MAX): void {
  if (!isJson(response) || response.length <= max) return;
  throw new DomainError('payload_too_large', hugeWords(response.length), { remedy });
}

/** That a response of so many bytes is too large to be sent. */
export const hugeWords = (bytes: number): string =>
  `the response has ${bytes} bytes, more than the ${RESPONSE_BYTES_MAX} that a tool sends`;
