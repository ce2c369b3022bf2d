import { renderToString } from 'preact-render-to-string';
import { createModel } from '../model.ts';
import type { PaneId, ShareSnapshot } from '../snapshot.ts';
import type { PageAssets } from './assets.ts';
import { pageSnapshot } from './page-snapshot.ts';
import { placeIn } from './places.ts';
import { SharePage } from './share-page.tsx';

/**
 * One document of a share as HTML text, to be sent with SHARE_PAGE_HEADERS: one page of one pane, the first
 * page of the pane that its owner chose unless given; the last page for a number beyond it. The same
 * snapshot, place and assets give the same text, so the digest of all is its ETag. Pure.
 */
export function renderSharePage(
  snapshot: ShareSnapshot,
  { assets, pane, page = 1 }: { readonly assets: PageAssets; readonly pane?: PaneId; readonly page?: number },
): string {
  const shown = pageSnapshot(snapshot);
  const model = createModel(shown);
  const place = placeIn(model, { pane: pane ?? snapshot.share.preferred_pane, page });
  const document = <SharePage snapshot={shown} model={model} assets={assets} place={place} />;
  return `<!doctype html>${renderToString(document)}`;
}
