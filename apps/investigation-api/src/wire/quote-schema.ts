import { z } from '@platform/error-contracts/zod-openapi';
import { storable } from './storable.ts';

/** Shapes of what is said about pinned quotes and of the documents that they are pinned to. */

export const QUOTE_STATES = ['verified', 'moved', 'gone', 'not_checked'] as const;

export const QUOTE_REASONS = {
  // One reason for both, so that a reader without the right does not learn whether the judge has it.
  no_access:
    'the document, or the version, does not exist, or you or the one who judged may not read it; with the right to read it, judge again',
  unavailable: 'the document store did not respond, or the time for reading and searching was over',
  digest_mismatch:
    'the version that is named, or the current one where none is, does not have the digest that is named',
  too_large: 'the judgement has more documents or more text than are checked at once',
  not_configured: 'no document store is connected',
  no_credential: 'it was judged in the background, where no credential is at hand to read documents with',
} as const;
export type QuoteReason = keyof typeof QUOTE_REASONS;

const points = z.int().min(0);

const QuoteCandidate = z
  .object({
    start: points,
    end: points,
    agreement: z.number().describe('Share of prefix and suffix that stands around it, 0..1.'),
  })
  .openapi('QuoteCandidate');

const place = {
  start: points.optional().describe('Of a verified quote, in code points.'),
  end: points.optional(),
  occurrences: z.int().optional().describe('Of a moved quote: how often its words stand there.'),
  candidates: z.array(QuoteCandidate).optional().describe('Of a moved quote: at most 5, likeliest first.'),
};

const cut = z
  .literal(true)
  .optional()
  .describe('Of a quote that is gone: its characters stand there, but begin or end within a word or number.');

export const QuoteCheck = z
  .object({
    kind: z.enum(['claims', 'evidence']),
    id: z.string().describe('Of the claim or item of evidence.'),
    document: z.string(),
    whole_document: z
      .literal(true)
      .optional()
      .describe(
        'Of a source without a selector: its digest alone is checked, and without one whether the document is there.',
      ),
    state: z.enum(QUOTE_STATES),
    reason: z
      .enum(Object.keys(QUOTE_REASONS) as [QuoteReason, ...QuoteReason[]])
      .optional()
      .describe('Of a quote that was not checked.'),
    version: z.int().optional().describe('The version whose bytes were checked.'),
    sha256: z.string().optional().describe('Digest of these bytes.'),
    missing_version: z
      .int()
      .optional()
      .describe(
        'The version that the quote is pinned to, where it is not kept and the current one was checked; of a verified quote that one has the digest that is named.',
      ),
    ...place,
    cut,
    similar: z
      .array(QuoteCandidate)
      .optional()
      .describe(
        'Of a quote that is gone: at most 5 places of the same words with typographic signs, accents, hyphens, line breaks, letter spacing or case of their own, or of the whole words and numbers that it is cut from. None is chosen.',
      ),
    current: z
      .object({ version: z.int(), state: z.enum(['verified', 'moved', 'gone']), cut, ...place })
      .optional()
      .describe('Where the document was edited since: the quote in its current version.'),
  })
  .openapi('QuoteCheck');

const count = z.int().min(0);

/** What became of the quotes of a judgement. It weighs nothing. */
export const QuoteChecks = z
  .object({
    checked_at: z.iso.datetime(),
    verified: count,
    moved: count,
    gone: count,
    not_checked: count,
    warnings: z.array(z.string()),
    items: z.array(QuoteCheck),
  })
  .openapi('QuoteChecks');

export type QuoteCheck = z.output<typeof QuoteCheck>;
export type QuoteChecks = z.output<typeof QuoteChecks>;

/** A quote of which no more is said than why it was not looked up. */
export const unread = (
  {
    kind,
    id,
    document,
    whole_document: whole,
  }: Pick<QuoteCheck, 'kind' | 'id' | 'document' | 'whole_document'>,
  reason: QuoteReason,
): QuoteCheck => ({
  kind,
  id,
  document,
  ...(whole && { whole_document: whole }),
  state: 'not_checked',
  reason,
});

