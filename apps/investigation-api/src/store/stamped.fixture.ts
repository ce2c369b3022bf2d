import type { SessionChange } from './session-store.ts';

/** Items that carry a stamp. */
export const STAMPED = 200;

/**
 * A change that writes `stamp` wherever a change writes: into the name, the settings and every item, and that
 * adds an item and removes another, so that a reader who sees two stamps at once, or a number of items that
 * is not `STAMPED + 1`, sees half.
 */
export function stampedChange(stamp: number): SessionChange {
  const item = (id: string) => ({ kind: 'claims' as const, id, body: JSON.stringify({ id, stamp }) });
  return {
    name: `${stamp}`,
    settings: { stamp },
    upserts: [...Array.from({ length: STAMPED }, (_, n) => item(`c${n}`)), item(`added ${stamp}`)],
    removals: [{ kind: 'claims', id: `added ${stamp - 1}` }],
    payloadBytesMax: 1e9,
    now: new Date(Date.parse('2026-01-01T00:00:00Z') + stamp),
  };
}
