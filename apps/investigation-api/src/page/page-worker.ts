import { parentPort } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  createImagePainter,
  type PaintImage,
  rankedClaimsCsv,
  renderEmbedPage,
  renderSharePage,
  shareData,
  shareImage,
  type ShareSnapshot,
} from '@platform/viewer';
import type { WorkerMessage } from '@platform/worker-pool';
import type { PageReply, PageTask } from './page-task.ts';

const decoder = new TextDecoder();
/** Made when the first image is asked for: its renderer and fonts take some ten megabytes. */
let painter: Promise<PaintImage> | null = null;

parentPort?.on('message', ({ snapshot, drawing, assets }: PageTask) => {
  const share = JSON.parse(decoder.decode(snapshot)) as ShareSnapshot;
  const send = (reply: PageReply) =>
    parentPort?.postMessage({ reply } satisfies WorkerMessage<PageReply, never>, [reply.buffer]);
  if (drawing.form !== 'image') return send(Uint8Array.from(gzipSync(draw(share, drawing, assets))));
  // A painter that cannot be made ends the thread, as any failure of a task does.
  painter ??= createImagePainter(fileURLToPath(new URL('./viewer/', import.meta.url)));
  void painter.then((paint) => send(paint(shareImage(share))));
});

function draw(
  share: ShareSnapshot,
  drawing: Exclude<PageTask['drawing'], { form: 'image' }>,
  assets: PageTask['assets'],
): string {
  switch (drawing.form) {
    case 'html':
      return renderSharePage(share, { assets, ...drawing });
    case 'csv':
      return rankedClaimsCsv(share);
    case 'data':
      return shareData(share);
    case 'embed':
      return renderEmbedPage(share, assets);
  }
}
