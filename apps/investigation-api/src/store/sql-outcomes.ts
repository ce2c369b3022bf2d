import type { Database } from '@platform/database';
import { RELIABILITY_RANGE } from '@platform/opinion-fusion';
import { RECORD_KEY, recordKey } from '../model/written-record.ts';
import { hashId, hashList } from './hash-id.ts';
import type {
  OutcomeScope,
  OutcomeStore,
  RecordOwner,
  ScoredForecast,
  SourceName,
  Outcome,
  StoredSourceRecord,
  StoredStatement,
} from './outcome-store.ts';
import type { Role } from '../model/role.ts';
import { fold } from './session-name.ts';
import { isAmong } from './sql-list-sessions.ts';
import { address, isUuid, WHERE_REF } from './sql-session-row.ts';

/** The outcome store on SQL, the same for Postgres and PGlite. */
export function createSqlOutcomeStore(database: Database): OutcomeStore {
  return {
    // SQL: the session is found, and the outcome and all statements are written, in one statement.
    async putOutcome(ref, { id, body, knownAt, recordedAt, forecast }) {
      const statements = forecast?.statements ?? [];
      const { rows } = await database.query<{ id: string }>(
        PUT,
        [
          ...address(ref),
          id,
          body,
          knownAt,
          recordedAt,
          forecast?.text ?? null,
          forecast?.chance ?? null,
          forecast?.wasRight ?? null,
          forecast === null ? null : JSON.stringify(forecast.domain),
          statements.map(sourceHash),
          statements.map(({ name, sourceType }) => JSON.stringify({ name, source_type: sourceType })),
          statements.map(({ name }) => foldSource(name)),
          statements.map(({ reliability }) => reliability),
          statements.map(({ wasRight }) => wasRight),
        ],
        'outcome-put',
      );
      return rows.length > 0 ? 'recorded' : 'no_session';
    },

    // SQL, as are the next two: on distributed tables it names the tenant of both.
    async listOutcomes(ref, { limit, offset }) {
      const { rows } = await database.query<Outcome>(
        `SELECT o.id, o.body, o.known_at AS "knownAt", o.recorded_at AS "recordedAt", o.forecast
         FROM outcomes o JOIN sessions s ON s.key = o.session_key
         WHERE ${WHERE_REF} /*+ AND o.tenant_id = $1 +*/ ORDER BY o.recorded_at DESC, o.id LIMIT $3 OFFSET $4`,
        [...address(ref), limit, offset],
      );
      return rows;
    },

    async deleteOutcome(ref, id) {
      if (!isUuid(id)) return false;
      const { rowCount } = await database.query(
        `DELETE FROM outcomes o USING sessions s
         WHERE ${WHERE_REF} AND o.session_key = s.key AND o.id = $3::uuid /*+ AND o.tenant_id = $1 +*/`,
        [...address(ref), id],
      );
      return rowCount > 0;
    },

    async sessionsWithOutcomes(tenantId, holder, limit, among) {
      const values: unknown[] = [tenantId, limit, holder.userId, holder.lease];
      const param = (value: unknown) => `$${values.push(value)}`;
      const narrowed =
        among === undefined ? '' : `AND ${isAmong('s', { ...among, tenantId, holder }, param)}`;
      const { rows } = await database.query<{ sessionId: string; ownerId: string; role: Role | null }>(
        `SELECT s.session_id AS "sessionId", s.owner_id AS "ownerId", m.role FROM sessions s
         LEFT JOIN session_members m ON m.session_key = s.key AND m.tenant_id = $1 AND m.user_id = $3 AND m.lease = $4
         WHERE s.tenant_id = $1 ${narrowed}
           AND EXISTS (SELECT FROM outcomes o WHERE o.session_key = s.key /*+ AND o.tenant_id = $1 +*/)
         ORDER BY s.updated_at DESC, s.key DESC LIMIT $2`,
        values,
      );
      return rows;
    },

    // SQL: counts and reads in one statement, so that both are of one moment.
    async scoredForecasts(scope, limit) {
      const { where, values } = inScope(scope);
      const { rows } = await database.query<{
        outcomes: number;
        forecasts: (Omit<ScoredForecast, 'domain'> & { domain: string })[] | null;
      }>(
        `WITH known AS (SELECT o.* FROM outcomes o JOIN sessions s ON s.key = o.session_key
          WHERE ${where} /*+ AND o.tenant_id = $1 +*/)
        SELECT (SELECT count(*)::int FROM known) AS outcomes,
          (SELECT json_agg(json_build_object('chance', chance, 'wasRight', was_right, 'domain', domain))
            FROM (SELECT chance, was_right, domain FROM known WHERE chance IS NOT NULL
              ORDER BY recorded_at DESC, id LIMIT $${values.length + 1}) latest) AS forecasts`,
        [...values, limit],
      );
      const { outcomes, forecasts } = rows[0]!;
      return {
        outcomes,
        forecasts: (forecasts ?? []).map((one) => ({ ...one, domain: JSON.parse(one.domain) as string })),
      };
    },

    // SQL: Prisma groups by no column of a joined table.
    async sourceRecords(scope, { nameFilter, limit, offset }) {
      const { where, values } = inScope(scope);
      const param = (value: unknown) => `$${values.push(value)}`;
      const named =
        nameFilter === undefined
          ? ''
          : ` AND position(${param(foldSource(nameFilter))} IN t.source_folded) > 0`;
      const { rows } = await database.query<SourceRow>(
        `${records(`${where}${named}`)} ORDER BY statements DESC, folded, hash
        LIMIT ${param(limit)} OFFSET ${param(offset)}`,
        values,
      );
      return rows.map(toRecord);
    },

    // SQL: merges with what is there in one statement.
    async noteApplied(ref, applied) {
      if (applied.length === 0) return;
      const declared = Object.fromEntries(
        applied.flatMap(({ actorId, applied: number, declared: before, isStated, ...counts }) => [
          [appliedHash(actorId, number), before],
          // Under a key of its own, because a replica of the version before reads numbers alone.
          [unstatedHash(actorId, number), isStated ? 0 : 1],
          [recordKey(actorId, { ...counts, base_reliability: number }), 1],
        ]),
      );
      await database.query(
        `UPDATE sessions s SET applied_records = s.applied_records || $3::jsonb WHERE ${WHERE_REF}`,
        [...address(ref), JSON.stringify(declared)],
      );
    },

    async declaredReliabilities(ref) {
      const { rows } = await database.query<{ applied: string }>(
        `SELECT s.applied_records::text AS applied FROM sessions s WHERE ${WHERE_REF}`,
        address(ref),
      );
      const declared = JSON.parse(rows[0]?.applied ?? '{}') as Record<string, number>;
      const before = (actorId: string, reliability: number) => declared[appliedHash(actorId, reliability)];
      return {
        of: (actorId, reliability) => before(actorId, reliability) ?? reliability,
        before: (actorId, reliability) =>
          declared[unstatedHash(actorId, reliability)] === 1 ? null : before(actorId, reliability),
        records: Object.keys(declared).filter((key) => key.startsWith(RECORD_KEY)),
      };
    },

    async recordsOf(scope, sources) {
      const { where, values } = inScope(scope);
      const hashes = sources.map(sourceHash);
      const { rows } = await database.query<SourceRow>(
        records(`${where} AND t.source_hash = ANY($${values.length + 1}::uuid[])`),
        [...values, [...new Set(hashes)]],
      );
      const byHash = new Map(rows.map((row) => [row.hash, toRecord(row)]));
      return hashes.map((hash) => byHash.get(hash) ?? null);
    },
  };
}

