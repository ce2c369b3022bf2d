import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { EXPORT_TYPES } from '@platform/interchange/formats';
import { ExportReference, ImportReference, ImportResponse } from '../wire/interchange-schema.ts';
import { INPUT_SCHEMAS } from '../wire/investigation-schema.ts';
import { z } from '@platform/error-contracts/zod-openapi';
import { JobReference } from '../wire/job-schema.ts';
import { InvestigationResult, InvestigationSummary } from '../wire/result-schema.ts';
import { groupOperations, setExamples, stateDefaults } from '@platform/service-kit';
import { ValidationResponse } from '../wire/session-schema.ts';
import { StreamEvents } from '../wire/watch-schema.ts';
import { SESSION_OPERATIONS } from '../session-api.ts';
import { examplesOf, type ToldOperation } from './openapi-examples.ts';
import { GROUPS } from './openapi-groups.ts';

/** The interface's version, as the specification counts it. */
const API_VERSION = '0.1.0';

const ErrorResponse = z.object({ error: z.string() }).openapi('ErrorResponse');

/** Responses other than success, in words; the shapes are one and the same. */
const ERRORS: Readonly<Record<number, string>> = {
  401: 'No valid credential.',
  403: 'The credential carries no tenant, or lacks the scope `investigations`.',
  404: 'No such session or part of one, or none that you may know of.',
  409: 'The id is taken, or the session has not been judged yet.',
  413: 'The body, the session or the memory that the work needs is too large.',
  415: 'The body is not JSON in UTF-8.',
  422: 'Invalid input: every problem with its path.',
  429: 'The call quota is used up, or too many large requests of the tenant arrive at once; try again after Retry-After seconds.',
  500: 'Internal error; names the request id.',
  503: 'Too much waits already, or credentials cannot be checked; try again after Retry-After seconds.',
  504: 'The investigation timed out.',
};
/** Of every operation that takes a credential, and of every one that takes a body. */
const CREDENTIAL_ERRORS = [401, 429, 500, 503];
const BODY_ERRORS = [413, 415, 422];

const BINARY = { type: 'string', format: 'binary' } as const;

/**
 * The OpenAPI 3.1 document of the service, from the schemas its input and results have, with the examples of
 * the operations that are `told` elsewhere by the same name.
 */
