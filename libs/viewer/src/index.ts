export type { JudgedInvestigation, JudgementMeta, PaneId, ShareDetails, ShareSnapshot } from './snapshot.ts';
export { PANE_IDS } from './snapshot.ts';
export type { AssetFile, PageAssets, ShareAssets } from './page/assets.ts';
export { ASSET_CACHE_CONTROL, ASSETS_PATH, loadAssetFiles, loadShareAssets } from './page/assets.ts';
export { renderErrorPage } from './page/error-page.tsx';
export { SHARE_PAGE_HEADERS } from './page/headers.ts';
export { rankedClaimsCsv } from './page/ranked-claims-csv.ts';
export { renderSharePage } from './page/render-share-page.tsx';
export { slugOf } from './format/slug.ts';
