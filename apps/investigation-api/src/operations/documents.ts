import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { requireTenant } from '../access/session-access.ts';
import { workFor, type Caller } from '../access/caller.ts';
import type { Operation, OperationOptions } from '../ports.ts';
import type { AddedDocument, ListedDocument as StoredDocument } from '../quotes/quote-task.ts';
import { readInput } from '../wire/read-input.ts';
import type {
  AddDocumentResponse,
  DocumentResponse,
  FoundQuote,
  ListedDocument,
} from '../wire/quote-schema.ts';
import { DocumentReference, FindQuote, ListDocuments } from '../wire/quote-schema.ts';

/**
 * Stores a text, or that of a PDF file, that quotes can be pinned to, once, with the address it was copied
 * from and the time; nothing is fetched. A document that is stored under this
 * filename with these very bytes is returned as it is. Throws `conflict` when the filename is in use,
 * `failed_precondition` without a document store, `unprocessable` for a PDF file that cannot be read, and as
 * the store refuses.
 */
export const addDocument: Operation<z.output<typeof AddDocumentResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  requireTenant(caller);
  const {
    filename,
    contents = '',
    pdf,
    url,
    as_new_version: asNewVersion,
  } = await deps.inputs.read('add_document', input);
  const reading = readingFor(caller, options);
  const metadata = { added_at: deps.now().toISOString(), ...(url === undefined ? {} : { url }) };
  if (pdf === undefined) {
    const added = addedOf(
      await deps.documents.add({ filename, contents, metadata, asNewVersion }, reading),
      url,
    );
    return isWebPage(contents) ? { ...added, warnings: [...added.warnings, HAS_CODE] } : added;
  }
  const bytes = Uint8Array.from(Buffer.from(pdf, 'base64'));
  const { text, pages, pagesWithoutText } = await deps.interchange.readPdf({ bytes }, reading);
  const stored = await deps.documents.add(
    {
      filename,
      contents: text,
      metadata: {
        ...metadata,
        pdf_sha256: sha256(bytes),
        pdf_text_sha256: sha256(text),
        pdf_pages: String(pages),
      },
      asNewVersion,
    },
    reading,
  );
  // Where the text was stored before, from another file with the same text, that one is what is kept.
  return {
    ...addedOf(stored, url),
    pdf: { sha256: stored.pdfSha256, pages, pages_without_text: [...pagesWithoutText] },
  };
};

/** The documents that the caller may read, by a part of their names; those that were changed last first. */
export const listDocuments: Operation<z.output<typeof ListedDocument>[]> = async (
  deps,
  input,
  caller,
  options,
) => {
  const { name_filter: nameFilter, limit } = readInput(ListDocuments, input);
  return (await deps.documents.list({ nameFilter, limit }, readingFor(caller, options))).map(fieldsOf);
};

/** A document that the caller may read, in a version. Throws `not_found` for all others. */
export const getDocument: Operation<z.output<typeof DocumentResponse>> = async (
  deps,
  input,
  caller,
  options,
) => {
  const read = await deps.documents.read(readInput(DocumentReference, input), readingFor(caller, options));
  return { ...fieldsOf(read), contents: read.contents };
};

/**
 * Looks for words in a document, verbatim, and returns the `source` that pins them where they stand at one
 * place alone. Throws `not_found` for a document that the caller may not read.
 */
export const findQuote: Operation<z.output<typeof FoundQuote>> = async (deps, input, caller, options) => {
  const { document, version, ...selector } = readInput(FindQuote, input);
  const found = await deps.documents.find({ document, version, selector }, readingFor(caller, options));
  return { source: null, occurrences: 0, candidates: [], ...found };
};

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');

const readingFor = (caller: Caller, { signal }: OperationOptions) => ({
  credential: caller.credential,
  owner: workFor(caller).owner,
  signal,
});

const addedOf = (added: AddedDocument, url: string | undefined): z.output<typeof AddDocumentResponse> => ({
  ...fieldsOf(added),
  is_new: added.isNew,
  warnings: url === undefined || url === added.url ? [] : [addressNotKept(url, added.url)],
});

const isWebPage = (contents: string) => /^\ufeff?\s*<(?:!doctype\s+html|html)\b/i.test(contents);
const HAS_CODE =
  'the contents are the code of a web page: a quote with a tag or an entity in it is not found, and words of scripts are; send the text that readers see';

const addressNotKept = (url: string, kept: string | null) =>
  `the address ${url} was not kept: the document is stored already, ${kept === null ? 'without an address' : `from ${kept}`}; give it as \`url\` of the claims and evidence that quote it from there, or store the text under another filename`;

function fieldsOf({
  document,
  version,
  sha256,
  filename,
  url,
  addedAt,
  pdfSha256,
}: StoredDocument): z.output<typeof ListedDocument> {
  return { document, version, sha256, filename, url, added_at: addedAt, pdf_sha256: pdfSha256 };
}
