import type { PinnedSource } from '@platform/opinion-fusion';
import { z } from 'zod';
import * as quotes from '../wire/quote-schema.ts';
import { readInput } from '../wire/read-input.ts';
import { quotesText } from './compact-quotes.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { sessionTool } from './session-tool.ts';
import type { Tool } from './tool.ts';
import { ADDS, READS } from './tool.ts';
import { nextPartLines, PART_ARGUMENTS, PART_FIELDS, partOf, type TextPart } from './text-part.ts';
import { outputSchema, topLevel } from './tool-schema.ts';

const EXAMPLE_DOCUMENT = { document: 'file_0192f1c0-8a51-7cc2-9f39-5a0f7c1e4b10' };
const NEEDS_DOCUMENT = ['add_document, which tells the id to put in, as list_documents does'];
const PART = z.object(PART_ARGUMENTS);
type DocumentPart = z.output<typeof quotes.DocumentResponse> & Omit<TextPart, 'part'>;

/** Tools on stored documents and the quotes that are pinned to them. */
export const DOCUMENT_TOOLS: readonly Tool[] = [
  sessionTool('add_document', {
    toolset: 'documents',
    annotations: ADDS,
    description:
      'Stores a text, byte for byte, that claims and evidence can then quote by position. Nothing is fetched from its address.',
    input: quotes.AddDocumentRequest,
    example: {
      filename: 'notices/2024-12.txt',
      contents: 'Notice 12/2024: closed all day for repairs.',
      url: 'https://example.org/notices/12',
    },
    reading:
      '`document`, `version` and `sha256` go into the `source` of what quotes it; find_quote makes one.',
    text: ({ document, version, sha256, is_new, warnings }: z.output<typeof quotes.AddDocumentResponse>) =>
      [
        `${is_new ? 'Stored as' : 'It is stored already, as'} ${document}, version ${version}, SHA-256 ${sha256}.`,
        ...warnings,
      ].join('\n'),
  }),
  sessionTool('list_documents', {
    toolset: 'documents',
    annotations: READS,
    description:
      'Lists the stored documents that you may read, those changed last first; by a part of the name.',
    input: quotes.ListDocuments,
    arrayKey: 'documents',
    example: { name_filter: 'notices' },
    reading: '`document` is the id that find_quote and get_document take.',
    text: ({ documents }: { documents: z.output<typeof quotes.ListedDocument>[] }) =>
      documents.length === 0
        ? 'No such document.'
        : documents
            .map(({ filename, document, version }) => `${filename} (${document}), version ${version}`)
            .join('\n'),
  }),
  sessionTool('find_quote', {
    toolset: 'documents',
    annotations: READS,
    description:
      'Looks for words in a stored document, character by character, and returns the `source` that pins them for a claim or evidence; else as they may have been typed, with plain quotation marks and hyphens.',
    input: quotes.FindQuote,
    example: { ...EXAMPLE_DOCUMENT, exact: 'closed all day' },
    exampleNeeds: NEEDS_DOCUMENT,
    reading:
      'With `state` verified copy `source` into the claim or evidence. moved: several places, in `candidates`; copy the `source` of the one that is meant. similar: so too, after reading its `exact`, and leave `quote` out. gone: the document does not say so; do not quote it.',
    text: foundText,
  }),
  sessionTool('get_document', {
    toolset: 'documents',
    annotations: READS,
    description:
      'Reads a stored document, the current version unless one is given, part by part where it is long.',
    input: quotes.DocumentReference.extend(PART_ARGUMENTS),
    output: topLevel(outputSchema(quotes.DocumentResponse.extend(PART_FIELDS))),
    part: ({ contents, ...document }: DocumentPart, args) => {
      const { part, ...place } = partOf(contents, readInput(PART, args));
      return { ...document, ...place, contents: part };
    },
    example: EXAMPLE_DOCUMENT,
    exampleNeeds: NEEDS_DOCUMENT,
    reading:
      '`contents` is a part of its text, from character `offset` on; ask again with `next_offset` as `offset` until that is null. `sha256` is that of the bytes of the whole.',
    tellsAll: true,
    text: ({
      contents,
      filename,
      document,
      version,
      sha256,
      url,
      added_at,
      pdf_sha256,
      ...part
    }: DocumentPart) =>
      [
        `${filename} (${document}), version ${version}, SHA-256 ${sha256}${pdf_sha256 === null ? '' : `, of the PDF file ${pdf_sha256}`}${url === null ? '' : `, from ${url}`}${added_at === null ? '' : `, stored ${added_at}`}; from character ${part.offset} of ${part.length}:`,
        contents,
        ...nextPartLines(part),
      ].join('\n'),
    hint: 'ask for a part with offset and limit',
  }),
  sessionTool('list_judgement_quotes', {
    toolset: 'documents',
    annotations: READS,
    description:
      'Lists the pinned quotes of a judgement: verified, moved, gone or not checked, with the reason; state unverified leaves out the verified ones. They weigh nothing.',
    input: quotes.ListQuotes,
    example: { ...EXAMPLE_SESSION, state: 'unverified' },
    exampleNeeds: ['create_investigation_session', 'judge_investigation_session'],
    reading:
      '`state` moved: its words stand elsewhere, at `candidates`, none of which was chosen. gone: they stand nowhere; `similar` has places of the same words in other signs. `current` shows the edited document.',
    text: quotesText,
  }),
];

function foundText({ state, source, occurrences, candidates }: z.output<typeof quotes.FoundQuote>): string {
  if (state === 'gone') return 'The document does not hold these words.';
  if (source !== null) {
    const { document, version, selector } = source as unknown as PinnedSource;
    return `The words stand at ${selector?.start} to ${selector?.end} of version ${version} of ${document}: copy \`source\`.`;
  }
  const isSimilar = state === 'similar';
  const places = candidates
    .map(({ start, end, source: pin }) => {
      const { selector } = pin as unknown as PinnedSource;
      return `${start} to ${end}${isSimilar ? ` (${JSON.stringify(selector?.exact)})` : ''}`;
    })
    .join(', ');
  const times = occurrences === 1 ? 'once' : `${occurrences} times`;
  return isSimilar
    ? `The document does not hold these very words. It holds similar ones ${times}, at ${places}: where they are meant, copy the \`source\` of that candidate.`
    : `The words stand there ${times}, likeliest at ${places}: copy the \`source\` of the candidate that is meant, or give more of what is before or after them.`;
}
