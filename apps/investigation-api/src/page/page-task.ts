import type { PageAssets } from '@platform/viewer';

/** A task for the page worker: draw the snapshot in these bytes. */
export interface PageTask {
  /** JSON of a ShareSnapshot in UTF-8; transferred, not copied. */
  readonly snapshot: Uint8Array<ArrayBuffer>;
  /** The page, or the ranked claims as CSV. */
  readonly form: 'html' | 'csv';
  readonly assets: PageAssets;
}

/** The text in UTF-8, as it is and compressed. */
export interface PageReply {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
}
