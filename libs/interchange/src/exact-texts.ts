/** A character as spreadsheets write it, `_xHHHH_`, or as XML does. Source: ECMA-376 Part 1, 22.9.2.19. */
const ESCAPED = /_x([\da-f]{4})_|&#(?:x([\da-f]+)|(\d+));/gi;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = /^(?:\n|_x000a_|&#0*10;|&#x0*a;)/i;
/** Longest escape of a line feed that is looked for. Code units. */
const LINE_FEED_LENGTH = 12;

/** The text of a cell that stands in its `v`: the result of a formula, or a text by itself. */
const OWN_TEXT =
  /(<(?:\w+:)?c\s[^<>]{0,300}\bt=["']str["'][^<>]{0,300}>(?:<(?:\w+:)?f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?<(?:\w+:)?v(?:\s[^<>]*)?>)([^<]*)/g;

/**
 * A part of a workbook in which the parser finds each text as it is. By itself it makes a line feed of a
 * carriage return with one, cuts characters beyond U+FFFF, and decodes what stands in `v` twice. So such a
 * carriage return is written twice, such a character as a surrogate pair, and what stands in `v` is escaped
 * once more.
 */
export function withExactTexts(content: Uint8Array): Uint8Array {
  const given = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
  // Line ends of the file itself, which XML reads as line feeds. Source: XML 1.0, 2.11.
  const lines = given.replace(/\r\n?/g, '\n');
  const escaped = (escape: string, code?: string, hex?: string, decimal?: string, at = 0) => {
    const value = decimal === undefined ? Number.parseInt(code ?? hex!, 16) : Number(decimal);
    const end = at + escape.length;
    if (value === CARRIAGE_RETURN && LINE_FEED.test(lines.slice(end, end + LINE_FEED_LENGTH)))
      return escape + escape;
    if (value <= 0xffff || value > 0x10ffff) return escape;
    const pair = String.fromCodePoint(value);
    return `&#${pair.charCodeAt(0)};&#${pair.charCodeAt(1)};`;
  };
  const exact = lines
    .replace(ESCAPED, escaped)
    .replace(OWN_TEXT, (_, start: string, text: string) =>
      [start, text.replace(/&/g, '&amp;').replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')].join(''),
    );
  return exact === given ? content : Buffer.from(exact, 'latin1');
}
