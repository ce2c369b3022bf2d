import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { groundsOfAccountChange, writeGuarded } from '../authorization/lockout.ts';
import { authorizeOnTenant, authorizeSelf } from '../authorization/authorize.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../model/entities.ts';
import { readUserPage, type User } from './users.ts';
import { tenantNotFound, userNotFound } from '../not-found.ts';

type AssociationDeps = Pick<Deps, 'decisions' | 'stores'>;

/**
 * The tenant's users, oldest first, each with what the caller may see of them. Throws ACCESS_DENIED, rate
 * and quota errors.
 */
export async function getTenantAssociations(
  deps: AssociationDeps & Pick<Deps, 'now' | 'limits'>,
  caller: Caller,
  tenantId: string,
  request: PageRequest,
): Promise<Page<User>> {
  const { subject, tenant } = await authorizeOnTenant(deps, caller, CALLS.GetTenantAssociations, tenantId, {
    action: 'read',
    path: 'users',
  });
  if (tenant === null) throw tenantNotFound();
  return readUserPage(deps, { subject, tenantId, operation: 'GetTenantAssociations' }, request);
}

/** False for users who are not associated, whether they exist or not. Throws ACCESS_DENIED, limits. */
export async function getTenantUserAssociation(
  deps: AssociationDeps,
  caller: Caller,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const { tenant } = await authorizeOnTenant(deps, caller, CALLS.GetTenantUserAssociation, tenantId, {
    action: 'read',
    path: `users/${userId}`,
  });
  if (tenant === null) throw tenantNotFound();
  return deps.stores.tenants.isMember(tenantId, userId);
}

/** Throws ACCESS_DENIED, USER_NOT_FOUND, NAME_TAKEN when associated already, limits. */
export async function createTenantUserAssociation(
  deps: AssociationDeps & Pick<Deps, 'write'>,
  caller: Caller,
  tenantId: string,
  userId: string,
): Promise<void> {
  await authorizeOnTenant(deps, caller, CALLS.CreateTenantUserAssociation, tenantId, {
    action: 'create',
    path: `users/${userId}`,
  });
  await deps.write(async ({ tenants, users }, touch) => {
    if (!(await tenants.lock(tenantId))) throw tenantNotFound();
    if (!(await users.exists(userId))) throw userNotFound();
    if (!(await tenants.addMember(tenantId, userId))) {
      throw new AuthzError('NAME_TAKEN', 'the user is associated with the tenant already', {
        field: 'user_id',
      });
    }
    touch(entityKey('subject', userId));
  });
}

/**
 * Ends the user's sessions and keys for the tenant, and their attributes within it, for good: a new
 * association brings none of them back. A user may leave a tenant themselves, whatever its policies say.
 * Throws SESSION_REQUIRED, ACCESS_DENIED, ASSOCIATION_NOT_FOUND, LOCKOUT for the last one who can manage the
 * tenant.
 */
export async function deleteTenantUserAssociation(
  deps: AssociationDeps & Pick<Deps, 'write' | 'now'>,
  caller: Caller,
  tenantId: string,
  userId: string,
  options: { readonly allowLockout?: boolean | undefined } = {},
): Promise<void> {
  const call = CALLS.DeleteTenantUserAssociation;
  if (userId === caller.subjectId) await authorizeSelf(deps, caller, call, userId);
  else await authorizeOnTenant(deps, caller, call, tenantId, { action: 'delete', path: `users/${userId}` });
  const leaving = { accountId: userId, tenantIds: [tenantId] };
  const find = async () =>
    options.allowLockout === true ? [] : groundsOfAccountChange(deps, caller, leaving);
  await writeGuarded(deps, [tenantId], find, async ({ tenants, attributes, credentials }, touch) => {
    if (!(await tenants.removeMember(tenantId, userId))) {
      throw new AuthzError('ASSOCIATION_NOT_FOUND', 'the user is not associated with the tenant');
    }
    await attributes.clear(tenantId, userId);
    const revoked = await credentials.revokeAll(userId, deps.now(), { tenantId });
    touch(entityKey('subject', userId), ...revoked.map((jti) => entityKey('credential', jti)));
  });
}
