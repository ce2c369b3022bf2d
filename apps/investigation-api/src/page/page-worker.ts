import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { rankedClaimsCsv, renderSharePage, type ShareSnapshot } from '@platform/viewer';
import type { WorkerMessage } from '@platform/worker-pool';
import type { PageReply, PageTask } from './page-task.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

parentPort?.on('message', ({ snapshot, form, assets }: PageTask) => {
  const share = JSON.parse(decoder.decode(snapshot)) as ShareSnapshot;
  const plain = encoder.encode(form === 'csv' ? rankedClaimsCsv(share) : renderSharePage(share, { assets }));
  const gzip = Uint8Array.from(gzipSync(plain));
  parentPort?.postMessage({ reply: { plain, gzip } } satisfies WorkerMessage<PageReply, never>, [
    plain.buffer,
    gzip.buffer,
  ]);
});
