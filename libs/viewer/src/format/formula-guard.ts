/**
 * Spreadsheets run a cell that starts like this as a formula, some after white space and in full-width
 * characters too. Source: OWASP, CSV Injection.
 */
const FORMULA_START = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** Whether a text would be run once the apostrophes before it are gone. */
const isFormula = (text: string) => FORMULA_START.test(text.replace(/^'+/, ''));

/** A text for a cell: one that a spreadsheet would run gets an apostrophe in front. */
export const guarded = (text: string): string => (isFormula(text) ? `'${text}` : text);

/** The text of which `guarded` made that of a cell. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
