import { AuthzError } from '@platform/error-contracts';
import type { QuotaTake } from '../limits/limit-store.ts';
import type { SubjectState, TenantState } from '../model/entities.ts';
import type { DecisionRunner, DecisionPlan, StateReader } from './decision-runner.ts';
import type { Call } from './calls.ts';
import { belongsTo, readSubject, tenantTake, userTakes, type Caller } from './caller.ts';
import { IDENTITY_SCOPE } from './scopes.ts';
import { readPolicySet, withAttributes } from './policy-scope.ts';

/** What lets calls enter, by name as operations are given it. */
interface WithAdmission {
  readonly decisions: DecisionRunner;
}

/** What a management call wants to do, in the words policies are written in. */
export interface Permission {
  readonly action: 'create' | 'read' | 'update' | 'delete' | 'manage';
  /** Below `svc://<root domain>/`. */
  readonly path: string;
}

export interface Permitted {
  readonly subject: SubjectState;
  /** The tenant acted on; null when it does not exist, which only the system root learns. */
  readonly tenant: TenantState | null;
}

export function accessDenied(): AuthzError {
  return new AuthzError('ACCESS_DENIED', 'not permitted');
}

/**
 * Lets a management call on a tenant enter, decided by the policies of the tenant's root domain; the system
 * root may do everything. Takes one call of the tenant's control_plane and of the user's plane. A tenant that
 * is unknown, foreign or inactive gets the same error as one that does not permit. Of several permissions it
 * needs all. `requiresRoot`: whether the call asks for what no policy can permit. Throws TOKEN_INVALID,
 * ACCESS_DENIED, limits.
 */
export function authorizeOnTenant(
  deps: WithAdmission,
  caller: Caller,
  call: Call,
  tenantId: string,
  permission: Permission | readonly Permission[],
  requiresRoot: (tenant: TenantState) => boolean = () => false,
): Promise<Permitted> {
  return deps.decisions.runDecision((reading): DecisionPlan<Permitted> => {
    const subject = readSubject(reading, caller, call);
    const tenant = reading.get('tenant', tenantId);
    if (!subject.isRoot) {
      const isAllowed = (each: Permission) => allows(reading, caller, subject, tenant, each);
      if (![permission].flat().every(isAllowed)) throw accessDenied();
      if (tenant !== null && requiresRoot(tenant)) throw accessDenied();
    }
    return { result: { subject, tenant }, quotas: ownTakes(reading, call, subject, tenant) };
  });
}

/** Lets the system root enter. Throws TOKEN_INVALID, ACCESS_DENIED, limits. */
export function authorizeRoot(deps: WithAdmission, caller: Caller, call: Call): Promise<SubjectState> {
  return authorizeSubject(deps, caller, call, (subject) => subject.isRoot);
}

/**
 * Lets an admin enter: the system root (of no tenant), or a caller whom the root domain of their token's
 * tenant permits. Throws TOKEN_INVALID, ACCESS_DENIED, limits.
 */
export async function authorizeAdmin(
  deps: WithAdmission,
  caller: Caller,
  call: Call,
  permission: Permission,
): Promise<{ readonly subject: SubjectState; readonly tenantId: string | null }> {
  if (caller.tenantId === null) {
    return { subject: await authorizeRoot(deps, caller, call), tenantId: null };
  }
  const { subject } = await authorizeOnTenant(deps, caller, call, caller.tenantId, permission);
  return { subject, tenantId: subject.isRoot ? null : caller.tenantId };
}

/**
 * Lets users act on themselves, and the system root on anyone, if `mayDoIt` does not object. Throws
 * TOKEN_INVALID, ACCESS_DENIED, limits.
 */
export function authorizeSelf(
  deps: WithAdmission,
  caller: Caller,
  call: Call,
  userId: string,
  mayDoIt: (subject: SubjectState) => boolean = () => true,
): Promise<SubjectState> {
  return authorizeSubject(
    deps,
    caller,
    call,
    (subject) => (subject.isRoot || subject.id === userId) && mayDoIt(subject),
  );
}

/**
 * Lets the system root and login front ends enter: service accounts of the system with the scope `identity`.
 * Throws TOKEN_INVALID, ACCESS_DENIED, rate and quota errors.
 */
