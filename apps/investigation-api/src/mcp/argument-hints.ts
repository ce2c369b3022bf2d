import { DomainError } from '@platform/error-contracts';
import { unknownFieldsOf, unknownFieldWarnings } from '../wire/unknown-fields.ts';
import type { JsonSchema } from './tool-schema.ts';

/**
 * The refusal of a call with a line on the arguments that the tool does not have, in front, because they
 * are what the call meant: `sessionId` for `session_id`, or the fields of an investigation inside
 * `payload`. Other errors come back as they are.
 */
export function withArgumentHints(error: DomainError, input: unknown, schema: JsonSchema): DomainError {
  if (error.kind !== 'unprocessable' || typeof input !== 'object' || input === null) return error;
  const known = Object.keys((schema['properties'] ?? {}) as object);
  const unknown = unknownFieldsOf(input, known);
  const hints = unknown.names.flatMap((name) => {
    const meant = known.find((one) => letters(one) === letters(name));
    return meant === undefined ? [] : [`\`${name}\` is not an argument of this tool: name it \`${meant}\``];
  });
  const lines = hints.length > 0 ? hints : unknownFieldWarnings(unknown);
  if (lines.length === 0) return error;
  return new DomainError(error.kind, [...lines, error.message].join('\n'), { cause: error });
}

/** A name without what its spelling in another language sets apart: case, underscores and hyphens. */
function letters(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
