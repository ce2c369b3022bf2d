import { DomainError } from '@platform/error-contracts';
import { NOT_A_PROPERTY } from '../wire/read-input.ts';
import { placeHint, unknownFieldsOf } from '../wire/unknown-fields.ts';
import type { JsonSchema } from './tool-schema.ts';

/**
 * The refusal of a call with a line on each argument that the tool does not have, in front, because they are
 * what the call meant: `sessionId` for `session_id`, or the fields of an investigation inside `payload`. It
 * takes the place of the schema's own line on it. Other errors come back as they are.
 */
export function withArgumentHints(error: DomainError, input: unknown, schema: JsonSchema): DomainError {
  if (error.kind !== 'unprocessable' || typeof input !== 'object' || input === null) return error;
  const known = Object.keys((schema['properties'] ?? {}) as object);
  const { names, total } = unknownFieldsOf(input, known);
  if (total === 0) return error;
  const lines = names.map((name) => {
    const meant = known.find((one) => letters(one) === letters(name));
    const hint = meant === undefined ? placeHint([name]) : `: name it \`${meant}\``;
    return `\`${name}\` is not an argument of this tool${hint}`;
  });
  if (total > names.length) lines.push(`and ${total - names.length} more are no arguments of this tool`);
  const isTold = (line: string) => names.some((name) => line === `${name}: ${NOT_A_PROPERTY}`);
  const others = error.message.split('\n').filter((line) => !isTold(line));
  return new DomainError(error.kind, [...lines, ...others].join('\n'), { cause: error });
}

/** A name without what its spelling in another language sets apart: case, underscores and hyphens. */
function letters(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
