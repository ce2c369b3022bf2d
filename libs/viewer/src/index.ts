export type {
  JudgedInvestigation,
  JudgementChanges,
  JudgementMeta,
  PaneId,
  PublishedChanges,
  ShareDetails,
  ShareDocument,
  ShareSnapshot,
} from './snapshot.ts';
export { PANE_IDS } from './snapshot.ts';
export type { AssetFile, PageAssets, ShareAssets } from './page/assets.ts';
export { ASSET_CACHE_CONTROL, ASSETS_PATH, loadAssetFiles, loadShareAssets } from './page/assets.ts';
export { renderErrorPage } from './page/error-page.tsx';
export { GUIDE_PATH, renderGuidePage } from './page/guide-page.tsx';
export { answerText, type AnswerText } from './page/answer-text.ts';
export { conditionTexts } from './page/condition-text.ts';
export { leadingAnswer, type LeadingAnswer } from './page/leading-answer.ts';
export { EMBED_HEADERS, SHARE_PAGE_HEADERS } from './page/headers.ts';
export { renderEmbedPage } from './page/embed-page.tsx';
export { EMBED_PATH, IMAGE_PATH } from './card/embed-snippet.ts';
export { createImagePainter, type PaintImage } from './card/paint-image.ts';
export { shareImage } from './card/share-image.tsx';
export { isRankedClaims, isRankedColumn, rankedClaimsCsv } from './page/ranked-claims-csv.ts';
export { CHANGES_PATH, renderChangesPage } from './page/changes-page.tsx';
export { renderDocumentPage } from './page/document-page.tsx';
export { renderSharePage } from './page/render-share-page.tsx';
export { ICON } from './page/share-page.tsx';
export { claimStatement } from './page/with-words.ts';
export { leadingPlaceText, moreLikely, placeText } from './format/words.ts';
export { FEED_PATH, renderShareFeed, type FeedChanges, type FeedEntry } from './page/share-feed.ts';
export { DATA_PATH, shareData } from './page/share-data.ts';
export { slugOf } from './format/slug.ts';
