import { refuse } from '../wire/read-input.ts';

/** Levels of arrays and objects in arguments, as bodies of REST have them. */
const DEPTH_MAX = 64;

/**
 * The arguments, if JSON can spell them and they are not too deep. Throws `unprocessable` naming what it
 * cannot.
 */
export function checkedArguments(value: unknown): unknown {
  const infinite = pathOfInfinite(value, 0);
  if (infinite !== null) throw refuse([`${infinite}: must be a number up to ±1.8e308, the largest there is`]);
  return value;
}

/**
 * Where a number stands that was written beyond the largest there is: as JSON it would become null. null =
 * nowhere.
 */
function pathOfInfinite(value: unknown, depth: number): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEPTH_MAX) throw refuse([`$: nested deeper than ${DEPTH_MAX} levels`]);
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const inner = pathOfInfinite((value as Record<string, unknown>)[key], depth + 1);
    if (inner === null) continue;
    const step = isList ? `[${key}]` : key;
    return inner === '' || inner.startsWith('[') ? `${step}${inner}` : `${step}.${inner}`;
  }
  return null;
}
