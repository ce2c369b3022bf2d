import { DOCSTORE_CODES, type DocstoreErrorCode } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { mayTouch, type Caller } from '../auth/caller.ts';
import { Batch, BatchResults, UnjudgedBatch } from '../operations/batch.ts';
import { ChangeList, ListChanges, listChanges } from '../operations/changes.ts';
import { CreateFile, createFile } from '../operations/create-file.ts';
import { deleteFile } from '../operations/delete-file.ts';
import { EditFile, editFile } from '../operations/edit-file.ts';
import { getContents, getFile } from '../operations/get-file.ts';
import { getUsage, UsageBody } from '../operations/get-usage.ts';
import {
  getKey,
  KeyBody,
  KeyList,
  listKeys,
  MintKey,
  mintKey,
  revokeKey,
  RotateKey,
  rotateKey,
} from '../operations/keys.ts';
import { FileList, ListFiles, listFiles } from '../operations/list-files.ts';
import { Merged, MergeFile, mergeFile } from '../operations/merge-file.ts';
import { PatchFile, patchFile } from '../operations/patch-file.ts';
import { deletePath, getPath, PutPath, putPath } from '../operations/path.ts';
import { replaceContents, replaceFile, ReplaceFile } from '../operations/replace-file.ts';
import {
  getVersion,
  ListVersions,
  listVersions,
  RestoreVersion,
  restoreVersion,
  VersionList,
} from '../operations/versions.ts';
import { quoteEtag } from '../rules/etag.ts';
import type { Action } from '../rules/scopes.ts';
import type { Precondition } from '../rules/precondition.ts';
import type { ChangeTarget } from '../operations/shared/rewrite.ts';
import type { DocumentHead } from '../store/document-store.ts';
import { FileBody, fileBody, unreadableBody, VersionBody, versionBody } from '../wire/document-body.ts';
import { runItems } from './batch.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Once } from './idempotency.ts';
import { documentResponse, etagHeader, rawResponse, type RangeRequest } from './representation.ts';
import type { ApiResponse } from './respond.ts';
import type { ResponseHeader } from './openapi-responses.ts';

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
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Throws `unauthenticated` when the credential has ended since: called before a write that took long. */
  readonly requireStillGood: () => Promise<void>;
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
  /** Honors Range. */
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
   * Whether the response may hold several documents: such responses are made a few at a time, in turns by
   * owner.
   */
  readonly isLarge?: (query: Query) => boolean;
  /** Codes besides those that follow from the fields above (`openapi.ts`). */
  readonly errors?: readonly DocstoreErrorCode[];
  readonly run: (context: OperationContext<Input, Query>) => Promise<ApiResponse>;
}

/** Keeps the types of one row together; the table holds rows of all types. */
function operation<Input = undefined, Query = unknown>(row: ApiOperation<Input, Query>): ApiOperation {
  return row as unknown as ApiOperation;
}

const MERGE_PATCH = 'application/merge-patch+json';

