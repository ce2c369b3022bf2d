import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { readFile, readPdf, UnreadableFile, writeFile } from '@platform/interchange';
import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';
import type { JudgedInvestigation } from '@platform/viewer';
import type { WorkerMessage } from '@platform/worker-pool';
import { unpackJsonSync } from '../wire/packed-json.ts';
import type { InterchangeReply, InterchangeTask, WriteFileTask } from './interchange-task.ts';

parentPort?.on('message', (task: InterchangeTask) => {
  // What else goes wrong ends the thread, as any failure of a task does.
  void run(task).then((reply) => {
    const transfer =
      'written' in reply
        ? [reply.written.buffer]
        : 'read' in reply
          ? [reply.read.payload.buffer, reply.read.items.buffer]
          : [];
    parentPort?.postMessage({ reply } satisfies WorkerMessage<InterchangeReply, never>, transfer);
  });
});

async function run(task: InterchangeTask): Promise<InterchangeReply> {
  if (task.kind === 'write') return { written: write(task) };
  try {
    if (task.kind === 'pdf') return { pdf: await readPdf(task.bytes) };
    const { format, bytes } = task;
    const { payload, leftOut, leftOutTotal } = readFile(format, bytes);
    const { actors, subjects, claims, evidence } = payload;
    const items = Object.fromEntries(Object.entries(payload).filter(([, value]) => Array.isArray(value)));
    return {
      read: {
        payload: new TextEncoder().encode(JSON.stringify(payload)),
        items: new TextEncoder().encode(JSON.stringify(items)),
        leftOut,
        leftOutTotal,
        counts: {
          actors: actors.length,
          subjects: subjects.length,
          claims: claims.length,
          evidence: evidence?.length ?? 0,
        },
      },
    };
  } catch (error) {
    if (error instanceof UnreadableFile) return { problem: error.message };
    throw error;
  }
}

function write({
  format,
  frame,
  quotes,
  documents,
  missing,
  ...task
}: WriteFileTask): Uint8Array<ArrayBuffer> {
  const input = unpackJsonSync(task.inputSnapshot);
  const result = unpackJsonSync(task.result);
  const read = valueOf<InvestigationResult>(result);
  const judged: JudgedInvestigation = {
    ...frame,
    judgement: { ...frame.judgement, engine_version: read.engine_version },
    input: valueOf<InvestigationInput>(input),
    input_sha256: sha256(input),
    result: read,
    result_sha256: sha256(result),
    explanations: [],
    claim_audits: [],
    quotes:
      quotes === null ? null : valueOf<NonNullable<JudgedInvestigation['quotes']>>(unpackJsonSync(quotes)),
  };
  return Uint8Array.from(writeFile(format, judged, { input, result, documents, missing }));
}

const valueOf = <T>(json: Uint8Array): T => JSON.parse(new TextDecoder().decode(json)) as T;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