export const AddDocumentRequest = z
  .strictObject({
    filename: z.string().min(1).describe('Path in the store, unique in the tenant.'),
    contents: z.string().optional().describe('Its text, at most 4 MiB of UTF-8; kept byte for byte.'),
    pdf: z
      .base64()
      .optional()
      .describe('In place of contents: a PDF file in base64, whose text is kept, pages between form feeds.'),
    url: z
      .string()
      .regex(/^https?:\/\/\S+$/)
      .max(2000)
      .optional()
      .describe('Where it was copied from. Nothing is fetched.'),
    as_new_version: z
      .boolean()
      .default(false)
      .describe(
        'Whether it becomes a new version of the document with this filename, if there is one with other bytes. Quotes stay pinned to the version that they name.',
      ),
  })
  .openapi('AddDocumentRequest');

const documentFields = {
  document: z.string().describe('Its id, for `source.document`.'),
  version: z.int(),
  sha256: z.string(),
  filename: z.string(),
  url: z.string().nullable(),
  /** RFC 3339. */
  added_at: z.string().nullable().describe('When it was stored.'),
  pdf_sha256: z
    .string()
    .nullable()
    .describe('Digest of the PDF file whose text it is, as stored with it; `sha256` is that of the text.'),
};

export const AddDocumentResponse = z
  .object({
    ...documentFields,
    is_new: z
      .boolean()
      .describe('false: the document with this filename has these very bytes already; nothing was stored.'),
    pdf: z
      .object({
        sha256: z
          .string()
          .nullable()
          .describe(
            'Digest of the PDF file as stored: of another file than yours where its text was stored before from that one, null where it was stored as text.',
          ),
        pages: z.int(),
        pages_without_text: z.array(z.int()).describe('Page numbers, such as of scans; at most 200.'),
      })
      .optional()
      .describe('Of a document that came as PDF.'),
    warnings: z
      .array(z.string())
      .describe('What was sent and not kept, and that the contents are the code of a web page.'),
  })
  .openapi('AddDocumentResponse');

export const ListDocuments = z.object({
  name_filter: storable()
    .pipe(z.string().max(1000))
    .optional()
    .describe('Part of the filename; case makes no difference.'),
  limit: z.int().min(1).max(200).default(50).describe('Documents in the response.'),
});

export const ListedDocument = z.object(documentFields).openapi('ListedDocument');

export const DocumentReference = z.object({
  document: storable().describe('Id of the document.'),
  version: z.int().min(1).optional().describe('The current one unless given.'),
});

export const DocumentResponse = z
  .object({ ...documentFields, contents: z.string() })
  .openapi('DocumentResponse');

export const FindQuote = z.object({
  document: storable().describe('Id of the document.'),
  version: z.int().min(1).optional().describe('The current one unless given.'),
  exact: z.string().min(1).max(10_000).describe('The words, verbatim.'),
  prefix: z.string().max(200).optional().describe('What stands before them.'),
  suffix: z.string().max(200).optional().describe('What stands after them.'),
});

const source = z.record(z.string(), z.unknown());

export const FoundQuote = z
  .object({
    state: z
      .enum(['verified', 'moved', 'similar', 'gone'])
      .describe(
        'similar: not these characters, but the same words with typographic signs, accents, hyphens, line breaks, letter spacing or case of their own, or the whole words and numbers that these begin or end within.',
      ),
    source: source
      .nullable()
      .describe('Of a verified quote: the `source` that pins it, for a claim or evidence.'),
    occurrences: z.int(),
    candidates: z
      .array(
        QuoteCandidate.extend({
          source: source.describe('The `source` that pins the words of this place as they are stored.'),
        }),
      )
      .describe('Of moved and similar words: at most 5 places, the likeliest first. None is chosen.'),
  })
  .openapi('FoundQuote');

export const ListQuotes = z.object({
  session_id: z.string().describe('Id of the session.'),
  judgement_id: z.string().optional().describe('UUID of a judgement; the latest unless given.'),
  state: z
    .enum([...QUOTE_STATES, 'unverified'])
    .optional()
    .describe('unverified: all but verified.'),
  limit: z.int().min(1).max(200).default(50).describe('Quotes in the response.'),
  offset: z.int().min(0).default(0).describe('Quotes to pass over.'),
});

export const QuoteList = z
  .object({
    judgement_id: z.uuid(),
    ...QuoteChecks.shape,
    total: count.describe('Quotes in this state.'),
  })
  .openapi('QuoteList');
