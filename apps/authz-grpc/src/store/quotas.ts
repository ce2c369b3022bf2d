import type { Sql } from '@platform/database';
import type { Config } from '../config.ts';
import type { Plane } from '../admission/admission.ts';

/** One plane as the contract's Tokens has it, with what it was used. */
export interface QuotaRow {
  readonly ownerId: string;
  readonly plane: Plane;
  readonly maxTokens: number;
  readonly maxOverage: number;
  readonly used: number;
  readonly epoch: number;
}

const SETTING = {
  control_plane: 'AUTHZ_QUOTA_CONTROL_PLANE',
  data_plane: 'AUTHZ_QUOTA_DATA_PLANE',
  user_plane: 'AUTHZ_QUOTA_USER_PLANE',
} as const satisfies Record<Plane, keyof Config>;

/** Gives an owner the planes with their default limits. */
export async function insertQuotas(
  sql: Sql,
  config: Config,
  ownerId: string,
  planes: readonly Plane[],
): Promise<void> {
  for (const plane of planes) {
    const maxTokens = config[SETTING[plane]];
    const maxOverage = Math.floor((maxTokens * config.AUTHZ_QUOTA_OVERAGE_PERCENT) / 100);
    await sql.query(
      `INSERT INTO quotas (owner_id, plane, max_tokens, max_overage, epoch)
       VALUES ($1, $2, $3, $4, (SELECT epoch FROM quota_epochs WHERE scope = $5))`,
      [ownerId, plane, maxTokens, maxOverage, plane === 'user_plane' ? 'user' : 'tenant'],
    );
  }
}

export async function updateQuotaLimits(
  sql: Sql,
  ownerId: string,
  plane: Plane,
  limits: { maxTokens: number; maxOverage: number },
): Promise<void> {
  await sql.query('UPDATE quotas SET max_tokens = $3, max_overage = $4 WHERE owner_id = $1 AND plane = $2', [
    ownerId,
    plane,
    limits.maxTokens,
    limits.maxOverage,
  ]);
}

export async function deleteQuotas(sql: Sql, ownerId: string): Promise<void> {
  await sql.query('DELETE FROM quotas WHERE owner_id = $1', [ownerId]);
}

/** The planes of the owners, as last flushed; what was used in an earlier cycle counts as nothing. */
export async function findQuotas(sql: Sql, ownerIds: readonly string[]): Promise<QuotaRow[]> {
  const { rows } = await sql.query<{
    owner_id: string;
    plane: Plane;
    max_tokens: number;
    max_overage: number;
    used: number;
    epoch: number;
  }>(
    `SELECT q.owner_id, q.plane, q.max_tokens, q.max_overage, e.epoch,
            CASE WHEN q.epoch = e.epoch THEN q.used ELSE 0 END AS used
     FROM quotas q
     JOIN quota_epochs e ON e.scope = CASE WHEN q.plane = 'user_plane' THEN 'user' ELSE 'tenant' END
     WHERE q.owner_id = ANY($1::uuid[])`,
    [ownerIds],
  );
  return rows.map((row) => ({
    ownerId: row.owner_id,
    plane: row.plane,
    maxTokens: Number(row.max_tokens),
    maxOverage: Number(row.max_overage),
    used: Number(row.used),
    epoch: Number(row.epoch),
  }));
}

/** Starts the next refresh cycle of all tenants or all users. */
export async function bumpEpoch(sql: Sql, scope: 'tenant' | 'user', now: Date): Promise<void> {
  await sql.query('UPDATE quota_epochs SET epoch = epoch + 1, reset_at = $2 WHERE scope = $1', [scope, now]);
}

export async function findResetAt(sql: Sql, scope: 'tenant' | 'user'): Promise<Date> {
  const { rows } = await sql.query<{ reset_at: Date }>('SELECT reset_at FROM quota_epochs WHERE scope = $1', [
    scope,
  ]);
  return (rows[0] as { reset_at: Date }).reset_at;
}
