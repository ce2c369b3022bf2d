import type { DocstoreErrorCode } from '@platform/error-contracts';
import type { z } from '@platform/error-contracts/zod-openapi';
import type { Caller } from '../../auth/caller.ts';
import type { ChangeTarget } from '../../operations/shared/rewrite.ts';
import { SMALL_CONTENTS_BYTES_MAX } from '../../rules/limits.ts';
import type { Precondition } from '../../rules/precondition.ts';
import type { Action } from '../../rules/scopes.ts';
import type { DocumentHead } from '../../store/document-store.ts';
import type { HttpDeps } from '../http-deps.ts';
import type { Once } from '../idempotency.ts';
import type { ResponseHeader } from '../openapi-responses.ts';
import type { RangeRequest } from '../representation.ts';
import type { ApiResponse } from '../respond.ts';

/** The arguments of an operation's `run`. */
export interface OperationContext<Input = unknown, Query = unknown> {
  readonly deps: HttpDeps;
  readonly caller: Caller;
  /** The parts of the path that the operation's path names. */
  readonly params: Readonly<Record<string, string>>;
  /** Of an operation `ofDocument`: the head of the document when the request arrived. */
  readonly head: DocumentHead;
  readonly precondition: Precondition;
  /** Of an operation `ofDocument`: the document and the condition of a write to it. */
  readonly target: ChangeTarget;
  readonly query: Query;
  readonly input: Input;
  /** Runs `work` once per Idempotency-Key and `part` of the request. */
  readonly once: Once;
  /** The part of the body that the request asks for. */
  readonly range: RangeRequest;
  readonly requestId: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Throws `unauthenticated` when the credential has ended since: called before a write that took long. */
  readonly revalidateCredential: () => Promise<void>;
}

/** One operation of the contract: its route, its description in OpenAPI, and what it runs. */
export interface ApiOperation<Input = unknown, Query = unknown> {
  /** GET serves HEAD too. */
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In Express's form, `:id` naming a part. */
  readonly path: string;
  /** The operation's name in the contract; `operations/` exports a function of this name. */
  readonly id: string;
  readonly summary: string;
  /** The scope it needs; absent = it judges scopes itself. */
  readonly action?: Action;
  /** Ends keys, or names those to end: takes no quota of authz-grpc and is not held up by other requests. */
  readonly isRevocation?: boolean;
  /** Names of the query parameters; absent = none. */
  readonly query?: z.ZodObject & z.ZodType<Query>;
  /** A JSON body of this schema, or raw text; absent = the body is not read. */
  readonly body?: z.ZodType<Input> | 'text';
  /** What reads a JSON body whose parts the operation judges one by one; absent = `body`. */
  readonly readBy?: z.ZodType;
  /** No body is the same as `{}`. */
  readonly isBodyOptional?: boolean;
  /** Media types of a JSON body besides application/json. */
  readonly jsonTypes?: readonly string[];
  /** `:id` names a document, whose existence is checked before the body is read. */
  readonly ofDocument?: boolean | 'deleted too';
  /**
   * Whether If-Match and If-None-Match are honored; a write may need If-Match, or either of If-Match and
   * `If-None-Match: *`.
   */
  readonly conditional?: 'honored' | 'required' | 'either';
  /** Whether the response honors Range (RFC 9110 §14). */
  readonly hasParts?: boolean;
  /** Honors Idempotency-Key, for the request or, through `once`, for each of its items. */
  readonly isRepeatable?: boolean | 'by item';
  /** Keys and list items that the JSON may have, where VALUES_MAX is too few. */
  readonly valuesMax?: number;
  /** Status of success, and the schema of its body. */
  readonly success: readonly [status: number, body: z.ZodType | 'text' | null];
  /** Headers of success besides ETag and Location. */
  readonly responseHeaders?: readonly ResponseHeader[];
  /**
   * Whether it reads a large document or several, or a version whose size is not known before: few do so at a
   * time, in turns by owner. Absent = it reads none but by look-ups, which wait for their turn themselves.
   */
  readonly isLarge?: (query: Query, head: DocumentHead) => boolean;
  /** Codes besides those that follow from the fields above (`openapi.ts`). */
  readonly errors?: readonly DocstoreErrorCode[];
  readonly run: (context: OperationContext<Input, Query>) => Promise<ApiResponse>;
}

/** `isLarge` of an operation that reads the document it is about. */
export const isOfLarge = (_query: unknown, { size }: DocumentHead): boolean =>
  size > SMALL_CONTENTS_BYTES_MAX;

/** Keeps the types of one row together; the table holds rows of all types. */
export function operation<Input = undefined, Query = unknown>(row: ApiOperation<Input, Query>): ApiOperation {
  return row as unknown as ApiOperation;
}
