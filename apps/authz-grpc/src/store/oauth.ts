import type { Sql } from '@platform/database';
import { orNameTaken } from './name-taken.ts';

export interface OAuthUser {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
}

/** The user a provider's subject belongs to, or null. */
export async function findIdentity(sql: Sql, provider: string, subject: string): Promise<OAuthUser | null> {
  const { rows } = await sql.query<OAuthUser>(
    `SELECT u.id AS "userId", u.username, u.email FROM oauth_identities o JOIN users u ON u.id = o.user_id
     WHERE o.provider = $1 AND o.subject = $2`,
    [provider, subject],
  );
  return rows[0] ?? null;
}

/** Throws NAME_TAKEN for an identity that belongs to a user. */
export async function insertIdentity(
  sql: Sql,
  provider: string,
  subject: string,
  userId: string,
): Promise<void> {
  await orNameTaken(
    sql.query('INSERT INTO oauth_identities (provider, subject, user_id) VALUES ($1, $2, $3)', [
      provider,
      subject,
      userId,
    ]),
    'the identity belongs to a user already',
    'oauth_subject',
  );
}

/** What a login front end keeps between sending a person to a provider and having them back. */
export interface OAuthState {
  readonly tenantId: string | null;
  readonly redirectUri: string;
  readonly nonce: string;
}

/** Throws NAME_TAKEN for a state that is stored already. */
export async function insertState(
  sql: Sql,
  stateHash: Uint8Array,
  { tenantId, redirectUri, nonce }: OAuthState,
  expiresAt: Date,
): Promise<void> {
  await orNameTaken(
    sql.query(
      'INSERT INTO oauth_states (state_hash, tenant_id, redirect_uri, nonce, expires_at) VALUES ($1, $2, $3, $4, $5)',
      [stateHash, tenantId, redirectUri, nonce, expiresAt],
    ),
    'the state is stored already',
    'state',
  );
}

/** Uses a state up and gives it; null when it is unknown, used or expired. One statement, so that one caller wins. */
export async function takeState(sql: Sql, stateHash: Uint8Array, now: Date): Promise<OAuthState | null> {
  const { rows } = await sql.query<OAuthState>(
    `UPDATE oauth_states SET used_at = $2 WHERE state_hash = $1 AND used_at IS NULL AND expires_at > $2
     RETURNING tenant_id AS "tenantId", redirect_uri AS "redirectUri", nonce`,
    [stateHash, now],
  );
  return rows[0] ?? null;
}
