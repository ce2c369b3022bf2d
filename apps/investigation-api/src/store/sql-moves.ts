import type { Sql } from '@platform/database';
import type { Move } from '../model/entity.ts';
import { kindNumber } from '../model/item-columns.ts';
import { hashId } from './hash-id.ts';

/** An item of a list and what it is ordered by. */
interface Placed {
  readonly hash: string;
  readonly position: number;
}

interface HashMove {
  readonly hash: string;
  readonly before: string | null;
}

/**
 * Moves items of a session whose row is locked. See `SessionChange.moves`. SQL: one statement writes all
 * positions that change.
 */
export async function moveItems(
  sql: Sql,
  { key, tenantId }: { readonly key: number; readonly tenantId: string },
  moves: readonly Move[],
): Promise<void> {
  for (const kind of new Set(moves.map((move) => move.kind))) {
    const own = moves.filter((move) => move.kind === kind);
    const number = kindNumber({ kind });
    const { rows } = await sql.query<Placed>(READ_POSITIONS, [key, number, tenantId], 'session-positions');
    const changed = movedPositions(
      rows,
      own.map(({ id, before }) => ({ hash: hashId(id), before: before === null ? null : hashId(before) })),
    );
    if (changed.size === 0) continue;
    await sql.query(
      WRITE_POSITIONS,
      [key, number, [...changed.keys()], [...changed.values()], tenantId],
      'session-move',
    );
    // What is added later stands behind what was moved to the end.
    await sql.query(KEEP_NEXT_POSITION, [key, Math.max(...changed.values()) + 1, tenantId], 'session-next');
  }
}

/**
 * The positions that moves change, by item. An item that was removed has left its position free, so putting
 * it back changes no other; only where there is no room do the items take one another's positions.
 */
export function movedPositions(
  items: readonly Placed[],
  moves: readonly HashMove[],
): ReadonlyMap<string, number> {
  const old = new Map(items.map(({ hash, position }) => [hash, position]));
  const { order, moved } = inOrder(items, moves);
  const next = new Map<string, number>();
  for (let from = 0, to = 0; from < order.length; from = to + 1) {
    for (to = from; to < order.length && moved.has(order[to]!);) to += 1;
    const left = from === 0 ? undefined : old.get(order[from - 1]!)!;
    const right = to === order.length ? undefined : old.get(order[to]!)!;
    if (left !== undefined && right !== undefined && right - left <= to - from) {
      const positions = [...old.values()];
      return changedOf(old, new Map(order.map((hash, index) => [hash, positions[index]!])));
    }
    const first = left === undefined ? (right ?? 0) - (to - from) : left + 1;
    for (let at = from; at < to; at++) next.set(order[at]!, first + at - from);
  }
  return changedOf(old, next);
}

const changedOf = (old: ReadonlyMap<string, number>, next: ReadonlyMap<string, number>) =>
  new Map([...next].filter(([hash, position]) => old.get(hash) !== position));

/** The items in the order that the moves make, and which were moved. */
function inOrder(items: readonly Placed[], moves: readonly HashMove[]) {
  const moved = new Set<string>();
  // A ring: null stands before the first item and after the last.
  const before = new Map<string | null, string | null>();
  const after = new Map<string | null, string | null>();
  const link = (one: string | null, other: string | null) => {
    after.set(one, other);
    before.set(other, one);
  };
  const ring = [null, ...items.map(({ hash }) => hash), null];
  for (const [index, hash] of ring.slice(1).entries()) link(ring[index]!, hash);
  for (const { hash, before: next } of moves) {
    if (!after.has(hash) || !after.has(next) || hash === next) continue;
    link(before.get(hash)!, after.get(hash)!);
    link(before.get(next)!, hash);
    link(hash, next);
    moved.add(hash);
  }
  const order: string[] = [];
  for (let hash = after.get(null)!; hash !== null; hash = after.get(hash)!) order.push(hash);
  return { order, moved };
}

const READ_POSITIONS = `
SELECT e.id_hash::text AS hash, e.position FROM sessions s JOIN session_entities e ON e.session_key = s.key
WHERE s.key = $1::bigint AND s.tenant_id = $3 AND e.kind = $2 /*+ AND e.tenant_id = $3 +*/
ORDER BY e.position`;

const WRITE_POSITIONS = `
UPDATE session_entities e SET position = g.position
FROM unnest($3::uuid[], $4::bigint[]) AS g (id_hash, position), sessions s
WHERE s.key = $1::bigint AND s.tenant_id = $5 AND e.session_key = s.key AND e.kind = $2
  AND e.id_hash = g.id_hash /*+ AND e.tenant_id = $5 +*/`;

const KEEP_NEXT_POSITION = `
UPDATE sessions s SET next_position = GREATEST(s.next_position, $2::bigint), revision = s.revision + 1
WHERE s.key = $1::bigint AND s.tenant_id = $3`;
