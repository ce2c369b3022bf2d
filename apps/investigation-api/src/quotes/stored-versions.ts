import {
  DocstoreError,
  type DocstoreClient,
  type StoredFile,
  type StoredVersion as FileVersion,
} from '@platform/docstore-client';
import { IndexedText } from '@platform/quotes';
import type { QuoteReason } from '../wire/quote-schema.ts';
import type { ListedDocument, ReadDocument } from './quote-task.ts';

/** A version of a document that quotes are looked for in. */
export interface StoredVersion extends Omit<ReadDocument, 'contents'> {
  readonly text: IndexedText;
}

/** The versions of one document that its quotes ask for. */
export interface StoredVersions {
  readonly current: StoredVersion;
  /** By number; a version that is no longer kept is absent. */
  readonly byNumber: ReadonlyMap<number, StoredVersion>;
}

/**
 * Reads the current version of a document and those of some numbers that are kept. Gives the reason where it
 * cannot be read: the store does not tell what is missing from what the caller may not read.
 */
export async function readVersions(
  client: DocstoreClient,
  document: string,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<StoredVersions | QuoteReason> {
  try {
    const current = stored(await readDocument(client, { document }, signal));
    const byNumber = new Map([[current.version, current]]);
    for (const number of new Set(numbers)) {
      if (byNumber.has(number)) continue;
      const read = await orAbsent(readDocument(client, { document, version: number }, signal));
      if (read !== null) byNumber.set(number, stored(read));
    }
    return { current, byNumber };
  } catch (error) {
    return reasonOf(error);
  }
}

/** One version of a document, the current one unless given. Throws DocstoreError. */
export async function readDocument(
  client: DocstoreClient,
  { document, version }: { readonly document: string; readonly version?: number | undefined },
  signal: AbortSignal,
): Promise<ReadDocument> {
  const read =
    version === undefined
      ? await client.get(document, { signal })
      : await client.version(document, version, { signal });
  // A key without `file:read` is told neither the digest nor the contents.
  if (read.contents === undefined) throw FORBIDDEN();
  return { ...listedDocument(read), contents: read.contents };
}

/** What is told of a stored document besides its contents. Throws DocstoreError without `file:read`. */
export function listedDocument(file: StoredFile | FileVersion): ListedDocument {
  const { id: document, version, sha256, filename, metadata } = file;
  if (sha256 === undefined) throw FORBIDDEN();
  // Metadata stay when the contents are replaced. Documents of before name no text: their first version is
  // that of the file.
  const { pdf_text_sha256: textOfPdf } = metadata;
  const isTextOfPdf = textOfPdf === undefined ? version === 1 : textOfPdf === sha256;
  return {
    document,
    version,
    sha256,
    filename,
    url: metadata['url'] ?? null,
    addedAt: metadata['added_at'] ?? ('created_at' in file ? file.created_at : null),
    pdfSha256: isTextOfPdf ? (metadata['pdf_sha256'] ?? null) : null,
  };
}

const FORBIDDEN = () => new DocstoreError(403, new Headers(), { error: { code: 'forbidden' } });

function stored({ contents, ...read }: ReadDocument): StoredVersion {
  return { ...read, text: new IndexedText(contents) };
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DocstoreError && error.code === 'not_found') return null;
    throw error;
  }
}

const NO_ACCESS: readonly string[] = ['not_found', 'forbidden', 'unauthorized', 'bad_request'];

function reasonOf(error: unknown): QuoteReason {
  return error instanceof DocstoreError && NO_ACCESS.includes(error.code) ? 'no_access' : 'unavailable';
}
