import type { IncomingMessage } from 'node:http';
import { REVOCATION, type Authority } from '@platform/authz-client';
import { DomainError } from '@platform/error-contracts';
import type { KeySource, TokenType, VerifiedToken } from '@platform/jwt';
import { createVerifiedTokenCache, TokenError, verifyToken } from '@platform/jwt';
import type { Caller } from './caller.ts';

/**
 * The caller of a request, by its headers alone. Throws DomainError `unauthenticated`, `permission_denied`
 * for a credential that was made for other services alone, and from the authorization service `rate_limited`
 * and `unavailable`.
 */
export type Authenticate = (req: AuthenticatedRequest, use?: CredentialUse) => Promise<Caller>;
/** What the request is for. */
interface CredentialUse {
  /** Tokens that were made for this resource (RFC 8707) count as well, and may be for reading alone. */
  readonly resource?: string | undefined;
  /** It takes access back: authz-grpc is asked without taking quota. */
  readonly isRevocation?: boolean;
}
export type AuthenticatedRequest = Pick<IncomingMessage, 'headersDistinct' | 'traceparent'> & {
  readonly id?: unknown;
};

/** The scope that a credential needs here. */
const SCOPE = 'investigations';
/** The part of it that changes nothing; programs of users may have it (docs/decisions/0076). */
const READ_SCOPE = 'investigations:read';
/** Scopes that users may grant to programs. */
export const PROGRAM_SCOPES: readonly string[] = [SCOPE, READ_SCOPE];

/** Whether the caller's credential may change anything. */
export function mayChange({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.includes(SCOPE) || !scopes.includes(READ_SCOPE);
}

const MESSAGE = 'send a valid `Authorization: Bearer <token>` or `X-API-Key: <key>`';
const EXPIRED = 'the token has expired: sign in again, or send an API key as `X-API-Key: <key>`';

/**
 * Reads the credential of either scheme, `bearer` (a session's or service account's token) or `api_key` (an
 * API key in X-API-Key), and verifies it here, so that a forged one is no work for others. Then `authority`,
 * where there is one, is asked once whether it is live and has quota left; without one it is good until it
 * expires, and its own claims count. Missing, doubled, bad and revoked credentials get the same response.
 */
export function createAuthenticate(options: {
  keys: KeySource;
  issuer: string;
  audience: string;
  now: () => Date;
  authority: Pick<Authority, 'introspect'> | null;
  /** Told the lease of every tenant before its first request here is served. */
  onTenant?: (tenantId: string, lease: string) => Promise<void>;
}): Authenticate {
  const { keys, issuer, audience, authority } = options;
  const cache = createVerifiedTokenCache();

  async function verify(
    credential: string,
    types: readonly TokenType[],
    resource: string | undefined,
  ): Promise<VerifiedToken> {
    const accepted = resource === undefined ? audience : [audience, resource];
    try {
      return await verifyToken(credential, {
        keys,
        issuer,
        audience: accepted,
        types,
        cache,
        now: options.now(),
      });
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      // Its signature was checked before, so its own sender alone learns this.
      const isOver = error.code === 'token_expired';
      throw new DomainError('unauthenticated', isOver ? EXPIRED : MESSAGE, {
        cause: error,
        ...(isOver && { challenge: { error_description: 'the token has expired' } }),
      });
    }
  }

  return async (req, { resource, isRevocation = false } = {}) => {
    const { credential, types } = readCredential(req);
    const { claims } = await verify(credential, types, resource);
    const needed = resource === undefined ? [SCOPE] : PROGRAM_SCOPES;
    const metadata = { ...metadataOf(req), ...(isRevocation && REVOCATION) };
    if (authority === null) {
      const scopes = claims.scope?.split(' ').filter(Boolean);
      if (scopes !== undefined) requireScope(scopes, needed);
      return {
        id: claims.sub,
        username: null,
        tenantId: claims.tenant_id ?? null,
        rootDomainId: null,
        leases: null,
        scopes: scopes ?? [],
        credential,
        metadata,
      };
    }
    const live = await authority.introspect(credential, metadata).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'unauthenticated') return null;
      throw error;
    });
    if (live === null) throw new DomainError('unauthenticated', MESSAGE);
    const { subjectId, username, tenantId, rootDomainId, scopes, leases } = live;
    requireScope(scopes, needed);
    if (tenantId !== null && leases !== null) await options.onTenant?.(tenantId, leases.tenant);
    return { id: subjectId, username, tenantId, rootDomainId, scopes, leases, credential, metadata };
  };
}

function requireScope(scopes: readonly string[], needed: readonly string[]): void {
  if (needed.some((scope) => scopes.includes(scope))) return;
  throw new DomainError('permission_denied', `the credential lacks the scope \`${SCOPE}\``);
}

function readCredential({ headersDistinct }: AuthenticatedRequest): {
  credential: string;
  types: readonly TokenType[];
} {
  const bearer = headersDistinct.authorization ?? [];
  const apiKeys = headersDistinct['x-api-key'] ?? [];
  const [sent] = [...bearer, ...apiKeys];
  if (sent === undefined || bearer.length + apiKeys.length > 1)
    throw new DomainError('unauthenticated', MESSAGE);
  if (apiKeys.length === 1) return { credential: sent, types: ['key+jwt'] };
  const credential = /^bearer +([^ ]+)$/i.exec(sent)?.[1];
  if (credential === undefined) throw new DomainError('unauthenticated', MESSAGE);
  return { credential, types: ['at+jwt', 'svc+jwt'] };
}

function metadataOf({ id, traceparent }: AuthenticatedRequest): Record<string, string> {
  return {
    ...(typeof id === 'string' ? { 'x-request-id': id } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
