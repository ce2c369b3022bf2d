import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { DomainError, ERROR_KINDS } from '../domain-error.ts';
import {
  AUTHZ,
  AUTHZ_REASONS,
  AuthzError,
  authzStatus,
  renderAuthzError,
  type AuthzReason,
} from './authz.ts';

const context = { requestId: 'r1' };

describe('authorization error contract', () => {
  it.each(ERROR_KINDS)(
    'the authorization errors respond to %s on both wires with the five words of the contract',
    (kind) => {
      covers('AUTHZ-E.1');
      const error = new DomainError(kind, 'what went wrong');
      const response = renderAuthzError(error, context);
      expect(response.status).toBe(AUTHZ[kind].status);
      expect(response.body).toEqual({
        error: expect.stringMatching(
          /^(invalid_request|unauthorized|forbidden|rate_limited|internal_error)$/,
        ),
        message: kind === 'internal' ? 'internal error, request id r1' : 'what went wrong',
      });
      expect(authzStatus(error, 'r1').code).toBeGreaterThan(0);
    },
  );

  // Code and reason of the decisions page's error table, one row each.
  it.each([
    ['INVALID_CONTEXT', 3, 400],
    ['INVALID_OBJECT_URI', 3, 400],
    ['TOKEN_INVALID', 16, 401],
    ['TENANT_REQUIRED', 7, 403],
    ['DOMAIN_NOT_ACCESSIBLE', 7, 403],
    ['ACCESS_DENIED', 7, 403],
    ['USER_NOT_FOUND', 5, 404],
    ['NAME_TAKEN', 6, 409],
    ['DEPENDENTS_EXIST', 9, 400],
    ['ROOT_IMMUTABLE', 9, 400],
    ['LOCKOUT', 9, 400],
    ['TENANT_ALREADY_SET', 9, 400],
    ['ID_MISMATCH', 3, 400],
    ['VERSION_CONFLICT', 10, 409],
    ['RATE_LIMITED', 8, 429],
    ['QUOTA_EXHAUSTED', 8, 429],
    ['LOGIN_FAILED', 16, 401],
    ['DEPENDENCY_UNAVAILABLE', 14, 503],
  ] as const)('the authorization error %s has the gRPC code %i and the status %i', (reason, code, status) => {
    covers('AUTHZ-E.2');
    const error = new AuthzError(reason, 'm');
    expect(authzStatus(error, 'r1')).toMatchObject({ code, reason, message: 'm' });
    expect(renderAuthzError(error, context).status).toBe(status);
  });

  it('the authorization errors derive the kind of an error from its reason', () => {
    for (const reason of Object.keys(AUTHZ_REASONS) as AuthzReason[]) {
      expect(new AuthzError(reason, 'm').kind).toBe(AUTHZ_REASONS[reason]);
    }
  });

  it('the authorization errors name the field at fault and the delay of a limit', () => {
    expect(
      authzStatus(new AuthzError('INVALID_CONTEXT', 'm', { field: 'context.subject' }), 'r').fieldViolations,
    ).toEqual([{ field: 'context.subject', description: 'm' }]);
    const limited = new AuthzError('RATE_LIMITED', 'm', { retryAfterSeconds: 0.05 });
    expect(authzStatus(limited, 'r').retryDelaySeconds).toBe(0.05);
    expect(renderAuthzError(limited, context).headers['Retry-After']).toBe('1');
  });
});
