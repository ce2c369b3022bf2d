import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';
import { rankedClaimsCsv, type ShareDocument } from '@platform/viewer';
import { writeAif } from './aif/write-aif.ts';
import { writeArgdown } from './write-argdown.ts';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import { writeProv } from './write-prov.ts';
import { jsonBytes, type Judged } from './judged.ts';

/** A stored document under a quote. */
export interface ArchivedDocument {
  readonly document: string;
  readonly version: number;
  readonly sha256: string;
  /** Digest of the PDF file whose text this is. */
  readonly pdf_sha256?: string;
  readonly filename: string;
  readonly url: string | null;
  readonly contents: string;
}

/** What is archived: the bytes that were judged, as kept, and the documents that quotes are pinned to. */
export interface ArchiveParts {
  /** JSON of the investigation and of its result, byte for byte as their digests are of. */
  readonly input: Uint8Array;
  readonly result: Uint8Array;
  readonly documents?: readonly ArchivedDocument[];
  /** Documents that could not be read, with the reason. */
  readonly missing?: readonly { readonly document: string; readonly reason: string }[];
}

/** Zip knows no earlier year; a fixed time keeps the bytes the same. */
const ZIP_TIME = new Date(1980, 0, 1);

const README = `An investigation and its judgement.

investigation.json  what was judged
result.json         the judgement
claims.csv          the ranked claims
claims.argdown      the same for Argdown
argument.aif.json   the same in the Argument Interchange Format (JSON-LD)
claimreview.json    the verdicts as schema.org ClaimReview
provenance.prov.json  where everything comes from, as PROV-JSON
about.json          name, time, digests, documents
documents/          the texts that claims quote, where they may be read
passages.json       of a share, the passages of documents that its page shows

SHA256SUMS has the digest of every file. To verify them all: sha256sum -c SHA256SUMS
The same investigation.json, judged as of the same time by the same engine, gives the same result.json but for
evaluated_at, the time of the run, and quotes, which tells what the quoted documents held at that time.
`;

/**
 * A zip of all there is of a judgement with SHA256SUMS, such that \`sha256sum -c SHA256SUMS\` passes in the
 * unpacked folder. The same input gives the same bytes.
 */
export function writeArchive(
  judged: Judged,
  { input, result, documents = [], missing = [] }: ArchiveParts,
): Uint8Array {
  const text = (content: string) => new TextEncoder().encode(content);
  const files = new Map<string, Uint8Array>([
    ['README.txt', text(README)],
    ['investigation.json', input],
    ['result.json', result],
    ['claims.csv', text(rankedClaimsCsv(judged))],
    ['claims.argdown', writeArgdown(judged)],
    ['argument.aif.json', writeAif(judged)],
    ['claimreview.json', writeClaimReview(judged)],
    ['provenance.prov.json', writeProv(judged)],
  ]);
  const kept = documents.map(({ contents, ...about }) => {
    const path = `documents/${plainName(about.document)}-v${about.version}.txt`;
    files.set(path, text(contents));
    return { ...about, path };
  });
  const passages: readonly ShareDocument[] = judged.documents ?? [];
  if (passages.length > 0) files.set('passages.json', jsonBytes(passages));
  files.set(
    'about.json',
    jsonBytes({
      name: judged.session_name,
      judgement: judged.judgement,
      input_sha256: judged.input_sha256,
      result_sha256: judged.result_sha256,
      documents: kept,
      documents_left_out: missing,
      ...(judged.quotes && { quotes: judged.quotes }),
      ...(judged.share && { share: judged.share }),
    }),
  );
  const sums = [...files].map(
    ([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`,
  );
  files.set('SHA256SUMS', text(sums.join('')));
  return zipSync(Object.fromEntries(files), { mtime: ZIP_TIME, level: 6 });
}

/** A name that no file system and no shell reads in another way. */
const plainName = (id: string) => id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100);
