export { readFile, writeFile } from './files.ts';
export type { WriteParts } from './files.ts';
export { LEFT_OUT_MAX, UnreadableFile } from './imported.ts';
export type { Imported, LeftOut } from './imported.ts';
export { PDF_PAGES_MAX, readPdf } from './read-pdf.ts';
export type { PdfText } from './read-pdf.ts';
export type { Judged } from './judged.ts';
export type { ArchivedDocument, ArchiveParts } from './write-archive.ts';
