import type { PGlite } from '@electric-sql/pglite';

/** UTF-8 of U+FEFF. */
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const DATA_ROW = 'D'.charCodeAt(0);

/**
 * Makes PGlite return text that begins with U+FEFF as it is stored. PGlite (0.5.16) decodes each field with a
 * TextDecoder that takes a leading U+FEFF for a byte order mark and drops it, so it is put back by the raw
 * response.
 */
export function keepLeadingBom(pglite: PGlite): void {
  pglite.execProtocolStream = async (message, options) => {
    const { messages, data } = await pglite.execProtocol(message, options);
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (!bytes.includes(BOM)) return messages;
    const rows = messages.filter((each): each is DataRow => each.name === 'dataRow');
    for (const [index, starts] of bomFields(bytes).entries()) {
      const fields = rows[index]?.fields ?? [];
      for (const at of starts) fields[at] = `\uFEFF${fields[at]}`;
    }
    return messages;
  };
}

interface DataRow {
  readonly name: 'dataRow';
  readonly length: number;
  readonly fields: (string | null)[];
}

/**
 * For each DataRow among `bytes`, the indexes of the fields that begin with U+FEFF (PostgreSQL manual,
 * "Message Formats": type, Int32 length that counts itself; Int16 fields; for each Int32 length, -1 for NULL,
 * and its bytes).
 */
function bomFields(bytes: Buffer): number[][] {
  const rows: number[][] = [];
  for (let start = 0; start < bytes.length; start += 1 + bytes.readInt32BE(start + 1)) {
    if (bytes[start] !== DATA_ROW) continue;
    const starts: number[] = [];
    const count = bytes.readInt16BE(start + 5);
    for (let field = 0, at = start + 7; field < count; field++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length >= BOM.length && bytes.compare(BOM, 0, BOM.length, at, at + BOM.length) === 0)
        starts.push(field);
      at += Math.max(length, 0);
    }
    rows.push(starts);
  }
  return rows;
}
