import type { Database } from '@platform/database';
import type { Prisma } from './prisma.ts';
import type { SessionRef, SessionStore } from './session-store.ts';
import { address, bySession, isUuid, keyOfSession, LATEST_FIRST, WHERE_REF } from './sql-session-row.ts';

/** Stores the judgements of sessions and the interpretations that readers add. */
export function judgementStore(
  database: Database,
  prisma: Prisma,
): Pick<
  SessionStore,
  'saveJudgement' | 'listJudgements' | 'readJudgement' | 'readQuotes' | 'setInterpretation'
> {
  const isThere = async (ref: SessionRef) => (await prisma.session.count({ where: bySession(ref) })) > 0;

  /** The judgement with an id, or the latest. */
  async function readOne<Found>(
    ref: SessionRef,
    id: string,
    find: (where: { id?: string; session: ReturnType<typeof bySession> }) => Promise<Found | null>,
  ): Promise<Found | 'no_session' | 'no_judgement'> {
    const session = bySession(ref);
    const found = id === 'latest' ? await find({ session }) : isUuid(id) ? await find({ id, session }) : null;
    // A session that was made or deleted meanwhile had no such judgement at some moment between.
    return found ?? ((await isThere(ref)) ? 'no_judgement' : 'no_session');
  }

  return {
    // SQL: the judgement, its session's time and the row of the outbox are written in one statement.
    async saveJudgement(ref, { id, judgedAt, durationMs, inputSnapshot, result, quotes = null }) {
      const { rowCount } = await database.query(
        SAVE,
        [...address(ref), id, judgedAt, durationMs, inputSnapshot, result, quotes],
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

    readJudgement: (ref, id) =>
      readOne(ref, id, (where) =>
        prisma.judgement.findFirst({
          where,
          select: { ...META, inputSnapshot: true, result: true, quotes: true },
          orderBy: LATEST_FIRST,
        }),
      ),

    readQuotes: (ref, id) =>
      readOne(ref, id, (where) =>
        prisma.judgement.findFirst({
          where,
          select: { id: true, judgedAt: true, quotes: true },
          orderBy: LATEST_FIRST,
        }),
      ),

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
  UPDATE sessions s SET judged_at = GREATEST($4::timestamptz, s.judged_at) WHERE ${WHERE_REF} RETURNING s.key, s.watched
), outbox AS (
  INSERT INTO watch_outbox (session_key, judgement_id, due_at)
  SELECT s.key, $3::uuid, $4::timestamptz FROM s WHERE s.watched
)
INSERT INTO judgements (id, session_key, judged_at, duration_ms, input_snapshot, result, quotes)
SELECT $3::uuid, s.key, $4::timestamptz, $5::int, $6::text, $7::text, $8::text FROM s
RETURNING id`;
