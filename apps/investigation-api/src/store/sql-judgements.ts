import type { Database } from '@platform/database';
import type { Prisma } from './prisma.ts';
import type { Judgement, JudgementMeta, NewJudgement, SessionRef, SessionStore } from './session-store.ts';
import { address, bySession, isUuid, LATEST, WHERE_REF } from './sql-session-row.ts';

/** Stores the judgements of sessions and the interpretations that readers add. */
export function judgementStore(
  database: Database,
  prisma: Prisma,
): Pick<
  SessionStore,
  'saveJudgement' | 'listJudgements' | 'readJudgement' | 'readQuotes' | 'setAnswer' | 'setInterpretation'
> {
  const isThere = async (ref: SessionRef) => (await prisma.session.count({ where: bySession(ref) })) > 0;

  // SQL: on distributed tables it names the tenant of both.
  /** Those columns of the judgement with an id, or of the latest. */
  async function readOne<Found>(
    ref: SessionRef,
    id: string,
    columns: string,
  ): Promise<Found | 'no_session' | 'no_judgement'> {
    if (id !== 'latest' && !isUuid(id)) return (await isThere(ref)) ? 'no_judgement' : 'no_session';
    const { rows } = await database.query<Found>(
      `SELECT ${columns} FROM ${OF_SESSION} AND ($3::uuid IS NULL OR j.id = $3) ${LATEST} LIMIT 1`,
      [...address(ref), id === 'latest' ? null : id],
    );
    // A session that was made or deleted meanwhile had no such judgement at some moment between.
    return rows[0] ?? ((await isThere(ref)) ? 'no_judgement' : 'no_session');
  }

  return {
    // SQL: the judgement, its session's time and the row of the outbox are written in one statement.
    async saveJudgement(ref, judgement) {
      const values = [...address(ref), ...judgementValues(judgement)];
      const { rowCount } = await database.query(SAVE, values, 'judgement-save');
      return rowCount > 0;
    },

    async listJudgements(ref) {
      const { rows } = await database.query<JudgementMeta>(
        `SELECT ${META} FROM ${OF_SESSION} ${LATEST}`,
        address(ref),
      );
      return rows.length > 0 || (await isThere(ref)) ? rows : null;
    },

    readJudgement: (ref, id) =>
      readOne<Judgement>(ref, id, `${META}, j.input_snapshot AS "inputSnapshot", j.result, j.quotes`),

    readQuotes: (ref, id) =>
      readOne<Pick<Judgement, 'id' | 'judgedAt' | 'quotes'>>(
        ref,
        id,
        'j.id, j.judged_at AS "judgedAt", j.quotes',
      ),

    // SQL: on distributed tables it names the tenant of both.
    async setAnswer(ref, judgementId, answer) {
      await database.query(SET_ANSWER, [...address(ref), judgementId, answer]);
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

const META = 'j.id, j.judged_at AS "judgedAt", j.duration_ms AS "durationMs"';
const OF_SESSION = `judgements j JOIN sessions s ON s.key = j.session_key
  WHERE ${WHERE_REF} /*+ AND j.tenant_id = $1 +*/`;

/**
 * Keeps a judgement of the session `s`, and the row of the outbox where the session is watched; its tenant
 * stands at $1, and the values of `judgementValues` at $3 to $10.
 */
export const KEEP_JUDGEMENT = `outbox AS (
  INSERT INTO watch_outbox (/*+ tenant_id, +*/ session_key, judgement_id, due_at)
  SELECT /*+ $1, +*/ s.key, $3::uuid, $4::timestamptz FROM s WHERE s.watched
)
INSERT INTO judgements (/*+ tenant_id, +*/ id, session_key, judged_at, duration_ms, input_snapshot, result, quotes, answer, revision)
SELECT /*+ $1, +*/ $3::uuid, s.key, $4::timestamptz, $5::int, $6::text, $7::text, $8::text, $9::text, $10::bigint FROM s
RETURNING id`;
export const JUDGED = `SET revision = s.revision + 1, judged_revision = GREATEST($10::bigint, s.judged_revision),
  judged_at = CASE
    WHEN s.judged_at IS NULL OR $10::bigint > s.judged_revision THEN $4::timestamptz
    WHEN $10::bigint = s.judged_revision THEN GREATEST($4::timestamptz, s.judged_at)
    ELSE s.judged_at END`;

export function judgementValues(judgement: NewJudgement): unknown[] {
  const {
    id,
    judgedAt,
    durationMs,
    inputSnapshot,
    result,
    quotes = null,
    answer = null,
    revision,
  } = judgement;
  return [id, judgedAt, durationMs, inputSnapshot, result, quotes, answer, revision];
}

const SET_ANSWER = `
UPDATE judgements j SET answer = $4::text FROM sessions s
WHERE ${WHERE_REF} AND j.session_key = s.key AND j.id = $3::uuid /*+ AND j.tenant_id = $1 +*/`;

const SAVE = `
WITH s AS (
  UPDATE sessions s ${JUDGED} WHERE ${WHERE_REF} RETURNING s.key, s.watched
), ${KEEP_JUDGEMENT}`;
