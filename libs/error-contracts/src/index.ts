export { DomainError, ERROR_KINDS, orError, toDomainError } from './domain-error.ts';
export type { DomainErrorOptions, ErrorKind } from './domain-error.ts';
export { RETRY_AFTER_SECONDS } from './retry-after.ts';
export { describeIssue } from './describe-issue.ts';
export { commonHeaders } from './wire.ts';
export type { ErrorRenderer, RenderContext, WireResponse } from './wire.ts';
export { INVESTIGATION, renderInvestigationError } from './contracts/investigation.ts';
export {
  AUTHZ,
  AUTHZ_REASONS,
  AuthzError,
  authzStatus,
  hasReason,
  invalidField,
  renderAuthzError,
} from './contracts/authz.ts';
export type { AuthzReason, AuthzStatus } from './contracts/authz.ts';
export { DOCSTORE, DOCSTORE_CODES, docstoreErrorBody, renderDocstoreError } from './contracts/docstore.ts';
export type {
  DocstoreCode,
  DocstoreErrorBody,
  DocstoreErrorCode,
  DocstoreRetryable,
} from './contracts/docstore.ts';
