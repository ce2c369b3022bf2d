import type { z } from 'zod';
import * as quotes from '../wire/quote-schema.ts';
import { quotesText } from './compact-quotes.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { sessionTool } from './session-tool.ts';
import type { Tool } from './tool.ts';
import { ADDS, READS } from './tool.ts';
import { short } from './words.ts';

const EXAMPLE_DOCUMENT = { document: 'file_0192f1c0-8a51-7cc2-9f39-5a0f7c1e4b10' };
const NEEDS_DOCUMENT = ['add_document, which tells the id to put in'];

/** Characters of a document that the text for people shows; the data have it all. */
const SHOWN_MAX = 400;

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
    text: ({ document, version, sha256 }: z.output<typeof quotes.AddDocumentResponse>) =>
      `Stored as ${document}, version ${version}, SHA-256 ${sha256}.`,
  }),
  sessionTool('find_quote', {
    toolset: 'documents',
    annotations: READS,
    description:
      'Looks for words in a stored document, character by character, and returns the `source` that pins them for a claim or evidence. Where they stand several times, give prefix or suffix.',
    input: quotes.FindQuote,
    example: { ...EXAMPLE_DOCUMENT, exact: 'closed all day' },
    exampleNeeds: NEEDS_DOCUMENT,
    reading:
      'With `state` verified copy `source` into the claim or evidence. moved: several places, in `candidates`. gone: the document does not say so; do not quote it.',
    text: ({ state, occurrences }: z.output<typeof quotes.FoundQuote>) =>
      state === 'verified'
        ? 'The words stand there; source pins them.'
        : state === 'gone'
          ? 'The document does not hold these words.'
          : `The words stand there ${occurrences} times: give more of what is before or after them.`,
  }),
  sessionTool('get_document', {
    toolset: 'documents',
    annotations: READS,
    description: 'Reads a stored document with its contents, the current version unless one is given.',
    input: quotes.DocumentReference,
    example: EXAMPLE_DOCUMENT,
    exampleNeeds: NEEDS_DOCUMENT,
    reading: '`contents` is its text; `sha256` is that of its bytes.',
    text: ({ filename, version, contents }: z.output<typeof quotes.DocumentResponse>) =>
      `${filename}, version ${version}: ${short(contents, SHOWN_MAX)}`,
    hint: 'look for the words with find_quote',
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
      '`state` moved: its words stand elsewhere, at `candidates`, none of which was chosen. gone: they stand nowhere. `current` tells of the edited document.',
    text: quotesText,
  }),
];
