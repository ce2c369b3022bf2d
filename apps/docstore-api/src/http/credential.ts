import type { IncomingMessage } from 'node:http';
import { REVOCATION, type CallMetadata } from '@platform/authz-client';
import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../auth/caller.ts';
import type { ApiOperation } from './api/operation.ts';
import type { CredentialAuthority } from '../auth/credential-authority.ts';

/**
 * The caller whom the Authorization header names. Throws `unauthenticated`, in the same words whatever is
 * wrong: absent, sent twice, another scheme, malformed, unknown, expired, revoked.
 */
export async function authenticate(
  req: IncomingMessage & { readonly id?: unknown },
  credentials: CredentialAuthority,
  now: Date,
  { action, isRevocation }: Pick<ApiOperation, 'action' | 'isRevocation'>,
): Promise<Caller> {
  const credential = credentialOf(req);
  const metadata = { ...metadataOf(req), ...(isRevocation && REVOCATION) };
  const caller =
    credential === null ? null : await credentials.authenticate(credential, { now, action, metadata });
  if (caller === null) throw refused();
  return caller;
}

/**
 * Throws `unauthenticated` when the credential that `authenticate` let in has expired or been revoked since.
 */
export async function revalidateCredential(
  req: IncomingMessage,
  credentials: CredentialAuthority,
  now: Date,
): Promise<void> {
  if (!(await credentials.isActive(credentialOf(req)!, now))) throw refused();
}

function credentialOf(req: IncomingMessage): string | null {
  // Node keeps the first of several Authorization lines; the raw list has them all.
  const lines = req.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  if (lines.length !== 1) return null;
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(req.headers.authorization ?? '')?.[1] ?? null;
}

function refused(): DomainError {
  return new DomainError('unauthenticated', 'send a valid key: Authorization: Bearer <key>');
}

function metadataOf({ id, traceparent }: IncomingMessage & { readonly id?: unknown }): CallMetadata {
  return {
    ...(typeof id === 'string' ? { 'x-request-id': id } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