/** Every operation that needs a credential. Routes and the OpenAPI document are made from this table. */
export const API: readonly ApiOperation[] = [
  operation({
    method: 'post',
    path: '/v1/file',
    id: 'createFile',
    summary: 'Store a document',
    action: 'file:write',
    body: CreateFile,
    isRepeatable: true,
    success: [201, FileBody],
    responseHeaders: ['ETag'],
    errors: ['quota_exceeded'],
    async run({ deps, caller, input }) {
      const document = await createFile(deps, caller, input);
      const headers = { ...etagHeader(document), Location: `/v1/file/${document.id}` };
      return { status: 201, headers, json: await writtenBody(caller, document, document.contents) };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/file',
    id: 'listFiles',
    summary: 'List and search documents',
    action: 'file:read',
    query: ListFiles,
    success: [200, FileList],
    isLarge: ({ fields, mode }) => fields === 'contents' && mode !== 'regex',
    errors: ['unprocessable_entity'],
    run: async ({ deps, caller, query }) => ({ status: 200, json: await listFiles(deps, caller, query) }),
  }),
  operation({
    method: 'get',
    path: '/v1/file/:id',
    id: 'getFile',
    summary: 'Read a document',
    action: 'file:read',
    conditional: 'honored',
    success: [200, FileBody],
    responseHeaders: ['Repr-Digest'],
    errors: ['not_found'],
    run: async ({ deps, caller, params, precondition }) =>
      documentResponse(await getFile(deps, caller, params['id']!, precondition)),
  }),
  operation({
    method: 'put',
    path: '/v1/file/:id',
    id: 'replaceFile',
    summary: 'Replace filename and contents',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: ReplaceFile,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, target, input }) {
      const document = await replaceFile(deps, caller, target, input);
      return {
        status: 200,
        headers: etagHeader(document),
        json: await writtenBody(caller, document, document.contents),
      };
    },
  }),
  operation({
    method: 'patch',
    path: '/v1/file/:id',
    id: 'patchFile',
    summary: 'Change filename and metadata',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: PatchFile,
    jsonTypes: [MERGE_PATCH],
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, target, input }) {
      const head = await patchFile(deps, caller, target, input);
      return { status: 200, headers: etagHeader(head), json: await writtenBody(caller, head) };
    },
  }),
  operation({
    method: 'delete',
    path: '/v1/file/:id',
    id: 'deleteFile',
    summary: 'Delete a document',
    action: 'file:delete',
    ofDocument: true,
    conditional: 'honored',
    success: [204, null],
    async run({ deps, caller, target }) {
      await deleteFile(deps, caller, target);
      return { status: 204 };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/file/:id/contents',
    id: 'getContents',
    summary: 'Read contents as they are',
    action: 'file:read',
    conditional: 'honored',
    success: [200, 'text'],
    responseHeaders: ['Repr-Digest', 'Content-Disposition', 'Content-Range'],
    hasParts: true,
    errors: ['not_found'],
    run: async ({ deps, caller, params, precondition, range }) =>
      rawResponse(await getContents(deps, caller, params['id']!, precondition), range),
  }),
  operation<string>({
    method: 'put',
    path: '/v1/file/:id/contents',
    id: 'replaceContents',
    summary: 'Write contents as they are',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: 'text',
    isRepeatable: true,
    success: [204, null],
    errors: ['quota_exceeded'],
    async run({ deps, caller, target, input }) {
      const head = await replaceContents(deps, caller, target, input);
      return { status: 204, headers: etagHeader(head) };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/file/:id/edit',
    id: 'editFile',
    summary: 'Change contents in place',
    action: 'file:write',
    ofDocument: true,
    conditional: 'required',
    body: EditFile,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, input }) {
      const document = await editFile(deps, caller, { ...target, head }, input);
      return {
        status: 200,
        headers: etagHeader(document),
        json: await writtenBody(caller, document, document.contents),
      };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/file/:id/merge',
    id: 'mergeFile',
    summary: 'Merge three ways',
    action: 'file:write',
    ofDocument: true,
    conditional: 'honored',
    body: MergeFile,
    isRepeatable: true,
    success: [200, Merged],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, input, requireStillGood }) {
      const outcome = await mergeFile(deps, caller, { ...target, head, requireStillGood }, input);
      if (!outcome.merged) {
        const { conflicts, more, marked } = outcome;
        const json = {
          merged: false,
          conflicts,
          ...(more === 0 ? {} : { more_conflicts: more }),
          etag: quoteEtag(outcome.etag),
          marked,
        };
        return { status: 200, headers: etagHeader(outcome), json };
      }
      const { document } = outcome;
      const json = { merged: true, file: await writtenBody(caller, document, document.contents) };
      return { status: 200, headers: etagHeader(document), json };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/file/:id/versions',
    id: 'listVersions',
    summary: 'History, newest first',
    action: 'file:read',
    ofDocument: true,
    query: ListVersions,
    success: [200, VersionList],
    run: async ({ deps, caller, head, query }) => ({
      status: 200,
      json: await listVersions(deps, caller, head, query),
    }),
  }),
  operation({
    method: 'get',
    path: '/v1/file/:id/versions/:version',
    id: 'getVersion',
    summary: 'Read a version',
    action: 'file:read',
    ofDocument: true,
    conditional: 'honored',
    success: [200, VersionBody],
    async run({ deps, caller, head, params, precondition }) {
      const read = await getVersion(deps, caller, head, params['version']!, precondition);
      if (!read.isModified) return { status: 304, headers: etagHeader(read) };
      const { found } = read;
      return { status: 200, headers: etagHeader(found), json: versionBody(found, found.contents) };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/file/:id/restore',
    id: 'restoreVersion',
    summary: 'Make a kept version current again, of a document deleted in the last 30 days too',
    action: 'file:write',
    ofDocument: 'deleted too',
    conditional: 'either',
    body: RestoreVersion,
    isRepeatable: true,
    success: [200, FileBody],
    errors: ['quota_exceeded'],
    async run({ deps, caller, head, target, precondition, input }) {
      const document = await restoreVersion(deps, caller, { ...target, head, precondition }, input);
      const json = await writtenBody(caller, document, document.contents);
      return { status: 200, headers: etagHeader(document), json };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/path/*filename',
    id: 'getPath',
    summary: 'Read the document with this filename',
    action: 'file:read',
    conditional: 'honored',
    success: [200, FileBody],
    responseHeaders: ['Repr-Digest'],
    errors: ['not_found', 'validation_failed'],
    run: async ({ deps, caller, params, precondition }) =>
      documentResponse(await getPath(deps, caller, params['filename']!, precondition)),
  }),
  operation({
    method: 'put',
    path: '/v1/path/*filename',
    id: 'putPath',
    summary: 'Create or replace the document with this filename',
    action: 'file:write',
    conditional: 'either',
    body: PutPath,
    isRepeatable: true,
    success: [200, FileBody],
    responseHeaders: ['Content-Location'],
    errors: ['quota_exceeded', 'not_found'],
    async run({ deps, caller, params, precondition, input }) {
      const { document, isCreated } = await putPath(deps, caller, params['filename']!, precondition, input);
      const url = `/v1/file/${document.id}`;
      const headers = {
        ...etagHeader(document),
        'Content-Location': url,
        ...(isCreated ? { Location: url } : {}),
      };
      const json = await writtenBody(caller, document, document.contents);
      return { status: isCreated ? 201 : 200, headers, json };
    },
  }),
  operation({
    method: 'delete',
    path: '/v1/path/*filename',
    id: 'deletePath',
    summary: 'Delete the document with this filename',
    action: 'file:delete',
    conditional: 'honored',
    success: [204, null],
    errors: ['not_found', 'validation_failed'],
    async run({ deps, caller, params, precondition }) {
      await deletePath(deps, caller, params['filename']!, precondition);
      return { status: 204 };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/changes',
    id: 'listChanges',
    summary: 'What changed since a sequence number, deletions included',
    action: 'file:read',
    query: ListChanges,
    success: [200, ChangeList],
    errors: ['unprocessable_entity'],
    run: async ({ deps, caller, query, signal }) => ({
      status: 200,
      json: await listChanges(deps, caller, query, signal),
    }),
  }),
  operation({
    method: 'post',
    path: '/v1/batch',
    id: 'runBatch',
    summary: 'Up to 100 reads and writes; results by index',
    body: Batch,
    readBy: UnjudgedBatch,
    isRepeatable: 'by item',
    valuesMax: 300_000,
    success: [200, BatchResults],
    isLarge: () => true,
    run: ({ deps, caller, input, once }) => runItems(deps, caller, input.items, once),
  }),
  operation({
    method: 'post',
    path: '/v1/key',
    id: 'mintKey',
    summary: 'Make a key; its text is shown once',
    action: 'key:manage',
    body: MintKey,
    isRepeatable: true,
    success: [201, KeyBody],
    async run({ deps, caller, input }) {
      const key = await mintKey(deps, caller, input);
      return { status: 201, headers: { Location: `/v1/key/${key.id}` }, json: key };
    },
  }),
  operation({
    method: 'get',
    path: '/v1/key',
    id: 'listKeys',
    summary: 'List keys',
    action: 'key:manage',
    success: [200, KeyList],
    run: async ({ deps, caller }) => ({ status: 200, json: await listKeys(deps, caller) }),
  }),
  operation({
    method: 'get',
    path: '/v1/key/:id',
    id: 'getKey',
    summary: 'Read a key, without its text',
    action: 'key:manage',
    success: [200, KeyBody],
    errors: ['not_found'],
    run: async ({ deps, caller, params }) => ({
      status: 200,
      json: await getKey(deps, caller, params['id']!),
    }),
  }),
  operation({
    method: 'delete',
    path: '/v1/key/:id',
    id: 'revokeKey',
    summary: 'Revoke a key, at once',
    action: 'key:manage',
    success: [204, null],
    errors: ['not_found'],
    async run({ deps, caller, params }) {
      await revokeKey(deps, caller, params['id']!);
      return { status: 204 };
    },
  }),
  operation({
    method: 'post',
    path: '/v1/key/:id/rotate',
    id: 'rotateKey',
    summary: 'Give a key another secret',
    action: 'key:manage',
    body: RotateKey,
    isBodyOptional: true,
    isRepeatable: true,
    success: [200, KeyBody],
    errors: ['not_found'],
    run: async ({ deps, caller, params, input }) => ({
      status: 200,
      json: await rotateKey(deps, caller, params['id']!, input),
    }),
  }),
  operation({
    method: 'get',
    path: '/v1/usage',
    id: 'getUsage',
    summary: 'What is used, and the limits',
    action: 'usage:read',
    success: [200, UsageBody],
    run: async ({ deps, caller }) => ({ status: 200, json: await getUsage(deps, caller) }),
  }),
];

/** The 15 codes as GET /v1/errors lists them. */
export const ErrorCodes = z.object({
  errors: z.array(
    z.object({
      code: z.string(),
      status: z.int(),
      retryable: z.enum(['yes', 'no', 'conditional']),
      action: z.string(),
    }),
  ),
});
export const ERROR_CODES: z.infer<typeof ErrorCodes> = {
  errors: Object.entries(DOCSTORE_CODES).map(([code, { status, retryable, action }]) => ({
    code,
    status,
    retryable,
    action,
  })),
};

/** Documents that need no credential; `server.ts` serves the values. */
export const PUBLIC_DOCUMENTS = {
  listErrors: { path: '/v1/errors', summary: 'Every error code', schema: ErrorCodes },
  getOpenApi: {
    path: '/v1/openapi.json',
    summary: 'This document',
    schema: z.looseObject({ openapi: z.string() }),
  },
} as const;

/** A document that was written, as far as the caller may read it. */
async function writtenBody(caller: Caller, head: DocumentHead, contents?: string): Promise<FileBody> {
  return (await mayTouch(caller, 'file:read', head.filename))
    ? fileBody(head, contents)
    : unreadableBody(head);
}