export function buildOpenApi(told: readonly ToldOperation[] = []) {
  const registry = new OpenAPIRegistry();
  const bearer = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });
  const apiKey = registry.registerComponent('securitySchemes', 'api_key', {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
  });
  const security = [{ [bearer.name]: [] }, { [apiKey.name]: [] }];
  registry.registerPath({
    method: 'post',
    path: '/api/v1/investigations/analyze',
    operationId: 'submit_investigation',
    summary: 'Judge an investigation',
    description:
      'Takes contested claims and returns scored verdicts. Nothing is kept. With `summary_mode` the response is an InvestigationSummary.',
    security,
    request: { body: { required: true, content: json(INPUT_SCHEMAS.InvestigationInput) } },
    responses: {
      200: {
        description: 'The verdicts.',
        content: json(z.union([InvestigationResult, InvestigationSummary])),
      },
      ...errorResponses([...CREDENTIAL_ERRORS, 403, ...BODY_ERRORS, 504]),
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v1/investigations/validate',
    operationId: 'validate_investigation',
    summary: 'See what judging an investigation would refuse or warn of',
    description: 'Takes what analyze takes. Nothing is kept.',
    security,
    request: { body: { required: true, content: json(INPUT_SCHEMAS.InvestigationInput) } },
    responses: {
      200: { description: 'Problems and warnings.', content: json(ValidationResponse) },
      ...errorResponses([...CREDENTIAL_ERRORS, 403, ...BODY_ERRORS, 504]),
    },
  });
  registry.registerPath({
    method: 'post',
    path: '/api/v1/imports/{format}',
    operationId: 'import_file',
    summary: 'Read a file of another tool as an investigation',
    description:
      'Takes the bytes of the file, of any content type. Nothing is kept, unless `session` names a session that the items are merged into and `preview` is not true. A session without items takes the settings of our own files, too, such as question, domain and half-life, as far as it does not set them; settings that differ stay and are named in `left_out`.',
    security,
    request: {
      params: ImportReference.pick({ format: true }),
      query: ImportReference.omit({ format: true }),
      body: { required: true, content: { 'application/octet-stream': { schema: BINARY } } },
    },
    responses: {
      200: {
        description: 'The investigation, and what was left out and why.',
        content: json(ImportResponse),
      },
      ...errorResponses([...CREDENTIAL_ERRORS, 403, 404, ...BODY_ERRORS, 504]),
    },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/v1/sessions/{session_id}/export/{format}',
    operationId: 'export_session',
    summary: 'Download the last judgement of a session as a file',
    security,
    request: { params: z.object(ExportReference.shape) },
    responses: {
      200: {
        description: 'The file.',
        content: Object.fromEntries(
          [...new Set(Object.values(EXPORT_TYPES).map(({ contentType }) => contentType))].map((type) => [
            type,
            { schema: BINARY },
          ]),
        ),
      },
      ...errorResponses([...CREDENTIAL_ERRORS, 403, 404, 409, 413, 422, 504]),
    },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/v1/sessions/{session_id}/events',
    operationId: 'stream_session_events',
    summary: 'Follow what your subscriptions on a session fire, as server-sent events',
    description:
      'Begins with the next event, or behind the one that `Last-Event-ID` or `after` names. `data` is what a webhook gets. Takes a call of the quota with each event and at least every 15 s, and ends with the credential.',
    security,
    request: {
      params: StreamEvents.pick({ session_id: true }),
      query: StreamEvents.pick({ after: true }),
      headers: z.object({
        'Last-Event-ID': z.string().optional().describe('`id` of the last event received.'),
      }),
    },
    responses: {
      200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...errorResponses([...CREDENTIAL_ERRORS, 403, 404, 422]),
    },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/v1/sessions/{session_id}/jobs/{job_id}/events',
    operationId: 'stream_judgement_job',
    summary: 'Follow a judgement that was asked for in the background, as server-sent events',
    description:
      'An event each time the job has changed, named by its status; `data` is the JudgementJob. Takes a call of the quota every 15 s, and ends with the job or the credential.',
    security,
    request: { params: JobReference },
    responses: {
      200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...errorResponses([...CREDENTIAL_ERRORS, 403, 404]),
    },
  });
  for (const route of SESSION_OPERATIONS) {
    const { method, path, operationId, summary, query, body, bodyIsOptional, errors, respondAsync } = route;
    const [status, answer] = route.success;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    registry.registerPath({
      method,
      path: `/api/v1${path}`,
      operationId,
      summary,
      security,
      request: {
        params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
        ...(query ? { query } : {}),
        ...(respondAsync ? { headers: PREFER } : {}),
        ...(body ? { body: { required: !bodyIsOptional, content: json(body) } } : {}),
      },
      responses: {
        [status]: { description: 'Done.', ...(answer ? { content: json(answer) } : {}) },
        ...(respondAsync === undefined ? {} : { 202: accepted(respondAsync.body) }),
        ...errorResponses([...CREDENTIAL_ERRORS, 403, ...(body ? BODY_ERRORS : []), ...errors]),
      },
    });
  }
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Investigation reasoning service',
      version: API_VERSION,
      description:
        'Contested claims in, scored verdicts out: say who claims what, and learn what is likely true, how sure that is, and why.',
    },
    servers: [{ url: '/' }],
  });
  return setExamples(groupOperations(stateDefaults(document), GROUPS), examplesOf(told));
}

const PREFER = z.object({
  Prefer: z
    .string()
    .optional()
    .describe('`respond-async`: the response comes at once, and the result later (RFC 7240).'),
});

const accepted = (body: z.ZodType) => ({
  description: 'With `Prefer: respond-async`: on record, to be seen at `Location`.',
  headers: {
    Location: { description: 'Where it is seen what has become of it.', schema: { type: 'string' as const } },
    'Preference-Applied': { schema: { type: 'string' as const } },
  },
  content: json(body),
});

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

function errorResponses(statuses: readonly number[]) {
  return Object.fromEntries(
    [...new Set(statuses)]
      .sort((a, b) => a - b)
      .map((status) => [status, { description: ERRORS[status]!, content: json(ErrorResponse) }]),
  );
}
