import { z } from './published-zod.ts';
import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../auth/caller.ts';
import { parseEtagCondition } from '../domain/etag.ts';
import { checkContents } from '../domain/validation.ts';
import type { MergeConflict } from '../search/merge.ts';
import type { Document } from '../store/document-store.ts';
import { rewrite, type ChangeTarget } from './change-file.ts';
import type { Deps } from './deps.ts';

export const MergeFile = z.strictObject({
  base_etag: z.string().describe('ETag of the version that `contents` were made from, with its quotes'),
  contents: z.string(),
});

export type MergeOutcome =
  | { readonly merged: true; readonly document: Document }
  | { readonly merged: false; readonly conflicts: readonly MergeConflict[] };

/** Ends the loop of `rewrite` without a write. */
class Conflicted extends Error {
  readonly conflicts: readonly MergeConflict[];
  constructor(conflicts: readonly MergeConflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }
}

/**
 * Three-way merge, line by line, of the version named by `base_etag`, the contents given and the current version. Clean: a new
 * version. Otherwise nothing is written and the conflicts are told. Errors: `unprocessable` when the base is no kept version.
 */
export async function mergeFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'clock' | 'heavyWork'>,
  caller: Caller,
  target: ChangeTarget,
  input: z.infer<typeof MergeFile>,
): Promise<MergeOutcome> {
  checkContents(input.contents);
  const base = await deps.documents.findVersionByEtag(caller.owner, target.head.id, baseTag(input.base_etag));
  if (base === null) throw new DomainError('unprocessable', '`base_etag` names no version that is kept');
  try {
    const document = await rewrite(deps, caller, target, async (current) => {
      const { merged, conflicts } = await deps.heavyWork.merge(
        base.contents,
        input.contents,
        current.contents,
      );
      if (conflicts.length > 0) throw new Conflicted(conflicts);
      return { contents: merged };
    });
    return { merged: true, document };
  } catch (error) {
    if (error instanceof Conflicted) return { merged: false, conflicts: error.conflicts };
    throw error;
  }
}

/** The one strong tag in `text`. */
function baseTag(text: string): string {
  const condition = parseEtagCondition('base_etag', text);
  if (condition === undefined || condition === '*' || condition.length !== 1 || condition[0]!.isWeak) {
    const details = { base_etag: 'must be one strong ETag with its quotes' };
    throw new DomainError('validation_failed', '`base_etag` must be one strong ETag', { details });
  }
  return condition[0]!.opaque;
}
