/** What could be taken for the words around a text, for several texts, or for characters that are escaped. */
const DOUBTFUL = /, |: |["`\n]|\\u\{|^\s|\s$|^$/;

/** A key, pattern or name within words about policies, as JSON where it could be read otherwise. */
export function quotedText(text: string): string {
  return DOUBTFUL.test(text) ? inQuotes(text) : text;
}

/** A text as JSON, without the backticks that words put it between. */
export function inQuotes(text: string): string {
  return JSON.stringify(text).replaceAll('`', '\\u0060');
}
