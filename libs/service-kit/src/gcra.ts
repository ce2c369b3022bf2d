/** How fast a subject may go, in the unit of the clock it is counted by. */
export interface GcraPace {
  /** From one request to the next at the sustained rate. */
  readonly interval: number;
  /** How far ahead of that rate a burst may run: `interval` times the burst less one. */
  readonly tolerance: number;
}

/**
 * One step of the generic cell rate algorithm (ITU-T I.371, Annex A, virtual scheduling). `stored` is all
 * that is kept of a subject, the theoretical arrival time of its next request; undefined = none yet. Returns
 * `wait`, the time until this request would be let through, to be let through now if it is 0 or less, and
 * `next`, what to keep in that case. All in the unit of `now`.
 *
 * An arrival further ahead than two bursts run comes from a clock that has been set back since, and counts
 * for nothing; after a smaller step nobody gets a second burst.
 */
export function stepGcra(
  stored: number | undefined,
  now: number,
  { interval, tolerance }: GcraPace,
): { readonly next: number; readonly wait: number } {
  const isAhead = stored !== undefined && stored > now && stored <= now + 2 * (interval + tolerance);
  const expected = isAhead ? stored : now;
  return { next: expected + interval, wait: expected - tolerance - now };
}

/** The same step in Lua, for scripts of Redis: `stored` is a reply of GET; returns `next`, `wait`. */
export const GCRA_LUA = `
local function step_gcra(stored, now, interval, tolerance)
  local expected = tonumber(stored or now)
  if expected < now or expected > now + 2 * (interval + tolerance) then expected = now end
  return expected + interval, expected - tolerance - now
end
`;
