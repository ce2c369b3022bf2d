import Papa from 'papaparse';

/** Cells as spreadsheets copy them: tabs between them, quotes around those with a tab or a line break. */
export function printTsv(rows: readonly (readonly string[])[]): string {
  return Papa.unparse(rows as string[][], { delimiter: '\t', newline: '\r\n' });
}

/** The cells of what a spreadsheet copied; text without tabs and line breaks is one cell. */
export function parseTsv(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(/(\r\n|\r|\n)$/, ''), { delimiter: '\t' });
  return data.length === 0 ? [['']] : data;
}

/**
 * What a range is filled with: the cells as they are where they are more than the range, repeated where the
 * range is a multiple of them, as spreadsheets do.
 */
export function spread(cells: readonly (readonly string[])[], rows: number, columns: number): string[][] {
  const height = cells.length;
  const width = Math.max(...cells.map((row) => row.length));
  const [down, right] = [rows % height === 0 ? rows : height, columns % width === 0 ? columns : width];
  return Array.from({ length: Math.max(height, down) }, (_, row) =>
    Array.from(
      { length: Math.max(width, right) },
      (_unused, column) => cells[row % height]![column % width] ?? '',
    ),
  );
}
