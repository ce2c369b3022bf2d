import { parentPort } from 'node:worker_threads';
import { rankedClaimsCsv, renderSharePage, type ShareSnapshot } from '@platform/viewer';
import type { WorkerMessage } from '@platform/worker-pool';
import type { PageReply, PageTask } from './page-task.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

parentPort?.on('message', ({ snapshot, form, assets }: PageTask) => {
  const share = JSON.parse(decoder.decode(snapshot)) as ShareSnapshot;
  const reply = encoder.encode(form === 'csv' ? rankedClaimsCsv(share) : renderSharePage(share, { assets }));
  parentPort?.postMessage({ reply } satisfies WorkerMessage<PageReply, never>, [reply.buffer]);
});
