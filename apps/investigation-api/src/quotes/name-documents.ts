import { DocstoreError, type DocstoreClient } from '@platform/docstore-client';
import type { AddedDocument, AddTask, ListedDocument, ListTask } from './quote-task.ts';
import { listedDocument, readDocument } from './stored-versions.ts';

/**
 * Stores a document. One that the store has under its filename with the same contents is read in place of
 * that; one with other contents becomes a new version, if asked for. Throws DocstoreError, `conflict` for
 * other contents and for a filename whose document the caller may not read.
 */
export async function addDocument(
  client: DocstoreClient,
  { filename, contents, metadata, asNewVersion }: Omit<AddTask, 'kind'>,
  signal: AbortSignal,
): Promise<AddedDocument> {
  const read = async (document: string, isNew: boolean) => ({
    ...(await readDocument(client, { document }, signal)),
    isNew,
  });
  try {
    const { id } = await client.create({ filename, contents, metadata }, { signal });
    return await read(id, true);
  } catch (error) {
    if (!(error instanceof DocstoreError) || error.code !== 'conflict') throw error;
    const present = await client.getPath(filename, { signal }).catch(unlessHidden);
    if (present?.contents === contents) return read(present.id, false);
    if (present === null || !asNewVersion) throw error;
    await client.replace(present.id, { filename, contents, metadata }, present.etag, { signal });
    return read(present.id, true);
  }
}

function unlessHidden(error: unknown): null {
  if (error instanceof DocstoreError && ['not_found', 'forbidden'].includes(error.code)) return null;
  throw error;
}

/** The documents that the caller may read, by a part of their names. Throws DocstoreError. */
export async function listDocuments(
  client: DocstoreClient,
  { nameFilter, limit }: Omit<ListTask, 'kind'>,
  signal: AbortSignal,
): Promise<ListedDocument[]> {
  const found: ListedDocument[] = [];
  const byName = nameFilter
    ? ({ filename: nameFilter, filename_match: 'substring', case: 'insensitive' } as const)
    : {};
  for await (const file of client.list({ ...byName, sort: '-updated_at', limit }, { signal })) {
    found.push(listedDocument(file));
    if (found.length === limit) break;
  }
  return found;
}
