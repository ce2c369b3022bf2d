import type { Sql } from '@platform/database';
import type { TokenUse } from '../state/entities.ts';

export interface CredentialRow {
  readonly jti: string;
  readonly subjectId: string;
  readonly tenantId: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `jti, subject_id AS "subjectId", tenant_id AS "tenantId", issued_at AS "issuedAt", expires_at AS "expiresAt"`;

/** The subject's live credentials of one use, oldest first. */
export async function listCredentials(
  sql: Sql,
  subjectId: string,
  use: TokenUse,
  now: Date,
): Promise<CredentialRow[]> {
  const { rows } = await sql.query<CredentialRow>(
    `SELECT ${COLUMNS} FROM credentials
     WHERE subject_id = $1 AND type = $2 AND revoked_at IS NULL AND expires_at > $3 ORDER BY issued_at, jti`,
    [subjectId, use, now],
  );
  return rows;
}

/** Revokes one credential of the subject; false when there is no such live one. */
export async function revokeCredential(
  sql: Sql,
  subjectId: string,
  jti: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    'UPDATE credentials SET revoked_at = $3 WHERE jti = $1 AND subject_id = $2 AND revoked_at IS NULL',
    [jti, subjectId, now],
  );
  return rowCount === 1;
}

/** Revokes what the subject has, or what it has of one use, but `except`; returns the ids. */
export async function revokeAll(
  sql: Sql,
  subjectId: string,
  now: Date,
  options: { readonly use?: TokenUse; readonly except?: string } = {},
): Promise<string[]> {
  const { rows } = await sql.query<{ jti: string }>(
    `UPDATE credentials SET revoked_at = $2
     WHERE subject_id = $1 AND revoked_at IS NULL AND ($3::text IS NULL OR type = $3)
       AND ($4::uuid IS NULL OR jti <> $4) RETURNING jti`,
    [subjectId, now, options.use ?? null, options.except ?? null],
  );
  return rows.map(({ jti }) => jti);
}

/** Removes what no verifier would look at any more. */
export async function deleteExpired(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM credentials WHERE expires_at < $1', [before]);
  await sql.query('DELETE FROM verification_tokens WHERE expires_at < $1', [before]);
  await sql.query('DELETE FROM oauth_states WHERE expires_at < $1', [before]);
  await sql.query('DELETE FROM signing_keys WHERE expires_at < $1', [before]);
}
