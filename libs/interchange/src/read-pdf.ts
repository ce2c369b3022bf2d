import { groupBy } from './group-by.ts';
import { UnreadableFile } from './imported.ts';
import { isMostlyRightToLeft, logicalLine } from './logical-order.ts';
import { isNextTo, isOnAnotherLine, type PlacedText } from './placed-text.ts';

/** The text of a PDF file. */
export interface PdfText {
  /** The pages, in order, with a form feed (U+000C) between two of them, as pdftotext writes them. */
  readonly text: string;
  readonly pages: number;
  /** Numbers, from 1, of pages that have no text, such as scans; at most PAGES_NAMED_MAX. */
  readonly pagesWithoutText: readonly number[];
}

/** A run of text on a page; what else a page holds has none of it. */
interface TextItem extends PlacedText {
  readonly hasEOL: boolean;
  readonly fontName: string;
}

/** What PDF.js found on a page. */
interface TextContent {
  readonly items: readonly Partial<TextItem>[];
  readonly styles: Readonly<Record<string, { readonly vertical: boolean }>>;
}

/** A field of a form on a page; other annotations have none of it. */
interface FormField {
  readonly fieldName: string;
  /** Text (Tx), choice (Ch), button (Btn) or signature (Sig). */
  readonly fieldType: string;
  /** Of a button the name of its state, `Off` unless it is checked. */
  readonly fieldValue: unknown;
  /** Of a choice: what a value is called on the page. */
  readonly options: readonly { readonly exportValue: string; readonly displayValue: string }[];
  readonly hidden: boolean;
  readonly password: boolean;
  /** PDF.js gives it as the value of a field that has none. */
  readonly defaultFieldValue: unknown;
  /** The lines that the field shows on the page, where it shows any. */
  readonly textContent: readonly string[];
  /** The state in which this button is checked: of a radio button, and of a box. */
  readonly buttonValue: string;
  readonly exportValue: string;
}

/** Pages that one file may have. */
export const PDF_PAGES_MAX = 5_000;
/** UTF-16 code units of all pages together; the document store takes 4 MiB of UTF-8. */
const TEXT_MAX = 4 * 1024 * 1024;
const PAGES_NAMED_MAX = 200;
const PAGE_BREAK = '\f';

/** What PDF.js throws, by the name of the error, in words for the sender. */
const PROBLEMS: Readonly<Record<string, string>> = {
  PasswordException: 'the PDF file needs a password: save a copy without one',
  InvalidPDFException: 'this is not a PDF file, or it is damaged: open it in a reader and save it again',
};

/**
 * The text of a PDF file, page by page, as PDF.js reads it, each followed by what was filled into its form:
 * no script in it runs, no image is drawn and no address is fetched. The same bytes give the same text.
 * Throws UnreadableFile for bytes that are not a PDF file, is encrypted, has no text on any page, or has more
 * than PDF_PAGES_MAX pages or TEXT_MAX text.
 */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  // The reader is large, and most threads never see a PDF file.
  const { getDocumentProxy } = await import('unpdf');
  // PDF.js takes the buffer away from its owner.
  const file = await getDocumentProxy(bytes.slice(), {
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: 0,
  }).catch((error: unknown) => {
    throw unreadable(error);
  });
  try {
    if (file.numPages > PDF_PAGES_MAX)
      throw new UnreadableFile(
        `the PDF file has ${file.numPages} pages, more than ${PDF_PAGES_MAX}: split it`,
      );
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= file.numPages; number += 1) {
      const page = await file.getPage(number);
      const content = (await page.getTextContent()) as TextContent;
      const fields = (await page.getAnnotations()) as readonly Partial<FormField>[];
      page.cleanup();
      const text = storable([textOf(content), ...filledIn(fields)].filter(Boolean).join('\n'));
      length += text.length + 1;
      if (length > TEXT_MAX)
        throw new UnreadableFile(`the PDF file has more than 4 MiB of text by page ${number}: split it`);
      pages.push(text);
    }
    const empty = pages.flatMap((text, index) => (text.trim() === '' ? [index + 1] : []));
    if (empty.length === pages.length)
      throw new UnreadableFile(
        'no page of the PDF file has text, only images: run text recognition (OCR) over it first',
      );
    return {
      text: pages.join(PAGE_BREAK),
      pages: pages.length,
      pagesWithoutText: empty.slice(0, PAGES_NAMED_MAX),
    };
  } catch (error) {
    throw unreadable(error);
  } finally {
    await file.destroy();
  }
}

