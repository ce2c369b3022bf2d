import { EXPORT_FORMATS, IMPORT_FORMATS } from '@platform/interchange/formats';
import { DomainError } from '@platform/error-contracts';
import { z } from 'zod';
import { exportSession, importFile } from '../operations/interchange.ts';
import { ImportReference, ImportResponse } from '../wire/interchange-schema.ts';
import { valueOfResponse } from '../wire/json-bytes.ts';
import { readInput, refuse } from '../wire/read-input.ts';
import { checkedArguments } from './checked-arguments.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { nextPartLines, PART_ARGUMENTS, PART_FIELDS, partOf } from './text-part.ts';
import { fitted, RESPONSE_BUDGET } from './fitted-data.ts';
import { Detail } from './session-tool.ts';
import { inputSchema, outputSchema, topLevel } from './tool-schema.ts';
import type { Tool } from './tool.ts';
import { READS, refuseHugeResponse, SETS } from './tool.ts';
import { warningLines } from './warning-lines.ts';
import { counted, short } from './words.ts';

const ImportInput = z.strictObject({
  format: z.enum(IMPORT_FORMATS),
  text: z.string().nullish().describe('The file, where it is text.'),
  base64: z.base64().nullish().describe('The file in base64, such as a workbook.'),
  session_id: z
    .string()
    .min(1)
    .nullish()
    .describe('Session to merge the items into; without it nothing is kept.'),
  same_names: ImportReference.shape.same_names.nullish(),
  dates: ImportReference.shape.dates.nullish(),
  numbers: ImportReference.shape.numbers.nullish(),
  preview: z.boolean().nullish().describe('Compares the file with the session and keeps nothing.'),
  detail: Detail,
});

const ExportInput = z.strictObject({
  session_id: z.string(),
  format: z.enum(EXPORT_FORMATS).nullish().describe('argdown unless given.'),
  ...PART_ARGUMENTS,
});

const ExportedText = z.object({
  filename: z.string(),
  content_type: z.string(),
  text: z.string().optional(),
  base64: z.string().optional().describe('In the place of text for a zip or a PDF.'),
  ...PART_FIELDS,
});

/** Arguments that are parsed on the thread that takes requests. Bytes; some milliseconds. */
const ARGUMENTS_BYTES_MAX = 1024 * 1024;
/** Media types that are not text. */
const BINARY = /^application\/(zip|pdf)$/;
/** Left-out items that the text for people names. */
const NAMED_MAX = 5;

const PAYLOAD_WORDS =
  'The investigation is too long to be shown: with session_id its items are merged there, with detail full they come as payload.';

/** The arguments with `session_id` for `session`, as the tool called it before and REST still does. */
function withSessionId(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('session' in given) || 'session_id' in given)
    return given;
  const { session, ...others } = given;
  return { ...others, session_id: session };
}

