import { PIECE_BYTES, piecesOf, type TextPieces } from '../model/text-pieces.ts';

/** One piece of a text; null where the text is. */
export interface PieceRow {
  /** Which piece it is, from 0. */
  readonly n: number;
  readonly piece: string | null;
}

/**
 * A statement whose one row has the text of `statement`, its column `text` in UTF-8, in pieces: one row each,
 * of which that with `n` 0 has the columns `others` as well. A driver that receives one text of 16 MB keeps
 * the event loop busy for as long as it takes to convert it, and Prisma reads a column as a whole.
 */
export function inPieces(statement: string, others: readonly string[] = []): string {
  const columns = others.map((name) => `CASE WHEN n = 0 THEN t."${name}" END AS "${name}", `).join('');
  // OFFSET 0: the text is made once, not for each piece.
  return `
SELECT n, ${columns}convert_from(substring(t.text FROM f + 1 FOR u - f), 'UTF8') AS piece
FROM (${statement} OFFSET 0) t,
  LATERAL generate_series(0, GREATEST(octet_length(t.text) - 1, 0) / ${PIECE_BYTES}) n,
  LATERAL (SELECT ${characterAt(`n * ${PIECE_BYTES}`)} AS f, ${characterAt(`(n + 1) * ${PIECE_BYTES}`)} AS u) b`;
}

/** Where the character with the byte at `place` begins: its later bytes begin with the bits 10. */
function characterAt(place: string): string {
  const begins = (back: number) =>
    `get_byte(t.text, ${place} - ${back}) & 192 <> 128 THEN ${place} - ${back}`;
  return `CASE WHEN ${place} >= octet_length(t.text) THEN octet_length(t.text)
    WHEN ${begins(0)} WHEN ${begins(1)} WHEN ${begins(2)} ELSE ${place} - 3 END`;
}

/** The text that `rows` have the pieces of; null where there is none. */
export async function textOfRows(rows: readonly PieceRow[]): Promise<TextPieces | null> {
  const inOrder = rows.toSorted((a, b) => a.n - b.n).map(({ piece }) => piece);
  return inOrder[0] == null ? null : piecesOf(inOrder as string[]);
}
