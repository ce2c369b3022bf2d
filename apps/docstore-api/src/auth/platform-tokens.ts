import { createVerifiedTokenCache, TokenError, verifyToken, type KeySource } from '@platform/jwt';
import type { Action } from '../domain/scopes.ts';
import type { CredentialAuthority } from './credential-authority.ts';

export interface PlatformTokensOptions {
  readonly keys: KeySource;
  readonly issuer: string;
  readonly audience: string;
  /**
   * What only the authorization service knows of a token whose signature holds: whether it is still live, and whether its
   * holder may manage the tenant's keys. null = not live. Without it a token is good until it expires and manages no keys.
   */
  readonly introspect?: (token: string, tenantId: string) => Promise<{ managesKeys: boolean } | null>;
}

/** What a tenant's own users and service accounts may do with his documents. */
const TOKEN_ACTIONS: readonly Action[] = ['file:read', 'file:write', 'file:delete', 'usage:read'];

/** Platform JWTs: the tenant they name is the owner. */
export function createPlatformTokens(options: PlatformTokensOptions): CredentialAuthority {
  const { keys, issuer, audience, introspect } = options;
  const cache = createVerifiedTokenCache();
  return {
    async authenticate(credential, now) {
      try {
        const types = ['at+jwt', 'key+jwt', 'svc+jwt'] as const;
        const { claims } = await verifyToken(credential, { keys, now, issuer, audience, types, cache });
        if (claims.tenant_id === undefined) return null;
        const live = introspect ? await introspect(credential, claims.tenant_id) : { managesKeys: false };
        if (live === null) return null;
        const actions: Action[] = live.managesKeys ? [...TOKEN_ACTIONS, 'key:manage'] : [...TOKEN_ACTIONS];
        return {
          owner: claims.tenant_id,
          subject: `${claims.tenant_id}/${claims.sub}`,
          scopes: actions.map((action) => ({ action, prefix: null })),
          // A key may outlive the session that mints it: its holder could mint another tomorrow.
          expiresAt: null,
        };
      } catch (error) {
        if (error instanceof TokenError) return null;
        throw error;
      }
    },
  };
}
