import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { DOCSTORE_CODES, type DocstoreErrorCode } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { groupOperations, setExamples, stateDefaults } from '@platform/service-kit';
import { API, PUBLIC_DOCUMENTS } from './api.ts';
import type { ApiOperation } from './api/operation.ts';
import { ERROR_WORDS, EXAMPLES, GROUPS } from './openapi-guide.ts';
import { content, errorResponses, headersOf, type ResponseHeader } from './openapi-responses.ts';

const API_VERSION = '1.0.0';

/** Headers of a request under conditions. */
const Conditions = z.object({ 'If-Match': z.string().optional(), 'If-None-Match': z.string().optional() });
const MustMatch = Conditions.extend({
  'If-Match': z.string().describe('ETag of the version you have read, or `*`'),
});
const Ranged = z.object({
  Range: z.string().optional().describe('one range of bytes'),
  'If-Range': z.string().optional(),
});
const Repeatable = z.object({
  'Idempotency-Key': z
    .string()
    .max(255)
    .optional()
    .describe('the same request gets the same response for 24 h'),
});

/** The OpenAPI 3.1 document of the service, from the table that its routes are made from. */
export function buildOpenApi() {
  const registry = new OpenAPIRegistry();
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key `dsk_…` of this store, or a platform token.',
  });
  const ErrorResponse = z
    .object({
      error: z.object({
        code: z.enum(Object.keys(DOCSTORE_CODES) as [DocstoreErrorCode, ...DocstoreErrorCode[]]),
        message: z.string(),
        request_id: z.string().nullable(),
        details: z
          .record(z.string(), z.string())
          .optional()
          .describe('on validation_failed: field to message'),
      }),
    })
    .openapi('Error');

  const register = (operation: ApiOperation, method: ApiOperation['method'] | 'head') => {
    const { path, id, summary, query, body, jsonTypes, success } = operation;
    const [status, shown] = success;
    const names = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!);
    const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    const headers = requestHeaders(operation);
    const isHead = method === 'head';
    registry.registerPath({
      method,
      path: path.replace(/[:*](\w+)/g, '{$1}'),
      operationId: isHead ? id.replace(/^(get|list)/, 'head') : id,
      summary: isHead ? `${summary}: the headers alone` : summary,
      security: [{ [bearer.name]: [] }],
      request: {
        ...(names.length > 0 ? { params } : {}),
        ...(query ? { query } : {}),
        ...(headers ? { headers } : {}),
        ...(body ? { body: { required: !operation.isBodyOptional, content: content(body, jsonTypes) } } : {}),
      },
      responses: {
        [status]: {
          description: 'Success.',
          ...headersOf(headersOfSuccess(operation)),
          ...(shown === null || isHead ? {} : { content: content(shown) }),
        },
        // A write by filename responds 201 when it created the document.
        ...(operation.conditional === 'either' && method === 'put' && shown !== null
          ? {
              201: {
                description: 'Created.',
                ...headersOf([...headersOfSuccess(operation), 'Location']),
                content: content(shown),
              },
            }
          : {}),
        ...(operation.hasParts && shown !== null && !isHead
          ? {
              206: {
                description: 'The part that Range asks for.',
                ...headersOf(headersOfSuccess(operation)),
                content: content(shown),
              },
            }
          : {}),
        ...(operation.hasParts
          ? {
              416: {
                description: 'bad_request',
                ...headersOf(['Content-Range']),
                ...(isHead ? {} : { content: content(ErrorResponse) }),
              },
            }
          : {}),
        ...(isConditionalRead(operation)
          ? { 304: { description: 'If-None-Match names the current version.', ...headersOf(['ETag']) } }
          : {}),
        ...errorResponses(codesOf(operation), isHead ? undefined : content(ErrorResponse), false),
      },
    });
  };
  for (const operation of API) {
    register(operation, operation.method);
    if (operation.method === 'get') register(operation, 'head');
  }
  for (const [id, { path, summary, schema }] of Object.entries(PUBLIC_DOCUMENTS)) {
    for (const method of ['get', 'head'] as const) {
      const isHead = method === 'head';
      registry.registerPath({
        method,
        path,
        operationId: isHead ? id.replace(/^(get|list)/, 'head') : id,
        summary: isHead ? `${summary}: the headers alone` : summary,
        responses: {
          200: { description: 'Success.', ...(isHead ? {} : { content: content(schema) }) },
          ...errorResponses([], isHead ? undefined : content(ErrorResponse), true),
        },
      });
    }
  }
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Document store',
      version: API_VERSION,
      description:
        'Named text documents that never lose an update: every version has an ETag, and a writer who has not seen the last one is refused.',
    },
    servers: [{ url: '/' }],
  });
  return {
    ...setExamples(groupOperations(stateDefaults(document), GROUPS), EXAMPLES),
    'x-error-codes': ERROR_WORDS,
  };
}

function isConditionalRead({ method, conditional }: ApiOperation): boolean {
  return method === 'get' && conditional !== undefined;
}

function requestHeaders({ conditional, isRepeatable, hasParts }: ApiOperation): z.ZodObject | undefined {
  const conditions = conditional === 'required' ? MustMatch : conditional && Conditions;
  if (hasParts) return Ranged.extend(conditions?.shape ?? {});
  if (!isRepeatable) return conditions;
  return conditions === undefined ? Repeatable : Repeatable.extend(conditions.shape);
}

/** The codes that follow from what an operation takes, and those of its row. */
function codesOf(operation: ApiOperation): DocstoreErrorCode[] {
  const { body, ofDocument, conditional, isRepeatable, errors = [] } = operation;
  return [
    ...(ofDocument ? (['not_found'] as const) : []),
    ...(conditional === undefined ? [] : (['precondition_failed'] as const)),
    ...(conditional === 'required' || conditional === 'either' ? (['precondition_required'] as const) : []),
    ...(body === undefined
      ? []
      : (['payload_too_large', 'unsupported_media_type', 'validation_failed'] as const)),
    ...(isRepeatable ? (['conflict', 'unprocessable_entity'] as const) : []),
    ...errors,
  ];
}

/** A conditional operation reads or makes one version; only DELETE leaves none. */
function headersOfSuccess(operation: ApiOperation): ResponseHeader[] {
  const { method, conditional, isRepeatable, success, responseHeaders = [] } = operation;
  return [
    ...(conditional !== undefined && method !== 'delete' ? (['ETag'] as const) : []),
    ...(success[0] === 201 ? (['Location'] as const) : []),
    ...(isRepeatable ? (['Idempotency-Replayed'] as const) : []),
    ...responseHeaders,
  ];
}
