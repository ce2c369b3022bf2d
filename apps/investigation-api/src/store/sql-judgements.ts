import type { Database } from '@platform/database';
import type { Prisma } from './prisma.ts';
import type { SessionRef, SessionStore } from './session-store.ts';
import { address, bySession, isUuid, keyOfSession, LATEST_FIRST, WHERE_REF } from './sql-session-row.ts';

/** Stores the judgements of sessions and the interpretations that readers add. */
export function judgementStore(
  database: Database,
  prisma: Prisma,
): Pick<SessionStore, 'saveJudgement' | 'listJudgements' | 'readJudgement' | 'setInterpretation'> {
  const isThere = async (ref: SessionRef) => (await prisma.session.count({ where: bySession(ref) })) > 0;
  return {
    // SQL: the judgement and its session's time are written in one statement.
    async saveJudgement(ref, { id, judgedAt, durationMs, inputSnapshot, result }) {
      const { rowCount } = await database.query(
        SAVE,
        [...address(ref), id, judgedAt, durationMs, inputSnapshot, result],
        'judgement-save',
      );
      return rowCount > 0;
    },

    async listJudgements(ref) {
      const found = await prisma.session.findUnique({
        where: keyOfSession(ref),
        select: { judgements: { select: META, orderBy: LATEST_FIRST } },
      });
      return found?.judgements ?? null;
    },

    async readJudgement(ref, id) {
      const which = id === 'latest' ? {} : { id };
      const found =
        id === 'latest' || isUuid(id)
          ? await prisma.judgement.findFirst({
              where: { ...which, session: bySession(ref) },
              select: { ...META, inputSnapshot: true, result: true },
              orderBy: LATEST_FIRST,
            })
          : null;
      // A session that was made or deleted meanwhile had no such judgement at some moment between.
      return found ?? ((await isThere(ref)) ? 'no_judgement' : 'no_session');
    },

    async setInterpretation(ref, text, now) {
      const interpretation = text === null ? null : JSON.stringify(text);
      const { count } = await prisma.session.updateMany({
        where: { ...bySession(ref), judgedAt: { not: null } },
        data: { interpretation, interpretationUpdatedAt: now },
      });
      if (count > 0) return 'set';
      return (await isThere(ref)) ? 'never_judged' : 'no_session';
    },
  };
}

const META = { id: true, judgedAt: true, durationMs: true };

const SAVE = `
WITH s AS (
  UPDATE sessions s SET judged_at = GREATEST($4::timestamptz, s.judged_at) WHERE ${WHERE_REF} RETURNING s.key
)
INSERT INTO judgements (id, session_key, judged_at, duration_ms, input_snapshot, result)
SELECT $3::uuid, s.key, $4::timestamptz, $5::int, $6::text, $7::text FROM s
RETURNING id`;
