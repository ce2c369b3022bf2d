import { CONTEXT_KEYS_MAX, CONTEXT_VALUES_MAX } from '@platform/decide';
import { groupOperations, setExamples, stateDefaults, type OperationGroup } from '@platform/service-kit';
import { z } from 'zod';
import { BATCH_CHECKS_MAX } from '../operations/batch-check-authorization.ts';
import { Action, Evaluation, Evaluations, Properties, Resource, Subject } from './authzen.ts';
import { ActionSearch, ResourceSearch, SubjectSearch } from './authzen-search.ts';
import { BundleQuery, Decisions } from './bundle-routes.ts';
import { TokenRequest } from './token-request.ts';

const API_VERSION = '1.0.0';

const GROUPS: readonly OperationGroup[] = [
  {
    name: 'Ask whether somebody may',
    description: 'Check one question, or up to 1,000 in one request. A no is a response like any other.',
    paths: /^\/v1\/authz\//,
  },
  {
    name: 'Get a token',
    description: 'Exchange the key of a service account for a token that REST takes.',
    paths: /^\/v1\/auth\//,
  },
  {
    name: 'Ask as AuthZEN does',
    description: 'The same questions in the words of the AuthZEN Authorization API 1.0.',
    paths: /^\/access\/v1\/evaluation/,
  },
  {
    name: 'Search who may do what',
    description:
      'List the subjects, resources or actions that a check would allow. Needs the scope `check`, and for subjects, or actions of others, `explain` as well.',
    paths: /^\/access\/v1\/search\//,
  },
  {
    name: 'Decide without asking',
    description: 'Fetch the signed policies of a domain, decide with them, and report what was decided.',
    paths: /^\/v1\/domains\//,
  },
  {
    name: 'Find keys and endpoints',
    description: 'Documents that need no token.',
    paths: /^\/\.well-known\//,
  },
];

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is not what the operation takes: the message names the field.',
  401: 'No valid token: log in again.',
  403: 'The token carries no tenant, or the caller may not do this.',
  404: 'There is no such thing, or none that you may know of.',
  409: 'The name is taken, or somebody changed it first.',
  413: 'The body is too large.',
  415: 'The body is not JSON in UTF-8.',
  429: 'Too many calls, or the quota is used up: wait as many seconds as Retry-After says.',
  500: 'Internal error: the message names the request id.',
  503: 'Something that the service needs is unavailable: try again after Retry-After seconds, and treat it as a no until then.',
};

const ErrorResponse = z.object({
  error: z.enum(['invalid_request', 'unauthorized', 'forbidden', 'rate_limited', 'internal_error']),
  message: z.string(),
});

const Value = z.union([z.string(), z.array(z.string())]);
const Context = z
  .record(z.string(), Value)
  .describe(
    `At least \`subject\`, \`action\` and \`object\`; other names are attributes that policies ask about. At most ${CONTEXT_KEYS_MAX} names, ${CONTEXT_VALUES_MAX} values and 32 KiB.`,
  );
const CheckRequest = z.object({ context: Context });
const CheckResponse = z.object({ allowed: z.boolean() });
const BatchRequest = z.object({ checks: z.array(CheckRequest).max(BATCH_CHECKS_MAX) });
const BatchResponse = z.object({
  results: z
    .array(
      z.object({
        allowed: z.boolean(),
        check_id: z.string().optional().describe('Names the row of the audit.'),
        error: ErrorResponse.shape.error.optional(),
        message: z.string().optional().describe('Why this check could not be made.'),
        reason: z.string().optional(),
      }),
    )
    .describe('One per check, in their order.'),
});
/** The body of many evaluations as callers write it; `Evaluations` leaves items to be judged one by one. */
const EvaluationsRequest = z.object({
  evaluations: z
    .array(Evaluation.partial())
    .max(BATCH_CHECKS_MAX)
    .optional()
    .describe('What an item leaves out, the fields beside it say.'),
  subject: Subject.optional(),
  action: Action.optional(),
  resource: Resource.optional(),
  context: Properties,
  options: Evaluations.shape.options,
});
const Decision = z.object({ decision: z.boolean() });
const EvaluationsResponse = z.object({
  evaluations: z.array(Decision.extend({ context: z.looseObject({}).optional() })).optional(),
  decision: z.boolean().optional().describe('In place of `evaluations`, of a body without items.'),
});
const pageOf = (item: z.ZodType) =>
  z.object({
    page: z.object({
      next_token: z.string().describe('Empty on the last page.'),
      count: z.int(),
    }),
    results: z.array(item),
  });
