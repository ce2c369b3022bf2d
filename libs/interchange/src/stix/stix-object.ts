import type { LeftOutList } from '../imported.ts';
import { plainText, type JsonObject } from '../read-json.ts';

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

/** Fields of every object that are read, or are versions of it and state nothing. */
const READ =
  'type spec_version id created modified created_by_ref revoked labels confidence external_references';
/**
 * Those of its type, in a map, because a file may call a type `toString`. Of others the name alone is read,
 * where a statement names them.
 */
const READ_OF_TYPE = new Map(
  Object.entries({
    relationship: 'relationship_type source_ref target_ref description start_time stop_time',
    note: 'content description abstract',
    report: 'name description published',
    indicator: 'name pattern pattern_type pattern_version indicator_types description valid_from valid_until',
    'observed-data': 'object_refs objects first_observed last_observed',
    sighting: 'sighting_of_ref description first_seen last_seen count',
    opinion: 'opinion explanation authors object_refs',
  }),
);

/** The fields of an object that its reader reads. */
export function fieldsRead(object: JsonObject, nameField: string | undefined): string[] {
  const type = plainText(object['type']);
  const fields = [READ, READ_OF_TYPE.get(type) ?? ''].flatMap((names) => names.split(' '));
  if (!STATES.has(type))
    return [...fields, 'x_opencti_reliability', ...(nameField === undefined ? [] : [nameField])].filter(
      (field) => !OF_STATEMENTS.includes(field),
    );
  // What nobody created is by its authors.
  return fields.concat(object['created_by_ref'] === undefined ? 'authors' : [], 'x_opencti_reliability');
}
/** Read of what states something, and not of what it is about. */
const OF_STATEMENTS = ['confidence', 'external_references', 'revoked'];
