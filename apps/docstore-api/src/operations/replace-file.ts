import type { z } from '@platform/error-contracts/zod-openapi';
import { renamedNames, requireFilename, requireRename, writtenNames, type Caller } from '../auth/caller.ts';
import { prepareContents } from '../rules/contents.ts';
import { createEtag } from '../rules/etag.ts';
import type { Document, DocumentHead } from '../store/document-store.ts';
import type { Deps } from '../ports.ts';
import { CreateFile } from './create-file.ts';
import { documentAbsent, requireWritten } from './shared/outcome.ts';
import type { ChangeTarget } from './shared/rewrite.ts';

type ReplacePorts = Pick<Deps, 'documents' | 'quota' | 'now'>;

export const ReplaceFile = CreateFile;

/**
 * Replaces filename and contents, and metadata when it is given. `head`, where it is known, tells a document
 * that policies hide from one that a key does not reach. Errors: those of `createFile`, `not_found`,
 * EtagMismatch.
 */
export async function replaceFile(
  deps: ReplacePorts,
  caller: Caller,
  { id, condition, head }: ChangeTarget & { readonly head?: DocumentHead | undefined },
  input: z.infer<typeof ReplaceFile>,
): Promise<Document> {
  const { filename, metadata } = input;
  const contents = await prepareContents(input.contents);
  await requireFilename(caller, 'file:write', filename);
  if (head !== undefined) await requireRename(caller, head.filename, filename, documentAbsent);
  const change = {
    id,
    condition,
    newEtag: createEtag(),
    names: await renamedNames(caller, filename),
    filename,
    contents,
    ...(metadata === undefined ? {} : { metadata }),
    now: deps.now(),
  };
  const written = requireWritten(await deps.documents.update(caller.owner, change, deps.quota), condition);
  return { ...written, contents: input.contents };
}

/** Replaces the contents alone. Errors: as `replaceFile`. */
export async function replaceContents(
  deps: ReplacePorts,
  caller: Caller,
  { id, condition }: ChangeTarget,
  text: string,
): Promise<DocumentHead> {
  const change = {
    id,
    condition,
    newEtag: createEtag(),
    names: writtenNames(caller, 'file:write'),
    contents: await prepareContents(text),
    now: deps.now(),
  };
  return requireWritten(await deps.documents.update(caller.owner, change, deps.quota), condition);
}
