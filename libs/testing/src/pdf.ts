import PdfKit from 'pdfkit';

/**
 * A PDF file whose pages show these texts; an empty text is a page with a drawing alone. `fields` are
 * those of a form on its last page, by name, with what was filled in.
 */
export async function pdfOf(
  pages: readonly string[],
  { fields = {}, ...options }: PDFKit.PDFDocumentOptions & { fields?: Record<string, string> } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const file = new PdfKit({ autoFirstPage: false, info: { CreationDate: new Date(0) }, ...options });
  const chunks: Buffer[] = [];
  file.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => file.on('end', resolve));
  for (const text of pages) {
    file.addPage();
    if (text === '') file.rect(100, 100, 200, 50).stroke();
    else file.text(text);
  }
  if (Object.keys(fields).length > 0) file.initForm();
  for (const [name, value] of Object.entries(fields))
    file.formText(name, 72, 120, 300, 20, { value, multiline: true });
  file.end();
  await ended;
  return Uint8Array.from(Buffer.concat(chunks));
}

/**
 * A PDF file of one page whose lines consist of runs that stand from left to right, each drawn as it is
 * written here: text from right to left is given in the order in which it is shown. Any character of one
 * UTF-16 unit can be drawn, for no font is embedded. `isBackwards` draws the last run of a line first.
 */
export function pdfOfRuns(
  lines: readonly (readonly string[])[],
  { isBackwards = false }: { isBackwards?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const drawn = lines.flatMap((runs, line) => {
    let x = 50;
    const placed = runs.map((run) => {
      const code = [...run].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('');
      const text = `BT /F 12 Tf 1 0 0 1 ${x} ${700 - 20 * line} Tm <${code}> Tj ET`;
      x += 6 * run.length;
      return text;
    });
    return isBackwards ? placed.toReversed() : placed;
  });
  return pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 6 0 R>>',
    '<</Type/Font/Subtype/Type0/BaseFont/Test/Encoding/Identity-H/ToUnicode/Identity-H/DescendantFonts[5 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Test/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/FontDescriptor 7 0 R>>',
    `<</Length ${drawn.join('\n').length}>>stream\n${drawn.join('\n')}\nendstream`,
    '<</Type/FontDescriptor/FontName/Test/Flags 4/FontBBox[0 0 500 800]/ItalicAngle 0/Ascent 800/Descent 0/CapHeight 700/StemV 80>>',
  ]);
}

/** A PDF file of these objects, numbered from 1, of which the first is the catalog. */
export function pdfOfObjects(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return new TextEncoder().encode(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}
