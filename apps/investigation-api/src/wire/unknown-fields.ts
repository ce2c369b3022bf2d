import { nameMeantBy, OBJECTS } from '@platform/opinion-fusion';

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
 * worked. It says where to send them instead, or names those that there are, `known`, where they are few.
 */
export function unknownFieldWarnings({ names, total }: UnknownFields, known: readonly string[]): string[] {
  if (total === 0) return [];
  const more = total > names.length ? ` and ${total - names.length} more` : '';
  const listed = `${names.map(quoted).join(', ')}${more}`;
  const ignored =
    total === 1 ? `Unknown field ${listed} was ignored` : `Unknown fields ${listed} were ignored`;
  const taken =
    known.length > 0 && known.length <= TAKEN_MAX ? `; there are ${known.map(quoted).join(', ')}` : '';
  // A request that may have a payload made the session, and would be refused when sent again.
  const place =
    known.includes('payload') && names.every((name) => Object.hasOwn(OBJECTS.InvestigationInput, name))
      ? ': add them to the session, which is created, with update_investigation_session'
      : placeHint(names, known);
  return [`${ignored}${place || nameHint(names, known) || taken}.`];
}

/** What to name members that stand for known ones; empty where one of them does not. */
function nameHint(names: readonly string[], known: readonly string[]): string {
  const meant = names.map((name) => nameMeantBy(name, known));
  if (meant.includes(undefined)) return '';
  const each = names.map(
    (name, index) => `name ${names.length === 1 ? 'it' : quoted(name)} ${quoted(meant[index]!)}`,
  );
  return `: ${each.join(', ')}`;
}

/**
 * Where to send members instead of to a request with `known` ones: fields of an investigation inside
 * `payload` or next to it, whichever the request has, and of one that only names a session to the operation
 * that changes it. Empty for other members.
 */
export function placeHint(names: readonly string[], known: readonly string[]): string {
  const fields = names.filter((name) => Object.hasOwn(OBJECTS.InvestigationInput, name));
  const isPayload = names.includes('payload');
  if (!isPayload && fields.length === 0) return '';
  if (known.includes('claims')) return isPayload ? ': send the fields of `payload` at the top level' : '';
  if (known.includes('payload')) return ': send the fields of an investigation inside `payload`';
  if (!known.includes('session_id')) return '';
  const sent = isPayload ? 'the fields of `payload`' : fields.map(quoted).join(', ');
  return `: call update_investigation_session with ${sent} first, as ${isPayload || fields.length > 1 ? 'they belong' : 'it belongs'} to the session`;
}

const quoted = (name: string) => `\`${name}\``;
