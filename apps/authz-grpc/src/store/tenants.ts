import type { Sql } from '@platform/database';
import { isStorable } from '../text.ts';
import { orNameTaken } from './name-taken.ts';

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly subscription: string;
  readonly createdAt: Date;
}

const COLUMNS = 'id, name, description, active, subscription, created_at AS "createdAt"';

const NAME_TAKEN = 'a tenant of this name exists';

/** Throws NAME_TAKEN. */
export async function insertTenant(
  sql: Sql,
  tenant: Omit<TenantRow, 'active' | 'subscription'>,
): Promise<void> {
  await orNameTaken(
    sql.query('INSERT INTO tenants (id, name, description, created_at) VALUES ($1, $2, $3, $4)', [
      tenant.id,
      tenant.name,
      tenant.description,
      tenant.createdAt,
    ]),
    NAME_TAKEN,
  );
}

export async function findTenant(sql: Sql, id: string): Promise<TenantRow | null> {
  return (await sql.query<TenantRow>(`SELECT ${COLUMNS} FROM tenants WHERE id = $1`, [id])).rows[0] ?? null;
}

/** The id of the tenant of that name, or null. */
export async function findTenantId(sql: Sql, name: string): Promise<string | null> {
  if (!isStorable(name)) return null;
  return (
    (await sql.query<{ id: string }>('SELECT id FROM tenants WHERE name = $1', [name])).rows[0]?.id ?? null
  );
}

/** All tenants, or the ones named, by name. */
export async function listTenantRows(sql: Sql, ids: readonly string[] | null): Promise<TenantRow[]> {
  const where = ids === null ? '' : 'WHERE id = ANY($1::uuid[])';
  return (
    await sql.query<TenantRow>(
      `SELECT ${COLUMNS} FROM tenants ${where} ORDER BY name`,
      ids === null ? [] : [ids],
    )
  ).rows;
}

/** False when there is no such tenant. Throws NAME_TAKEN. */
export async function updateTenantRow(sql: Sql, tenant: Omit<TenantRow, 'createdAt'>): Promise<boolean> {
  const { rowCount } = await orNameTaken(
    sql.query(
      'UPDATE tenants SET name = $2, description = $3, active = $4, subscription = $5 WHERE id = $1',
      [tenant.id, tenant.name, tenant.description, tenant.active, tenant.subscription],
    ),
    NAME_TAKEN,
  );
  return rowCount === 1;
}

/** False when there is no such tenant. */
export async function deleteTenantRow(sql: Sql, id: string): Promise<boolean> {
  // The cascade takes the domains one by one, and none goes while another one names it as its superior.
  await sql.query(
    'DELETE FROM domain_superiors s USING domains d WHERE d.tenant_id = $1 AND s.domain_id = d.id',
    [id],
  );
  return (await sql.query('DELETE FROM tenants WHERE id = $1', [id])).rowCount === 1;
}

/** Locks the tenant's row until the transaction ends, so that writes to one tenant's domains queue; false when it is gone. */
export async function lockTenant(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', [id])).rows.length === 1;
}

export async function insertAssociation(sql: Sql, tenantId: string, userId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'INSERT INTO associations (tenant_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
    [tenantId, userId],
  );
  return rowCount === 1;
}

export async function deleteAssociation(sql: Sql, tenantId: string, userId: string): Promise<boolean> {
  const { rowCount } = await sql.query('DELETE FROM associations WHERE tenant_id = $1 AND user_id = $2', [
    tenantId,
    userId,
  ]);
  return rowCount === 1;
}
