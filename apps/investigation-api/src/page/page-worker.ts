import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { rankedClaimsCsv, renderSharePage, shareData, type ShareSnapshot } from '@platform/viewer';
import type { WorkerMessage } from '@platform/worker-pool';
import type { PageReply, PageTask } from './page-task.ts';

const decoder = new TextDecoder();

parentPort?.on('message', ({ snapshot, drawing, assets }: PageTask) => {
  const share = JSON.parse(decoder.decode(snapshot)) as ShareSnapshot;
  const reply = Uint8Array.from(gzipSync(draw(share, drawing, assets)));
  parentPort?.postMessage({ reply } satisfies WorkerMessage<PageReply, never>, [reply.buffer]);
});

function draw(share: ShareSnapshot, drawing: PageTask['drawing'], assets: PageTask['assets']): string {
  switch (drawing.form) {
    case 'html':
      return renderSharePage(share, { assets, ...drawing });
    case 'csv':
      return rankedClaimsCsv(share);
    case 'data':
      return shareData(share);
  }
}
