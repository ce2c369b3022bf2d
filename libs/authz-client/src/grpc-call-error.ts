import type { ServiceError, status } from '@grpc/grpc-js';
import { BadRequest, ErrorInfo, RetryInfo } from '@platform/proto/google/rpc/error_details';
import { Status } from '@platform/proto/google/rpc/status';

/** A refused call: the gRPC status with its standard details read. */
export class GrpcCallError extends Error {
  override readonly name = 'GrpcCallError';
  /** gRPC status code. */
  readonly code: status;
  /** `google.rpc.ErrorInfo.reason`; empty when the response did not come from the service. */
  readonly reason: string;
  /** The fields at fault, each with its problem. */
  readonly fields: ReadonlyMap<string, string>;
  /** Seconds after which another try may succeed, or null. */
  readonly retryAfterSeconds: number | null;

  constructor(error: ServiceError) {
    super(error.details, { cause: error });
    this.code = error.code;
    const [bytes] = error.metadata?.get('grpc-status-details-bin') ?? [];
    const details = Buffer.isBuffer(bytes) ? Status.decode(bytes).details : [];
    const find = (name: string) =>
      details.find(({ typeUrl }) => typeUrl.endsWith(`/google.rpc.${name}`))?.value;
    const [info, badRequest, retryInfo] = [find('ErrorInfo'), find('BadRequest'), find('RetryInfo')];
    this.reason = info === undefined ? '' : ErrorInfo.decode(info).reason;
    const violations = badRequest === undefined ? [] : BadRequest.decode(badRequest).fieldViolations;
    this.fields = new Map(violations.map(({ field, description }) => [field, description]));
    const delay = retryInfo === undefined ? undefined : RetryInfo.decode(retryInfo).retryDelay;
    this.retryAfterSeconds = delay === undefined ? null : Number(delay.seconds) + delay.nanos / 1e9;
  }
}
