import type { LeftOutList } from '../imported.ts';
import type { JsonObject } from '../read-json.ts';

/** An object of a bundle and where it stands. */
export interface Found {
  readonly object: JsonObject;
  readonly id: string;
  readonly path: string;
}

/** Types of objects that state something. */
export const STATES: ReadonlySet<string> = new Set([
  'relationship',
  'note',
  'report',
  'indicator',
  'observed-data',
  'sighting',
  'opinion',
]);

/** How confident the creator of an object is in it, 0 to 100; null where that is not stated. */
export function confidenceOf(object: JsonObject, path: string, leftOut: LeftOutList): number | null {
  const { confidence } = object;
  if (confidence === undefined || confidence === null) return null;
  if (Number.isInteger(confidence) && (confidence as number) >= 0 && (confidence as number) <= 100)
    return confidence as number;
  leftOut.add(`${path}.confidence`, 'must be a whole number from 0 to 100');
  return null;
}
