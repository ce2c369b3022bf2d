import { z } from '@platform/error-contracts/zod-openapi';
import { requireFilename, type Caller } from '../auth/caller.ts';
import { checkNames } from '../rules/validation.ts';
import type { Document } from '../store/document-store.ts';
import { mapOf, type Metadata } from '../wire/fields.ts';
import type { Deps } from '../ports.ts';
import { rewrite, type ChangeTarget } from './shared/rewrite.ts';

export const PatchFile = z
  .strictObject({
    filename: z.string().optional(),
    metadata: mapOf(z.string().nullable())
      .nullable()
      .optional()
      .openapi({ type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } }),
  })
  .describe(
    'JSON merge patch (RFC 7396): null removes a metadata key, or all of them; application/merge-patch+json is accepted too',
  );

/** Applies a merge patch (RFC 7396) to filename and metadata. Errors: those of `replaceFile`. */
export async function patchFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  target: ChangeTarget,
  patch: z.infer<typeof PatchFile>,
): Promise<Document> {
  const { filename } = patch;
  // A patch that breaks a rule by itself is refused whichever version it would have changed.
  checkNames(filename, mergeMetadata({}, patch.metadata ?? null));
  if (filename !== undefined) requireFilename(caller, 'file:write', filename);
  return rewrite(deps, caller, target, async (current) => {
    const metadata =
      patch.metadata === undefined ? undefined : mergeMetadata(current.metadata, patch.metadata);
    checkNames(undefined, metadata);
    return {
      ...(filename === undefined ? {} : { filename }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  });
}

function mergeMetadata(
  current: Metadata,
  patch: Readonly<Record<string, string | null>> | null,
): Record<string, string> {
  if (patch === null) return {};
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
