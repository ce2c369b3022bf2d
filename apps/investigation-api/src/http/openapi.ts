import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { INPUT_SCHEMAS } from '../wire/investigation-schema.ts';
import { z } from '@platform/error-contracts/zod-openapi';
import { InvestigationResult, InvestigationSummary } from '../wire/result-schema.ts';
import { ValidationResponse } from '../wire/session-schema.ts';
import { SESSION_OPERATIONS } from '../session-api.ts';

/** The interface's version, as the specification counts it. */
const API_VERSION = '0.1.0';

const ErrorResponse = z.object({ error: z.string() }).openapi('ErrorResponse');

/** Answers other than success, in words; the shapes are one and the same. */
const ERRORS: Readonly<Record<number, string>> = {
  401: 'No valid credential.',
  403: 'The credential carries no tenant, or lacks the scope `investigations`.',
  404: 'No such session or part of one, or none that you may know of.',
  409: 'The id is taken, or the session has not been judged yet.',
  413: 'The body, the session or the memory that the work needs is too large.',
  415: 'The body is not JSON in UTF-8.',
  422: 'Invalid input: every problem with its path.',
  429: 'The call quota is used up; try again after Retry-After seconds.',
  500: 'Internal error; names the request id.',
  503: 'Too much waits already, or credentials cannot be checked; try again after Retry-After seconds.',
  504: 'The investigation timed out.',
};
/** Of every operation that takes a credential, and of every one that takes a body. */
const CREDENTIAL_ERRORS = [401, 429, 500, 503];
const BODY_ERRORS = [413, 415, 422];

/** The OpenAPI 3.1 document of the service, from the schemas its input and results have. */
export function buildOpenApi() {
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
      'Takes contested claims and returns scored verdicts. Nothing is kept. With `summary_mode` the answer is an InvestigationSummary.',
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
  for (const route of SESSION_OPERATIONS) {
    const { method, path, operationId, summary, query, body, bodyIsOptional, errors } = route;
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
        ...(body ? { body: { required: !bodyIsOptional, content: json(body) } } : {}),
      },
      responses: {
        [status]: { description: 'Done.', ...(answer ? { content: json(answer) } : {}) },
        ...errorResponses([...CREDENTIAL_ERRORS, 403, ...(body ? BODY_ERRORS : []), ...errors]),
      },
    });
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Investigation reasoning service',
      version: API_VERSION,
      description: 'Contested claims in, scored verdicts out.',
    },
    servers: [{ url: '/' }],
  });
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

function errorResponses(statuses: readonly number[]) {
  return Object.fromEntries(
    [...new Set(statuses)]
      .sort((a, b) => a - b)
      .map((status) => [status, { description: ERRORS[status]!, content: json(ErrorResponse) }]),
  );
}
