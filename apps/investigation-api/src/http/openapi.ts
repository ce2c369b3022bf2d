import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { z } from '../operations/published-zod.ts';
import { InvestigationResult, InvestigationSummary } from '../operations/result-schema.ts';
import { INPUT_SCHEMAS } from '../operations/investigation-schema.ts';

/** The interface's version, as the specification counts it. */
const API_VERSION = '0.1.0';

const ErrorResponse = z.object({ error: z.string() }).openapi('ErrorResponse');

/** Answers other than success, in words; the shapes are one and the same. */
const ERRORS: Readonly<Record<number, string>> = {
  401: 'No valid credential.',
  413: 'The body, or the memory its analysis needs, is too large.',
  415: 'The body is not JSON in UTF-8.',
  422: 'Invalid investigation input: every problem with its path.',
  500: 'Internal engine error; names the request id.',
  503: 'Too much waits already; try again after Retry-After seconds.',
  504: 'The investigation timed out.',
};

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
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
  registry.registerPath({
    method: 'post',
    path: '/api/v1/investigations/analyze',
    operationId: 'submit_investigation',
    summary: 'Judge an investigation',
    description:
      'Takes contested claims and returns scored verdicts. Nothing is kept. With `summary_mode` the answer is an InvestigationSummary.',
    security: [{ [bearer.name]: [] }, { [apiKey.name]: [] }],
    request: { body: { required: true, content: json(INPUT_SCHEMAS.InvestigationInput) } },
    responses: {
      200: {
        description: 'The verdicts.',
        content: json(z.union([InvestigationResult, InvestigationSummary])),
      },
      ...Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          status,
          { description, content: json(ErrorResponse) },
        ]),
      ),
    },
  });
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
