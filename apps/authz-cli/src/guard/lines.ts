const LINE_FEED = 0x0a;

/**
 * Splits a stream of bytes into lines, whose line feed is left out. A line longer than `bytesMax` is not
 * kept: `onTooLong` is called once, and reading continues after its end.
 */
export function createLineSplitter(
  bytesMax: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let isSkipping = false;
  return (chunk) => {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      start = end === -1 ? chunk.length : end + 1;
      length += part.length;
      if (length > bytesMax && !isSkipping) {
        isSkipping = true;
        parts = [];
        onTooLong();
      }
      if (!isSkipping) parts.push(part);
      if (end === -1) continue;
      if (!isSkipping && length > 0) onLine(Buffer.concat(parts, length));
      parts = [];
      length = 0;
      isSkipping = false;
    }
  };
}

/** Characters that some readers of lines end a line at, in the JSON texts in which they may stand. */
const OTHER_LINE_ENDS = /[\r\u0085\u2028\u2029]/g;

/**
 * The JSON text as one line for every reader: some end lines at characters that JSON lets stand, and would
 * read a message out of the middle of another. Carriage returns stand between values only and become spaces,
 * the others stand in texts only and become escapes. The same text when there are none.
 */
export function asOneLine(text: string): string {
  return text.replace(OTHER_LINE_ENDS, (character) =>
    character === '\r' ? ' ' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
