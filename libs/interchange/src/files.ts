import { writeReport, type ReportFonts } from '@platform/viewer/report';
import { readAif } from './aif/read-aif.ts';
import { writeAif } from './aif/write-aif.ts';
import { readClaimReview } from './claim-review/read-claim-review.ts';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import type { Imported } from './imported.ts';
import { readInvestigation, writeInvestigation } from './investigation-json.ts';
import type { Judged } from './judged.ts';
import { readMisp } from './misp/read-misp.ts';
import { writeMisp } from './misp/write-misp.ts';
import { readHypothesis } from './read-hypothesis.ts';
import { readWikidata } from './read-wikidata.ts';
import { readWorkbook, type Present, type ReadOptions } from './read-workbook.ts';
import { readStix } from './stix/read-stix.ts';
import { writeStix } from './stix/write-stix.ts';
import { writeArchive, type ArchiveParts } from './write-archive.ts';
import { writeProv } from './write-prov.ts';
import { writeArgdown } from './write-argdown.ts';
import type { ExportFormat, ImportFormat } from './formats.ts';

const READERS: Readonly<
  Record<ImportFormat, (bytes: Uint8Array, there?: Present, options?: ReadOptions) => Imported>
> = {
  claimreview: readClaimReview,
  xlsx: readWorkbook,
  hypothesis: readHypothesis,
  wikidata: readWikidata,
  stix: readStix,
  misp: readMisp,
  aif: readAif,
  json: readInvestigation,
};

/**
 * The investigation in a file, for a session that has these sources and subjects, which rows of a workbook
 * name, as the options are for workbooks. Throws UnreadableFile, whose message names cause and fix.
 */
export function readFile(
  format: ImportFormat,
  bytes: Uint8Array,
  there?: Present,
  options?: ReadOptions,
): Imported {
  return READERS[format](bytes, there, options);
}

/** What some formats need besides what was judged: a zip its parts, a report its fonts. */
export interface WriteParts extends ArchiveParts {
  readonly fonts: () => ReportFonts;
}

/** The bytes of an export. The same input gives the same bytes. */
export function writeFile(format: ExportFormat, judged: Judged, parts: WriteParts): Uint8Array {
  switch (format) {
    case 'json':
      return writeInvestigation(judged);
    case 'aif':
      return writeAif(judged);
    case 'argdown':
      return writeArgdown(judged);
    case 'claimreview':
      return writeClaimReview(judged);
    case 'prov':
      return writeProv(judged);
    case 'stix':
      return writeStix(judged);
    case 'misp':
      return writeMisp(judged);
    case 'pdf':
      return writeReport(judged, 'full', parts.fonts());
    case 'pdf-brief':
      return writeReport(judged, 'brief', parts.fonts());
    case 'zip':
      return writeArchive(judged, parts);
  }
}
