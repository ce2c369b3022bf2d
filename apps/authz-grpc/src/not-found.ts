import { AuthzError } from '@platform/error-contracts';

/* Errors for absent entities, given only to callers who are permitted to know that they are absent. */

export function tenantNotFound(): AuthzError {
  return new AuthzError('TENANT_NOT_FOUND', 'no such tenant');
}

export function domainNotFound(): AuthzError {
  return new AuthzError('DOMAIN_NOT_FOUND', 'no such domain');
}

export function userNotFound(): AuthzError {
  return new AuthzError('USER_NOT_FOUND', 'no such user');
}
