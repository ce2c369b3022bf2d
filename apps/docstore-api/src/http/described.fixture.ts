import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildOpenApi } from './openapi.ts';

/** The parts of an OpenAPI document that describe responses. */
interface Described {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, DescribedResponse> }>>;
}
interface DescribedResponse {
  readonly description: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, unknown>;
}

/** A response that a test met. */
interface Met {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

const ROOT = 'openapi';
const HEADERS_TOLD = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Repr-Digest',
  'Retry-After',
  'WWW-Authenticate',
];

const description = closed(JSON.parse(JSON.stringify(buildOpenApi()))) as Described;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ $id: ROOT, ...description });
const validators = new Map<string, ValidateFunction>();

/**
 * Throws unless the OpenAPI document describes this response: its status, its error code, each header that
 * says something about it, its media type, and every field of its body. The response to a URL or method that
 * the document lacks must be 404.
 */
export function requireDescribed(method: string, target: string, response: Met): void {
  const { status, headers, text, json } = response;
  const refuse = (what: string): never => {
    throw new Error(`${method} ${target}: the OpenAPI document does not tell about ${what}`);
  };
  const path = pathOf(target.replace(/\?.*/, ''));
  const operation = path === undefined ? undefined : description.paths[path]![method.toLowerCase()];
  if (operation === undefined) {
    if (status !== 404 && !target.startsWith('/docs')) refuse(`it, and the status is ${status}`);
    return;
  }
  const described = operation.responses[status] ?? refuse(`status ${status}`);
  const code = (json as { error?: { code?: string } } | undefined)?.error?.code;
  if (code !== undefined && !described.description.split(', ').includes(code)) refuse(`${status} ${code}`);
  for (const name of HEADERS_TOLD)
    if (headers.has(name) && !(name in (described.headers ?? {}))) refuse(`${name} on ${status}`);
  if (text === '') return;
  const type = headers.get('Content-Type')!;
  const told = Object.keys(described.content ?? {}).find((name) => essence(name) === essence(type));
  if (told === undefined) return void refuse(`${type} on ${status}`);
  if (json === undefined) return;
  const place = [
    'paths',
    path!,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    told,
    'schema',
  ];
  const validate = validatorOf(place.map(pointerSegment).join('/'));
  if (!validate(json)) refuse(`this body of ${status}: ${ajv.errorsText(validate.errors)}`);
}

function pathOf(target: string): string | undefined {
  return Object.keys(description.paths).find((path) =>
    new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replaceAll('{filename}', '.+')
        .replace(/\{\w+\}/g, '[^/]+')}$`,
    ).test(target),
  );
}

function validatorOf(pointer: string): ValidateFunction {
  let validate = validators.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `${ROOT}#/${pointer}` });
    validators.set(pointer, validate);
  }
  return validate;
}

function pointerSegment(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function essence(type: string): string {
  return type.split(';')[0]!.trim().toLowerCase();
}

/**
 * The document with every object of known properties closed to others, so that a field it does not tell about
 * is found.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isObject = copy['type'] === 'object' && 'properties' in copy;
  return isObject ? { additionalProperties: false, ...copy } : copy;
}
