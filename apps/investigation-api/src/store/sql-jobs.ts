import { LEASE_IS_ACTIVE } from '@platform/authz-client';
import { isUniqueViolation, type Database } from '@platform/database';
import { JOB_ATTEMPTS_MAX, type Job, type JobStore, type OfferedJob, type RunningJob } from './job-store.ts';
import type { Prisma } from './prisma.ts';
import { JUDGED, judgementValues, KEEP_JUDGEMENT } from './sql-judgements.ts';
import { address, isUuid, WHERE_REF } from './sql-session-row.ts';

/** Tenants that one recovery looks at. */
const RECOVERED_MAX = 200;

/**
 * The record of jobs, the same on Postgres and PGlite. SQL: each step of a job is one statement, and so whole
 * or not at all.
 */
export function createSqlJobStore(database: Database, prisma: Prisma): JobStore {
  return {
    async add(ref, { id, requestedBy, lease, now }, waitingMax) {
      // Jobs of a tenant are added one at a time: two that count at once would both find room.
      const { rows } = await database.transaction(async (sql) => {
        await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`jobs ${ref.tenantId}`]);
        const values = [...address(ref), id, requestedBy, lease, now, waitingMax];
        return sql.query<{ added: number }>(ADD, values, 'job-add');
      });
      const found = rows[0];
      if (found === undefined) return 'no_session';
      return found.added > 0 ? 'added' : 'too_many';
    },

    async read(ref, id) {
      if (!isUuid(id)) return null;
      const { rows } = await database.query<Job>(
        `SELECT ${COLUMNS} FROM judgement_jobs j JOIN sessions s ON s.key = j.session_key
         WHERE ${WHERE_REF} AND j.tenant_id = $1 AND j.id = $3::uuid`,
        [...address(ref), id],
        'job-read',
      );
      return rows[0] ?? null;
    },

    async readAll(tenantId, ids) {
      const { rows } = await database.query<Job>(
        `SELECT ${COLUMNS} FROM judgement_jobs j WHERE j.tenant_id = $1 AND j.id = ANY($2::uuid[])`,
        [tenantId, ids],
        'job-read-all',
      );
      return rows;
    },

    async list(ref, limit) {
      const { rows } = await database.query<Job | { readonly id: null }>(
        `SELECT ${COLUMNS} FROM sessions s LEFT JOIN judgement_jobs j ON j.session_key = s.key AND j.tenant_id = $1
         WHERE ${WHERE_REF} ORDER BY j.created_at DESC, j.id DESC LIMIT $3`,
        [...address(ref), limit],
        'job-list',
      );
      return rows.length === 0 ? null : rows.filter((row) => row.id !== null);
    },

    async cancel(ref, id, now) {
      if (!isUuid(id)) return null;
      await database.query(
        `UPDATE judgement_jobs j SET state = 'cancelled', is_offered = NULL, due_at = NULL, finished_at = $4
         FROM sessions s WHERE ${WHERE_REF} AND s.key = j.session_key AND j.tenant_id = $1 AND j.id = $3::uuid
           AND j.state IN ('queued', 'running')`,
        [...address(ref), id, now],
      );
      return this.read(ref, id);
    },

    async offerNext(tenantId, dueAt) {
      try {
        const { rows } = await database.query<OfferedJob>(OFFER_NEXT, [tenantId, dueAt], 'job-offer');
        return rows[0] ?? null;
      } catch (error) {
        // Another replica has offered one of the tenant's in the same moment.
        if (isUniqueViolation(error)) return null;
        throw error;
      }
    },

    async begin({ tenantId, id, attempts }, now, dueAt) {
      const { rows } = await database.query<RunningJob>(
        BEGIN,
        [tenantId, id, attempts, now, dueAt],
        'job-begin',
      );
      return rows[0] ?? null;
    },

    async renew(jobs, dueAt) {
      const { rows } = await database.query<{ id: string }>(
        `UPDATE judgement_jobs j SET due_at = $5, progress = r.progress
         FROM unnest($1::text[], $2::uuid[], $3::int[], $4::text[]) AS r (tenant_id, id, attempts, progress)
         WHERE j.tenant_id = r.tenant_id AND j.id = r.id AND j.attempts = r.attempts AND j.state = 'running'
         RETURNING j.id`,
        [
          jobs.map(({ tenantId }) => tenantId),
          jobs.map(({ id }) => id),
          jobs.map(({ attempts }) => attempts),
          jobs.map(({ progress }) => progress),
          dueAt,
        ],
        'job-renew',
      );
      return rows.map(({ id }) => id);
    },

    async succeed({ tenantId, id, attempts }, judgement, now) {
      const values = [tenantId, id, ...judgementValues(judgement), attempts, now];
      const { rowCount } = await database.query(SUCCEED, values, 'job-succeed');
      return rowCount > 0;
    },

    async fail({ tenantId, id, attempts }, problem, now) {
      await database.query(
        `UPDATE judgement_jobs SET state = 'failed', problem = $4, due_at = NULL, finished_at = $5
         WHERE ${RUNNING}`,
        [tenantId, id, attempts, problem, now],
      );
    },

    async giveBack({ tenantId, id, attempts }, problem, now) {
      await database.query(`${giveBack('$4', '$5')} WHERE ${RUNNING}`, [
        tenantId,
        id,
        attempts,
        problem,
        now,
      ]);
    },

    async recover(now, dueAt, problem) {
      const { rows: waiting } = await database.query(
        `SELECT FROM judgement_jobs WHERE state IN ('queued', 'running') LIMIT 1`,
        [],
        'job-recover-any',
      );
      if (waiting.length === 0) return { offered: [], tenants: [] };
      await database.query(
        `${giveBack('$2', '$1')} WHERE state = 'running' AND due_at <= $1`,
        [now, problem],
        'job-recover',
      );
      const offered = await database.query<OfferedJob>(
        `UPDATE judgement_jobs SET due_at = $2 WHERE state = 'queued' AND is_offered AND due_at <= $1
         RETURNING ${OFFERED}`,
        [now, dueAt],
        'job-recover-offers',
      );
      const { rows } = await database.query<{ tenantId: string }>(WITHOUT_OFFER, [], 'job-recover-tenants');
      return { offered: offered.rows, tenants: rows.map(({ tenantId }) => tenantId) };
    },

    countWaiting: () => prisma.judgementJob.count({ where: { state: { in: ['queued', 'running'] } } }),

    async forget(before) {
      return (await prisma.judgementJob.deleteMany({ where: { finishedAt: { lt: before } } })).count;
    },
  };
}

