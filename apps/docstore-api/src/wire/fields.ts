import { problemWords } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { utf8Length } from '../rules/text.ts';

/** An object whose values are `of`, whatever its keys. Unlike `z.record` it keeps a key `__proto__`. */
export const mapOf = <Value>(of: z.ZodType<Value>) =>
  z
    .custom<Readonly<Record<string, Value>>>(
      (map) => typeof map === 'object' && map !== null && !Array.isArray(map),
      { error: 'must be an object', abort: true },
    )
    .superRefine((map, ctx) => {
      for (const [key, value] of Object.entries(map)) {
        const issues = of.safeParse(value, { error: problemWords }).error?.issues ?? [];
        for (const { message } of issues) ctx.addIssue({ code: 'custom', message, path: [key] });
      }
    });

/** Metadata of a document: a map of strings. */
export const Metadata = mapOf(z.string()).openapi({
  type: 'object',
  additionalProperties: { type: 'string' },
});
export type Metadata = z.infer<typeof Metadata>;

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
