import { DOCSTORE_CODES, type DocstoreErrorCode } from '@platform/error-contracts';
import { z } from '../operations/published-zod.ts';

/** What the headers of answers say. */
const ANSWER_HEADERS = {
  'Content-Disposition': 'the last part of the filename, for a download',
  ETag: 'of the version that the answer tells of, with its quotes',
  Location: 'the URL of what was made',
  'Repr-Digest': 'SHA-256 of the body as it is sent (RFC 9530)',
  'Retry-After': 'whole seconds to wait; who does succeeds, or is told again',
  'WWW-Authenticate': 'the scheme to authenticate by',
};
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Statuses of errors that carry, or may carry, a header of their own. */
const ERROR_HEADERS: Readonly<Record<number, AnswerHeader>> = {
  401: 'WWW-Authenticate',
  409: 'Retry-After',
  412: 'ETag',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** Codes that any URL may answer, whoever asks: a query or head that is none, a transfer coding besides chunks, a fault. */
const CODES_OF_ALL = ['bad_request', 'internal', 'not_implemented'] as const;
/** Those that any URL with a credential may answer besides. */
const CODES_OF_CREDENTIALS = ['unauthorized', 'forbidden', 'rate_limited'] as const;

/** The media types of a body, each with its schema. */
export function content(body: z.ZodType | 'text', jsonTypes: readonly string[] = []) {
  return body === 'text'
    ? { 'text/plain; charset=utf-8': { schema: z.string() } }
    : Object.fromEntries(['application/json', ...jsonTypes].map((type) => [type, { schema: body }]));
}

/** The `headers` of an answer that carries these, or nothing to add for none. */
export function headersOf(names: readonly AnswerHeader[]) {
  if (names.length === 0) return {};
  const described = names.map((name) => [
    name,
    { description: ANSWER_HEADERS[name], schema: { type: 'string' as const } },
  ]);
  return {
    headers: Object.fromEntries(described) as Record<
      string,
      { description: string; schema: { type: 'string' } }
    >,
  };
}

/**
 * The errors of an operation: `own` codes and those that any may answer. One answer per status, naming the codes that share
 * it; 408, 431 and 503 have none of their own (decisions page). `envelope` undefined = no body, as HEAD has none.
 */
export function errorAnswers(
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
