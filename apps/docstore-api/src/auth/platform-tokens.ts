import { createVerifiedTokenCache, TokenError, verifyToken, type KeySource } from '@platform/jwt';
import type { Action } from '../domain/scopes.ts';
import type { CredentialAuthority } from './credential-authority.ts';

/** What the authorization service knows of a token. */
export interface Introspection {
  readonly tenantId: string;
  readonly subjectId: string;
  /** The holder may `manage` `svc://<root domain>/docstore/keys`; false when it was not asked for. */
  readonly managesKeys: boolean;
}

/** Asks whether a token is live; null = not. Throws DomainError when that cannot be found out. */
export type Introspect = (token: string, wantsKeyManagement: boolean) => Promise<Introspection | null>;

export interface PlatformTokensOptions {
  readonly keys: KeySource;
  readonly issuer: string;
  readonly audience: string;
  /** Without it a token is good until it expires, and manages no keys. */
  readonly introspect?: Introspect;
}

/** What a tenant's own users and service accounts may do with his documents. */
const TOKEN_ACTIONS: readonly Action[] = ['file:read', 'file:write', 'file:delete', 'usage:read'];

/** Platform JWTs: the tenant they name is the owner. Signatures are checked here, so a forged one is no work for others. */
export function createPlatformTokens(options: PlatformTokensOptions): CredentialAuthority {
  const { keys, issuer, audience, introspect } = options;
  const cache = createVerifiedTokenCache();
  return {
    async authenticate(credential, now, action) {
      let claims;
      try {
        const types = ['at+jwt', 'key+jwt', 'svc+jwt'] as const;
        ({ claims } = await verifyToken(credential, { keys, now, issuer, audience, types, cache }));
      } catch (error) {
        if (error instanceof TokenError) return null;
        throw error;
      }
      if (claims.tenant_id === undefined) return null;
      const live = introspect
        ? await introspect(credential, action === 'key:manage')
        : { tenantId: claims.tenant_id, subjectId: claims.sub, managesKeys: false };
      if (live === null) return null;
      const actions: readonly Action[] = live.managesKeys ? [...TOKEN_ACTIONS, 'key:manage'] : TOKEN_ACTIONS;
      return {
        owner: live.tenantId,
        subject: `${live.tenantId}/${live.subjectId}`,
        scopes: actions.map((allowed) => ({ action: allowed, prefix: null })),
        // A key may outlive the session that mints it: its holder could mint another tomorrow.
        expiresAt: null,
      };
    },
  };
}
