import { renderToString } from 'preact-render-to-string';
import type { PageAssets } from './assets.ts';
import { PageHead } from './page-head.tsx';

/** What happened and what the reader can do about it, by kind of failure. */
const WORDS = {
  absent: {
    title: 'No such page',
    text: 'No investigation is published at this address. The link may be incomplete, or its owner has withdrawn the page.',
  },
  unavailable: {
    title: 'Temporarily unavailable',
    text: 'The page cannot be loaded at the moment. Try again in a few minutes.',
  },
} as const;

/**
 * The page that a reader gets instead of a share as HTML text, to be served with SHARE_PAGE_HEADERS: the
 * same for every address at which nothing is published (404), and one for what cannot be answered now (any
 * other status). Pure.
 */
export function renderErrorPage(status: number, { styles }: Pick<PageAssets, 'styles'>): string {
  const { title, text } = WORDS[status === 404 ? 'absent' : 'unavailable'];
  const page = (
    <html lang="en">
      <PageHead title={title} styles={styles} />
      <body>
        <header class="page-header">
          <h1>{title}</h1>
        </header>
        <main>
          <p>{text}</p>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}
