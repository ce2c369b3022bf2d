import {
  knownFields,
  unknownFieldWarnings,
  type InvestigationInput,
  type UsedField,
} from '@platform/opinion-fusion';
import type { ShareDocument } from '@platform/viewer';
import type { PackedJson } from '../wire/packed-json.ts';
import { unpackJsonSync } from '../wire/packed-json.ts';

/** All that a share makes public, part by part: snapshots have these members and previews name them. */
export const PUBLIC_PARTS = {
  share:
    'Address and state of the share, and how it is presented: answer, patterns, byline, publisher, contact.',
  session_name: 'Name of the session.',
  interpretation: 'The interpretation.',
  interpretation_updated_at: 'When the interpretation was written.',
  judgement: 'Id, time and duration of the judgement, and the version of the engine.',
  input:
    'The investigation: the fields listed. Words before and after a quote only where it is verified and you may read its document.',
  input_sha256: 'Digest of the investigation.',
  result: 'The verdicts and all that the judgement says.',
  result_sha256: 'Digest of the verdicts.',
  explanations: 'Why each verdict is what it is.',
  claim_audits: 'How the weight of each claim comes about.',
  without_distinctions: 'The verdicts without the distinctions.',
  quotes: 'What became of the quotes that are pinned to stored documents.',
  documents:
    'Name, address and digest of the documents that quotes are pinned to and that you may read, and the passages with 1,500 characters before and after each.',
  changes:
    'Where you ask for it, what changed since the publication that readers see now: items with their values before and after, and what each change moved.',
} as const;
export type PublicPart = keyof typeof PUBLIC_PARTS;

/** What a share shows of a judgement's input. */
export interface PublicInput {
  readonly input: InvestigationInput;
  /** Its JSON: as it was kept, unless something had to go. */
  readonly json: PackedJson | Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly used: readonly UsedField[];
  /** Warnings of the judgement that name what does not become public. */
  readonly hiddenWarnings: readonly string[];
}

/**
 * The input of a judgement with the fields of the engine's table alone. Other fields are kept in sessions as
 * they came, and may say anything: a note to a colleague, a name under a misspelt field. They never become
 * public, nor do the words around a quote without a verified passage in `documents`.
 */
export function publicInputOf(
  inputSnapshot: PackedJson,
  documents: readonly ShareDocument[] = [],
): PublicInput {
  const bytes = unpackJsonSync(inputSnapshot);
  const kept = JSON.parse(Buffer.from(bytes).toString()) as InvestigationInput;
  const { input: known, used } = knownFields(kept);
  const input = withoutContexts(known, documents);
  if (input === kept) return { input, json: inputSnapshot, bytes, used, hiddenWarnings: [] };
  const json = new TextEncoder().encode(JSON.stringify(input));
  const hiddenWarnings = known === kept ? [] : unknownFieldWarnings(kept);
  return { input, json, bytes: json, used, hiddenWarnings };
}

/**
 * An input without the words before and after its quotes, which are text of a document like the passage:
 * they stay where `documents` show the verified passage. The input itself where nothing has to go.
 */
export function withoutContexts(
  input: InvestigationInput,
  documents: readonly ShareDocument[],
): InvestigationInput {
  const marks = documents.flatMap((document) => document.marks.filter(({ isCandidate }) => !isCandidate));
  const shown = { claims: new Set<string>(), evidence: new Set<string>() };
  for (const { kind, id } of marks) shown[kind].add(id);
  const isWhole = (kind: keyof typeof shown, { id, source }: Sourced) =>
    shown[kind].has(id) || (source?.selector?.prefix == null && source?.selector?.suffix == null);
  const strip = <Item extends Sourced>(kind: keyof typeof shown, item: Item): Item => {
    if (isWhole(kind, item)) return item;
    const { prefix: _prefix, suffix: _suffix, ...selector } = item.source!.selector!;
    return { ...item, source: { ...item.source!, selector } };
  };
  const { claims, evidence } = input;
  if (
    claims.every((one) => isWhole('claims', one)) &&
    evidence?.every((one) => isWhole('evidence', one)) !== false
  )
    return input;
  return {
    ...input,
    claims: claims.map((one) => strip('claims', one)),
    ...(evidence && { evidence: evidence.map((one) => strip('evidence', one)) }),
  };
}

type Sourced = Pick<InvestigationInput['claims'][number], 'id' | 'source'>;

/**
 * The JSON of a result without some of its warnings. Results run to tens of megabytes, so the rest is not
 * parsed: in JSON nothing but the member's own name is written like this.
 */
export function withoutWarnings(
  result: Uint8Array<ArrayBuffer>,
  hidden: readonly string[],
): Uint8Array<ArrayBuffer> {
  const name = '"warnings":';
  const json = Buffer.from(result.buffer, result.byteOffset, result.length);
  const found = json.indexOf(`${name}[`);
  if (hidden.length === 0 || found === -1) return result;
  const start = found + name.length;
  const end = endOfTexts(json, start);
  const warnings = JSON.parse(json.subarray(start, end).toString()) as string[];
  const shown = JSON.stringify(warnings.filter((warning) => !hidden.includes(warning)));
  return Uint8Array.from(Buffer.concat([json.subarray(0, start), Buffer.from(shown), json.subarray(end)]));
}

/** The index behind the array of texts that begins at `start`. */
function endOfTexts(json: Buffer, start: number): number {
  const [quote, backslash, bracket] = Buffer.from('"\\]') as unknown as [number, number, number];
  let isText = false;
  for (let at = start; ; at += 1) {
    if (isText && json[at] === backslash) at += 1;
    else if (json[at] === quote) isText = !isText;
    else if (!isText && json[at] === bracket) return at + 1;
  }
}
