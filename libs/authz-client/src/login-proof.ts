import { createHash } from 'node:crypto';
import type { LoginRequest, LoginResponse } from '@platform/proto/authz/v1/session';
import type { AuthzClients } from './clients.ts';
import { GrpcCallError } from './grpc-call-error.ts';

const MINUTE_MS = 60_000;

/**
 * Works out the proof that PROOF_REQUIRED asks for (`proto/authz/v1/session.proto`): about 2^bits hashes.
 * Yields to the event loop in between. `now` is the time of the work.
 */
export async function solveLoginProof(
  { username, password }: Pick<LoginRequest, 'username' | 'password'>,
  bits: number,
  now: Date,
): Promise<string> {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  for (let nonce = 0; ; nonce += 1) {
    const text = ['authz login', username, password, minute, nonce].join('\n');
    const digest = createHash('sha256').update(text).digest();
    if (Math.clz32(digest.readUInt32BE(0)) >= bits) return `${minute}:${nonce}`;
    if (nonce % 4_096 === 4_095) await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/**
 * Logs in, and sends a proof of work when the service asks for one. `now` is the time of the call. Errors:
 * GrpcCallError.
 */
export async function loginWithProof(
  clients: Pick<AuthzClients, 'sessions'>,
  request: LoginRequest,
  now: Date,
): Promise<LoginResponse> {
  try {
    return await clients.sessions.login(request);
  } catch (error) {
    const bits =
      error instanceof GrpcCallError && error.reason === 'PROOF_REQUIRED'
        ? error.fields.get('proof')
        : undefined;
    if (bits === undefined) throw error;
    const proof = await solveLoginProof(request, Number(bits), now);
    return clients.sessions.login({ ...request, proof });
  }
}
