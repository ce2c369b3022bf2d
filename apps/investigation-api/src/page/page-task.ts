import type { ExportFormat } from '@platform/interchange/formats';
import type { TextPieces } from '../model/text-pieces.ts';
import type { FeedEntry, PageAssets, PaneId } from '@platform/viewer';

/** What is drawn of a share. */
export type Drawing =
  | {
      readonly form: 'html';
      /** The pane that the owner chose unless given. */
      readonly pane: PaneId | undefined;
      /** From 1. */
      readonly page: number;
    }
  /**
   * The ranked claims as CSV, the data that the page's scripts draw from, the card for other sites, or what
   * changed since the publication before.
   */
  | { readonly form: 'csv' | 'data' | 'embed' | 'changes' }
  /** The passages quoted from a document. */
  | { readonly form: 'document'; readonly document: string; readonly version: number }
  /** The share in the format of another tool. */
  | { readonly form: 'export'; readonly format: ExportFormat }
  /** The Atom feed, of these entries. */
  | { readonly form: 'feed'; readonly entries: readonly FeedEntry[] }
  /** The image that previews of links show. */
  | { readonly form: 'image' };

/** A task for the page worker: draw the snapshot in these bytes. */
export interface PageTask {
  /** JSON of a ShareSnapshot; transferred, not copied. */
  readonly snapshot: TextPieces;
  readonly drawing: Drawing;
  readonly assets: PageAssets;
}

/**
 * The drawing in UTF-8, compressed with gzip; an image as PNG; null for a document or for changes that the
 * share does not show.
 */
export type PageReply = Uint8Array<ArrayBuffer> | null;
