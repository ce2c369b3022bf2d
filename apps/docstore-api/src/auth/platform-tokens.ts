import type { Authority } from '@platform/authz-client';
import { createVerifiedTokenCache, TokenError, verifyToken, type KeySource } from '@platform/jwt';
import type { Action } from '../rules/scopes.ts';
import type { CredentialAuthority, CredentialUse } from './credential-authority.ts';

export interface PlatformTokensOptions {
  readonly keys: KeySource;
  readonly issuer: string;
  readonly audience: string;
  /** Without it a token is good until it expires, and manages no keys. */
  readonly authority: Pick<Authority, 'introspect' | 'isAllowed'> | null;
}

/** What a tenant's own users and service accounts may do with its documents. */
const TOKEN_ACTIONS: readonly Action[] = ['file:read', 'file:write', 'file:delete', 'usage:read'];

/** Whom a token speaks for. */
interface Holder {
  readonly tenantId: string;
  readonly subjectId: string;
  /** Whether the caller may `manage` `svc://<root domain>/docstore/keys`; false when that was not asked. */
  readonly managesKeys: boolean;
}

/**
 * Platform JWTs: the tenant they name is the owner. Signatures are checked here, so a forged one is no work for others;
 * then `authority` is asked once whether the token is live and its holder has calls left, and by who manages keys once more.
 */
export function createPlatformTokens(options: PlatformTokensOptions): CredentialAuthority {
  const { keys, issuer, audience, authority } = options;
  const cache = createVerifiedTokenCache();

  async function verifiedTenant(token: string, now: Date): Promise<Holder | null> {
    try {
      const types = ['at+jwt', 'key+jwt', 'svc+jwt'] as const;
      const { claims } = await verifyToken(token, { keys, now, issuer, audience, types, cache });
      if (claims.tenant_id === undefined) return null;
      return { tenantId: claims.tenant_id, subjectId: claims.sub, managesKeys: false };
    } catch (error) {
      if (error instanceof TokenError) return null;
      throw error;
    }
  }

  async function liveHolder(
    asked: NonNullable<typeof authority>,
    token: string,
    { action, metadata }: CredentialUse,
  ): Promise<Holder | null> {
    const live = await asked.introspect(token, metadata);
    if (live === null || live.tenantId === null) return null;
    const { tenantId, rootDomainId, subjectId } = live;
    const context = { subject: subjectId, action: 'manage', object: `svc://${rootDomainId}/docstore/keys` };
    const managesKeys =
      action === 'key:manage' && rootDomainId !== null && (await asked.isAllowed(token, context, metadata));
    return { tenantId, subjectId, managesKeys };
  }

  return {
    async authenticate(credential, use) {
      const verified = await verifiedTenant(credential, use.now);
      if (verified === null) return null;
      const holder = authority === null ? verified : await liveHolder(authority, credential, use);
      if (holder === null) return null;
      const { tenantId, subjectId, managesKeys } = holder;
      const actions: readonly Action[] = managesKeys ? [...TOKEN_ACTIONS, 'key:manage'] : TOKEN_ACTIONS;
      return {
        owner: tenantId,
        subject: `${tenantId}/${subjectId}`,
        scopes: actions.map((allowed) => ({ action: allowed, prefix: null })),
        // A key may outlive the session that mints it: its holder could mint another tomorrow.
        expiresAt: null,
      };
    },
    isStillGood: async (credential, now) => (await verifiedTenant(credential, now)) !== null,
  };
}
