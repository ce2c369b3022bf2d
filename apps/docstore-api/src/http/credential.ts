import type { IncomingMessage } from 'node:http';
import type { CallMetadata } from '@platform/authz-client';
import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../auth/caller.ts';
import type { Action } from '../domain/scopes.ts';
import type { CredentialAuthority } from '../auth/credential-authority.ts';

/**
 * Whoever the Authorization header speaks for. Throws `unauthenticated`, in the same words whatever is wrong: absent, sent
 * twice, another scheme, malformed, unknown, expired, revoked.
 */
export async function authenticate(
  req: IncomingMessage & { readonly id?: unknown },
  credentials: CredentialAuthority,
  now: Date,
  action: Action,
): Promise<Caller> {
  // Node keeps the first of several Authorization lines; the raw list has them all.
  const lines = req.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  const credential = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(req.headers.authorization ?? '')?.[1];
  const caller =
    lines.length === 1 && credential !== undefined
      ? await credentials.authenticate(credential, { now, action, metadata: metadataOf(req) })
      : null;
  if (caller === null)
    throw new DomainError('unauthenticated', 'send a valid key: Authorization: Bearer <key>');
  return caller;
}

function metadataOf({ id, traceparent }: IncomingMessage & { readonly id?: unknown }): CallMetadata {
  return {
    ...(typeof id === 'string' ? { 'x-request-id': id } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
