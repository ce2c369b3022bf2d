import { parentPort } from 'node:worker_threads';
import { DomainError } from '@platform/error-contracts';
import { RequestBody } from '../wire/request-body.ts';
import type { Entity } from '../model/entity.ts';
import { readSessionInput, type SessionInputName, type SessionInputs } from '../wire/session-input.ts';
import type { InputReply, InputTask, ReadTask } from './input-reader.ts';
import { buffersOf, columnsOf, type ItemColumns } from '../model/item-columns.ts';
import { textOf } from '../model/text-pieces.ts';
import { payloadWarnings } from '../wire/payload-warnings.ts';
import type { WorkerMessage } from '@platform/worker-pool';

parentPort?.on('message', (task: InputTask) => {
  const reply =
    'payload' in task ? { warnings: payloadWarnings(textOf(task.payload), task.now, task.item) } : read(task);
  const columns = 'read' in reply ? (reply.read.items ?? reply.read.entities) : undefined;
  const moved = columns === undefined ? [] : buffersOf(columns as ItemColumns);
  parentPort?.postMessage({ reply } satisfies WorkerMessage<InputReply, never>, moved);
});

function read({ name, bytes, fromUrl, bodyField, defaults, family, records }: ReadTask): InputReply {
  try {
    const body = new RequestBody(bytes, fromUrl, bodyField, defaults);
    const input = readSessionInput(name, body, family, records);
    return { read: withColumns(input) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { problem: error.message };
  }
}

/** The input with its items as columns, if it has items. */
function withColumns(input: SessionInputs[SessionInputName]): Record<string, unknown> {
  if ('entities' in input) return { ...input, entities: columnsOf(input.entities as readonly Entity[]) };
  if (!('upserts' in input)) return { ...input };
  const { upserts = [], removals, ...rest } = input as SessionInputs['update_session'];
  return { ...rest, items: columnsOf(upserts, removals) };
}
