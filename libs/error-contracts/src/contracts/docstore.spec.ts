import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DomainError, ERROR_KINDS, toDomainError } from '../domain-error.ts';
import { DOCSTORE, DOCSTORE_CODES, renderDocstoreError } from './docstore.ts';

const context = { requestId: 'r-1' };
const specification = readFileSync(
  new URL('../../../../../shared/spec/document-storage.md', import.meta.url),
  'utf8',
);

describe('the document store error contract', () => {
  it('has the statuses and codes of the specification, no more and no fewer', () => {
    const specified = [...specification.matchAll(/^\| (\d{3}) \| (\w+) \|/gm)].map(([, status, code]) => [
      code,
      Number(status),
    ]);
    expect(specified).toHaveLength(15);
    expect(Object.entries(DOCSTORE_CODES).map(([code, { status }]) => [code, status])).toEqual(specified);
  });

  it('has the retry table of the specification (DOC-E.retry_guidance)', () => {
    const rows = specification.matchAll(/^\| ([a-z_, ]+) \| (yes|no|conditional) \| (.+) \|$/gm);
    let count = 0;
    for (const [, codes, retryable, action] of rows) {
      for (const code of codes!.split(', ') as (keyof typeof DOCSTORE_CODES)[]) {
        count++;
        expect(DOCSTORE_CODES[code].retryable).toBe(retryable);
        if (code !== 'conflict') expect(DOCSTORE_CODES[code].action).toBe(action);
      }
    }
    expect(count).toBe(15);
    expect(DOCSTORE_CODES.conflict.action).toContain('PUT');
  });

  it.each(ERROR_KINDS)('answers %s with the envelope (DOC-F.Error.envelope)', (kind) => {
    const answer = renderDocstoreError(new DomainError(kind, 'what went wrong'), context);
    const { error } = answer.body as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: DOCSTORE[kind], request_id: 'r-1', message: expect.any(String) });
    expect('details' in error).toBe(error['code'] === 'validation_failed');
    expect(answer.status).toBe(
      kind === 'unavailable' || kind === 'deadline_exceeded' ? 503 : DOCSTORE_CODES[DOCSTORE[kind]].status,
    );
  });

  it('uses every code', () => {
    expect(new Set(Object.values(DOCSTORE))).toEqual(new Set(Object.keys(DOCSTORE_CODES)));
  });

  it('names the fields of a validation failure in details (DOC-F.Error.details)', () => {
    const details = { filename: 'must not be empty' };
    const answer = renderDocstoreError(new DomainError('validation_failed', 'm', { details }), context);
    expect(answer.body).toMatchObject({ error: { details } });
  });

  it('shows nothing of an unexpected error (DOC-E.internal)', () => {
    const answer = renderDocstoreError(toDomainError(new Error('password=hunter2')), context);
    expect(answer.body).toEqual({
      error: { code: 'internal', message: 'internal error', request_id: 'r-1' },
    });
  });

  it('sends Retry-After with an overload, a whole number of at least one', () => {
    const headers = (retryAfterSeconds?: number) =>
      renderDocstoreError(
        new DomainError('unavailable', 'm', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        context,
      ).headers;
    expect(headers()).toEqual({ 'Retry-After': '1' });
    expect(headers(2.1)).toEqual({ 'Retry-After': '3' });
  });

  it('challenges on 401 (DOC-A.2)', () => {
    const error = new DomainError('unauthenticated', 'm');
    expect(renderDocstoreError(error, context).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="docstore"',
    });
    expect(renderDocstoreError(error, { ...context, credentialSent: true }).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="docstore", error="invalid_token"',
    });
  });
});
