import { renderToString } from 'preact-render-to-string';
import { createModel } from '../model.ts';
import type { ShareSnapshot } from '../snapshot.ts';
import type { PageAssets } from './assets.ts';
import { pageSnapshot } from './page-snapshot.ts';
import { SharePage } from './share-page.tsx';

/**
 * The share page of a snapshot as HTML text, to be answered with SHARE_PAGE_HEADERS. The same snapshot and
 * assets give the same text, so the digest of both is its ETag. Pure.
 */
export function renderSharePage(
  snapshot: ShareSnapshot,
  { assets }: { readonly assets: PageAssets },
): string {
  const shown = pageSnapshot(snapshot);
  const model = createModel(shown);
  return `<!doctype html>${renderToString(<SharePage snapshot={shown} model={model} assets={assets} />)}`;
}
