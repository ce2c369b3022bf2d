import { OBJECTS } from '@platform/opinion-fusion';

/** Members of a request that it does not have: the first few by name, and how many they are. */
export interface UnknownFields {
  readonly names: readonly string[];
  readonly total: number;
}

/** Unknown members that are named; a request may hold a million. */
const NAMED_MAX = 5;
const CHARACTERS_MAX = 60;

export function unknownFieldsOf(sent: object, known: readonly string[]): UnknownFields {
  const unknown = Object.keys(sent).filter((key) => !known.includes(key));
  return {
    names: unknown.slice(0, NAMED_MAX).map((key) => key.slice(0, CHARACTERS_MAX)),
    total: unknown.length,
  };
}

/** Members that a request takes are named where they are no more than this. */
const TAKEN_MAX = 8;

/**
 * A sentence on the members that were ignored, if there are any: a misspelt one would pass for one that
 * worked. It names those that there are, `known`, where they are few.
 */
export function unknownFieldWarnings(
  { names, total }: UnknownFields,
  known: readonly string[] = [],
): string[] {
  if (total === 0) return [];
  const more = total > names.length ? ` and ${total - names.length} more` : '';
  const listed = `${names.map((name) => `\`${name}\``).join(', ')}${more}`;
  const ignored =
    total === 1 ? `Unknown field ${listed} was ignored` : `Unknown fields ${listed} were ignored`;
  const taken =
    known.length > 0 && known.length <= TAKEN_MAX
      ? `; there are ${known.map((name) => `\`${name}\``).join(', ')}`
      : '';
  return [`${ignored}${placeHint(names) || taken}.`];
}

/**
 * Where to send members instead, after the two usual slips: fields of an investigation beside `payload`, and
 * `payload` where its fields are expected. Empty for other members.
 */
export function placeHint(names: readonly string[]): string {
  if (names.includes('payload')) return ': send the fields of `payload` at the top level';
  return names.some((name) => Object.hasOwn(OBJECTS.InvestigationInput, name))
    ? ': send the fields of an investigation inside `payload`'
    : '';
}
