import { status } from '@grpc/grpc-js';
import { GrpcCallError } from '@platform/authz-client';
import type { ServiceName } from './service-process.ts';

/** How one request ended. */
export interface Outcome {
  readonly service: ServiceName;
  /** The operation, such as `PUT document`. */
  readonly operation: string;
  /**
   * `ok`, an HTTP status, the name of a gRPC status, `connection` (it broke) or `timeout` (no response in
   * time).
   */
  readonly result: string;
  /** What the response said, when it was not the expected one. */
  readonly cause?: string;
  readonly ms: number;
}
export type Observe = (outcome: Outcome) => void;

export const isSuccess = ({ result }: Outcome): boolean => result === 'ok';

/** The outcome of a failed request, read from the error it threw. */
export function failureOf(error: unknown): string {
  if (error instanceof GrpcCallError) return status[error.code] ?? 'UNKNOWN';
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout';
  return 'connection';
}

/** Longest a request is waited for. */
const TIMEOUT_MS = 15_000;

export interface HttpResponse {
  readonly text: string;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- workers look into it
  readonly json: any;
}

export interface HttpRequest {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly expected: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends requests to one service as the holder of `credential` and tells how each ended; null unless it got
 * `expected`.
 */
export function httpSender(service: ServiceName, baseUrl: string, credential: string, observe: Observe) {
  return async (request: HttpRequest): Promise<HttpResponse | null> => {
    const { operation, method, path, body, expected } = request;
    const start = performance.now();
    const tell = (result: string, cause?: string) =>
      observe({
        service,
        operation,
        result,
        ms: performance.now() - start,
        ...(cause === undefined ? {} : { cause }),
      });
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${credential}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      const isSilent = response.status === 503 && !response.headers.has('retry-after');
      const failure = isSilent ? '503 without Retry-After' : String(response.status);
      if (response.status !== expected) {
        tell(failure, text);
        return null;
      }
      tell('ok');
      return {
        text,
        headers: response.headers,
        get json() {
          return JSON.parse(text) as unknown;
        },
      };
    } catch (error) {
      tell(failureOf(error));
      return null;
    }
  };
}
