import { z } from '@platform/error-contracts/zod-openapi';
import { requireFilename, requireRename, type Caller } from '../auth/caller.ts';
import { metadataProblem } from '../rules/validation.ts';
import type { Document } from '../store/document-store.ts';
import { fieldRefused } from '../wire/field-errors.ts';
import { Filename, MetadataPatch, type Metadata } from '../wire/fields.ts';
import type { Deps } from '../ports.ts';
import { documentAbsent } from './shared/outcome.ts';
import { rewrite, type ChangeTarget } from './shared/rewrite.ts';

export const PatchFile = z
  .strictObject({
    filename: Filename.optional(),
    metadata: MetadataPatch.nullable().optional(),
  })
  .describe(
    'JSON merge patch (RFC 7396): null removes a metadata key, or all of them; application/merge-patch+json is accepted too',
  );

/**
 * Applies a merge patch (RFC 7396) to filename and metadata; an empty one writes no version. Errors: those of
 * `replaceFile`.
 */
export async function patchFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  target: ChangeTarget,
  patch: z.infer<typeof PatchFile>,
): Promise<Document> {
  const { filename } = patch;
  if (filename !== undefined) await requireFilename(caller, 'file:write', filename);
  return rewrite(deps, caller, target, async (current) => {
    if (filename === undefined && patch.metadata === undefined) return null;
    if (filename !== undefined) await requireRename(caller, current.filename, filename, documentAbsent);
    const metadata =
      patch.metadata === undefined ? undefined : mergeMetadata(current.metadata, patch.metadata);
    const problem = metadata === undefined ? null : metadataProblem(metadata);
    if (problem !== null) throw fieldRefused('metadata', problem);
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
