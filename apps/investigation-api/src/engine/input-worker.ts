import { parentPort } from 'node:worker_threads';
import { DomainError } from '@platform/error-contracts';
import { RequestBody } from '../operations/request-body.ts';
import { readSessionInput } from '../operations/session-input.ts';
import type { InputReply, InputTask } from './input-reader.ts';
import type { WorkerMessage } from './worker-pool.ts';

parentPort?.on('message', ({ name, bytes, fromUrl, under, family }: InputTask) => {
  let reply: InputReply;
  try {
    reply = { read: readSessionInput(name, new RequestBody(bytes, fromUrl, under), family) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    reply = { problem: error.message };
  }
  parentPort?.postMessage({ reply } satisfies WorkerMessage<InputReply, never>);
});
