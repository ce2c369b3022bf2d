import { authzStatus, type DomainError } from '@platform/error-contracts';
import { BadRequest, ErrorInfo, RetryInfo } from '@platform/proto/google/rpc/error_details';
import { Status } from '@platform/proto/google/rpc/status';
import { Metadata, type ServiceError } from '@grpc/grpc-js';

/** `google.rpc.ErrorInfo.domain` of everything this service says. */
export const ERROR_DOMAIN = 'authz.v1';
const TYPE = 'type.googleapis.com/google.rpc.';

/** An error as grpc-js answers it: code, message, and the standard details in `grpc-status-details-bin`. */
export function toServiceError(error: DomainError, requestId: string): Partial<ServiceError> {
  const { code, message, reason, fieldViolations, retryDelaySeconds } = authzStatus(error, requestId);
  const details = [
    any('ErrorInfo', ErrorInfo.encode({ reason, domain: ERROR_DOMAIN, metadata: new Map() }).finish()),
  ];
  if (fieldViolations.length > 0) {
    const violations = fieldViolations.map(({ field, description }) => ({ field, description }));
    details.push(any('BadRequest', BadRequest.encode({ fieldViolations: violations }).finish()));
  }
  if (retryDelaySeconds !== null) {
    const seconds = Math.floor(retryDelaySeconds);
    const nanos = Math.ceil((retryDelaySeconds - seconds) * 1e9);
    const retryDelay =
      nanos === 1e9 ? { seconds: BigInt(seconds + 1), nanos: 0 } : { seconds: BigInt(seconds), nanos };
    details.push(any('RetryInfo', RetryInfo.encode({ retryDelay }).finish()));
  }
  const metadata = new Metadata();
  metadata.set('x-request-id', requestId);
  metadata.set('grpc-status-details-bin', Buffer.from(Status.encode({ code, message, details }).finish()));
  return { code, details: message, metadata };
}

function any(name: string, value: Uint8Array): { typeUrl: string; value: Buffer } {
  return { typeUrl: TYPE + name, value: Buffer.from(value) };
}
