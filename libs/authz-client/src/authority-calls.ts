import { status } from '@grpc/grpc-js';
import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { AuthzClients, CallExtras } from './clients.ts';
import { GrpcCallError } from './grpc-call-error.ts';

/** Request id and trace of the request on whose behalf a call is made. */
export type CallMetadata = Readonly<Record<string, string>>;

/**
 * Sent along with questions of a request that ends a credential or takes access back: for the session of a
 * user authz-grpc takes no quota for them, up to a hundred a minute of each session.
 */
export const REVOCATION: CallMetadata = { 'x-purpose': 'revocation' };

/** One call of `method` (`Service/Method`), measured; `call` is given the clients and the metadata. */
export type Measured = <T>(
  method: string,
  metadata: CallMetadata | undefined,
  call: (clients: AuthzClients, metadata: CallMetadata | undefined) => Promise<T>,
) => Promise<T>;

/**
 * Longest waits for authz-grpc, in milliseconds. A request needs the keys at most once and then one call of
 * each kind: all together stay under the two seconds after which its sender is told 503. A login waits
 * for the hashing of its password.
 */
export const TIMEOUT_MS = {
  keys: 500,
  introspect: 700,
  check: 700,
  leases: 500,
  list: 5_000,
  login: 5_000,
} as const;

/** The credential, the longest wait in milliseconds and the metadata of a call. */
export function callExtras(token: string, timeoutMs: number, metadata: CallMetadata | undefined): CallExtras {
  return metadata === undefined ? { token, timeoutMs } : { token, timeoutMs, metadata };
}

/**
 * Throws an error of a call as DomainError in the words of the services that ask: `rate_limited`,
 * `unauthenticated`, else `unavailable`; any other error as it is.
 */
export function rethrow(error: unknown): never {
  if (!(error instanceof GrpcCallError)) throw error;
  switch (error.code) {
    case status.RESOURCE_EXHAUSTED:
      throw new DomainError('rate_limited', 'the call quota is used up', {
        retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_SECONDS.dependency,
        cause: error,
      });
    case status.UNAUTHENTICATED:
      throw new DomainError('unauthenticated', 'the credential is not valid');
    default:
      throw unavailable(error);
  }
}

/** authz-grpc gives no response: try again in a second. */
export function unavailable(cause?: unknown): DomainError {
  return new DomainError('unavailable', 'credentials cannot be checked at the moment, try again later', {
    retryAfterSeconds: RETRY_AFTER_SECONDS.dependency,
    ...(cause === undefined ? {} : { cause }),
  });
}
