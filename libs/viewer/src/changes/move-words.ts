import { counted } from '../format/numbers.ts';
import { readable } from '../format/words.ts';
import type { VerdictMove } from '../snapshot.ts';

/** Steps of a percentage point in which moves are shown. */
const TENTHS = 1000;

/** Never −0. */
const inTenths = (move: number) => Math.round(move * TENTHS) || 0;

/**
 * A move and its parts in tenths of a percentage point, rounded so that the parts still sum to the move: what
 * rounding leaves over goes to the largest part. Pure.
 */
export function roundedParts({ move, parts }: Pick<VerdictMove, 'move' | 'parts'>): {
  readonly move: number;
  readonly parts: readonly number[];
} {
  const whole = inTenths(move);
  const rounded = parts.map((part) => inTenths(part.move));
  const rest = whole - rounded.reduce((sum, part) => sum + part, 0);
  const sizes = parts.map((part) => Math.abs(part.move));
  const largest = sizes.indexOf(Math.max(...sizes));
  return { move: whole, parts: rounded.map((part, index) => (index === largest ? part + rest : part)) };
}

/** Tenths of a percentage point with their sign: `+17.3 points`, `−0.4 points`, `0 points`. */
export function signedPoints(tenths: number): string {
  if (tenths === 0) return '0\u00a0points';
  return `${tenths < 0 ? '\u2212' : '+'}${(Math.abs(tenths) / 10).toFixed(1)}\u00a0points`;
}

/** What a part of a move is due to, `2 items`, `setting: decay half life days`. */
export function causeWords({ cause, item_count, settings }: VerdictMove['parts'][number]): string {
  if (cause === 'items') return counted(item_count, 'changed item');
  if (cause === 'settings')
    return `${settings.length === 1 ? 'setting' : 'settings'}: ${settings.map(readable).join(', ')}`;
  return cause === 'time' ? 'age, as time passed' : 'another version of the engine';
}