const COLUMNS = `j.id, j.state, j.progress, j.judgement_id AS "judgementId", j.problem, j.created_at AS "createdAt",
  j.started_at AS "startedAt", j.finished_at AS "finishedAt"`;
const OFFERED = 'tenant_id AS "tenantId", id, attempts';
/** The job that a replica has begun, by what `begin` gave it. */
const RUNNING = `tenant_id = $1 AND id = $2::uuid AND attempts = $3 AND state = 'running'`;

const ADD = `
WITH s AS (
  SELECT s.key FROM sessions s WHERE ${WHERE_REF}
), waiting AS (
  SELECT count(*)::int AS count FROM judgement_jobs WHERE tenant_id = $1 AND state IN ('queued', 'running')
), added AS (
  INSERT INTO judgement_jobs (tenant_id, id, session_key, requested_by, lease, state, created_at)
  SELECT $1, $3::uuid, s.key, $4, $5, 'queued', $6 FROM s, waiting WHERE waiting.count < $7::int
  RETURNING id
)
SELECT (SELECT count(*) FROM added)::int AS added FROM s`;

/** At most one of a tenant is offered, so the queue, first in first out, takes tenants in turn. */
const OFFER_NEXT = `
UPDATE judgement_jobs SET is_offered = true, due_at = $2 WHERE tenant_id = $1 AND id = (
  SELECT id FROM judgement_jobs WHERE tenant_id = $1 AND state = 'queued' AND is_offered IS NULL
  ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
) AND NOT EXISTS (SELECT FROM judgement_jobs WHERE tenant_id = $1 AND is_offered)
RETURNING ${OFFERED}`;

const BEGIN = `
WITH begun AS (
  UPDATE judgement_jobs SET state = 'running', is_offered = NULL, attempts = attempts + 1, due_at = $5,
    started_at = COALESCE(started_at, $4)
  WHERE tenant_id = $1 AND id = $2::uuid AND attempts = $3 AND state = 'queued' AND is_offered
  RETURNING id, attempts, session_key, lease
)
SELECT s.tenant_id AS "tenantId", b.id, b.attempts, s.session_id AS "sessionId",
  COALESCE(b.lease, l.lease) AS "servedBy", ${LEASE_IS_ACTIVE} AS "wasActive"
FROM begun b JOIN sessions s ON s.key = b.session_key LEFT JOIN leases l ON l.owner = s.tenant_id
  AND CASE WHEN b.lease IS NULL THEN l.of_tenant ELSE l.lease = b.lease END`;

/** The session's row is locked first, as by every write on it. */
const SUCCEED = `
WITH held AS (
  SELECT s.key FROM sessions s JOIN judgement_jobs j ON j.session_key = s.key AND j.tenant_id = s.tenant_id
  WHERE s.tenant_id = $1 AND j.id = $2::uuid FOR UPDATE OF s
), job AS (
  UPDATE judgement_jobs j SET state = 'succeeded', judgement_id = $3::uuid, due_at = NULL, finished_at = $12
  FROM held WHERE j.tenant_id = $1 AND j.id = $2::uuid AND j.attempts = $11 AND j.state = 'running'
  RETURNING held.key AS session_key
), s AS (
  UPDATE sessions s ${JUDGED} FROM job WHERE s.tenant_id = $1 AND s.key = job.session_key
  RETURNING s.key, s.watched
), ${KEEP_JUDGEMENT}`;

/** Back among those that wait, or the end of what was begun too often; with what it fails and when. */
const giveBack = (problem: string, now: string) => `
UPDATE judgement_jobs SET due_at = NULL, progress = NULL,
  state = CASE WHEN attempts < ${JOB_ATTEMPTS_MAX} THEN 'queued' ELSE 'failed' END,
  problem = CASE WHEN attempts < ${JOB_ATTEMPTS_MAX} THEN NULL ELSE ${problem} END,
  finished_at = CASE WHEN attempts < ${JOB_ATTEMPTS_MAX} THEN NULL ELSE ${now}::timestamptz END`;

const WITHOUT_OFFER = `
SELECT DISTINCT j.tenant_id AS "tenantId" FROM judgement_jobs j WHERE j.state = 'queued'
  AND NOT EXISTS (SELECT FROM judgement_jobs o WHERE o.tenant_id = j.tenant_id AND o.is_offered)
LIMIT ${RECOVERED_MAX}`;
