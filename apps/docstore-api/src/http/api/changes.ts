import { Batch, BatchResults, UnjudgedBatch } from '../../operations/batch.ts';
import { ChangeList, ListChanges, listChanges } from '../../operations/changes.ts';
import { runItems } from '../batch.ts';
import { operation, type ApiOperation } from './operation.ts';

/** Operations on many documents at once: what changed, and batches. */
export const CHANGES: readonly ApiOperation[] = [
  operation({
    method: 'get',
    path: '/v1/changes',
    id: 'listChanges',
    summary: 'What changed since a sequence number, deletions included',
    action: 'file:read',
    query: ListChanges,
    success: [200, ChangeList],
    errors: ['unprocessable_entity'],
    run: async ({ deps, caller, query, signal, revalidateCredential }) => ({
      status: 200,
      json: await listChanges(deps, caller, query, { signal, revalidateCredential }),
    }),
  }),
  operation({
    method: 'post',
    path: '/v1/batch',
    id: 'runBatch',
    summary: 'Up to 100 reads and writes; results by index',
    body: Batch,
    readBy: UnjudgedBatch,
    isRepeatable: 'by item',
    valuesMax: 300_000,
    success: [200, BatchResults],
    isLarge: () => true,
    run: ({ deps, caller, input, once, requestId }) =>
      runItems(deps, caller, input.items, { once, requestId }),
  }),
];
