import type { IncomingMessage } from 'node:http';
import { DomainError } from '@platform/error-contracts';
import type { KeySource, TokenClaims, TokenType } from '@platform/jwt';
import { createVerifiedTokenCache, TokenError, verifyToken } from '@platform/jwt';

/** Who is asking. */
export interface Caller {
  /** User or service account: the token's `sub`. */
  readonly id: string;
  readonly tenantId: string | null;
  readonly scopes: readonly string[];
  readonly tokenType: TokenType;
  readonly claims: TokenClaims;
}

/** The caller of a request, by its headers alone. Throws DomainError `unauthenticated`. */
export type Authenticate = (req: Pick<IncomingMessage, 'headersDistinct'>) => Promise<Caller>;

const MESSAGE = 'send a valid `Authorization: Bearer <token>` or `X-API-Key: <key>`';

/**
 * Reads the credential of either scheme, `bearer` (a session's or service account's token) or `api_key` (an API key in
 * X-API-Key), and verifies it here, without asking anybody. Missing, doubled and bad credentials get the same answer.
 */
export function createAuthenticate(options: {
  keys: KeySource;
  issuer: string;
  audience: string;
  clock: { now(): Date };
}): Authenticate {
  const { keys, issuer, audience, clock } = options;
  const cache = createVerifiedTokenCache();
  return async (req) => {
    const { token, types } = readCredential(req);
    try {
      const { claims, type } = await verifyToken(token, {
        keys,
        issuer,
        audience,
        types,
        cache,
        now: clock.now(),
      });
      return {
        id: claims.sub,
        tenantId: claims.tenant_id ?? null,
        scopes: claims.scope?.split(' ').filter(Boolean) ?? [],
        tokenType: type,
        claims,
      };
    } catch (error) {
      if (error instanceof TokenError) throw new DomainError('unauthenticated', MESSAGE, { cause: error });
      throw error;
    }
  };
}

function readCredential({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): {
  token: string;
  types: readonly TokenType[];
} {
  const bearer = headersDistinct.authorization ?? [];
  const apiKeys = headersDistinct['x-api-key'] ?? [];
  const [credential] = [...bearer, ...apiKeys];
  if (credential === undefined || bearer.length + apiKeys.length > 1)
    throw new DomainError('unauthenticated', MESSAGE);
  if (apiKeys.length === 1) return { token: credential, types: ['key+jwt'] };
  const token = /^bearer +([^ ]+)$/i.exec(credential)?.[1];
  if (token === undefined) throw new DomainError('unauthenticated', MESSAGE);
  return { token, types: ['at+jwt', 'svc+jwt'] };
}