/** Tools on files of other tools. */
export const FILE_TOOLS: readonly Tool[] = [
  {
    name: 'import_file',
    title: 'Read a file of another tool as an investigation',
    description:
      'Reads ClaimReview (JSON-LD or a page), XLSX, Hypothesis, Wikidata, STIX, MISP, AIF or our own JSON as an investigation and says what was left out and why. With session_id its items are merged there; one without items takes the settings of our own files, too.',
    toolset: 'files',
    annotations: SETS,
    input: inputSchema(ImportInput),
    output: topLevel(outputSchema(ImportResponse)),
    example: {
      format: 'claimreview',
      text: '{"@type": "ClaimReview", "claimReviewed": "The bridge is closed.", "author": {"name": "Fact Desk"}, "reviewRating": {"alternateName": "False"}}',
    },
    reading:
      '`payload` is the investigation, left out where it is long unless detail is full; `left_out` what the file had besides, with the reason. Sources have the type that their name suggests: check it. A workbook whose dates or numbers could be read either way is refused, naming them, until `dates` or `numbers` is given.',
    async call(deps, sent, { caller, rawArguments, ...options }) {
      if (rawArguments !== undefined && rawArguments.length > ARGUMENTS_BYTES_MAX)
        throw new DomainError(
          'payload_too_large',
          `the arguments have ${rawArguments.length} bytes, more than the ${ARGUMENTS_BYTES_MAX} that a file in them may have: send it to POST /api/v1/imports/{format}`,
        );
      const given =
        rawArguments === undefined ? sent : (JSON.parse(new TextDecoder().decode(rawArguments)) as unknown);
      const {
        format,
        text,
        base64,
        session_id: session,
        same_names,
        dates,
        numbers,
        preview,
        detail,
      } = readInput(ImportInput, withSessionId(checkedArguments(given)));
      if (((text ?? null) === null) === ((base64 ?? null) === null))
        throw refuse(['text: give either text or base64']);
      const bytes = Uint8Array.from(Buffer.from(text ?? base64!, text == null ? 'base64' : 'utf8'));
      const input = {
        format,
        ...(session == null ? {} : { session }),
        ...(same_names == null ? {} : { same_names }),
        ...(dates == null ? {} : { dates }),
        ...(numbers == null ? {} : { numbers }),
        ...(preview == null ? {} : { preview: String(preview) }),
      };
      const response = await importFile(deps, input, bytes, caller, options);
      refuseHugeResponse(response, 'send the file in parts');
      const data = valueOfResponse(response);
      const { counts, left_out, left_out_total } = data;
      const lines = [
        `${counted(counts.claims, 'claim')} of ${counted(counts.actors, 'source')} on ${counted(counts.subjects, 'subject')}, ${counted(counts.evidence, 'item')} of evidence; left out: ${left_out_total}.`,
        ...left_out.slice(0, NAMED_MAX).map(({ path, reason }) => `- ${short(path)}: ${short(reason)}`),
        ...warningLines(data.warnings),
        ...(Object.keys(data.settings ?? {}).length === 0
          ? []
          : [`Settings taken from the file: ${short(JSON.stringify(data.settings))}.`]),
        ...(data.session === undefined
          ? []
          : [`Session: ${data.session.added} added, ${data.session.replaced} replaced.`]),
      ];
      if (detail === 'full') return { text: lines.join('\n'), data };
      const told = Buffer.byteLength(lines.join('\n')) + PAYLOAD_WORDS.length;
      // A part of an investigation would be of no use.
      if (!fitted(data, RESPONSE_BUDGET - told).isCut) return { text: lines.join('\n'), data };
      const { payload: _payload, ...rest } = data;
      return { ...fitted(rest, RESPONSE_BUDGET - told), text: [...lines, PAYLOAD_WORDS].join('\n') };
    },
  },
  {
    name: 'export_session',
    title: 'Download the last judgement of a session as a file',
    description:
      'Writes the last judgement of a session as Argdown, AIF, ClaimReview, PROV-JSON, STIX 2.1, MISP, JSON, a PDF report (pdf, or pdf-brief of one page), or a zip of all with the texts under quotes, which sha256sum verifies.',
    toolset: 'files',
    annotations: READS,
    input: inputSchema(ExportInput),
    output: outputSchema(ExportedText),
    example: EXAMPLE_SESSION,
    exampleNeeds: ['create_investigation_session', 'judge_investigation_session'],
    reading:
      '`text` is a part of the file, of a zip or a PDF `base64`, from character `offset` on; ask again with `next_offset` as `offset` until that is null, or with a `limit` as large as `length`.',
    async call(deps, sent, { caller, signal }) {
      const { session_id, format, ...asked } = readInput(ExportInput, checkedArguments(sent));
      const input = { session_id, format: format ?? 'argdown' };
      const { bytes, contentType, filename } = await exportSession(deps, input, caller, { signal });
      const isBinary = BINARY.test(contentType);
      const { part, ...place } = partOf(Buffer.from(bytes).toString(isBinary ? 'base64' : 'utf8'), asked);
      refuseHugeResponse(Buffer.from(part), 'ask for a part with offset and limit, or download it over REST');
      const head = `${filename}, ${contentType}, ${bytes.length} bytes; from character ${place.offset} of ${place.length}${isBinary ? ' of its base64' : ''}:`;
      return {
        text: [head, part, ...nextPartLines(place)].join('\n'),
        tellsAll: true,
        data: { filename, content_type: contentType, ...place, [isBinary ? 'base64' : 'text']: part },
      };
    },
  },
];
