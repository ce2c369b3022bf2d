import { z } from '@platform/error-contracts/zod-openapi';
import { requireFilename, type Caller } from '../auth/caller.ts';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import { createFileId } from '../rules/file-id.ts';
import { ANY_VERSION } from '../rules/precondition.ts';
import type { Document } from '../store/document-store.ts';
import { Contents, Filename, Metadata } from '../wire/fields.ts';
import type { Deps } from '../ports.ts';
import { requireWritten } from './shared/outcome.ts';

export const CreateFile = z.strictObject({
  filename: Filename,
  contents: Contents,
  metadata: Metadata.optional(),
});

/**
 * Stores a document under an id that the server makes. Errors: those of `checkContents`, `permission_denied`
 * for a filename outside the scope, `conflict` for a filename in use, `quota_exceeded`.
 */
export async function createFile(
  deps: Pick<Deps, 'documents' | 'quota' | 'now'>,
  caller: Caller,
  input: z.infer<typeof CreateFile>,
): Promise<Document> {
  const { filename, metadata = {} } = input;
  const contents = await prepareContents(input.contents);
  await requireFilename(caller, 'file:write', filename);
  const now = deps.now();
  const document = { id: createFileId(now), etag: createEtag(), filename, metadata, contents, now };
  const head = requireWritten(await deps.documents.create(caller.owner, document, deps.quota), ANY_VERSION);
  return { ...head, contents: input.contents };
}
