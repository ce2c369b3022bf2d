import { DomainError } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { requireAction, type Caller } from '../auth/caller.ts';
import { parseEtagCondition } from '../rules/etag.ts';
import { isFileId } from '../rules/file-id.ts';
import { CONTENTS_BYTES_MAX } from '../rules/limits.ts';
import { writeCondition } from '../rules/precondition.ts';
import type { DocumentHead } from '../store/document-store.ts';
import { fileBody, FileBody } from '../wire/document-body.ts';
import { parseFields } from '../wire/field-errors.ts';
import type { Deps } from '../ports.ts';
import { CreateFile, createFile } from './create-file.ts';
import { deleteFile } from './delete-file.ts';
import { getFile } from './get-file.ts';
import { ReplaceFile, replaceFile } from './replace-file.ts';
import { findHead } from './shared/find-document.ts';
import { documentAbsent } from './shared/outcome.ts';
import { writtenBody, type SentMetadata } from './shared/written-body.ts';

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

const batchOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item).min(1).max(ITEMS_MAX) });

export const Batch = batchOf(BatchItem);
/** A batch whose items are judged one by one, so that an ill-formed item is refused by its index alone. */
export const UnjudgedBatch = batchOf(z.unknown());

/** The results by the index of their item. */
export const BatchResults = z.object({
  results: z
    .array(
      z.object({
        status: z.int(),
        file: FileBody.optional(),
        error: z
          .object({
            code: z.string(),
            message: z.string(),
            request_id: z.string(),
            details: z.record(z.string(), z.string()).optional(),
            retry_after_seconds: z.int().optional().describe('when to send the item again, as Retry-After'),
          })
          .optional(),
      }),
    )
    .describe(
      'by the index of the item; documents read come up to 8 MiB together, one at the least, and later reads are payload_too_large: ask for them in another batch',
    ),
});

export interface ItemResult {
  readonly status: 200 | 201 | 204;
  readonly file?: FileBody;
}

/**
 * An item of a batch as it was sent. Throws `precondition_required` for a replacement without `if_match`, and
 * `validation_failed` for whatever else is not an item.
 */
export function parseBatchItem(value: unknown): BatchItem {
  const sent = value as { method?: unknown; if_match?: unknown } | null;
  if (typeof sent === 'object' && sent?.method === 'replace' && sent.if_match === undefined) {
    throw new DomainError(
      'precondition_required',
      'send `if_match` with the ETag of the version you have read',
    );
  }
  return parseFields(BatchItem, value, 'item') as BatchItem;
}

/**
 * Carries out one item of a batch: as `getFile`, `createFile`, `replaceFile` or `deleteFile`, with the same
 * errors. Items are independent; what one does stays done when another fails. A document of more than
 * `readBytesMax` bytes of contents is not read: `payload_too_large`.
 */
export async function runBatch(
  deps: Pick<Deps, 'documents' | 'lookUps' | 'quota' | 'now'>,
  caller: Caller,
  item: BatchItem,
  readBytesMax: number,
): Promise<ItemResult> {
  if ('id' in item && !isFileId(item.id)) throw documentAbsent();
  // The write refuses a document that has another filename than the one that is asked about here.
  const head =
    caller.policies !== undefined && 'id' in item && item.method !== 'get'
      ? await findHead(deps, caller, item.method === 'replace' ? 'file:write' : 'file:delete', item.id)
      : undefined;
  // Without its contents, which the caller has.
  const shown = (document: DocumentHead, sent: SentMetadata) => writtenBody(caller, fileBody(document), sent);
  switch (item.method) {
    case 'get': {
      requireAction(caller, 'file:read');
      // The head tells the size: a document without room is refused without its contents being read.
      if (readBytesMax < CONTENTS_BYTES_MAX) {
        const { size } = await findHead(deps, caller, 'file:read', item.id);
        if (size > readBytesMax) throw responseFull();
      }
      const read = await getFile(deps, caller, item.id, {});
      if (!read.isModified) throw new Error('invariant: a read without condition finds a document');
      return { status: 200, file: fileBody(read.found, read.found.contents) };
    }
    case 'create':
      requireAction(caller, 'file:write');
      return { status: 201, file: await shown(await createFile(deps, caller, item.file), item.file) };
    case 'replace': {
      requireAction(caller, 'file:write');
      return {
        status: 200,
        file: await shown(await replaceFile(deps, caller, { ...targetOf(item), head }, item.file), item.file),
      };
    }
    case 'delete':
      await deleteFile(deps, caller, targetOf(item));
      return { status: 204 };
  }
}

/** The error of a read for which the response to its batch has no room. */
export function responseFull(): DomainError {
  return new DomainError(
    'payload_too_large',
    'the response to this batch is full: ask for this document again, in another batch or by GET',
  );
}

function targetOf({ id, if_match }: { readonly id: string; readonly if_match?: string | undefined }) {
  return { id, condition: writeCondition({ ifMatch: parseEtagCondition('if_match', if_match) }) };
}
