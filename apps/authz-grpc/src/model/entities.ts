/**
 * What every replica keeps in memory of the store, one entity at a time, each under its cache version. Every
 * state is loaded whole in one statement, so it is one moment of the store.
 */

export type TokenUse = 'session' | 'api_key' | 'service_account';

/** One issued token, by its `jti`. */
export interface CredentialState {
  readonly use: TokenUse;
  readonly subjectId: string;
  readonly tenantId: string | null;
  readonly revoked: boolean;
  /** The credential that it was derived from and ends with, or null. */
  readonly parentId: string | null;
}

/**
 * Whether tokens of a signing key are accepted; unknown keys are those that came after the last read of them.
 */
export type SigningKeyState = 'accepted' | 'retired';

export interface QuotaLimits {
  readonly maxTokens: number;
  readonly maxOverage: number;
}

/** A user or a service account: what tokens are issued to and attributes belong to. */
export interface SubjectState {
  readonly id: string;
  readonly kind: 'user' | 'service_account';
  readonly username: string;
  readonly active: boolean;
  /** Whether the user is the system root. */
  readonly isRoot: boolean;
  /** Tenants the user is associated with; a service account's own tenant. */
  readonly tenantIds: ReadonlySet<string>;
  /**
   * Tenant id → what other services keep of the membership or the account. Another one after a deactivation.
   */
  readonly leases: ReadonlyMap<string, string>;
  /**
   * What other services keep of the keys that they mint for a user's session. Another one once the user
   * revokes their keys; null for service accounts, whose own key such a key ends with.
   */
  readonly keysLease: string | null;
  /** Null for service accounts, which have no plane of their own. */
  readonly userPlane: QuotaLimits | null;
  /** Tenant id → attribute key → values. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

export interface TenantState {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly rootDomainId: string;
  /** What other services keep of the tenant. */
  readonly lease: string;
  readonly controlPlane: QuotaLimits;
  readonly dataPlane: QuotaLimits;
}

export interface DomainState {
  readonly id: string;
  readonly tenantId: string;
  readonly active: boolean;
  /** With the id it identifies the content of the policies. */
  readonly version: number;
  readonly superiorIds: readonly string[];
  /** Does not inherit the policies of the tenant's root domain. */
  readonly detached: boolean;
  /** Version of the domain's shadow set; null for none. */
  readonly shadow: number | null;
}

/** Refresh cycle of the quotas of all tenants or of all users. */
export interface EpochState {
  readonly epoch: number;
  /** When the cycle began, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Null is an entity that does not exist; that is a state like any other and ends when its version does. */
export interface Entities {
  credential: CredentialState | null;
  subject: SubjectState | null;
  tenant: TenantState | null;
  domain: DomainState | null;
  epoch: EpochState;
  signing_key: SigningKeyState;
}

export type EntityKind = keyof Entities;

/** Key of an entity at the limit store. */
export type EntityKey = `${EntityKind}:${string}`;

export function entityKey(kind: EntityKind, id: string): EntityKey {
  return `${kind}:${id}`;
}

/** The two refresh cycles. */
export const TENANT_EPOCH = 'tenant';
export const USER_EPOCH = 'user';
