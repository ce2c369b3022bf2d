import type { Database } from '@platform/database';
import { MEMBERS_MAX, type Member, type MemberStore } from './member-store.ts';
import { sqlKeptByLease } from './sql-kept-by-lease.ts';
import { address, WHERE_REF } from './sql-session-row.ts';

const COLUMNS = 'm.user_id AS "userId", m.role, m.lease, m.invited_at AS "invitedAt"';
/** Invitations of the session `s`. */
const OF_SESSION = 'm.tenant_id = s.tenant_id AND m.session_key = s.key';
const INVITED = 'session_members k JOIN leases l ON l.owner = k.tenant_id AND l.of_tenant';

/** Stores who is invited to sessions. SQL: on distributed tables it names the tenant of both. */
export function memberStore(database: Database): MemberStore {
  return {
    async readRole(ref, { userId, lease }) {
      if (lease === null) return null;
      const { rows } = await database.query<Pick<Member, 'role'>>(
        `SELECT m.role FROM sessions s JOIN session_members m ON ${OF_SESSION}
         WHERE ${WHERE_REF} AND m.user_id = $3 AND m.lease = $4`,
        [...address(ref), userId, lease],
        'member-role',
      );
      return rows[0]?.role ?? null;
    },

    async listMembers(ref) {
      const { rows } = await database.query<Member>(
        `SELECT ${COLUMNS} FROM sessions s JOIN session_members m ON ${OF_SESSION}
         WHERE ${WHERE_REF} ORDER BY m.invited_at, m.user_id`,
        address(ref),
      );
      return rows;
    },

    // Under the lock of the session, so that its members are counted one after the other.
    putMember: (ref, { userId, role, lease, now }) =>
      database.transaction(async (sql) => {
        const locked = await sql.query<{ key: number }>(
          `SELECT s.key FROM sessions s WHERE ${WHERE_REF} FOR UPDATE`,
          address(ref),
        );
        const session = locked.rows[0];
        if (session === undefined) return 'no_session';
        const counted = await sql.query<{ others: number }>(
          `SELECT count(*)::int AS others FROM session_members m
           WHERE m.tenant_id = $1 AND m.session_key = $2 AND m.user_id <> $3 AND m.ended_at IS NULL`,
          [ref.tenantId, session.key, userId],
        );
        if (counted.rows[0]!.others >= MEMBERS_MAX) return 'full';
        const { rows } = await sql.query<Member>(
          `INSERT INTO session_members AS m (tenant_id, session_key, user_id, role, lease, invited_at)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (tenant_id, session_key, user_id) DO UPDATE SET role = $4, lease = $5, ended_at = NULL,
             invited_at = CASE WHEN m.lease = $5 THEN m.invited_at ELSE $6 END
           RETURNING ${COLUMNS}`,
          [ref.tenantId, session.key, userId, role, lease, now],
        );
        return rows[0]!;
      }),

    deleteMember: (ref, userId) =>
      database.transaction(async (sql) => {
        const { rowCount } = await sql.query(
          `DELETE FROM session_members m USING sessions s WHERE ${OF_SESSION} AND ${WHERE_REF} AND m.user_id = $3`,
          [...address(ref), userId],
        );
        if (rowCount === 0) return false;
        // The member's subscriptions count toward the session's limit, and nobody else could delete them.
        await sql.query(
          `DELETE FROM watch_subscriptions w USING sessions s
           WHERE ${WHERE_REF} AND w.session_key = s.key AND w.subscriber_id = $3`,
          [...address(ref), userId],
        );
        return true;
      }),

    invitations: sqlKeptByLease(database, 'session_members', INVITED),
  };
}
