import { unzipSync, zipSync } from 'fflate';
import { linksOf } from './cell-links.ts';
import { withExactTexts } from './exact-texts.ts';
import { UnreadableFile, type LeftOutList } from './imported.ts';
import { struckCells, struckIn, type Struck } from './struck-cells.ts';

/** A workbook is a zip; unpacked it takes at most so much, and has at most so many parts. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
const PARTS_MAX = 1_000;
/** Columns of a sheet that are read. */
export const COLUMNS_MAX = 200;

const END_OF_CELLS = /<\/(\w+:)?sheetData\s*>/;
const MERGED = /<(\w+:)?mergeCell\s/;
const isRead = (name: string) => /\.(xml|rels)$/i.test(name) && !/META-INF/i.test(name);

/** What stands in a sheet besides its cells. */
export interface Aside {
  /** Numbers of hidden rows, from 1, and hidden columns, from 0. */
  readonly rows: ReadonlySet<number>;
  readonly columns: ReadonlySet<number>;
  /** Addresses by cell, such as `B2`. */
  readonly links: ReadonlyMap<string, string>;
  /** Cells that are struck through, in full or in part, such as `B2`. */
  readonly struck: ReadonlySet<string>;
}

/**
 * The name by which the parser gives a sheet its aside back, as its place in the list: it tells what is
 * hidden only with styles of all cells, columns and rows, and links only by visiting each cell of a range.
 */
const MARK = /^aside-(\d+)$/;

