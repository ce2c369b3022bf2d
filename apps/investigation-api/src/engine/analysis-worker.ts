import { parentPort, workerData } from 'node:worker_threads';
import { analyze, InvalidInvestigation } from '@platform/opinion-fusion';
import { JsonRefused, parseStrictJson } from '@platform/strict-json';
import type { AnalysisProgress, AnalysisReply, AnalysisTask } from './analysis-task.ts';
import type { WorkerMessage } from './worker-pool.ts';

const encoder = new TextEncoder();
const { stop } = workerData as { stop: Int32Array };
/** Asks the pool's cell each time the engine looks. */
const signal = {
  get aborted() {
    return Atomics.load(stop, 0) === 1;
  },
};
const port = parentPort;
if (port === null) throw new Error('runs as a worker thread only');

port.on('message', (task: AnalysisTask) => {
  const reply = judge(task);
  const transfer = 'result' in reply ? [reply.result.buffer] : [];
  port.postMessage({ reply } satisfies WorkerMessage<AnalysisReply, AnalysisProgress>, transfer);
});

/** What the input's sender can mend becomes a problem; anything else is thrown and ends this thread. */
function judge({ body, nowMs, wantsProgress }: AnalysisTask): AnalysisReply {
  const onProgress = wantsProgress
    ? (event: AnalysisProgress) =>
        port?.postMessage({ event } satisfies WorkerMessage<AnalysisReply, AnalysisProgress>)
    : undefined;
  try {
    const result = analyze(parseStrictJson(body), { now: new Date(nowMs), signal, onProgress });
    return { result: encoder.encode(JSON.stringify(result)) };
  } catch (error) {
    // Whoever asked has gone; the reply only says that this thread is free.
    if (signal.aborted) return { problem: 'stopped' };
    if (error instanceof JsonRefused)
      return { problem: error.path ? `${error.path}: ${error.message}` : error.message };
    if (error instanceof InvalidInvestigation) return { problem: error.message };
    throw error;
  }
}
