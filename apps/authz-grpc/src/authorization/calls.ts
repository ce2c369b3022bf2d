import { AuthzError } from '@platform/error-contracts';
import type { SubjectState, TokenUse } from '../model/entities.ts';
import { IDENTITY_SCOPE, type Scope } from './scopes.ts';

/** What an operation asks of the credential it is called with. */
export interface Call {
  /** The scope that the credential must have. */
  readonly scope: Scope;
  /** Only a user's session may call it: a leaked key must not make, change or end credentials. */
  readonly session?: true;
  /** Login front ends may call it as well. */
  readonly frontEnd?: true;
  /** Never refused for quota, and takes none: a client that uses up a quota must not prevent revocation. */
  readonly free?: true;
  /** Whether a service may make this call with a token that is restricted to that service. */
  readonly resource?: true;
}

const READ: Call = { scope: 'read' };
const MANAGE: Call = { scope: 'manage' };
const CREDENTIALS: Call = { scope: 'manage', session: true };
const REVOCATION: Call = { scope: 'manage', session: true, free: true };
const IDENTITY: Call = { scope: 'identity' };

/** The operations that are called with a credential, by the contract's names. */
export const CALLS = {
  CheckAuthorization: { scope: 'check' },
  BatchCheckAuthorization: { scope: 'check' },
  ExplainAuthorization: { scope: 'explain' },
  ValidatePolicies: READ,
  TestPolicies: READ,
  ListAuditEvents: READ,
  CreateDomain: MANAGE,
  GetDomain: READ,
  GetDomainByName: READ,
  UpdateDomain: MANAGE,
  DeleteDomain: MANAGE,
  ListDomains: READ,
  GetDomainPolicies: READ,
  PutDomainPolicies: MANAGE,
  ListPolicyVersions: READ,
  GetPolicyVersion: READ,
  RollbackPolicies: MANAGE,
  PlanPolicyChange: READ,
  ReplayPolicies: READ,
  PutShadowPolicies: MANAGE,
  GetShadowPolicies: READ,
  DeleteShadowPolicies: MANAGE,
  PromoteShadowPolicies: MANAGE,
  PutResources: MANAGE,
  DeleteResources: MANAGE,
  ListResources: READ,
  SearchResources: { scope: 'check' },
  SearchSubjects: { scope: 'check' },
  SearchActions: { scope: 'check' },
  PlanResources: { scope: 'check' },
  GetDomainBundle: { scope: 'check' },
  RecordDecisions: { scope: 'check' },
  CreateTenant: MANAGE,
  GetTenant: READ,
  GetTenantByName: READ,
  UpdateTenant: MANAGE,
  DeleteTenant: CREDENTIALS,
  ListTenants: READ,
  ListMyTenants: READ,
  RefreshTenants: { scope: 'manage', free: true },
  GetTenantAssociations: READ,
  GetTenantUserAssociation: READ,
  CreateTenantUserAssociation: CREDENTIALS,
  DeleteTenantUserAssociation: REVOCATION,
  GetUser: READ,
  GetUserByName: READ,
  UpdateUser: CREDENTIALS,
  DeleteUser: REVOCATION,
  ListUsers: READ,
  Logout: REVOCATION,
  RefreshLoginWithTenant: CREDENTIALS,
  CreateApiKey: CREDENTIALS,
  GetApiKey: READ,
  DeleteApiKey: REVOCATION,
  ListApiKeys: READ,
  CreateServiceAccount: CREDENTIALS,
  ListServiceAccounts: READ,
  GetServiceAccount: READ,
  UpdateServiceAccount: CREDENTIALS,
  DeleteServiceAccount: REVOCATION,
  RotateServiceAccountKey: CREDENTIALS,
  SetUserAttribute: MANAGE,
  RemoveUserAttribute: MANAGE,
  GetUserAttributes: READ,
  ClearUserAttributes: MANAGE,
  CreateEmailVerificationToken: IDENTITY,
  ValidateEmailVerificationToken: { scope: 'manage', frontEnd: true },
  MarkEmailVerified: IDENTITY,
  FindUserByOAuth: IDENTITY,
  CreateOAuthUser: IDENTITY,
  LoginOAuth: IDENTITY,
  StoreOAuthState: IDENTITY,
  ValidateOAuthState: IDENTITY,
  RetireSigningKey: REVOCATION,
  ListClientGrants: READ,
  DeleteClientGrant: REVOCATION,
  AuthorizeClient: CREDENTIALS,
} as const satisfies Record<string, Call>;

/** The same call as one that is free, as every update is that only deactivates or sets a password. */
export function freed(call: Call): Call {
  return { ...call, free: true };
}

/**
 * Holds the call against the credential, whose subject is live. Throws SESSION_REQUIRED, and ACCESS_DENIED
 * naming the scope that is missing. The system root may do what the scope `identity` allows.
 */
export function requireCall(
  call: Call,
  caller: {
    readonly use: TokenUse;
    readonly scopes: readonly Scope[];
    readonly resource?: string;
  },
  subject: SubjectState,
): void {
  if (caller.resource !== undefined && call.resource !== true)
    throw new AuthzError('ACCESS_DENIED', `not permitted: the token serves ${caller.resource} alone`);
  if (call.session === true && (caller.use !== 'session' || subject.kind !== 'user')) {
    throw new AuthzError(
      'SESSION_REQUIRED',
      'this needs the session of a user: neither API keys nor service accounts may do it',
    );
  }
  if (call.scope === IDENTITY_SCOPE && subject.isRoot && caller.use === 'session') return;
  if (call.frontEnd === true && caller.scopes.includes(IDENTITY_SCOPE)) return;
  if (!caller.scopes.includes(call.scope)) {
    throw new AuthzError('ACCESS_DENIED', `not permitted: the credential lacks the scope \`${call.scope}\``);
  }
}
