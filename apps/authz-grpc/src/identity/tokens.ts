import { createVerifiedTokenCache, signToken, TokenError, verifyToken, type TokenType } from '@platform/jwt';
import { tokenInvalid, type Caller } from '../authorization/caller.ts';
import { AuthzError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { scopesOf } from '../authorization/scopes.ts';
import type { TokenUse } from '../model/entities.ts';
import type { Stores } from '../store/stores.ts';
import type { SigningKeys } from './signing-keys.ts';

const TYPE_OF_USE = {
  session: 'at+jwt',
  api_key: 'key+jwt',
  service_account: 'svc+jwt',
} as const satisfies Record<TokenUse, TokenType>;

const USE_OF_TYPE: Readonly<Record<TokenType, TokenUse>> = {
  'at+jwt': 'session',
  'key+jwt': 'api_key',
  'svc+jwt': 'service_account',
};

export interface IssuedToken {
  readonly token: string;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface TokenRequest {
  readonly use: TokenUse;
  readonly subjectId: string;
  readonly tenantId: string | null;
  readonly lifeSeconds: number;
  /** As stored, see `scopesOf`; default all scopes of a tenant. */
  readonly scopes?: string;
  /** The session or key that the token is derived from, and ends with. */
  readonly parentId?: string;
  /** The resource that the token is for, in place of the audience of the platform. */
  readonly audience?: string;
}

export interface Tokens {
  /**
   * Signs a token and records it within the caller's transaction; a token without a record is not live. The
   * subject, its tenant and membership, and the token it derives from are locked, so that whatever ends them
   * ends this token as well. Throws TOKEN_INVALID when one of them has ended already.
   */
  issue(stores: Pick<Stores, 'credentials' | 'signingKeys'>, request: TokenRequest): Promise<IssuedToken>;
  /**
   * The caller a token names: signature, times, issuer and audience hold. Throws TOKEN_INVALID for every
   * other text and for none, with the reason as its cause. Whether the token was revoked is decided at the
   * limits. A token for one of `resources` names that as the caller's resource.
   */
  authenticate(token: string | null): Promise<Caller>;
}

export function createTokens(options: {
  keys: SigningKeys;
  issuer: string;
  audience: string;
  resources: readonly string[];
  now: () => Date;
  newId: () => string;
}): Tokens {
  const { keys, issuer, audience, now } = options;
  const accepted = [audience, ...options.resources];
  const cache = createVerifiedTokenCache(50_000);
  const types = Object.values(TYPE_OF_USE);

  return {
    async issue({ credentials, signingKeys }, request) {
      const { use, subjectId, tenantId, lifeSeconds, scopes = '', parentId = null } = request;
      if (!(await credentials.lockGrounds({ subjectId, tenantId, parentId }))) throw tokenInvalid();
      const key = keys.current();
      if (!(await signingKeys.lockAccepted(key.kid))) {
        // Another replica retired it. The keys are read outside this transaction, which has to end first.
        void keys.refresh().catch(() => undefined);
        throw new AuthzError('DEPENDENCY_UNAVAILABLE', 'the signing key has just been retired, try again', {
          retryAfterSeconds: RETRY_AFTER_SECONDS.conflict,
        });
      }
      const jti = options.newId();
      const issuedAt = Math.floor(now().getTime() / 1000);
      const expiresAt = issuedAt + lifeSeconds;
      await credentials.insert({
        jti,
        use,
        subjectId,
        tenantId,
        scopes,
        parentId,
        issuedAt: new Date(issuedAt * 1000),
        expiresAt: new Date(expiresAt * 1000),
      });
      const token = await signToken(
        {
          iss: issuer,
          aud: request.audience ?? audience,
          sub: subjectId,
          ...(tenantId === null ? {} : { tenant_id: tenantId }),
          iat: issuedAt,
          nbf: issuedAt,
          exp: expiresAt,
          jti,
          ...(use === 'session' ? { sid: parentId ?? jti } : {}),
          ...(scopes === '' ? {} : { scope: scopes }),
        },
        { type: TYPE_OF_USE[use], key },
      );
      return { token, jti, expiresAt };
    },
    async authenticate(token) {
      if (token === null) throw tokenInvalid();
      try {
        const { claims, type, kid } = await verifyToken(token, {
          keys,
          now: now(),
          issuer,
          audience: accepted,
          types,
          cache,
        });
        // Other services allow for their clocks; here is the clock that said how long the token lives.
        if (claims.exp <= now().getTime() / 1000) throw new TokenError('token_expired');
        return {
          subjectId: claims.sub,
          tenantId: claims.tenant_id ?? null,
          jti: claims.jti,
          use: USE_OF_TYPE[type],
          expiresAt: claims.exp,
          scopes: scopesOf(claims.scope ?? ''),
          kid,
          ...(claims.aud === audience || Array.isArray(claims.aud) ? {} : { resource: String(claims.aud) }),
        };
      } catch (error) {
        if (error instanceof TokenError) throw tokenInvalid(error);
        throw error;
      }
    },
  };
}
