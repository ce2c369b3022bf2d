import type { ApiKey as ApiKeyMessage } from '@platform/proto/authz/v1/api_key';
import type { Domain as DomainMessage } from '@platform/proto/authz/v1/domain';
import type { Tokens as TokensMessage } from '@platform/proto/authz/v1/quota';
import type { ClientGrant as ClientGrantMessage, LoginResponse } from '@platform/proto/authz/v1/session';
import type { Tenant as TenantMessage } from '@platform/proto/authz/v1/tenant';
import type { User as UserMessage } from '@platform/proto/authz/v1/user';
import { scopesOf } from '../authorization/scopes.ts';
import type { LoginResult } from '../operations/sessions.ts';
import type { Tenant, Tokens } from '../operations/tenants.ts';
import type { User } from '../operations/users.ts';
import type { UsedGrant } from '../store/client-grant-store.ts';
import type { CredentialRow } from '../store/credential-store.ts';
import type { DomainRow, DomainWithPolicies } from '../store/domain-store.ts';
import { messageOf } from './policy-messages.ts';

/* How results of operations are said in the messages of the proto. */

function tokensMessage(tokens: Tokens): TokensMessage {
  return {
    maxTokens: BigInt(tokens.maxTokens),
    tokens: BigInt(tokens.tokens),
    maxOverage: BigInt(tokens.maxOverage),
    overage: BigInt(tokens.overage),
  };
}

export function tenantMessage(tenant: Tenant): TenantMessage {
  return {
    id: tenant.id,
    name: tenant.name,
    description: tenant.description,
    active: tenant.active,
    subscription: tenant.subscription,
    controlPlane: tokensMessage(tenant.controlPlane),
    dataPlane: tokensMessage(tenant.dataPlane),
    lastTokenReset: tenant.lastTokenReset,
    domains: tenant.domains.map(domainSummary),
    version: BigInt(tenant.version),
  };
}

export function domainSummary(domain: DomainRow): DomainMessage {
  return {
    id: domain.id,
    name: domain.name,
    tenantId: domain.tenantId,
    active: domain.active,
    superiorDomainIds: [...domain.superiorIds],
    policies: [],
    version: BigInt(domain.version),
    detached: domain.detached,
    superiors: undefined,
  };
}

export function domainMessage(domain: DomainWithPolicies): DomainMessage {
  return { ...domainSummary(domain), policies: domain.policies.map(messageOf) };
}

export function userMessage(user: User): UserMessage {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    active: user.active,
    apiKeyIds: [...user.apiKeyIds],
    userPlane: user.userPlane === null ? undefined : tokensMessage(user.userPlane),
    emailVerified: user.emailVerified,
    version: BigInt(user.version),
  };
}

export function apiKeyMessage(key: CredentialRow): ApiKeyMessage {
  return {
    keyId: key.jti,
    userId: key.subjectId,
    tenantId: key.tenantId ?? undefined,
    active: true,
    createdAt: epochSeconds(key.issuedAt),
    expiresAt: epochSeconds(key.expiresAt),
    scopes: [...scopesOf(key.scopes)],
  };
}

export function clientGrantMessage(grant: UsedGrant): ClientGrantMessage {
  return {
    id: grant.id,
    clientName: grant.clientName,
    redirectUri: grant.redirectUri,
    resource: grant.resource,
    scopes: grant.scopes.split(' '),
    tenantId: grant.tenantId,
    createdAt: epochSeconds(grant.createdAt),
    lastUsedAt: grant.lastUsedAt === null ? undefined : epochSeconds(grant.lastUsedAt),
    expiresAt: epochSeconds(grant.expiresAt),
  };
}

/** A number that a request may leave out; beyond 2^53 it equals no version. */
export function optionalNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** Unix epoch in whole seconds. */
export function epochSeconds(date: Date): bigint {
  return BigInt(Math.floor(date.getTime() / 1000));
}

export function loginResponse({ token, userId, tenantId }: LoginResult): LoginResponse {
  return { token, userId, tenantId: tenantId ?? undefined };
}