const Entity = z.object({ type: z.string(), id: z.string() });
const TokenResponse = z.object({
  token: z.string(),
  token_type: z.literal('Bearer'),
  service_account_id: z.string(),
  tenant_id: z.string().nullable().describe('Null for accounts of the system.'),
  expires_at: z.int().describe('Seconds since 1970.'),
});
const KeySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });
const Endpoints = z.object({
  policy_decision_point: z.string(),
  access_evaluation_endpoint: z.string(),
  access_evaluations_endpoint: z.string(),
  search_subject_endpoint: z.string(),
  search_resource_endpoint: z.string(),
  search_action_endpoint: z.string(),
});
const SignedBundle = z.object({ bundle: z.looseObject({ format: z.int() }), signature: z.string() });
const Recorded = z.object({
  recorded: z.int(),
  refused: z.array(z.object({ index: z.int(), reason: z.string(), message: z.string() })),
});

interface Row {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly isPublic?: boolean;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly success: z.ZodType;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses of success besides 200. */
  readonly more?: Readonly<Record<number, string>>;
  readonly errors?: readonly number[];
}

const CHECK_ID = { 'X-Check-Id': 'Names the row of the audit.' };

const ROWS: readonly Row[] = [
  {
    method: 'post',
    path: '/v1/authz/check',
    id: 'checkAuthorization',
    summary: 'May this subject do this to that object?',
    description:
      "Decides by the policies of the object's domain and of those above it, and records the decision.",
    body: CheckRequest,
    success: CheckResponse,
    headers: CHECK_ID,
  },
  {
    method: 'post',
    path: '/v1/authz/check:batch',
    id: 'batchCheckAuthorization',
    summary: 'Up to 1,000 checks in one request',
    description: 'A faulty check is a no with its reason, and the others are decided.',
    body: BatchRequest,
    success: BatchResponse,
  },
  {
    method: 'post',
    path: '/v1/auth/token',
    id: 'exchangeServiceAccountToken',
    summary: 'Exchange the key of a service account for a token',
    description: 'The key may come in the body or as the bearer token.',
    isPublic: true,
    body: TokenRequest,
    success: TokenResponse,
  },
  {
    method: 'post',
    path: '/access/v1/evaluation',
    id: 'evaluateAccess',
    summary: 'Evaluate one access',
    body: Evaluation,
    success: Decision,
    headers: CHECK_ID,
  },
  {
    method: 'post',
    path: '/access/v1/evaluations',
    id: 'evaluateAccesses',
    summary: 'Evaluate many accesses',
    body: EvaluationsRequest,
    success: EvaluationsResponse,
  },
  {
    method: 'post',
    path: '/access/v1/search/subject',
    id: 'searchSubjects',
    summary: 'Who may do this to that resource?',
    body: SubjectSearch,
    success: pageOf(Entity),
  },
  {
    method: 'post',
    path: '/access/v1/search/resource',
    id: 'searchResources',
    summary: 'To which resources may this subject do that?',
    body: ResourceSearch,
    success: pageOf(Entity),
  },
  {
    method: 'post',
    path: '/access/v1/search/action',
    id: 'searchActions',
    summary: 'What may this subject do to that resource?',
    body: ActionSearch,
    success: pageOf(z.object({ name: z.string() })),
  },
  {
    method: 'get',
    path: '/v1/domains/{id}/bundle',
    id: 'getDomainBundle',
    summary: 'Fetch the signed policies of a domain',
    query: BundleQuery,
    success: SignedBundle,
    headers: { ETag: 'Names the bundle.' },
    more: { 304: 'If-None-Match names the bundle there is.' },
    errors: [404],
  },
  {
    method: 'post',
    path: '/v1/domains/{id}/decisions',
    id: 'recordDecisions',
    summary: 'Report decisions that were made with a bundle',
    description: 'Each becomes a row of the audit, which names the fields that cannot be as they were sent.',
    body: Decisions,
    success: Recorded,
    errors: [404],
  },
  {
    method: 'get',
    path: '/.well-known/jwks.json',
    id: 'getKeySet',
    summary: 'The public keys that tokens are signed with',
    isPublic: true,
    success: KeySet,
  },
  {
    method: 'get',
    path: '/.well-known/authzen-configuration',
    id: 'getAuthzenConfiguration',
    summary: 'Where the endpoints of AuthZEN are',
    isPublic: true,
    success: Endpoints,
  },
];

