import { AuthzError } from '@platform/error-contracts';

/* What somebody is told who is permitted, of what is absent. */

export function tenantNotFound(): AuthzError {
  return new AuthzError('TENANT_NOT_FOUND', 'no such tenant');
}

export function domainNotFound(): AuthzError {
  return new AuthzError('DOMAIN_NOT_FOUND', 'no such domain');
}

export function userNotFound(): AuthzError {
  return new AuthzError('USER_NOT_FOUND', 'no such user');
}
