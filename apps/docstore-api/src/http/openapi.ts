import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { DOCSTORE_CODES, type DocstoreErrorCode } from '@platform/error-contracts';
import { z } from '../operations/published-zod.ts';
import { PatchFile, ReplaceFile } from '../operations/change-file.ts';
import { CreateFile } from '../operations/create-file.ts';
import { FileBody, VersionBody } from '../operations/document-body.ts';
import { EditFile } from '../operations/edit-file.ts';
import { ListVersions, VersionList } from '../operations/file-history.ts';
import { UsageBody } from '../operations/get-usage.ts';
import { FileList, ListFiles } from '../operations/list-files.ts';
import { KeyBody, MintKey } from '../operations/manage-keys.ts';
import { MergeFile } from '../operations/merge-file.ts';
import { content, errorAnswers, headersOf, type AnswerHeader } from './openapi-answers.ts';

const API_VERSION = '1.0.0';

interface Operation {
  /** Whatever answers GET answers HEAD. */
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType | 'text';
  /** Media types of a JSON body besides application/json. */
  readonly jsonTypes?: readonly string[];
  /** Status of success, and what it carries. */
  readonly success: readonly [status: number, body: z.ZodType | 'text' | null];
  /** Headers of success besides ETag and Location. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** Codes besides those that any operation may answer. */
  readonly errors: readonly DocstoreErrorCode[];
  readonly isPublic?: boolean;
}

/** Headers of a request under conditions. */
const Conditions = z.object({ 'If-Match': z.string().optional(), 'If-None-Match': z.string().optional() });
const MustMatch = Conditions.extend({
  'If-Match': z.string().describe('ETag of the version you have read, or `*`'),
});
const Repeatable = z.object({
  'Idempotency-Key': z
    .string()
    .max(255)
    .optional()
    .describe('the same request gets the same answer for 24 h'),
});

const WRITE_ERRORS = [
  'quota_exceeded',
  'not_found',
  'conflict',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'unprocessable_entity',
] as const;
const READ_ERRORS = ['not_found', 'precondition_failed'] as const;

