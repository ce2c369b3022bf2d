import { useMemo } from 'preact/hooks';
import type { ReadDocument } from './stored-document.ts';
import { pagesWithoutText, pageWords } from './empty-pages.ts';

/** Says which pages of a PDF file gave no text, because no word of them can be found or pinned. */
export function PagesWithoutText({ document }: { readonly document: ReadDocument }) {
  const { contents, pdf_sha256: digest } = document;
  const pages = useMemo(() => (digest ? pagesWithoutText(contents) : []), [contents, digest]);
  if (pages.length === 0) return null;
  return (
    <p class="notice">
      {pageWords(pages)} of this PDF file {pages.length === 1 ? 'has' : 'have'} no text, as a scan has none.
      To quote from {pages.length === 1 ? 'it' : 'them'}, run text recognition (OCR) over the file and store
      it again.
    </p>
  );
}
