import type { Sql } from '@platform/database';
import type { Policy } from '../policy/types.ts';
import type {
  CredentialState,
  DomainState,
  Entities,
  EntityKind,
  EpochState,
  QuotaLimits,
  SigningKeyState,
  SubjectState,
  TenantState,
  TokenUse,
} from '../model/entities.ts';
import type { EntityStore } from './entity-store.ts';

type Loaders = { readonly [K in EntityKind]: (sql: Sql, id: string) => Promise<Entities[K]> };

const LOADERS: Loaders = {
  credential: loadCredential,
  subject: loadSubject,
  tenant: loadTenant,
  domain: loadDomain,
  epoch: loadEpoch,
  signing_key: loadSigningKey,
};

/**
 * Every call that misses the cache reads here, so each entity is one prepared statement of its own instead of
 * the several that Prisma would make of it.
 */
export function createEntityStore(sql: Sql): EntityStore {
  return {
    load(key) {
      const colon = key.indexOf(':');
      return LOADERS[key.slice(0, colon) as EntityKind](sql, key.slice(colon + 1));
    },
    loadPolicies: (domainId) => loadSet(sql, 'SELECT version, policies FROM domains WHERE id = $1', domainId),
    loadShadow: (domainId) =>
      loadSet(sql, 'SELECT version, policies FROM shadow_policies WHERE domain_id = $1', domainId),
  };
}

async function loadSet(sql: Sql, statement: string, domainId: string) {
  const { rows } = await sql.query<{ version: number; policies: Policy[] }>(statement, [domainId]);
  const [row] = rows;
  return row === undefined ? null : { version: row.version, policies: row.policies };
}

async function loadCredential(sql: Sql, jti: string): Promise<CredentialState | null> {
  const { rows } = await sql.query<{
    type: TokenUse;
    subject_id: string;
    tenant_id: string | null;
    revoked: boolean;
    parent_id: string | null;
  }>(
    'SELECT type, subject_id, tenant_id, revoked_at IS NOT NULL AS revoked, parent_id FROM credentials WHERE jti = $1',
    [jti],
  );
  const row = rows[0];
  return row === undefined
    ? null
    : {
        use: row.type,
        subjectId: row.subject_id,
        tenantId: row.tenant_id,
        revoked: row.revoked,
        parentId: row.parent_id,
      };
}

