import { z } from '@platform/error-contracts/zod-openapi';
import { mayTouch, requireAction, type Caller } from '../auth/caller.ts';
import { parseEtagCondition } from '../rules/etag.ts';
import { isFileId } from '../rules/file-id.ts';
import { writeCondition } from '../rules/precondition.ts';
import type { Document } from '../store/document-store.ts';
import { fileBody, FileBody, unreadableBody } from '../wire/document-body.ts';
import type { Deps } from '../ports.ts';
import { CreateFile, createFile } from './create-file.ts';
import { deleteFile } from './delete-file.ts';
import { getFile } from './get-file.ts';
import { ReplaceFile, replaceFile } from './replace-file.ts';
import { documentAbsent } from './shared/outcome.ts';

const ITEMS_MAX = 100;

const id = z.string();
const ifMatch = z.string().describe('as the header If-Match');

export const BatchItem = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('get'), id }),
  z.strictObject({ method: z.literal('create'), file: CreateFile }),
  z.strictObject({ method: z.literal('replace'), id, if_match: ifMatch, file: ReplaceFile }),
  z.strictObject({ method: z.literal('delete'), id, if_match: ifMatch.optional() }),
]);
export type BatchItem = z.infer<typeof BatchItem>;

export const Batch = z.strictObject({ items: z.array(BatchItem).min(1).max(ITEMS_MAX) });

/** The results by the index of their item. */
export const BatchResults = z.object({
  results: z.array(
    z.object({
      status: z.int(),
      file: FileBody.optional(),
      error: z
        .object({
          code: z.string(),
          message: z.string(),
          details: z.record(z.string(), z.string()).optional(),
        })
        .optional(),
    }),
  ),
});

export interface ItemResult {
  readonly status: 200 | 201 | 204;
  readonly file?: FileBody;
}

/**
 * Carries out one item of a batch: as `getFile`, `createFile`, `replaceFile` or `deleteFile`, with the same errors. Items are
 * independent; what one does stays done when another fails.
 */
export async function runBatch(
  deps: Pick<Deps, 'documents' | 'lookUps' | 'quota' | 'now'>,
  caller: Caller,
  item: BatchItem,
): Promise<ItemResult> {
  if ('id' in item && !isFileId(item.id)) throw documentAbsent();
  switch (item.method) {
    case 'get': {
      requireAction(caller, 'file:read');
      const read = await getFile(deps, caller, item.id, {});
      if (!read.isModified) throw new Error('invariant: a read without condition finds a document');
      return { status: 200, file: fileBody(read.found, read.found.contents) };
    }
    case 'create':
      requireAction(caller, 'file:write');
      return { status: 201, file: shown(caller, await createFile(deps, caller, item.file)) };
    case 'replace': {
      requireAction(caller, 'file:write');
      return { status: 200, file: shown(caller, await replaceFile(deps, caller, targetOf(item), item.file)) };
    }
    case 'delete':
      await deleteFile(deps, caller, targetOf(item));
      return { status: 204 };
  }
}

function targetOf({ id, if_match }: { readonly id: string; readonly if_match?: string | undefined }) {
  return { id, condition: writeCondition({ ifMatch: parseEtagCondition('if_match', if_match) }) };
}

/** What was written, without its contents, which the caller has. */
function shown(caller: Caller, document: Document): FileBody {
  return mayTouch(caller, 'file:read', document.filename) ? fileBody(document) : unreadableBody(document);
}
