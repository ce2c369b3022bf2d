import { openAuthzClients, GrpcCallError, type AuthzClients } from '@platform/authz-client';

/** Longest wait for a response, in milliseconds: half of what a test may take on a busy machine. */
const CALL_MS_MAX = 300_000;

/** Clients of the service on this port of this machine. */
export function openClients(port: number | string): AuthzClients {
  return openAuthzClients(`127.0.0.1:${port}`, { timeoutMs: CALL_MS_MAX });
}

/** What a call that must fail says. */
export async function refusalOf(call: Promise<unknown>): Promise<{
  readonly code: number;
  readonly message: string;
  readonly reason: string;
  readonly fields: readonly string[];
  readonly retryAfterSeconds: number | null;
}> {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof GrpcCallError)) throw error;
  const { code, message, reason, fields, retryAfterSeconds } = error;
  return { code, message, reason, fields: [...fields.keys()], retryAfterSeconds };
}
