import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { PageAssets } from '@platform/viewer';
import { LRUCache } from 'lru-cache';
import { createFairLimit, createWorkerPool, QueueFull, WaitedTooLong } from '@platform/worker-pool';
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
  /**
   * What `use` makes of a share's snapshot. A few are in memory at a time, of shares in turns, until `use`
   * has ended. Throws DomainError `unavailable` when too many wait or one has waited too long, the signal's
   * reason, and what reading and `use` throw.
   */
  withSnapshot<T>(
    share: ReadShare,
    signal: AbortSignal,
    use: (snapshot: Snapshot) => T | Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

type Snapshot = Awaited<ReturnType<ReadShare['snapshot']>>;

/** Drawn pages kept, together, compressed. Bytes. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Pages that may wait to be drawn. */
const WAITING_MAX = 64;
/** Snapshots in memory at a time, how many requests may wait for one, and how long. */
const SNAPSHOTS_MAX = 4;
const SNAPSHOTS_WAITING_MAX = 1_000;
const SNAPSHOT_WAIT_MS_MAX = 10_000;
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
  const turns = createFairLimit({
    concurrency: SNAPSHOTS_MAX,
    waitingMax: SNAPSHOTS_WAITING_MAX,
    waitMaxMs: SNAPSHOT_WAIT_MS_MAX,
  });
  const withSnapshot: SharePages['withSnapshot'] = async (share, signal, use) => {
    const leave = await turns.enter(share.path, signal).catch(refuse);
    try {
      return await use(await share.snapshot());
    } finally {
      leave();
    }
  };
  const drawn = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  return {
    async render(share, drawing, signal) {
      const key = JSON.stringify([drawing, share.etag]);
      const known = drawn.get(key);
      if (known !== undefined) return known;
      const page = await withSnapshot(
        share,
        signal,
        (snapshot) =>
          // Another request may have drawn it meanwhile.
          drawn.get(key) ??
          pool
            .run(
              { snapshot, drawing, assets: options.assets },
              { signal, owner: share.path, transfer: memoryOf(snapshot) },
            )
            .catch(refuse),
      );
      if (page === null) throw new DomainError('not_found', `the share shows no such ${drawing.form}`);
      drawn.set(key, page);
      return page;
    },
    withSnapshot,
    close: () => pool.close(),
  };
}

/** Tells a caller who cannot be served now when to come again. */
function refuse(error: unknown): never {
  if (!(error instanceof QueueFull || error instanceof WaitedTooLong)) throw error;
  throw new DomainError('unavailable', 'too many pages are being drawn, try again later', {
    retryAfterSeconds: RETRY_AFTER_SECONDS.longQueue,
  });
}
