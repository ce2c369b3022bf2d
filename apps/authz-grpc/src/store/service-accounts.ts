import type { Sql } from '@platform/database';
import { orNameTaken } from './name-taken.ts';

export interface ServiceAccountRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  readonly createdAt: Date;
  /** The key it was created with; empty when its record is gone. */
  readonly apiKeyId: string;
  readonly apiKeyExpiresAt: Date | null;
  /** Whether that key is revoked, expired or gone. */
  readonly apiKeyEnded: boolean;
}

/** `$1` is the present moment. */
const SELECT = `SELECT s.id, s.tenant_id AS "tenantId", s.name, s.description, s.active, s.created_at AS "createdAt",
  COALESCE(c.jti::text, '') AS "apiKeyId", c.expires_at AS "apiKeyExpiresAt",
  COALESCE(c.revoked_at IS NOT NULL OR c.expires_at <= $1, true) AS "apiKeyEnded"
  FROM service_accounts s LEFT JOIN LATERAL (SELECT * FROM credentials k WHERE k.subject_id = s.id
    AND k.type = 'service_account' ORDER BY k.issued_at DESC LIMIT 1) c ON true`;

/** Throws NAME_TAKEN. */
export async function insertServiceAccount(
  sql: Sql,
  account: Pick<ServiceAccountRow, 'id' | 'tenantId' | 'name' | 'description' | 'createdAt'>,
): Promise<void> {
  await orNameTaken(
    sql.query(
      'INSERT INTO service_accounts (id, tenant_id, name, description, created_at) VALUES ($1, $2, $3, $4, $5)',
      [account.id, account.tenantId, account.name, account.description, account.createdAt],
    ),
    'a service account of this name exists in the tenant',
  );
}

export async function findServiceAccount(sql: Sql, id: string, now: Date): Promise<ServiceAccountRow | null> {
  return (await sql.query<ServiceAccountRow>(`${SELECT} WHERE s.id = $2`, [now, id])).rows[0] ?? null;
}

/** The tenant's service accounts by name. */
export async function listServiceAccountRows(
  sql: Sql,
  tenantId: string,
  activeOnly: boolean,
  now: Date,
): Promise<ServiceAccountRow[]> {
  const { rows } = await sql.query<ServiceAccountRow>(
    `${SELECT} WHERE s.tenant_id = $2 AND (s.active OR NOT $3::bool) ORDER BY s.name`,
    [now, tenantId, activeOnly],
  );
  return rows;
}

/** False when there is no such account. */
export async function updateServiceAccountRow(
  sql: Sql,
  id: string,
  change: { readonly description?: string | undefined; readonly active?: boolean | undefined },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE service_accounts SET description = COALESCE($2, description), active = COALESCE($3, active) WHERE id = $1',
    [id, change.description ?? null, change.active ?? null],
  );
  return rowCount === 1;
}

/** False when there is no such account. */
export async function deleteServiceAccountRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM service_accounts WHERE id = $1', [id])).rowCount === 1;
}
