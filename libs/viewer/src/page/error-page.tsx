import { renderToString } from 'preact-render-to-string';
import type { PageAssets } from './assets.ts';
import { PageHead } from './page-head.tsx';

/** What a reader can do about an answer, in two sentences: what is so, and what to do. */
const WORDS = {
  absent: {
    title: 'No such page',
    text: 'No investigation is published at this address. The link may be incomplete, or its owner has withdrawn the page.',
  },
  away: {
    title: 'Not to be read just now',
    text: 'The page is there, or was, but cannot be fetched at the moment. Try again in a little while.',
  },
} as const;

/**
 * The page that a reader gets instead of a share as HTML text, to be answered with SHARE_PAGE_HEADERS: the same for every
 * address at which nothing is published (404), and one for what cannot be answered now (any other status). Pure.
 */
export function renderErrorPage(status: number, { styles }: Pick<PageAssets, 'styles'>): string {
  const { title, text } = WORDS[status === 404 ? 'absent' : 'away'];
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
