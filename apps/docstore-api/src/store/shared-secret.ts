import { randomBytes } from 'node:crypto';
import type { Sql } from '@platform/database';

const SECRET_BYTES = 32;

/** The 32 bytes all replicas share under `name`: those of whoever came first. */
export async function sharedSecret(sql: Sql, name: string): Promise<Uint8Array> {
  await sql.query('INSERT INTO shared_secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    name,
    randomBytes(SECRET_BYTES),
  ]);
  const { rows } = await sql.query<{ value: Uint8Array }>(
    'SELECT value FROM shared_secrets WHERE name = $1',
    [name],
  );
  return rows[0]!.value;
}
