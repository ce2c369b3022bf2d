import { writeReport, type ReportFonts } from '@platform/viewer/report';
import { readAif } from './aif/read-aif.ts';
import { writeAif } from './aif/write-aif.ts';
import { readClaimReview } from './claim-review/read-claim-review.ts';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import type { Imported } from './imported.ts';
import { readInvestigation, writeInvestigation } from './investigation-json.ts';
import type { Judged } from './judged.ts';
import { readHypothesis } from './read-hypothesis.ts';
import { readWikidata } from './read-wikidata.ts';
import { readWorkbook } from './read-workbook.ts';
import { writeArchive, type ArchiveParts } from './write-archive.ts';
import { writeProv } from './write-prov.ts';
import { writeArgdown } from './write-argdown.ts';

export const IMPORT_FORMATS = ['claimreview', 'xlsx', 'hypothesis', 'wikidata', 'aif', 'json'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const EXPORT_FORMATS = [
  'json',
  'aif',
  'argdown',
  'claimreview',
  'prov',
  'pdf',
  'pdf-brief',
  'zip',
] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Media type and file name ending of each export. */
export const EXPORT_TYPES: Readonly<
  Record<ExportFormat, { readonly contentType: string; readonly extension: string }>
> = {
  json: { contentType: 'application/json', extension: 'json' },
  aif: { contentType: 'application/ld+json', extension: 'aif.json' },
  argdown: { contentType: 'text/plain; charset=utf-8', extension: 'argdown' },
  claimreview: { contentType: 'application/ld+json', extension: 'claimreview.json' },
  prov: { contentType: 'application/json', extension: 'prov.json' },
  pdf: { contentType: 'application/pdf', extension: 'pdf' },
  'pdf-brief': { contentType: 'application/pdf', extension: 'brief.pdf' },
  zip: { contentType: 'application/zip', extension: 'zip' },
};

const READERS: Readonly<Record<ImportFormat, (bytes: Uint8Array) => Imported>> = {
  claimreview: readClaimReview,
  xlsx: readWorkbook,
  hypothesis: readHypothesis,
  wikidata: readWikidata,
  aif: readAif,
  json: readInvestigation,
};

/** The investigation in a file. Throws UnreadableFile, whose message names cause and fix. */
export function readFile(format: ImportFormat, bytes: Uint8Array): Imported {
  return READERS[format](bytes);
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
    case 'pdf':
      return writeReport(judged, 'full', parts.fonts());
    case 'pdf-brief':
      return writeReport(judged, 'brief', parts.fonts());
    case 'zip':
      return writeArchive(judged, parts);
  }
}
