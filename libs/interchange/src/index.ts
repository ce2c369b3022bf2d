export { EXPORT_FORMATS, EXPORT_TYPES, IMPORT_FORMATS, readFile, writeFile } from './formats.ts';
export type { ExportFormat, ImportFormat, WriteParts } from './formats.ts';
export { LEFT_OUT_MAX, UnreadableFile } from './imported.ts';
export type { Imported, LeftOut } from './imported.ts';
export { PDF_PAGES_MAX, readPdf } from './read-pdf.ts';
export type { PdfText } from './read-pdf.ts';
export type { Judged } from './judged.ts';
export type { ArchivedDocument, ArchiveParts } from './write-archive.ts';
