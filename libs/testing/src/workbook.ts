import * as XLSX from '@e965/xlsx';

/** A workbook of the rows of each sheet, by its name; XLSX unless the options ask for another format. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
  options: XLSX.WritingOptions = {},
): Uint8Array<ArrayBuffer> {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet(rows as unknown[][], { cellDates: true, UTC: true }),
      name,
    );
  return new Uint8Array(
    XLSX.write(book, { bookType: 'xlsx', compression: true, ...options, type: 'array' }) as ArrayBuffer,
  );
}