/** The OpenAPI 3.1 document of the service, from the schemas that its requests are checked with. */
export function buildOpenApi() {
  const registry = new OpenAPIRegistry();
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key `dsk_…` of this store, or a platform token.',
  });
  const File = registry.register('File', FileBody);
  const Version = registry.register('Version', VersionBody);
  const Key = registry.register('Key', KeyBody);
  const ErrorResponse = registry.register(
    'Error',
    z.object({
      error: z.object({
        code: z.enum(Object.keys(DOCSTORE_CODES) as [DocstoreErrorCode, ...DocstoreErrorCode[]]),
        message: z.string(),
        request_id: z.string().nullable(),
        details: z
          .record(z.string(), z.string())
          .optional()
          .describe('on validation_failed: field to message'),
      }),
    }),
  );
  const Conflict = z.object({ base: z.string(), mine: z.string(), current: z.string(), base_line: z.int() });
  const Merged = registry.register(
    'Merged',
    z.object({ merged: z.boolean(), file: File.optional(), conflicts: z.array(Conflict).optional() }),
  );
  const Usage = registry.register('Usage', UsageBody);
  const Versions = VersionList.extend({ versions: z.array(Version) });
  const Codes = z.object({
    errors: z.array(
      z.object({
        code: z.string(),
        status: z.int(),
        retryable: z.enum(['yes', 'no', 'conditional']),
        action: z.string(),
      }),
    ),
  });
  const write = Repeatable.extend(MustMatch.shape);

  const operations: Operation[] = [
    {
      method: 'post',
      path: '/v1/file',
      id: 'createFile',
      summary: 'Store a document',
      headers: Repeatable,
      body: CreateFile,
      success: [201, File],
      errors: WRITE_ERRORS.filter((code) => code !== 'not_found' && code !== 'precondition_failed'),
    },
    {
      method: 'get',
      path: '/v1/file',
      id: 'listFiles',
      summary: 'List and search documents',
      query: ListFiles,
      success: [200, FileList.extend({ files: z.array(File) })],
      errors: ['unprocessable_entity'],
    },
    {
      method: 'get',
      path: '/v1/file/{id}',
      id: 'getFile',
      summary: 'Read a document',
      headers: Conditions,
      success: [200, File],
      answerHeaders: ['Repr-Digest'],
      errors: READ_ERRORS,
    },
    {
      method: 'put',
      path: '/v1/file/{id}',
      id: 'replaceFile',
      summary: 'Replace filename and contents',
      headers: write,
      body: ReplaceFile,
      success: [200, File],
      errors: [...WRITE_ERRORS, 'precondition_required'],
    },
    {
      method: 'patch',
      path: '/v1/file/{id}',
      id: 'patchFile',
      summary: 'Change filename and metadata',
      headers: write,
      body: PatchFile,
      jsonTypes: ['application/merge-patch+json'],
      success: [200, File],
      errors: [...WRITE_ERRORS, 'precondition_required'],
    },
    {
      method: 'delete',
      path: '/v1/file/{id}',
      id: 'deleteFile',
      summary: 'Delete a document',
      headers: Conditions,
      success: [204, null],
      errors: READ_ERRORS,
    },
    {
      method: 'get',
      path: '/v1/file/{id}/contents',
      id: 'getContents',
      summary: 'Read contents as they are',
      headers: Conditions,
      success: [200, 'text'],
      answerHeaders: ['Repr-Digest', 'Content-Disposition'],
      errors: READ_ERRORS,
    },
    {
      method: 'put',
      path: '/v1/file/{id}/contents',
      id: 'replaceContents',
      summary: 'Write contents as they are',
      headers: write,
      body: 'text',
      success: [204, null],
      errors: [...WRITE_ERRORS, 'precondition_required'],
    },
    {
      method: 'post',
      path: '/v1/file/{id}/edit',
      id: 'editFile',
      summary: 'Change contents in place',
      headers: write,
      body: EditFile,
      success: [200, File],
      errors: [...WRITE_ERRORS, 'precondition_required'],
    },
    {
      method: 'post',
      path: '/v1/file/{id}/merge',
      id: 'mergeFile',
      summary: 'Merge three ways',
      headers: Repeatable.extend(Conditions.shape),
      body: MergeFile,
      success: [200, Merged],
      errors: WRITE_ERRORS,
    },
    {
      method: 'get',
      path: '/v1/file/{id}/versions',
      id: 'listVersions',
      summary: 'History, newest first',
      query: ListVersions,
      success: [200, Versions],
      errors: ['not_found'],
    },
    {
      method: 'get',
      path: '/v1/file/{id}/versions/{version}',
      id: 'getVersion',
      summary: 'Read a version',
      headers: Conditions,
      success: [200, Version],
      errors: READ_ERRORS,
    },
    {
      method: 'post',
      path: '/v1/key',
      id: 'mintKey',
      summary: 'Make a key; its text is shown once',
      body: MintKey,
      success: [201, Key],
      errors: ['quota_exceeded', 'payload_too_large', 'unsupported_media_type', 'validation_failed'],
    },
    {
      method: 'get',
      path: '/v1/key',
      id: 'listKeys',
      summary: 'List keys',
      success: [200, z.object({ keys: z.array(Key) })],
      errors: [],
    },
    {
      method: 'get',
      path: '/v1/key/{id}',
      id: 'getKey',
      summary: 'Read a key, without its text',
      success: [200, Key],
      errors: ['not_found'],
    },
    {
      method: 'delete',
      path: '/v1/key/{id}',
      id: 'revokeKey',
      summary: 'Revoke a key, at once',
      success: [204, null],
      errors: ['not_found'],
    },
    {
      method: 'post',
      path: '/v1/key/{id}/rotate',
      id: 'rotateKey',
      summary: 'Give a key another secret',
      success: [200, Key],
      errors: ['not_found'],
    },
    {
      method: 'get',
      path: '/v1/usage',
      id: 'getUsage',
      summary: 'What is used, and the limits',
      success: [200, Usage],
      errors: [],
    },
    {
      method: 'get',
      path: '/v1/errors',
      id: 'listErrors',
      summary: 'Every error code',
      success: [200, Codes],
      errors: [],
      isPublic: true,
    },
    {
      method: 'get',
      path: '/v1/openapi.json',
      id: 'getOpenApi',
      summary: 'This document',
      success: [200, z.looseObject({ openapi: z.string() })],
      errors: [],
      isPublic: true,
    },
  ];

  const register = (operation: Operation, method: Operation['method'] | 'head') => {
    const {
      path,
      id,
      summary,
      query,
      headers,
      body,
      jsonTypes,
      success,
      errors,
      isPublic = false,
    } = operation;
    const [status, shown] = success;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    const isHead = method === 'head';
    registry.registerPath({
      method,
      path,
      operationId: isHead ? id.replace(/^(get|list)/, 'head') : id,
      summary: isHead ? `${summary}: the headers alone` : summary,
      ...(isPublic ? {} : { security: [{ [bearer.name]: [] }] }),
      request: {
        ...(names.length > 0 ? { params } : {}),
        ...(query ? { query } : {}),
        ...(headers ? { headers } : {}),
        ...(body ? { body: { required: true, content: content(body, jsonTypes) } } : {}),
      },
      responses: {
        [status]: {
          description: 'Success.',
          ...headersOf(headersOfSuccess(operation)),
          ...(shown === null || isHead ? {} : { content: content(shown) }),
        },
        ...(operation.method === 'get' && headers !== undefined
          ? { 304: { description: 'If-None-Match names the current version.', ...headersOf(['ETag']) } }
          : {}),
        ...errorAnswers(errors, isHead ? undefined : content(ErrorResponse), isPublic),
      },
    });
  };
  for (const operation of operations) {
    register(operation, operation.method);
    if (operation.method === 'get') register(operation, 'head');
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Document store',
      version: API_VERSION,
      description: 'Named text documents, updated with optimistic concurrency through ETags.',
    },
    servers: [{ url: '/' }],
  });
}

/** Whatever is sent under a condition, or with an Idempotency-Key, reads or makes one version of a document; only DELETE leaves none. */
function headersOfSuccess({ method, headers, success, answerHeaders = [] }: Operation): AnswerHeader[] {
  const isOfVersion = method !== 'delete' && headers !== undefined;
  return [
    ...(isOfVersion ? (['ETag'] as const) : []),
    ...(success[0] === 201 ? (['Location'] as const) : []),
    ...answerHeaders,
  ];
}
