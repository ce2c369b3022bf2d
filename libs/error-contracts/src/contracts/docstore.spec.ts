import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { DomainError, ERROR_KINDS, toDomainError, type ErrorKind } from '../domain-error.ts';
import { DOCSTORE, DOCSTORE_CODES, renderDocstoreError } from './docstore.ts';

const context = { requestId: 'r-1' };
const FIX = 'Fix the request, credentials, quota or document state';

/** The error and retry tables of the contract: code, status, retryable, action. */
const SPECIFIED = [
  ['bad_request', 400, 'no', FIX],
  ['unauthorized', 401, 'no', FIX],
  ['forbidden', 403, 'no', FIX],
  ['quota_exceeded', 403, 'no', FIX],
  ['not_found', 404, 'no', FIX],
  // The contract has the general sentence here; this one names the way out of a conflict.
  ['conflict', 409, 'no', 'Use PUT to update the existing document'],
  ['precondition_failed', 412, 'conditional', 'Re-fetch the ETag, then retry'],
  ['payload_too_large', 413, 'no', FIX],
  ['unsupported_media_type', 415, 'no', 'Send Content-Type: application/json'],
  ['validation_failed', 422, 'no', FIX],
  ['unprocessable_entity', 422, 'no', FIX],
  ['precondition_required', 428, 'conditional', 'Add If-Match and retry'],
  ['rate_limited', 429, 'yes', 'Wait Retry-After seconds, then retry'],
  ['internal', 500, 'yes', 'Retry with exponential backoff'],
  ['not_implemented', 501, 'no', FIX],
];

describe('the document store error contract', () => {
  it('the document store error contract has the statuses, codes, retry rules and actions of the contract, no more and no fewer', () => {
    covers('DOC-E.retry_guidance');
    expect(
      Object.entries(DOCSTORE_CODES).map(([code, { status, retryable, action }]) => [
        code,
        status,
        retryable,
        action,
      ]),
    ).toEqual(SPECIFIED);
  });

  it.each(ERROR_KINDS)('the document store error contract renders %s in the envelope', (kind) => {
    covers('DOC-F.Error.envelope');
    const response = renderDocstoreError(new DomainError(kind, 'what went wrong'), context);
    const { error } = response.body as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: DOCSTORE[kind], request_id: 'r-1', message: expect.any(String) });
    expect('details' in error).toBe(error['code'] === 'validation_failed');
    const statuses: Partial<Record<ErrorKind, number>> = {
      unavailable: 503,
      deadline_exceeded: 503,
      request_timeout: 408,
    };
    expect(response.status).toBe(statuses[kind] ?? DOCSTORE_CODES[DOCSTORE[kind]].status);
  });

  it('the document store uses every code of its error contract', () => {
    expect(new Set(Object.values(DOCSTORE))).toEqual(new Set(Object.keys(DOCSTORE_CODES)));
  });

  it('the document store error contract names the fields of a validation failure in details', () => {
    covers('DOC-F.Error.details');
    const details = { filename: 'must not be empty' };
    const response = renderDocstoreError(new DomainError('validation_failed', 'm', { details }), context);
    expect(response.body).toMatchObject({ error: { details } });
  });

  it('the document store error contract reveals nothing of an unexpected error', () => {
    covers('DOC-E.internal');
    const response = renderDocstoreError(toDomainError(new Error('password=hunter2')), context);
    expect(response.body).toEqual({
      error: { code: 'internal', message: 'internal error', request_id: 'r-1' },
    });
  });

  it('the document store error contract sends Retry-After with an overload, a whole number of at least one', () => {
    const headers = (retryAfterSeconds?: number) =>
      renderDocstoreError(
        new DomainError('unavailable', 'm', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        context,
      ).headers;
    expect(headers()).toEqual({ 'Retry-After': '1' });
    expect(headers(2.1)).toEqual({ 'Retry-After': '3' });
  });

  it('a 401 of docstore-api carries a challenge', () => {
    covers('DOC-A.2');
    const error = new DomainError('unauthenticated', 'm');
    expect(renderDocstoreError(error, context).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="docstore"',
    });
    expect(renderDocstoreError(error, { ...context, credentialSent: true }).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="docstore", error="invalid_token"',
    });
  });
});
