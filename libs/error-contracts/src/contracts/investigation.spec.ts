import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { DomainError, ERROR_KINDS, toDomainError } from '../domain-error.ts';
import { renderInvestigationError } from './investigation.ts';

const STATUSES = [401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503, 504];
const context = { requestId: 'r-1' };

describe('the investigation error contract', () => {
  it.each(ERROR_KINDS)(
    'the investigation error contract renders %s with a status of the contract and {error}',
    (kind) => {
      covers('INV-E.1');
      const response = renderInvestigationError(new DomainError(kind, 'what went wrong'), context);
      expect(STATUSES).toContain(response.status);
      expect(Object.keys(response.body as object)).toEqual(['error']);
      expect(typeof (response.body as { error: unknown }).error).toBe('string');
    },
  );

  it('the investigation errors use every status of the contract', () => {
    const used = ERROR_KINDS.map(
      (kind) => renderInvestigationError(new DomainError(kind, 'm'), context).status,
    );
    expect([...new Set(used)].sort()).toEqual(STATUSES);
  });

  it('the investigation errors reveal nothing of an unexpected error but the request id', () => {
    covers('INV-E.500');
    const response = renderInvestigationError(toDomainError(new Error('password=hunter2')), context);
    expect(response).toEqual({ status: 500, headers: {}, body: { error: 'internal error, request id r-1' } });
  });

  it('the investigation errors reveal nothing of an internal DomainError', () => {
    covers('INV-E.500');
    const response = renderInvestigationError(new DomainError('internal', 'pool exploded'), context);
    expect(response.body).toEqual({ error: 'internal error, request id r-1' });
  });

  it('a 401 of investigation-api carries a challenge, with invalid_token only when a credential was sent', () => {
    covers('INV-E.401');
    const error = new DomainError('unauthenticated', 'm');
    expect(renderInvestigationError(error, context).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="investigation-api"',
    });
    expect(renderInvestigationError(error, { ...context, credentialSent: true }).headers).toEqual({
      'WWW-Authenticate': 'Bearer realm="investigation-api", error="invalid_token"',
    });
  });

  it('the investigation error contract rounds Retry-After up to whole seconds, at least one', () => {
    covers('INV-E.503');
    const error = new DomainError('unavailable', 'm', { retryAfterSeconds: 0.2 });
    expect(renderInvestigationError(error, context).headers).toEqual({ 'Retry-After': '1' });
  });
});