/**
 * The lines of a page. PDF.js ends lines within one content stream; a stamp or another form object is a
 * stream of its own, so places are compared, too.
 */
function textOf({ items, styles }: TextContent): string {
  const isRightToLeft = isMostlyRightToLeft(items.map(({ str = '' }) => str).join(''));
  const lines: PlacedText[][] = [[]];
  for (const { fontName = '', hasEOL = false, str = '', ...item } of items) {
    // What ends a line alone has the place of the next one.
    if (str !== '') {
      const { dir = 'ltr', transform = [], width = 0, height = 0 } = item;
      const isVertical = styles[fontName]?.vertical ?? false;
      const text = { str, dir, transform, width, height, isVertical };
      const before = lines.at(-1)!.at(-1);
      // PDF.js puts a space before a text by what its own stream drew last, also where a stamp lies between.
      if (before && str.trim() === '' && !isNextTo(before, text)) continue;
      if (before && isOnAnotherLine(before, text)) lines.push([]);
      lines.at(-1)!.push(text);
    }
    if (hasEOL) lines.push([]);
  }
  return lines.map((line) => logicalLine(line, isRightToLeft)).join('\n');
}

/** What was filled into the fields of a page, each with its name, in the order of the file. */
function filledIn(fields: readonly Partial<FormField>[]): Set<string> {
  const numbered = numberedButtons(fields);
  const lines = fields.flatMap((field) => {
    const { fieldName = '', fieldType, fieldValue, options = [], hidden = false, password = false } = field;
    const values = [fieldValue]
      .flat()
      .filter((value): value is string => typeof value === 'string' && value.trim() !== '');
    if (hidden || password || values.length === 0) return [];
    if (fieldType === 'Btn') {
      if (values[0] === 'Off') return [];
      const count = numbered.get(fieldName) ?? 0;
      const place = Number(values[0]) < count ? ` (button ${Number(values[0]) + 1} of ${count})` : '';
      return [`${fieldName}: ${values[0]}${place}`];
    }
    const isDefault = values.join('\n') === [field.defaultFieldValue].flat().join('\n');
    if (isDefault && !field.textContent) return [];
    const shown = values.map(
      (value) => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value,
    );
    return [`${fieldName}: ${shown.join(', ')}`];
  });
  // Each button of a group has the value of the group.
  return new Set(lines);
}

/**
 * How many buttons have a name, for names whose buttons are counted from 0. Such states stand for texts that
 * PDF.js does not give (ISO 32000-1, 12.7.4.2.4), and would be read as an amount: their place is added.
 */
function numberedButtons(fields: readonly Partial<FormField>[]): Map<string, number> {
  const names = groupBy(fields, ({ fieldName = '' }) => fieldName);
  return new Map(
    [...names].flatMap(([name, group]): [string, number][] =>
      group.length > 1 &&
      group.every(({ buttonValue, exportValue }, at) => (buttonValue ?? exportValue) === String(at))
        ? [[name, group.length]]
        : [],
    ),
  );
}

/** Text that every store keeps: no NUL, no half of a surrogate pair, and no page break within a page. */
const storable = (text: string): string =>
  text.replaceAll(PAGE_BREAK, '\n').replaceAll('\0', '\uFFFD').toWellFormed();

function unreadable(error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  // What damaged bytes do to a parser has many names, all of them the fault of the file.
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>;
  return new UnreadableFile(
    PROBLEMS[name] ?? `the PDF file cannot be read (${message.slice(0, 200)}): save it again from a reader`,
  );
}
