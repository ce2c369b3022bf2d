import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../admission/caller.ts';
import { permitOnTenant } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../state/entities.ts';
import type { UserRow } from '../store/user-store.ts';
import { tenantNotFound, userNotFound } from '../not-found.ts';

type AssociationDeps = Pick<Deps, 'admission' | 'stores'>;

/** The tenant's users by name. Throws ACCESS_DENIED, limits. */
export async function getTenantAssociations(
  deps: AssociationDeps & Pick<Deps, 'now'>,
  caller: Caller,
  tenantId: string,
): Promise<UserRow[]> {
  const { tenant } = await permitOnTenant(deps, caller, tenantId, { action: 'read', path: 'users' });
  if (tenant === null) throw tenantNotFound();
  return deps.stores.users.list(tenantId, deps.now());
}

/** False for users who are not associated, whether they exist or not. Throws ACCESS_DENIED, limits. */
export async function getTenantUserAssociation(
  deps: AssociationDeps,
  caller: Caller,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const { tenant } = await permitOnTenant(deps, caller, tenantId, {
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
  await permitOnTenant(deps, caller, tenantId, { action: 'create', path: `users/${userId}` });
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

/** The user's attributes within the tenant go too. Throws ACCESS_DENIED, ASSOCIATION_NOT_FOUND, limits. */
export async function deleteTenantUserAssociation(
  deps: AssociationDeps & Pick<Deps, 'write'>,
  caller: Caller,
  tenantId: string,
  userId: string,
): Promise<void> {
  await permitOnTenant(deps, caller, tenantId, { action: 'delete', path: `users/${userId}` });
  await deps.write(async ({ tenants, attributes }, touch) => {
    if (!(await tenants.removeMember(tenantId, userId))) {
      throw new AuthzError('ASSOCIATION_NOT_FOUND', 'the user is not associated with the tenant');
    }
    await attributes.clear(tenantId, userId);
    touch(entityKey('subject', userId));
  });
}
