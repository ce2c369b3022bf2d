import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageAssets } from './assets.ts';
import { PageHead } from './page-head.tsx';

/** Where a site has the page that says how it judges. Path from the root of the site. */
export const GUIDE_PATH = '/how-it-judges';

/**
 * The page that says what chances, uncertainty and suspected copying mean, to be sent with
 * SHARE_PAGE_HEADERS. It is drawn from docs/how-it-judges.md, of whose language it knows headings,
 * paragraphs, lists and bold words; links to other files of the repository become their text, since a site
 * does not have these. Pure.
 */
export function renderGuidePage(markdown: string, { styles }: Pick<PageAssets, 'styles'>): string {
  const [title, ...blocks] = markdown.trim().split(/\n{2,}/);
  const page = (
    <html lang="en">
      <PageHead title={title!.replace(/^# /, '')} styles={styles} />
      <body>
        <header class="page-header">
          <h1>{title!.replace(/^# /, '')}</h1>
        </header>
        <main>{blocks.map(block)}</main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}

function block(text: string) {
  if (text.startsWith('## ')) return <h2>{text.slice('## '.length)}</h2>;
  if (!text.startsWith('- ')) return <p>{inline(text)}</p>;
  return (
    <ul>
      {text.split('\n').map((line) => (
        <li key={line}>{inline(line.slice('- '.length))}</li>
      ))}
    </ul>
  );
}

function inline(text: string): ComponentChildren[] {
  const withoutLinks = text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return withoutLinks
    .split('**')
    .map((part, index) => (index % 2 === 1 ? <strong key={index}>{part}</strong> : part));
}
