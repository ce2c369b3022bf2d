import { EXPORT_FORMATS, IMPORT_FORMATS } from '@platform/interchange/formats';
import { z } from '@platform/error-contracts/zod-openapi';
import { INPUT_SCHEMAS } from './investigation-schema.ts';
import { UpdateSessionStatus } from './session-schema.ts';

export const ImportReference = z.strictObject({
  format: z.enum(IMPORT_FORMATS),
  session: z
    .string()
    .min(1)
    .optional()
    .describe('Session to merge the items into; without it nothing is kept.'),
  same_names: z
    .enum(['apart', 'one'])
    .optional()
    .describe(
      'one takes a source or subject of the file as the one that has its name; apart, as without it, keeps both.',
    ),
  dates: z
    .enum(['day_first', 'month_first'])
    .optional()
    .describe(
      'How a workbook means texts such as `05/06/2024` where their column does not show it; without it such a workbook is refused.',
    ),
  numbers: z
    .enum(['decimal_comma', 'decimal_point'])
    .optional()
    .describe(
      'The same of texts such as `1.250 m` among the values of a workbook; cells that are numbers need none.',
    ),
  preview: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true compares the file with `session` and keeps nothing: what the import would leave out and warn of.',
    ),
});

export const ExportReference = z.strictObject({ session_id: z.string(), format: z.enum(EXPORT_FORMATS) });

const count = z.int().min(0);

export const ImportResponse = z
  .object({
    format: z.enum(IMPORT_FORMATS),
    counts: z.object({ actors: count, subjects: count, claims: count, evidence: count }),
    left_out: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe(
        'What the investigation lacks of the file, and settings and items of the session that the file states otherwise or withdraws and that stay, at most 200.',
      ),
    left_out_total: count,
    warnings: z
      .array(z.string())
      .describe(
        'Items that take the place of others with the same id, say something else than before, or lose fields that the file does not state; sources and subjects that have the name of another one; spellings of one property or scope, which are judged apart; and items that may have been deleted before; at most 20.',
      ),
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Where a session was named: the settings of the file, such as its question and domain, that the session takes because it holds no item and does not set them. Others that differ are in `left_out`.',
      ),
    payload: INPUT_SCHEMAS.InvestigationInput,
    session: UpdateSessionStatus.optional().describe('What merging did, where a session was named.'),
  })
  .openapi('ImportResponse');
