import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { PageAssets } from '@platform/viewer';
import { LRUCache } from 'lru-cache';
import { createWorkerPool, QueueFull } from '@platform/worker-pool';
import { memoryOf } from '../model/text-pieces.ts';
import type { ReadShare } from '../operations/read-public-share.ts';
import type { Drawing, PageReply, PageTask } from './page-task.ts';

export interface SharePages {
  /**
   * A drawing of a share in UTF-8, compressed with gzip; an image as PNG. Throws DomainError `unavailable`
   * when too many wait, `not_found` for a document or for changes that the share does not show, or the
   * signal's reason.
   */
  render(share: ReadShare, drawing: Drawing, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Drawn pages kept, together, compressed. Bytes. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Pages that may wait to be drawn. */
const WAITING_MAX = 64;
const WORKER_FILE = new URL('./page-worker.js', import.meta.url);

/**
 * Draws pages in a separate thread, because drawing a page of a thousand claims would delay other requests. A
 * drawn page is kept compressed, under the share's entity tag, so that a link that is shared widely is drawn
 * and compressed once.
 */
export function createSharePages(options: {
  readonly assets: PageAssets;
  readonly memoryMiBMax: number;
  readonly file?: URL;
}): SharePages {
  const pool = createWorkerPool<PageTask, PageReply>({
    file: WORKER_FILE,
    threads: 1,
    queueMax: WAITING_MAX,
    ...options,
  });
  const drawn = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  return {
    async render(share, drawing, signal) {
      const key = JSON.stringify([drawing, share.etag]);
      const known = drawn.get(key);
      if (known !== undefined) return known;
      const snapshot = await share.snapshot();
      try {
        const page = await pool.run(
          { snapshot, drawing, assets: options.assets },
          { signal, owner: share.path, transfer: memoryOf(snapshot) },
        );
        if (page === null) throw new DomainError('not_found', `the share shows no such ${drawing.form}`);
        drawn.set(key, page);
        return page;
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        throw new DomainError('unavailable', 'too many pages are being drawn, try again later', {
          retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue,
        });
      }
    },
    close: () => pool.close(),
  };
}
