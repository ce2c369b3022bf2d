const LINE_FEED = 0x0a;

/**
 * Splits a stream of bytes into lines, whose line feed is left out. A line longer than `bytesMax` is not
 * kept: at its end `onTooLong` gets its first and its last `endBytes`.
 */
export function createLineSplitter(
  bytesMax: number,
  onLine: (line: Buffer) => void,
  onTooLong: (first: Buffer, last: Buffer) => void,
  endBytes = 0,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  /** Of a line that is too long. */
  let first: Buffer | null = null;
  return (chunk) => {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      start = end === -1 ? chunk.length : end + 1;
      length += part.length;
      parts.push(part);
      if (length > bytesMax) {
        const kept = Buffer.concat(parts);
        // Copies: a part of a buffer would keep the whole.
        first ??= Buffer.from(kept.subarray(0, endBytes));
        parts = [Buffer.from(kept.subarray(Math.max(0, kept.length - endBytes)))];
      }
      if (end === -1) continue;
      if (first !== null) onTooLong(first, parts[0] as Buffer);
      else if (length > 0) onLine(Buffer.concat(parts, length));
      parts = [];
      length = 0;
      first = null;
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
