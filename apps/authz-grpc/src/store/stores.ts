import type { AttributeStore } from './attribute-store.ts';
import type { ClientGrantStore } from './client-grant-store.ts';
import type { CredentialStore } from './credential-store.ts';
import type { DomainStore } from './domain-store.ts';
import type { OAuthStore } from './oauth-store.ts';
import type { QuotaStore } from './quota-store.ts';
import type { ResourceStore } from './resource-store.ts';
import type { ServiceAccountStore } from './service-account-store.ts';
import type { ShadowStore } from './shadow-store.ts';
import type { SigningKeyStore } from './signing-key-store.ts';
import type { SubjectStore } from './subject-store.ts';
import type { TenantStore } from './tenant-store.ts';
import type { UserStore } from './user-store.ts';
import type { VerificationStore } from './verification-store.ts';

/** One store per entity, all on the database itself or all in one transaction of it. */
export interface Stores {
  readonly users: UserStore;
  readonly tenants: TenantStore;
  readonly domains: DomainStore;
  readonly shadows: ShadowStore;
  readonly serviceAccounts: ServiceAccountStore;
  readonly credentials: CredentialStore;
  readonly clientGrants: ClientGrantStore;
  readonly attributes: AttributeStore;
  readonly verifications: VerificationStore;
  readonly oauth: OAuthStore;
  readonly quotas: QuotaStore;
  readonly signingKeys: SigningKeyStore;
  readonly resources: ResourceStore;
  readonly subjects: SubjectStore;
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. On PGlite
 * transactions queue behind one another, so `work` must use the stores it is given and no others.
 */
export type Transaction = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>;