interface SourceRow {
  readonly hash: string;
  readonly folded: string;
  readonly source: string;
  readonly statements: number;
  readonly right: number;
  readonly reliability: number;
  readonly owners: readonly RecordOwner[];
}

/** Owners that the record of a source names. */
const OWNERS_MAX = 20;

function toRecord({ source, statements, right, reliability, owners }: SourceRow): StoredSourceRecord {
  const { name, source_type } = JSON.parse(source) as { name: string; source_type: string };
  return {
    name,
    sourceType: source_type,
    statements,
    right,
    reliability,
    owners: owners.slice(0, OWNERS_MAX),
  };
}

/** Case and runs of spaces do not tell sources apart; what text columns cannot hold is left out. */
function foldSource(name: string): string {
  return fold(name.normalize('NFKC'))
    .replace(/\0|\p{Cs}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

function sourceHash({ name, sourceType }: SourceName | StoredStatement): string {
  return hashId(JSON.stringify([sourceType, foldSource(name)]));
}

/** Names a source that has a reliability, which judgements move into their range. */
function appliedHash(actorId: string, reliability: number): string {
  return hashId(JSON.stringify([actorId, inRange(reliability)]));
}

/** Names the note that the session stated nothing under a number that a record gave. */
function unstatedHash(actorId: string, reliability: number): string {
  return hashId(JSON.stringify([actorId, inRange(reliability), 'unstated']));
}

function inRange(reliability: number): number {
  const { low, high } = RELIABILITY_RANGE;
  return Math.min(high, Math.max(low, reliability));
}

/** The condition on the session `s`, and its values. */
function inScope({ tenantId, sessionIds, ownerId }: OutcomeScope): { where: string; values: unknown[] } {
  return sessionIds === null
    ? {
        where: 's.tenant_id = $1 AND s.list_hash = $2::uuid',
        values: [tenantId, hashList(tenantId, ownerId)],
      }
    : {
        where: 's.tenant_id = $1 AND s.session_hash = ANY($2::uuid[])',
        values: [tenantId, sessionIds.map(hashId)],
      };
}

/** Records of sources, one row each; `condition` is on the session `s` and the statement `t`. */
function records(condition: string): string {
  return `SELECT hash::text AS hash, min(folded) AS folded, min(source) AS source, sum(said)::int AS statements,
    sum(of_these_right)::int AS right, (sum(reliabilities) / sum(said))::float8 AS reliability,
    json_agg(json_build_object('ownerId', owner_id, 'outcomes', outcomes, 'statements', said)
      ORDER BY said DESC, owner_id) AS owners
  FROM (
    SELECT t.source_hash AS hash, s.owner_id, min(t.source_folded) AS folded, min(t.source) AS source,
      count(*) AS said, count(*) FILTER (WHERE t.was_right) AS of_these_right, sum(t.reliability) AS reliabilities,
      count(DISTINCT (t.session_key, t.outcome_id)) AS outcomes
    FROM outcome_statements t JOIN sessions s ON s.key = t.session_key
    WHERE ${condition} /*+ AND t.tenant_id = $1 +*/ GROUP BY t.source_hash, s.owner_id
  ) of_owner GROUP BY hash`;
}

const PUT = `
WITH s AS (
  SELECT s.key FROM sessions s WHERE ${WHERE_REF} FOR UPDATE
), removed AS (
  DELETE FROM outcome_statements t USING s WHERE t.session_key = s.key AND t.outcome_id = $3::uuid
    /*+ AND t.tenant_id = $1 +*/ AND t.position >= cardinality($11::uuid[])
), put AS (
  INSERT INTO outcomes (/*+ tenant_id, +*/ session_key, id, body, known_at, recorded_at, forecast, chance, was_right, domain)
  SELECT /*+ $1, +*/ s.key, $3::uuid, $4::text, $5::timestamptz, $6::timestamptz, $7::text, $8::float8, $9::boolean, $10::text
  FROM s
  ON CONFLICT (/*+ tenant_id, +*/ session_key, id) DO UPDATE SET body = excluded.body, known_at = excluded.known_at,
    recorded_at = excluded.recorded_at, forecast = excluded.forecast, chance = excluded.chance,
    was_right = excluded.was_right, domain = excluded.domain
  RETURNING session_key, id
), said AS (
  INSERT INTO outcome_statements (/*+ tenant_id, +*/ session_key, outcome_id, position, source_hash, source, source_folded, reliability,
    was_right)
  SELECT /*+ $1, +*/ put.session_key, put.id, given.place - 1, given.hash, given.source, given.folded, given.reliability, given.was_right
  FROM put, unnest($11::uuid[], $12::text[], $13::text[], $14::float8[], $15::boolean[])
    WITH ORDINALITY AS given (hash, source, folded, reliability, was_right, place)
  ON CONFLICT (/*+ tenant_id, +*/ session_key, outcome_id, position) DO UPDATE SET source_hash = excluded.source_hash,
    source = excluded.source, source_folded = excluded.source_folded, reliability = excluded.reliability,
    was_right = excluded.was_right
)
SELECT id FROM put`;
