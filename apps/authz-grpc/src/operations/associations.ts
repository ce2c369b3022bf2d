import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../admission/caller.ts';
import { permitOnTenant } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../state/entities.ts';
import { deleteAssociation, insertAssociation, lockTenant } from '../store/tenants.ts';
import { isUser, listUserRows, type UserRow } from '../store/users.ts';
import { tenantNotFound, userNotFound } from './not-found.ts';

type AssociationDeps = Pick<Deps, 'admission' | 'database'>;

/** The tenant's users by name. Throws ACCESS_DENIED, limits. */
export async function getTenantAssociations(
  deps: AssociationDeps & Pick<Deps, 'now'>,
  caller: Caller,
  tenantId: string,
): Promise<UserRow[]> {
  const { tenant } = await permitOnTenant(deps, caller, tenantId, { action: 'read', path: 'users' });
  if (tenant === null) throw tenantNotFound();
  return listUserRows(deps.database, tenantId, deps.now());
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
  const { rows } = await deps.database.query(
    'SELECT 1 FROM associations WHERE tenant_id = $1 AND user_id = $2',
    [tenantId, userId],
  );
  return rows.length === 1;
}

/** Throws ACCESS_DENIED, USER_NOT_FOUND, NAME_TAKEN when associated already, limits. */
export async function createTenantUserAssociation(
  deps: AssociationDeps & Pick<Deps, 'write'>,
  caller: Caller,
  tenantId: string,
  userId: string,
): Promise<void> {
  await permitOnTenant(deps, caller, tenantId, { action: 'create', path: `users/${userId}` });
  await deps.write(async (sql, touch) => {
    if (!(await lockTenant(sql, tenantId))) throw tenantNotFound();
    if (!(await isUser(sql, userId))) throw userNotFound();
    if (!(await insertAssociation(sql, tenantId, userId))) {
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
  await deps.write(async (sql, touch) => {
    if (!(await deleteAssociation(sql, tenantId, userId))) {
      throw new AuthzError('ASSOCIATION_NOT_FOUND', 'the user is not associated with the tenant');
    }
    await sql.query('DELETE FROM attributes WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
    touch(entityKey('subject', userId));
  });
}
