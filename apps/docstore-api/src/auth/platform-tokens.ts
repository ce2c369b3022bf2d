import type { Authority } from '@platform/authz-client';
import { DomainError } from '@platform/error-contracts';
import { createVerifiedTokenCache, TokenError, verifyToken, type KeySource } from '@platform/jwt';
import type { Action } from '../rules/scopes.ts';
import { createPolicies } from './policies.ts';
import type { CredentialAuthority, CredentialUse } from './credential-authority.ts';

export interface PlatformTokensOptions {
  readonly keys: KeySource;
  readonly issuer: string;
  readonly audience: string;
  /** Without it a token is good until it expires, and manages no keys. */
  readonly authority: Pick<Authority, 'introspect' | 'isAllowed' | 'areAllowed' | 'namesAllowed'> | null;
  /** Told the lease of every tenant before its first request here is served. */
  readonly onTenant: (tenantId: string, lease: string) => Promise<void>;
}

/** What a tenant's own users and service accounts may do with its documents. */
const TOKEN_ACTIONS: readonly Action[] = ['file:read', 'file:write', 'file:delete', 'usage:read'];

/**
 * The scope that a platform credential needs for documents, and the one that it needs besides for keys of the
 * store.
 */
const DOCUMENTS_SCOPE = 'documents';
const MANAGE_SCOPE = 'manage';

/** The user or account that a token stands for. */
interface Holder {
  /** Null in a credential that names no tenant. */
  readonly tenantId: string | null;
  readonly subjectId: string;
  /**
   * Why the caller may not `manage` `svc://<root domain>/docstore/keys`, or null when they may; without
   * meaning unless the request is about keys.
   */
  readonly keysRefusal: string | null;
  /** The scopes of the credential; null = everything. */
  readonly scopes: readonly string[] | null;
  /** What keys that the holder makes end with, and when at the latest; null = no such end. */
  readonly lease: string | null;
  readonly keyExpiresAt: Date | null;
  /** Where policies speak about the tenant's documents; null = nobody is asked. */
  readonly rootDomainId: string | null;
}

/**
 * Platform JWTs: the tenant they name is the owner. Signatures are checked here, so a forged one is no work
 * for others; then `authority` is asked once whether the token is live and its holder has calls left, and by
 * who manages keys once more. A credential that was made for other services alone has no scope here. What it
 * may do with each document the policies of the tenant's root domain say; without `authority` it may do
 * everything.
 */
export function createPlatformTokens(options: PlatformTokensOptions): CredentialAuthority {
  const { keys, issuer, audience, authority, onTenant } = options;
  const cache = createVerifiedTokenCache();

  async function verifiedHolder(token: string, now: Date): Promise<Holder | null> {
    try {
      const types = ['at+jwt', 'key+jwt', 'svc+jwt'] as const;
      const { claims } = await verifyToken(token, { keys, now, issuer, audience, types, cache });
      const scopes = claims.scope?.split(' ') ?? null;
      return {
        tenantId: claims.tenant_id ?? null,
        subjectId: claims.sub,
        keysRefusal: 'platform credentials manage no keys where authz-grpc is not asked: use a key',
        scopes,
        lease: null,
        keyExpiresAt: null,
        rootDomainId: null,
      };
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
    if (live === null) return null;
    const { tenantId, rootDomainId, subjectId, scopes, leases, keyExpiresAt } = live;
    if (tenantId !== null && leases !== null) await onTenant(tenantId, leases.tenant);
    const object = `svc://${rootDomainId}/docstore/keys`;
    const mayManage = async () =>
      rootDomainId !== null &&
      asked.isAllowed(token, { subject: subjectId, action: 'manage', object }, metadata);
    let keysRefusal: string | null = 'the request is not about keys';
    if (action === 'key:manage' && scopes.includes(DOCUMENTS_SCOPE)) {
      keysRefusal = null;
      if (!scopes.includes(MANAGE_SCOPE)) keysRefusal = `the credential lacks the scope \`${MANAGE_SCOPE}\``;
      else if (!(await mayManage())) keysRefusal = `no policy allows \`manage\` on \`${object}\``;
    }
    return {
      tenantId,
      subjectId,
      keysRefusal,
      scopes,
      lease: leases?.keys ?? null,
      keyExpiresAt,
      rootDomainId,
    };
  }

  return {
    async authenticate(credential, use) {
      const verified = await verifiedHolder(credential, use.now);
      if (verified === null) return null;
      const holder = authority === null ? verified : await liveHolder(authority, credential, use);
      if (holder === null) return null;
      const { tenantId, subjectId, keysRefusal, scopes, lease, keyExpiresAt, rootDomainId } = holder;
      if (tenantId === null) {
        // A client that is told 401 would log in again in the same way.
        throw new DomainError('permission_denied', 'the token names no tenant: log in with one');
      }
      const actions: readonly Action[] =
        keysRefusal === null ? [...TOKEN_ACTIONS, 'key:manage'] : TOKEN_ACTIONS;
      return {
        owner: tenantId,
        subject: `${tenantId}/${subjectId}`,
        mintsAs: subjectId,
        scopes: actions.map((allowed) => ({ action: allowed, prefix: null })),
        // A key may outlive the session that mints it: its holder could mint another tomorrow. It ends with
        // an API key, and when its user revokes their keys.
        expiresAt: keyExpiresAt,
        leases: lease === null ? [] : [lease],
        ...(keysRefusal === null ? {} : { keysRefusal }),
        ...(authority === null || rootDomainId === null
          ? {}
          : {
              policies: createPolicies({
                authority,
                credential,
                subject: subjectId,
                rootDomainId,
                metadata: use.metadata,
              }),
            }),
        ...(scopes === null || scopes.includes(DOCUMENTS_SCOPE) ? {} : { missingScope: DOCUMENTS_SCOPE }),
      };
    },
    isActive: async (credential, now) => (await verifiedHolder(credential, now)) !== null,
  };
}