export function authorizeIdentity(deps: WithAdmission, caller: Caller, call: Call): Promise<SubjectState> {
  return authorizeSubject(deps, caller, call, (subject) => subject.isRoot || isFrontEnd(subject, caller));
}

/** Whether the caller is a login front end. */
export function isFrontEnd(subject: SubjectState, caller: Caller): boolean {
  const isOfSystem = subject.kind === 'service_account' && subject.tenantIds.size === 0;
  return isOfSystem && caller.scopes.includes(IDENTITY_SCOPE);
}

/** Lets any live caller enter. Throws TOKEN_INVALID, limits. */
export function authorizeAnyone(deps: WithAdmission, caller: Caller, call: Call): Promise<SubjectState> {
  return authorizeSubject(deps, caller, call, () => true);
}

/**
 * Lets users read themselves, the system root read anyone, and callers whom their tenant permits read its
 * members. Throws TOKEN_INVALID, ACCESS_DENIED, limits.
 */
export function authorizeOnMember(
  deps: WithAdmission,
  caller: Caller,
  call: Call,
  userId: string,
  permission: Permission,
): Promise<SubjectState> {
  return deps.decisions.runDecision((reading): DecisionPlan<SubjectState> => {
    const subject = readSubject(reading, caller, call);
    const tenant = readOwnTenant(reading, caller, subject);
    const quotas = ownTakes(reading, call, subject, tenant);
    if (subject.isRoot || subject.id === userId) return { result: subject, quotas };
    if (!allows(reading, caller, subject, tenant, permission)) throw accessDenied();
    const member = reading.get('subject', userId);
    if (member === null || tenant === null || !member.tenantIds.has(tenant.id)) throw accessDenied();
    return { result: subject, quotas };
  });
}

/** Admits callers that `isPermitted` accepts. Throws TOKEN_INVALID, ACCESS_DENIED, limits. */
export function authorizeSubject(
  deps: WithAdmission,
  caller: Caller,
  call: Call,
  isPermitted: (subject: SubjectState) => boolean,
): Promise<SubjectState> {
  return deps.decisions.runDecision((reading): DecisionPlan<SubjectState> => {
    const subject = readSubject(reading, caller, call);
    if (!isPermitted(subject)) throw accessDenied();
    const quotas = ownTakes(reading, call, subject, readOwnTenant(reading, caller, subject));
    return { result: subject, quotas };
  });
}

/**
 * The tenant of the token, as long as the subject belongs to it; null for a token without a tenant, and for a
 * tenant that the subject has left.
 */
function readOwnTenant(reading: StateReader, caller: Caller, subject: SubjectState): TenantState | null {
  const { tenantId } = caller;
  return tenantId !== null && belongsTo(subject, tenantId) ? reading.get('tenant', tenantId) : null;
}

/** One call of the subject's plane and, except for the system root, of their tenant's control_plane. */
function ownTakes(
  reading: StateReader,
  call: Call,
  subject: SubjectState,
  tenant: TenantState | null,
): QuotaTake[] {
  if (call.free === true) return [];
  const quotas = userTakes(reading, subject);
  if (tenant !== null && !subject.isRoot) quotas.push(tenantTake(reading, tenant, 'control_plane'));
  return quotas;
}

/** Whether the tenant's root domain permits this caller, whose token must be for the tenant or for none. */
export function allows(
  reading: StateReader,
  caller: Caller,
  subject: SubjectState,
  tenant: TenantState | null,
  { action, path }: Permission,
): boolean {
  if (tenant === null || !tenant.active || !belongsTo(subject, tenant.id)) return false;
  if (caller.tenantId !== null && caller.tenantId !== tenant.id) return false;
  const scope = readPolicySet(reading, tenant, tenant.rootDomainId);
  if (scope === null) return false;
  const context = new Map<string, string>([
    ['subject', subject.id],
    ['action', action],
    ['object', `svc://${tenant.rootDomainId}/${path}`],
  ]);
  return scope.policies.evaluate(withAttributes(context, subject, tenant.id), reading.regexes).allowed;
}
