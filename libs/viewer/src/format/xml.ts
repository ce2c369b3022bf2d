const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 has no way to write (§2.2). */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text as it stands in XML 1.0, in elements and in attributes in double quotes. Pure. */
export function escapedXml(content: string): string {
  return content.replace(NOT_XML, '\ufffd').replace(/[&<>"]/g, (one) => ENTITIES[one]!);
}