async function loadSubject(sql: Sql, id: string): Promise<SubjectState | null> {
  const { rows } = await sql.query<{
    kind: SubjectState['kind'];
    username: string;
    active: boolean;
    is_root: boolean;
    tenant_ids: string[];
    leases: string[];
    keys_lease: string | null;
    max_tokens: number | null;
    max_overage: number | null;
    attributes: { t: string; k: string; v: string[] }[];
  }>(
    `SELECT 'user' AS kind, u.username, u.active, u.is_root,
            ARRAY(SELECT a.tenant_id::text FROM associations a WHERE a.user_id = u.id ORDER BY a.tenant_id) AS tenant_ids,
            ARRAY(SELECT a.lease::text FROM associations a WHERE a.user_id = u.id ORDER BY a.tenant_id) AS leases,
            u.keys_lease, q.max_tokens, q.max_overage,
            COALESCE((SELECT jsonb_agg(jsonb_build_object('t', g.tenant_id, 'k', g.key, 'v', g.values)) FROM (
              SELECT t.tenant_id, t.key, array_agg(t.value ORDER BY t.value) AS values
              FROM attributes t WHERE t.user_id = u.id GROUP BY t.tenant_id, t.key) g), '[]') AS attributes
     FROM users u LEFT JOIN quotas q ON q.owner_id = u.id AND q.plane = 'user_plane' WHERE u.id = $1
     UNION ALL
     SELECT 'service_account', 'svc:' || s.name, s.active, false, array_remove(ARRAY[s.tenant_id::text], NULL),
            ARRAY[s.lease::text], NULL, NULL, NULL, '[]'
     FROM service_accounts s WHERE s.id = $1`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const attributes = new Map<string, Map<string, readonly string[]>>();
  for (const { t, k, v } of row.attributes) {
    const ofTenant = attributes.get(t) ?? new Map<string, readonly string[]>();
    attributes.set(t, ofTenant.set(k, v));
  }
  return {
    id,
    kind: row.kind,
    username: row.username,
    active: row.active,
    isRoot: row.is_root,
    tenantIds: new Set(row.tenant_ids),
    leases: new Map(row.tenant_ids.map((tenantId, index) => [tenantId, row.leases[index]!])),
    keysLease: row.keys_lease,
    userPlane: limits(row.max_tokens, row.max_overage),
    attributes,
  };
}

async function loadTenant(sql: Sql, id: string): Promise<TenantState | null> {
  const { rows } = await sql.query<{
    name: string;
    active: boolean;
    root_domain_id: string;
    lease: string;
    control_max: number;
    control_overage: number;
    data_max: number;
    data_overage: number;
  }>(
    `SELECT t.name, t.active, d.id AS root_domain_id, t.lease,
            c.max_tokens AS control_max, c.max_overage AS control_overage,
            q.max_tokens AS data_max, q.max_overage AS data_overage
     FROM tenants t
     JOIN domains d ON d.tenant_id = t.id AND d.is_root
     JOIN quotas c ON c.owner_id = t.id AND c.plane = 'control_plane'
     JOIN quotas q ON q.owner_id = t.id AND q.plane = 'data_plane'
     WHERE t.id = $1`,
    [id],
  );
  const row = rows[0];
  return row === undefined
    ? null
    : {
        id,
        name: row.name,
        active: row.active,
        rootDomainId: row.root_domain_id,
        lease: row.lease,
        controlPlane: { maxTokens: row.control_max, maxOverage: row.control_overage },
        dataPlane: { maxTokens: row.data_max, maxOverage: row.data_overage },
      };
}

async function loadDomain(sql: Sql, id: string): Promise<DomainState | null> {
  const { rows } = await sql.query<{
    tenant_id: string;
    active: boolean;
    version: number;
    detached: boolean;
    shadow: number | null;
    superior_ids: string[];
  }>(
    `SELECT d.tenant_id, d.active, d.version, d.detached,
            (SELECT p.version FROM shadow_policies p WHERE p.domain_id = d.id) AS shadow,
            ARRAY(SELECT s.superior_id::text FROM domain_superiors s WHERE s.domain_id = d.id ORDER BY s.position)
              AS superior_ids
     FROM domains d WHERE d.id = $1`,
    [id],
  );
  const row = rows[0];
  return row === undefined
    ? null
    : {
        id,
        tenantId: row.tenant_id,
        active: row.active,
        version: row.version,
        superiorIds: row.superior_ids,
        detached: row.detached,
        shadow: row.shadow,
      };
}

async function loadEpoch(sql: Sql, scope: string): Promise<EpochState> {
  const { rows } = await sql.query<{ epoch: number; reset_at: Date }>(
    'SELECT epoch, reset_at FROM quota_epochs WHERE scope = $1',
    [scope],
  );
  const [row] = rows;
  return { epoch: row?.epoch ?? 1, startedAt: row?.reset_at.getTime() ?? 0 };
}

async function loadSigningKey(sql: Sql, kid: string): Promise<SigningKeyState> {
  const { rows } = await sql.query('SELECT 1 FROM signing_keys WHERE kid = $1 AND retired_at IS NOT NULL', [
    kid,
  ]);
  return rows.length === 0 ? 'accepted' : 'retired';
}

function limits(maxTokens: number | null, maxOverage: number | null): QuotaLimits | null {
  return maxTokens === null ? null : { maxTokens, maxOverage: maxOverage ?? 0 };
}
