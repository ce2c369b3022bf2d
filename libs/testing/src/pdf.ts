import PdfKit from 'pdfkit';

/** A PDF file whose pages show these texts; an empty text is a page with a drawing alone. */
export async function pdfOf(
  pages: readonly string[],
  options: PDFKit.PDFDocumentOptions = {},
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
  file.end();
  await ended;
  return Uint8Array.from(Buffer.concat(chunks));
}
