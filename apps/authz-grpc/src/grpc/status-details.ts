import { authzStatus, type AuthzStatus, type DomainError } from '@platform/error-contracts';
import { BadRequest, ErrorInfo, RetryInfo } from '@platform/proto/google/rpc/error_details';
import { Status } from '@platform/proto/google/rpc/status';
import { Metadata, type ServiceError } from '@grpc/grpc-js';

/** `google.rpc.ErrorInfo.domain` of everything this service says. */
const ERROR_DOMAIN = 'authz.v1';
const TYPE = 'type.googleapis.com/google.rpc.';

/**
 * An error travels in headers, of which many clients take 8 KiB; one that is longer does not arrive at all.
 * It may repeat what the caller sent, so every text in it is cut. In UTF-8 bytes.
 */
const MESSAGE_BYTES_MAX = 512;
const FIELD_BYTES_MAX = 256;
const VIOLATIONS_BYTES_MAX = 2_560;

/** An error as grpc-js sends it: code, message, and the standard details in `grpc-status-details-bin`. */
export function toServiceError(error: DomainError, requestId: string): Partial<ServiceError> {
  const { code, reason, retryDelaySeconds, ...long } = authzStatus(error, requestId);
  const message = cut(long.message, MESSAGE_BYTES_MAX);
  const fieldViolations = cutViolations(long.fieldViolations);
  const details = [
    any('ErrorInfo', ErrorInfo.encode({ reason, domain: ERROR_DOMAIN, metadata: new Map() }).finish()),
  ];
  if (fieldViolations.length > 0) {
    details.push(any('BadRequest', BadRequest.encode({ fieldViolations }).finish()));
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

/** The first violations, each cut, as many as there is room for. */
function cutViolations(violations: AuthzStatus['fieldViolations']) {
  let left = VIOLATIONS_BYTES_MAX;
  return violations
    .map(({ field, description }) => ({
      field: cut(field, FIELD_BYTES_MAX),
      description: cut(description, FIELD_BYTES_MAX),
    }))
    .filter(
      ({ field, description }) => (left -= Buffer.byteLength(field) + Buffer.byteLength(description)) >= 0,
    );
}

/** The text, or as many of its characters as fit, and an ellipsis. */
function cut(text: string, bytesMax: number): string {
  if (text.length <= bytesMax && Buffer.byteLength(text) <= bytesMax) return text;
  let kept = '';
  let left = bytesMax - Buffer.byteLength('…');
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}
