import { DomainError } from '@platform/error-contracts';
import { nameMeantBy, OBJECTS } from '@platform/opinion-fusion';
import { NOT_A_PROPERTY } from '../wire/read-input.ts';
import { placeHint, unknownFieldsOf } from '../wire/unknown-fields.ts';
import type { JsonSchema } from './tool-schema.ts';
import { short } from './words.ts';

/**
 * The refusal of a call with a line on each argument that the tool does not have, in front, because they are
 * what the call meant: `sessionId` or `session` for `session_id`, or the fields of an investigation inside
 * `payload`. It takes the place of the schema's own line on it. A line on a value of another type says which
 * was sent. Other errors come back as they are.
 */
export function withArgumentHints(error: DomainError, input: unknown, schema: JsonSchema): DomainError {
  if (error.kind !== 'unprocessable' || typeof input !== 'object' || input === null) return error;
  const known = Object.keys(schema['properties'] ?? {});
  const { names, total } = unknownFieldsOf(input, known);
  const free = known.filter((name) => !Object.hasOwn(input, name));
  const missing = ((schema['required'] ?? []) as readonly string[]).filter((name) => free.includes(name));
  const candidates = missing.length > 0 ? missing : free;
  const lines = names.map((name) => {
    const meantHere = nameMeantBy(name, free) ?? meantBy(name, free);
    const ofSession = nameMeantBy(name, SETTINGS);
    const place = placeHint([name], known) || (meantHere || !ofSession ? '' : placeHint([ofSession], known));
    const only = place === '' && total === 1 && candidates.length === 1 ? candidates[0] : undefined;
    const isFit = only !== undefined && isOfType((input as Sent)[name], schema, only);
    const meant = meantHere ?? (isFit ? only : undefined);
    const hint = meant === undefined ? place : `: name it \`${meant}\``;
    return `\`${name}\` is not an argument of this tool${hint || taking(known)}`;
  });
  if (total > names.length) lines.push(`and ${total - names.length} more are no arguments of this tool`);
  const isTold = (line: string) => names.some((name) => line.startsWith(`${name}: ${NOT_A_PROPERTY}`));
  const others = error.message.split('\n').filter((line) => !isTold(line));
  const told = [...lines, ...others.map((line) => withSent(line, input))].join('\n');
  return told === error.message ? error : new DomainError(error.kind, told, { cause: error });
}

type Sent = Readonly<Record<string, unknown>>;

/** Fields of a session that are not lists. */
const SETTINGS = Object.entries(OBJECTS.InvestigationInput)
  .filter(([, { kind }]) => kind !== 'list')
  .map(([name]) => name);

/** Whether a value may be meant for an argument: nothing but true or false is for one of these. */
function isOfType(value: unknown, schema: JsonSchema, name: string): boolean {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, { readonly type?: unknown }>>;
  const { type } = properties[name] ?? {};
  return type !== 'boolean' || typeof value === 'boolean';
}

/** The argument that a name is the last word of, as `id` of `claim_id`. */
function meantBy(name: string, free: readonly string[]): string | undefined {
  const own = letters(name);
  const ending = free.filter((one) => own.length > 1 && letters(one).endsWith(own));
  return ending.length === 1 || name === 'id' ? ending[0] : undefined;
}

/** Arguments named where none is meant; those of tools with more are in get_docs. */
const NAMED_MAX = 8;
const taking = (known: readonly string[]) =>
  known.length > 0 && known.length <= NAMED_MAX ? `, which takes ${known.join(', ')}` : '';

const WRONG_TYPE =
  /^([^:\s]+): must be (?:an? (?:array|boolean|number|object|string|whole number)|one of .*)$/;
const SENT_MAX = 60;

/** A line on a value of another type with the value that was sent, and what to send where that tells it. */
function withSent(line: string, input: object): string {
  const path = WRONG_TYPE.exec(line)?.[1];
  if (path === undefined) return line;
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  let sent: unknown = input;
  for (const key of keys) sent = (sent as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  if (sent === undefined) return line;
  return `${line}, not ${short(JSON.stringify(sent), SENT_MAX)}${remedyFor(line, sent)}`;
}

/** A line on a value of another type with what was sent, and what to send where that tells it. */
function remedyFor(line: string, sent: unknown): string {
  if (line.endsWith('an array')) return typeof sent === 'object' ? ': send a list, [{…}]' : '';
  const [, number, percent] =
    (typeof sent === 'string' && /^\s*(-?\d+(?:\.\d+)?) *(%?)\s*$/.exec(sent)) || [];
  if (number === undefined || !line.endsWith('number')) return '';
  return `: send ${percent === '' ? Number(number) : Number(number) / 100}`;
}

/** A name without what its spelling in another language sets apart: case, underscores and hyphens. */
function letters(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
