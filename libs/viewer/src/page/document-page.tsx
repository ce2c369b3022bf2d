import { renderToString } from 'preact-render-to-string';
import { Digest } from '../quotes/document-facts.tsx';
import { plain, visible } from '../format/text.ts';
import { PageHead } from './page-head.tsx';
import type { PageAssets } from './assets.ts';
import type { ShareSnapshot } from '../snapshot.ts';
import { DocumentText } from '../quotes/document-text.tsx';

/**
 * A document of a share as HTML text, to be sent with SHARE_PAGE_HEADERS: the passages that are quoted from
 * it, marked, with what stands around them. It needs no scripts. Null where the share shows none such. Pure.
 */
export function renderDocumentPage(
  snapshot: ShareSnapshot,
  {
    assets,
    document,
    version,
  }: { readonly assets: PageAssets; readonly document: string; readonly version: number },
): string | null {
  const shown = snapshot.documents?.find((one) => one.document === document && one.version === version);
  if (shown === undefined) return null;
  const { research_question: question } = snapshot.input;
  const page = (
    <html lang="en">
      <PageHead title={`${plain(shown.filename)}: ${plain(question)}`} styles={assets.styles} />
      <body>
        <header class="page-header">
          <p class="frozen-badge">
            <a href={snapshot.share.url}>{visible(question)}</a>
          </p>
          <h1 dir="auto">{visible(shown.filename)}</h1>
        </header>
        <main class="document-page">
          <Digest shown={shown} />
          <DocumentText {...shown} />
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}
