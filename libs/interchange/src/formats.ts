/**
 * The names of the formats, apart from what reads and writes them: a process that leaves that to threads does
 * not load the libraries for it.
 */
export const IMPORT_FORMATS = [
  'claimreview',
  'xlsx',
  'hypothesis',
  'wikidata',
  'stix',
  'misp',
  'aif',
  'json',
] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const EXPORT_FORMATS = [
  'json',
  'aif',
  'argdown',
  'claimreview',
  'prov',
  'stix',
  'misp',
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
  stix: { contentType: 'application/stix+json;version=2.1', extension: 'stix.json' },
  misp: { contentType: 'application/json', extension: 'misp.json' },
  pdf: { contentType: 'application/pdf', extension: 'pdf' },
  'pdf-brief': { contentType: 'application/pdf', extension: 'brief.pdf' },
  zip: { contentType: 'application/zip', extension: 'zip' },
};