/** Numbers of the hidden rows of a sheet. Source: ECMA-376 Part 1, 18.3.1.73. */
function hiddenRows(sheet: string): ReadonlySet<number> {
  const rows = new Set<number>();
  let line = 0;
  for (const [row] of sheet.matchAll(/<(?:\w+:)?row(?:\s[^<>]*)?>/g)) {
    line = Number(/\sr=["'](\d+)/.exec(row)?.[1] ?? line + 1);
    if (/\shidden=["'](?:1|true)["']/.test(row)) rows.add(line);
  }
  return rows;
}

/** Hidden columns of a sheet that are read, from 0. Source: ECMA-376 Part 1, 18.3.1.13. */
function hiddenColumns(sheet: string): ReadonlySet<number> {
  const columns = new Set<number>();
  for (const [col] of sheet.matchAll(/<(?:\w+:)?col\s[^<>]*>/g)) {
    if (!/\shidden=["'](?:1|true)["']/.test(col)) continue;
    const [min, max] = ['min', 'max'].map((name) =>
      Number(new RegExp(`\\s${name}=["'](\\d+)`).exec(col)?.[1] ?? 0),
    );
    for (let at = min!; at <= Math.min(max!, COLUMNS_MAX); at += 1) columns.add(at - 1);
  }
  return columns;
}

/**
 * A sheet up to the end of its cells; any other part as it is. What may follow, links, merged cells, formats,
 * is about ranges: one line of it makes the parser visit every cell of a sheet. Merged cells are noted, and
 * what is read of the rest is added to `asides`; `relations` is the part with the targets of links.
 */
function withoutTail(
  content: Uint8Array,
  { relations, struck }: { readonly relations: Uint8Array | undefined; readonly struck: Struck },
  leftOut: LeftOutList,
  asides: Aside[],
): Uint8Array {
  const sheet = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
  const end = END_OF_CELLS.exec(sheet);
  if (end === null) return content;
  let closed = sheet.slice(0, end.index + end[0].length);
  if (MERGED.test(sheet.slice(closed.length)))
    leftOut.add(
      'merged cells',
      'the value of cells that are merged was read in the first of them alone: unmerge them and write it into each row',
    );
  const aside = {
    rows: hiddenRows(closed),
    columns: hiddenColumns(closed.slice(0, closed.search(/<(?:\w+:)?sheetData[\s>]/))),
    links: linksOf(sheet, Buffer.from(relations ?? []).toString('latin1')),
    struck: new Set(struckCells(closed, struck)),
  };
  if (Object.values(aside).some(({ size }) => size > 0)) {
    const mark = `<sheetPr codeName="aside-${asides.length}"/>`;
    closed = closed
      .replace(/<(?:\w+:)?sheetPr(?:\s[^<>]*)?\/>/g, '')
      .replace(/<(?:\w+:)?sheetData[\s>]/, (start) => mark + start);
    asides.push(aside);
  }
  return Buffer.from(`${closed}</${end[1] ?? ''}worksheet>`, 'latin1');
}

/** A workbook without compression, of no more bytes and parts than are allowed. */
export interface UnpackedWorkbook {
  readonly zip: Uint8Array;
  /** What stands in a sheet besides its cells, by the code name that the parser gives it. */
  asideOf(codeName: string | undefined): Aside | undefined;
}

/**
 * The zip of a workbook without compression, so that no parser after this unpacks more than was counted here.
 * It has no part but XML, and a sheet ends with its cells: what that leaves out is named in `leftOut`. Throws
 * UnreadableFile for a file that is not an XLSX workbook, is damaged, declares entities or unpacks to too
 * much.
 */
export function unpackWorkbook(bytes: Uint8Array, leftOut: LeftOutList): UnpackedWorkbook {
  const asides: Aside[] = [];
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new UnreadableFile(
      'the file is no XLSX workbook: save it as .xlsx (Excel Workbook) and send it again',
    );
  let total = 0;
  let parts = 0;
  let files: Record<string, Uint8Array>;
  let isBinary = false;
  try {
    files = unzipSync(bytes, {
      filter({ name, originalSize, size }) {
        isBinary ||= /^xl\/workbook\.bin$/i.test(name);
        // The parser would read binary workbooks and those of OpenDocument, too.
        if (!isRead(name)) return false;
        total += Math.max(originalSize, size);
        parts += 1;
        if (total > UNPACKED_BYTES_MAX || parts > PARTS_MAX)
          throw new UnreadableFile(
            `the workbook unpacks to more than ${UNPACKED_BYTES_MAX} bytes or ${PARTS_MAX} parts: send it in parts`,
          );
        return true;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('the workbook is damaged: its zip cannot be unpacked', { cause: error });
  }
  if (isBinary)
    throw new UnreadableFile(
      'the file is a binary workbook (XLSB), which is not read: save it as .xlsx (Excel Workbook) and send it again',
    );
  if (!('[Content_Types].xml' in files))
    throw new UnreadableFile('the file is a zip but no XLSX workbook: it has no [Content_Types].xml');
  const partOf = (file: RegExp) => {
    const name = Object.keys(files).find((one) => file.test(one));
    return name === undefined ? '' : Buffer.from(files[name]!).toString('latin1');
  };
  const struck = struckIn(partOf(/(^|\/)styles\.xml$/i), partOf(/(^|\/)sharedStrings\.xml$/i));
  for (const [name, content] of Object.entries(files)) {
    if (/<!(DOCTYPE|ENTITY)/i.test(new TextDecoder().decode(content.subarray(0, 4096))))
      throw new UnreadableFile(
        `the workbook declares entities in ${name.slice(0, 100)}, which no spreadsheet needs`,
      );
    files[name] = withExactTexts(
      withoutTail(content, { relations: relationsOf(files, name), struck }, leftOut, asides),
    );
  }
  return {
    zip: zipSync(files, { level: 0 }),
    asideOf: (codeName) => asides[Number(MARK.exec(codeName ?? '')?.[1])],
  };
}

/** The part that names what a part of a zip refers to. Source: ECMA-376 Part 2, 9.3. */
const relationsOf = (files: Readonly<Record<string, Uint8Array>>, name: string) =>
  files[name.replace(/[^/]*$/, (file) => `_rels/${file}.rels`)];
