import { parentPort } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writeFile } from '@platform/interchange';
import {
  createImagePainter,
  type PaintImage,
  rankedClaimsCsv,
  renderChangesPage,
  renderEmbedPage,
  renderDocumentPage,
  renderShareFeed,
  renderSharePage,
  shareData,
  shareImage,
  type ShareSnapshot,
} from '@platform/viewer';
import { loadReportFonts } from '@platform/viewer/report';
import type { WorkerMessage } from '@platform/worker-pool';
import { textOf } from '../model/text-pieces.ts';
import type { PageReply, PageTask } from './page-task.ts';

const ASSETS = fileURLToPath(new URL('./viewer/', import.meta.url));
/** Made when the first image is asked for: its renderer and fonts take some ten megabytes. */
let painter: Promise<PaintImage> | null = null;

parentPort?.on('message', ({ snapshot, drawing, assets }: PageTask) => {
  const share = JSON.parse(textOf(snapshot)) as ShareSnapshot;
  const send = (reply: PageReply) =>
    parentPort?.postMessage(
      { reply } satisfies WorkerMessage<PageReply, never>,
      reply === null ? [] : [reply.buffer],
    );
  if (drawing.form !== 'image') {
    const drawn = draw(share, drawing, assets);
    return send(drawn === null ? null : Uint8Array.from(gzipSync(drawn)));
  }
  // A painter that cannot be made ends the thread, as any failure of a task does.
  painter ??= createImagePainter(ASSETS);
  void painter.then((paint) => send(paint(shareImage(share))));
});

function draw(
  share: ShareSnapshot,
  drawing: Exclude<PageTask['drawing'], { form: 'image' }>,
  assets: PageTask['assets'],
): string | Uint8Array | null {
  switch (drawing.form) {
    case 'html':
      return renderSharePage(share, { assets, ...drawing });
    case 'csv':
      return rankedClaimsCsv(share);
    case 'data':
      return shareData(share);
    case 'feed':
      return renderShareFeed(share, drawing.entries);
    case 'document':
      return renderDocumentPage(share, { assets, ...drawing });
    case 'changes':
      return renderChangesPage(share, assets);
    case 'export': {
      const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
      // Nothing but the snapshot, which is what its author made public.
      return writeFile(drawing.format, share, {
        input: json(share.input),
        result: json(share.result),
        fonts: () => loadReportFonts(ASSETS),
      });
    }
    case 'embed':
      return renderEmbedPage(share, assets);
  }
}
