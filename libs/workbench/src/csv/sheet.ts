import Papa from 'papaparse';

/** A CSV text as rows; `line` is where a row begins, from 1. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** What could not be read. */
  readonly problems: readonly string[];
  /** What stands between the cells of a CSV. */
  readonly delimiter?: string;
  /** Cells that hold a number and no text, by `numberKey`. */
  readonly numbers?: ReadonlySet<string>;
}

/**
 * RFC 4180 with a heading; comma, semicolon, tab or bar between cells, whichever fits. Empty rows are left
 * out.
 */
export function readSheet(text: string): Sheet {
  const csv = text.replace(/^\ufeff/, '');
  const delimiter = delimiterOf(csv);
  const { data, errors } = Papa.parse<string[]>(csv, { delimiter });
  const problems = errors.map(({ row, message }) => `row ${(row ?? 0) + 1}: ${message}`);
  let line = 1;
  const numbered = data.map((cells) => {
    const at = line;
    line += 1 + cells.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return { line: at, cells };
  });
  const filled = numbered.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const [heading, ...rows] = filled;
  return { columns: (heading?.cells ?? []).map((name) => name.trim()), rows, problems, delimiter };
}

/** The delimiter that gives the heading the most cells. */
function delimiterOf(csv: string): string {
  const width = (delimiter: string) =>
    Papa.parse<string[]>(csv.trimStart(), { delimiter, preview: 1 }).data[0]?.length ?? 0;
  return [',', ';', '\t', '|'].reduce((best, other) => (width(other) > width(best) ? other : best));
}

/** What names a cell among those that hold numbers. */
export const numberKey = (line: number, column: number): string => `${line} ${column}`;

/** What names a cell among those that are mended. */
export const cellKey = (line: number, field: string): string => `${line} ${field}`;
