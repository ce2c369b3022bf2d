import { parentPort } from 'node:worker_threads';
import { DomainError } from '@platform/error-contracts';
import { RequestBody } from '../wire/request-body.ts';
import { readSessionInput } from '../wire/session-input.ts';
import type { InputReply, InputTask } from './input-reader.ts';
import { LISTS } from './input-reader.ts';
import { packEntities } from './packed-entities.ts';
import type { WorkerMessage } from '@platform/worker-pool';

parentPort?.on('message', ({ name, bytes, fromUrl, bodyField, family }: InputTask) => {
  let reply: InputReply;
  try {
    const read = readSessionInput(name, new RequestBody(bytes, fromUrl, bodyField), family);
    reply = { read: packLists(read) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    reply = { problem: error.message };
  }
  parentPort?.postMessage({ reply } satisfies WorkerMessage<InputReply, never>);
});

function packLists(read: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(read).map(([key, value]: [string, unknown]) => [
      key,
      LISTS.includes(key) ? packEntities(value as Parameters<typeof packEntities>[0]) : value,
    ]),
  );
}
