import { z } from '@platform/error-contracts/zod-openapi';
import { requireFilename, type Caller } from '../auth/caller.ts';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { createFileId } from '../rules/file-id.ts';
import { checkNames } from '../rules/validation.ts';
import type { Document } from '../store/document-store.ts';
import { Metadata } from '../wire/fields.ts';
import type { Deps } from '../ports.ts';
import { requireWritten } from './shared/outcome.ts';

export const CreateFile = z.strictObject({
  filename: z
    .string()
    .describe('1 to 1,024 bytes of UTF-8, no control characters, unique per owner; `/` is allowed'),
  contents: z.string().describe('at most 4 MiB of UTF-8'),
  metadata: Metadata.optional().describe('at most 16 KiB as JSON'),
});

/**
 * Stores a document under an id that the server makes. Errors: `validation_failed` and those of `checkContents` for its
 * fields, `permission_denied` for a filename outside the scope, `conflict` for a filename in use, `quota_exceeded`.
 */
export async function createFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  input: z.infer<typeof CreateFile>,
): Promise<Document> {
  const { filename, metadata = {} } = input;
  checkNames(filename, metadata);
  const contents = await prepareContents(input.contents);
  requireFilename(caller, 'file:write', filename);
  const now = deps.now();
  const document = { id: createFileId(now), etag: createEtag(), filename, metadata, contents, now };
  const head = requireWritten(await deps.documents.create(caller.owner, document, deps.quota));
  return { ...head, contents: input.contents };
}
