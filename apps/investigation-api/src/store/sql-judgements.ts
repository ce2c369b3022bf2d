import type { Database } from '@platform/database';
import { address, isUuid, LATEST, WHERE_REF } from './sql-session-row.ts';
import type { Judgement, JudgementMeta, SessionStore } from './session-store.ts';

/** Stores the judgements of sessions and the interpretations that readers add. */
export function judgementStore(
  database: Database,
): Pick<SessionStore, 'saveJudgement' | 'listJudgements' | 'readJudgement' | 'setInterpretation'> {
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

    // SQL: one statement tells a session never judged from none; so does the next.
    async listJudgements(ref) {
      const { rows } = await database.query<JudgementRow<JudgementMeta>>(
        `SELECT ${META} FROM sessions s LEFT JOIN judgements j ON j.session_key = s.key WHERE ${WHERE_REF} ${LATEST}`,
        address(ref),
        'judgement-list',
      );
      return rows.length === 0 ? null : rows.filter(isThere);
    },

    async readJudgement(ref, id) {
      const isLatest = id === 'latest';
      const { rows } = await database.query<JudgementRow<Judgement>>(
        `SELECT ${META}, j.input_snapshot AS "inputSnapshot", j.result
         FROM sessions s LEFT JOIN judgements j ON j.session_key = s.key ${isLatest ? '' : 'AND j.id = $3::uuid'}
         WHERE ${WHERE_REF} ${LATEST} LIMIT 1`,
        isLatest ? address(ref) : [...address(ref), isUuid(id) ? id : null],
        isLatest ? 'judgement-latest' : 'judgement-read',
      );
      if (rows[0] === undefined) return 'no_session';
      return isThere(rows[0]) ? rows[0] : 'no_judgement';
    },

    // SQL: written only where the session was judged.
    async setInterpretation(ref, interpretation, now) {
      const { rows } = await database.query<{ isJudged: boolean }>(
        SET_INTERPRETATION,
        [...address(ref), interpretation === null ? null : JSON.stringify(interpretation), now],
        'interpretation-set',
      );
      if (rows[0] === undefined) return 'no_session';
      return rows[0].isJudged ? 'set' : 'never_judged';
    },
  };
}

/** A judgement, or a session's row without one. */
type JudgementRow<T> = T | { readonly id: null };

function isThere<T extends JudgementMeta>(row: JudgementRow<T>): row is T {
  return row.id !== null;
}

const META = 'j.id, j.judged_at AS "judgedAt", j.duration_ms AS "durationMs"';

const SAVE = `
WITH s AS (
  UPDATE sessions s SET judged_at = GREATEST($4::timestamptz, s.judged_at) WHERE ${WHERE_REF} RETURNING s.key
)
INSERT INTO judgements (id, session_key, judged_at, duration_ms, input_snapshot, result)
SELECT $3::uuid, s.key, $4::timestamptz, $5::int, $6::text, $7::text FROM s
RETURNING id`;

const SET_INTERPRETATION = `
UPDATE sessions s SET
  interpretation = CASE WHEN s.judged_at IS NULL THEN s.interpretation ELSE $3::text END,
  interpretation_updated_at = CASE WHEN s.judged_at IS NULL THEN NULL ELSE $4::timestamptz END
WHERE ${WHERE_REF}
RETURNING s.judged_at IS NOT NULL AS "isJudged"`;
