import { parentPort } from 'node:worker_threads';
import { DomainError } from '@platform/error-contracts';
import { RequestBody } from '../wire/request-body.ts';
import { readSessionInput } from '../wire/session-input.ts';
import type { InputReply, InputTask, ReadTask } from './input-reader.ts';
import { LISTS } from './input-reader.ts';
import { payloadWarnings } from '../wire/payload-warnings.ts';
import { packEntities } from './packed-entities.ts';
import type { WorkerMessage } from '@platform/worker-pool';

parentPort?.on('message', (task: InputTask) => {
  const reply = 'payload' in task ? { warnings: payloadWarnings(task.payload) } : read(task);
  parentPort?.postMessage({ reply } satisfies WorkerMessage<InputReply, never>);
});

function read({ name, bytes, fromUrl, bodyField, defaults, family }: ReadTask): InputReply {
  try {
    const input = readSessionInput(name, new RequestBody(bytes, fromUrl, bodyField, defaults), family);
    return { read: packLists(input) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { problem: error.message };
  }
}

function packLists(read: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(read).map(([key, value]: [string, unknown]) => [
      key,
      LISTS.includes(key) ? packEntities(value as Parameters<typeof packEntities>[0]) : value,
    ]),
  );
}
