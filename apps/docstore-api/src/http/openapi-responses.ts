import { DOCSTORE_CODES, type DocstoreErrorCode } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';

/** Descriptions of response headers. */
const RESPONSE_HEADERS = {
  'Content-Disposition': 'the last part of the filename, for a download',
  'Content-Location': 'the URL of the document by its id',
  'Content-Range': 'the bytes that the body is, of how many',
  ETag: 'of the version that the response describes, with its quotes',
  'Idempotency-Replayed': '`true` on the stored response to an earlier request with the same Idempotency-Key',
  Location: 'the URL of what was created',
  'Repr-Digest': 'SHA-256 of the body as it is sent (RFC 9530)',
  'Retry-After': 'whole seconds to wait before the next try',
  'WWW-Authenticate': 'the scheme to authenticate by',
};
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Statuses of errors that carry, or may carry, a header of their own. */
const ERROR_HEADERS: Readonly<Record<number, ResponseHeader>> = {
  401: 'WWW-Authenticate',
  409: 'Retry-After',
  412: 'ETag',
  429: 'Retry-After',
  503: 'Retry-After',
};

/**
 * Codes that any URL may send to anybody: a malformed query or head, a transfer coding besides chunked, a
 * fault.
 */
const CODES_OF_ALL = ['bad_request', 'internal', 'not_implemented'] as const;
/** Codes that any URL with a credential may send besides. */
const CODES_OF_CREDENTIALS = ['unauthorized', 'forbidden', 'rate_limited'] as const;

/** The media types of a body, each with its schema. */
export function content(body: z.ZodType | 'text', jsonTypes: readonly string[] = []) {
  return body === 'text'
    ? { 'text/plain; charset=utf-8': { schema: z.string() } }
    : Object.fromEntries(['application/json', ...jsonTypes].map((type) => [type, { schema: body }]));
}

/** The `headers` of a response that carries these; {} for none. */
export function headersOf(names: readonly ResponseHeader[]) {
  if (names.length === 0) return {};
  const described = names.map((name) => [
    name,
    { description: RESPONSE_HEADERS[name], schema: { type: 'string' as const } },
  ]);
  return {
    headers: Object.fromEntries(described) as Record<
      string,
      { description: string; schema: { type: 'string' } }
    >,
  };
}

/**
 * The error responses of an operation: `own` codes and those of all. One response per status, naming the
 * codes that share it; 408, 431 and 503 have no code of their own (decisions page). `envelope` undefined = no
 * body, as for HEAD.
 */
export function errorResponses(
  own: readonly DocstoreErrorCode[],
  envelope: ReturnType<typeof content> | undefined,
  isPublic: boolean,
) {
  const codes = new Set([...own, ...CODES_OF_ALL, ...(isPublic ? [] : CODES_OF_CREDENTIALS)]);
  const byStatus = new Map<number, DocstoreErrorCode[]>([
    [408, ['bad_request']],
    [431, ['bad_request']],
  ]);
  if (!isPublic) byStatus.set(503, ['internal']);
  for (const code of codes) {
    const { status } = DOCSTORE_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const header = ERROR_HEADERS[status];
      const headers = headersOf(header === undefined ? [] : [header]);
      const body = envelope === undefined ? {} : { content: envelope };
      return [status, { description: names.join(', '), ...headers, ...body }];
    }),
  );
}
