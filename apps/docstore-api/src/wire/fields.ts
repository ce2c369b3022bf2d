import { z } from '@platform/error-contracts/zod-openapi';
import { utf8Length } from '../rules/text.ts';
import { filenameProblem, isWellFormed, metadataProblem } from '../rules/validation.ts';

/**
 * An object whose values all are what `is` tells, whatever its keys. Unlike `z.record` it keeps a key
 * `__proto__`. Values are not parsed by a schema, which takes tens of milliseconds to refuse thousands.
 */
const mapOf = <Value>(is: (value: unknown) => value is Value, message: string) =>
  z
    .custom<Readonly<Record<string, Value>>>(
      (map) => typeof map === 'object' && map !== null && !Array.isArray(map),
      { error: 'must be an object', abort: true },
    )
    .superRefine((map, ctx) => {
      for (const [key, value] of Object.entries(map))
        if (!is(value)) ctx.addIssue({ code: 'custom', message, path: [key] });
    });

/** Adds what `problem` says against a value to the issues of its field. */
const without =
  <Value>(problem: (value: Value) => string | null) =>
  (value: Value, ctx: z.RefinementCtx) => {
    const message = problem(value);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  };

export const Filename = z
  .string()
  .superRefine(without(filenameProblem))
  .describe('1 to 1,024 bytes of UTF-8, no control characters, unique per owner; `/` is allowed');

/**
 * Contents, whose size and characters are judged once every field is right (decisions page, "Order of
 * checks").
 */
export const Contents = z
  .string()
  .refine(isWellFormed, 'must be well-formed Unicode: it holds half of a surrogate pair')
  .describe('at most 4 MiB of UTF-8');

/** Metadata of a document: a map of strings. */
export const Metadata = mapOf((value) => typeof value === 'string', 'must be a string')
  .superRefine(without(metadataProblem))
  .openapi({ type: 'object', additionalProperties: { type: 'string' } })
  .describe('at most 16 KiB as JSON');
export type Metadata = z.infer<typeof Metadata>;

/** Metadata of a merge patch: null removes a key. The values that the patch sets must be valid metadata. */
export const MetadataPatch = mapOf((value) => value === null || typeof value === 'string', 'must be a string')
  .superRefine(without((patch) => metadataProblem(withoutNulls(patch))))
  .openapi({ type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } });

function withoutNulls(patch: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(patch).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Text of a query parameter: well-formed, without NUL, at most `bytesMax` bytes of UTF-8. */
export const queryText = (bytesMax: number) =>
  z
    .string()
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'must be well-formed Unicode without NUL',
    )
    .refine((value) => utf8Length(value) <= bytesMax, `must be at most ${bytesMax} bytes of UTF-8`);

/** A whole number in a query. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 0 });

/** The query parameter that sets the length of a page. */
export const pageLimit = wholeNumber
  .pipe(z.int().min(1).max(200))
  .default(50)
  .openapi({ type: 'integer', minimum: 1, maximum: 200, default: 50 });
