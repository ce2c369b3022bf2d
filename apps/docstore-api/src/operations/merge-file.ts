import { z } from '@platform/error-contracts/zod-openapi';
import { DomainError } from '@platform/error-contracts';
import { requireDocument, requireFilename, type Caller } from '../auth/caller.ts';
import { CONTENTS_BYTES_MAX, RESPONSE_BYTES_MAX } from '../rules/limits.ts';
import { utf8Length } from '../rules/text.ts';
import { checkContents } from '../rules/validation.ts';
import type { MergeConflict } from '../search/merge.ts';
import type { Document, DocumentHead } from '../store/document-store.ts';
import { FileBody } from '../wire/document-body.ts';
import { fieldRefused } from '../wire/field-errors.ts';
import type { Deps } from '../ports.ts';
import { documentAbsent } from './shared/outcome.ts';
import { rewrite, type ChangeTarget } from './shared/rewrite.ts';

export const MergeFile = z.strictObject({
  base_etag: z.string().describe('ETag of the version that `contents` were made from, with its quotes'),
  contents: z.string(),
  markers: z.boolean().optional().describe('with conflicts, also give the text with conflict markers'),
});

/** Bytes of JSON besides the texts of a conflict. */
const CONFLICT_FRAME_BYTES = 64;

const Conflict = z.object({ base: z.string(), mine: z.string(), current: z.string(), base_line: z.int() });
/** The response of a merge: the new version, or the conflicts that prevented it. */
export const Merged = z
  .object({
    merged: z.boolean(),
    file: FileBody.optional(),
    conflicts: z.array(Conflict).optional(),
    etag: z.string().optional().describe('of the current version, which the conflicts are with'),
    more_conflicts: z.int().optional().describe('conflicts that are not listed, because 8 MiB of them are'),
    marked: z
      .string()
      .optional()
      .describe('the text with conflict markers, when `markers` is true and it is at most 4 MiB'),
  })
  .openapi('Merged');

interface Conflicts {
  readonly merged: false;
  readonly conflicts: readonly MergeConflict[];
  /** Conflicts that the response has no room for. */
  readonly more: number;
  /** Of the current version, opaque. */
  readonly etag: string;
  /** The text with conflict markers, when it was asked for. */
  readonly marked: string | undefined;
}
export type MergeOutcome = { readonly merged: true; readonly document: Document } | Conflicts;

/** Ends the loop of `rewrite` without a write. */
class Conflicted extends Error {
  readonly outcome: Conflicts;
  constructor(outcome: Conflicts) {
    super('conflicts');
    this.outcome = outcome;
  }
}

/**
 * Three-way merge, line by line, of the version named by `base_etag`, the contents given and the current
 * version. Clean: a new version. Otherwise nothing is written, and the outcome has the conflicts and the
 * current ETag. Errors: `unprocessable` when the base is no kept version.
 */
export async function mergeFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now' | 'compute'>,
  caller: Caller,
  target: ChangeTarget & { readonly head: DocumentHead; readonly revalidateCredential: () => Promise<void> },
  input: z.infer<typeof MergeFile>,
): Promise<MergeOutcome> {
  await requireDocument(caller, 'file:read', target.head.filename, documentAbsent);
  const baseEtag = baseTag(input.base_etag);
  checkContents(input.contents);
  const base = await deps.documents.findVersionByEtag(caller.owner, target.id, baseEtag);
  if (base === null) {
    const { id } = target;
    // The document may have been deleted since it was found, and its versions with it.
    if ((await deps.documents.findHeads([{ owner: caller.owner, id }])).length === 0) throw documentAbsent();
    throw new DomainError('unprocessable', '`base_etag` names no version that is kept');
  }
  await requireFilename(caller, 'file:read', base.filename);
  try {
    const document = await rewrite(deps, caller, target, async (current) => {
      // Conflicts quote stored text, and a clean merge reveals that nothing conflicts.
      await requireDocument(caller, 'file:read', current.filename, documentAbsent);
      const { merged, conflicts, marked } = await deps.compute.merge(
        caller.owner,
        base.contents,
        input.contents,
        current.contents,
      );
      await target.revalidateCredential();
      if (conflicts.length > 0) {
        const isShown = input.markers && marked !== null && utf8Length(marked) <= CONTENTS_BYTES_MAX;
        const shown = isShown ? marked : undefined;
        throw new Conflicted({ merged: false, ...listed(conflicts), etag: current.etag, marked: shown });
      }
      return { contents: merged };
    });
    return { merged: true, document };
  } catch (error) {
    if (error instanceof Conflicted) return error.outcome;
    throw error;
  }
}

/**
 * The conflicts that a response has room for, those at the start of the text first, and how many more there
 * are.
 */
function listed(conflicts: readonly MergeConflict[]): Pick<Conflicts, 'conflicts' | 'more'> {
  let room = RESPONSE_BYTES_MAX;
  const end = conflicts.findIndex(({ base, mine, current }) => {
    room -= CONFLICT_FRAME_BYTES + utf8Length(base) + utf8Length(mine) + utf8Length(current);
    return room < 0;
  });
  return end === -1
    ? { conflicts, more: 0 }
    : { conflicts: conflicts.slice(0, end), more: conflicts.length - end };
}

/** The opaque part of the one strong ETag that `text` is. */
function baseTag(text: string): string {
  const opaque = /^"([\x21\x23-\x7E]*)"$/.exec(text.trim())?.[1];
  if (opaque === undefined) {
    throw fieldRefused('base_etag', 'must be one strong ETag with its quotes');
  }
  return opaque;
}