/** A domain as examples name it: the guide's reader has another one. */
const DOMAIN = '0b8f3c5e-4a57-4c7e-9a3d-2f6d8e1c7b90';
const OBJECT = `svc://${DOMAIN}/docs/plan`;
const ASKED = { subject: 'bob', action: 'read', object: OBJECT };
const SUBJECT = { type: 'user', id: 'bob' };
const READ = { name: 'read' };
const PLAN = { type: 'docs', id: 'plan' };

const EXAMPLES = {
  checkAuthorization: { body: { context: ASKED } },
  batchCheckAuthorization: {
    body: { checks: [{ context: ASKED }, { context: { ...ASKED, action: 'write' } }] },
  },
  exchangeServiceAccountToken: { body: { credential: 'key of a service account', duration: 3600 } },
  evaluateAccess: { body: { subject: SUBJECT, action: READ, resource: PLAN } },
  evaluateAccesses: {
    body: {
      subject: SUBJECT,
      resource: PLAN,
      evaluations: [{ action: READ }, { action: { name: 'write' } }],
    },
  },
  searchSubjects: { body: { subject: { type: 'user' }, action: READ, resource: PLAN } },
  searchResources: { body: { subject: SUBJECT, action: READ, resource: { type: 'docs' } } },
  searchActions: { body: { subject: SUBJECT, resource: PLAN } },
  getDomainBundle: { parameters: { id: DOMAIN } },
  recordDecisions: {
    parameters: { id: DOMAIN },
    body: {
      bundle: { issued_at: 1_767_225_600, key_id: 'key of the bundle', versions: { [DOMAIN]: 1 } },
      decisions: [
        {
          id: '0199b3c5-4a57-7c7e-9a3d-2f6d8e1c7b90',
          decided_at: '2026-01-01T00:00:00Z',
          context: ASKED,
          allowed: true,
          policy: 'readers',
        },
      ],
    },
  },
};

/** The OpenAPI 3.1 document of the REST server, from the schemas that read what is sent. */
export function buildOpenApi() {
  const paths: Record<string, Record<string, object>> = {};
  for (const row of ROWS) (paths[row.path] ??= {})[row.method] = operationOf(row);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Authorization service',
      version: API_VERSION,
      description:
        'May this subject do this to that object? Ask over REST here; tenants, users and policies are kept over gRPC.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: schemaOf(ErrorResponse, 'output') },
    },
  };
  return setExamples(groupOperations(stateDefaults(document), GROUPS), EXAMPLES);
}

function operationOf({ body, query, success, headers, isPublic = false, ...row }: Row): object {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const parameters = [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    })),
    ...Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema: schemaOf(schema as z.ZodType, 'output'),
    })),
  ];
  const statuses = [
    400,
    ...(isPublic && body === undefined ? [] : [401, 429, 503]),
    ...(isPublic ? [] : [403]),
    ...(body === undefined ? [] : [413, 415]),
    ...(row.errors ?? []),
    500,
  ].sort((a, b) => a - b);
  return {
    operationId: row.id,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(isPublic ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(schemaOf(body, 'input')) } }),
    responses: {
      200: {
        description: 'Success.',
        ...(headers === undefined ? {} : { headers: headersOf(headers) }),
        content: json(schemaOf(success, 'output')),
      },
      ...Object.fromEntries(
        Object.entries(row.more ?? {}).map(([status, description]) => [status, { description }]),
      ),
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          {
            description: ERRORS[status],
            content: json({ $ref: '#/components/schemas/Error' }),
          },
        ]),
      ),
    },
  };
}

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

const json = (schema: object) => ({ 'application/json': { schema } });

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // Properties, the one schema of our own, are objects of any names.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
    },
  });
  return rest;
}
