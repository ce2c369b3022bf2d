import type { Sql } from '@platform/database';
import type { Policy } from '../policy/types.ts';
import { isStorable } from '../text.ts';
import { orNameTaken } from './name-taken.ts';

export interface DomainRow {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly isRoot: boolean;
  readonly active: boolean;
  readonly version: number;
  readonly superiorIds: readonly string[];
}

export interface DomainWithPolicies extends DomainRow {
  readonly policies: readonly Policy[];
}

const COLUMNS = `d.id, d.tenant_id AS "tenantId", d.name, d.is_root AS "isRoot", d.active, d.version::int8 AS version,
  ARRAY(SELECT s.superior_id::text FROM domain_superiors s WHERE s.domain_id = d.id ORDER BY s.position) AS "superiorIds"`;

const NAME_TAKEN = 'a domain of this name exists in the tenant';

/** Throws NAME_TAKEN. */
export async function insertDomain(
  sql: Sql,
  domain: Pick<DomainRow, 'id' | 'tenantId' | 'name' | 'isRoot'> & {
    policies: readonly Policy[];
    createdAt: Date;
  },
): Promise<void> {
  await orNameTaken(
    sql.query(
      'INSERT INTO domains (id, tenant_id, name, is_root, policies, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        domain.id,
        domain.tenantId,
        domain.name,
        domain.isRoot,
        JSON.stringify(domain.policies),
        domain.createdAt,
      ],
    ),
    NAME_TAKEN,
  );
}

export type DomainSelector = { readonly id: string } | { readonly name: string };

function where(selector: DomainSelector): [condition: string, value: string] {
  return 'id' in selector ? ['d.id = $2', selector.id] : ['d.name = $2', selector.name];
}

/** A domain of the tenant; null when it is absent or another tenant's. `lock` holds its row until the transaction ends. */
export async function findDomain(
  sql: Sql,
  tenantId: string,
  selector: DomainSelector,
  lock = false,
): Promise<DomainWithPolicies | null> {
  const [condition, value] = where(selector);
  if (!isStorable(value)) return null;
  const { rows } = await sql.query<DomainWithPolicies>(
    `SELECT ${COLUMNS}, d.policies FROM domains d WHERE d.tenant_id = $1 AND ${condition} ${lock ? 'FOR UPDATE OF d' : ''}`,
    [tenantId, value],
  );
  return rows[0] ?? null;
}

/** The tenant's domains by name, without policies. */
export async function listDomainRows(sql: Sql, tenantId: string): Promise<DomainRow[]> {
  const { rows } = await sql.query<DomainRow>(
    `SELECT ${COLUMNS} FROM domains d WHERE d.tenant_id = $1 ORDER BY d.name`,
    [tenantId],
  );
  return rows;
}

/** Throws NAME_TAKEN. */
export async function updateDomainRow(
  sql: Sql,
  domain: Pick<DomainRow, 'id' | 'name' | 'active'>,
): Promise<void> {
  await orNameTaken(
    sql.query('UPDATE domains SET name = $2, active = $3, version = version + 1 WHERE id = $1', [
      domain.id,
      domain.name,
      domain.active,
    ]),
    NAME_TAKEN,
  );
}

/** The version after the write. */
export async function updatePolicies(
  sql: Sql,
  domainId: string,
  policies: readonly Policy[],
): Promise<number> {
  const { rows } = await sql.query<{ version: number }>(
    'UPDATE domains SET policies = $2, version = version + 1 WHERE id = $1 RETURNING version',
    [domainId, JSON.stringify(policies)],
  );
  return Number(rows[0]?.version);
}

export async function replaceSuperiors(
  sql: Sql,
  domainId: string,
  superiorIds: readonly string[],
): Promise<void> {
  await sql.query('DELETE FROM domain_superiors WHERE domain_id = $1', [domainId]);
  await sql.query(
    `INSERT INTO domain_superiors (domain_id, superior_id, position)
     SELECT $1, s.id, s.position FROM unnest($2::uuid[]) WITH ORDINALITY AS s(id, position)`,
    [domainId, superiorIds],
  );
}

/** Whether some domain names this one as its superior. */
export async function hasSubordinates(sql: Sql, domainId: string): Promise<boolean> {
  return (
    (await sql.query('SELECT 1 FROM domain_superiors WHERE superior_id = $1 LIMIT 1', [domainId])).rows
      .length > 0
  );
}

export async function deleteDomainRow(sql: Sql, domainId: string): Promise<void> {
  await sql.query('DELETE FROM domains WHERE id = $1', [domainId]);
}
