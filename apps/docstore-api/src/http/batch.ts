import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DOCSTORE, DOCSTORE_CODES, DomainError } from '@platform/error-contracts';
import type { z } from '@platform/error-contracts/zod-openapi';
import type { Caller } from '../auth/caller.ts';
import { parseBatchItem, responseFull, runBatch, type BatchResults } from '../operations/batch.ts';
import { RESPONSE_BYTES_MAX } from '../rules/limits.ts';
import type { HttpDeps } from './http-deps.ts';
import { REPLAYED, type Once } from './idempotency.ts';
import { JSON_TYPE, type ApiResponse } from './respond.ts';

type Result = z.infer<typeof BatchResults>['results'][number];

/**
 * Carries out the items one after another, each once per Idempotency-Key, and gives their results by index.
 * Each result is made JSON by itself, and other requests run between two items, so that a response of many
 * documents holds up no other request; documents that were read take up RESPONSE_BYTES_MAX together, one at
 * the least. Once one has no room, later ones are refused unread. A response of which all results are stored
 * ones says so. Errors: `unprocessable` where the key is that of a batch of other items.
 */
export async function runItems(
  deps: HttpDeps,
  caller: Caller,
  items: readonly unknown[],
  { once, requestId }: { readonly once: Once; readonly requestId: string },
): Promise<ApiResponse> {
  const failed = (error: unknown) => failedItem(error, requestId);
  const results: string[] = [];
  let room = RESPONSE_BYTES_MAX;
  let isFirstRead = true;
  let replayed = 0;
  // Another list is another request, of which no item is carried out.
  await once('#', await digestOf(items), () => Promise.resolve({ status: 200 }));
  for (const [index, value] of items.entries()) {
    // An item may be refused without a statement to wait for.
    await setImmediate();
    let result: Result;
    let isRead = false;
    try {
      const item = parseBatchItem(value);
      isRead = item.method === 'get';
      const { status, json, headers } = await once(`#${index}`, item, async (stores) => {
        const { file, ...written } = await runBatch({ ...deps, ...stores }, caller, item, room);
        return { status: written.status, json: file === undefined ? {} : { file } };
      });
      if (headers?.[REPLAYED] === 'true') replayed += 1;
      result = { status, ...(json as { file?: Result['file'] }) };
    } catch (error) {
      result = failed(error);
    }
    let text = JSON.stringify(result);
    if (isRead && result.file !== undefined) {
      // JSON may be longer than the contents it holds.
      if (Buffer.byteLength(text) > room && !isFirstRead) {
        result = failed(responseFull());
        text = JSON.stringify(result);
      }
      isFirstRead = false;
    }
    const isFull = isRead && result.error?.code === 'payload_too_large';
    room = isFull ? 0 : Math.max(0, room - Buffer.byteLength(text));
    results.push(text);
  }
  const headers = { 'Content-Type': JSON_TYPE, ...(replayed === items.length && { [REPLAYED]: 'true' }) };
  return { status: 200, headers, text: `{"results":[${results.join(',')}]}` };
}

/** SHA-256 of the list in hex, made item by item, so that a list of megabytes holds up no other request. */
async function digestOf(items: readonly unknown[]): Promise<string> {
  const digest = createHash('sha256');
  for (const item of items) {
    digest.update(JSON.stringify(item)).update('\n');
    await setImmediate();
  }
  return digest.digest('hex');
}

/** The result of an item that failed with `error`. Throws any error that is not a DomainError. */
function failedItem(error: unknown, requestId: string): Result {
  if (!(error instanceof DomainError)) throw error;
  const code = DOCSTORE[error.kind];
  const { message, details, retryAfterSeconds } = error;
  const status = code === 'internal' ? 503 : DOCSTORE_CODES[code].status;
  return {
    status,
    error: {
      code,
      message,
      request_id: requestId,
      ...(details === undefined ? {} : { details: { ...details } }),
      ...(retryAfterSeconds === undefined
        ? {}
        : { retry_after_seconds: Math.max(1, Math.ceil(retryAfterSeconds)) }),
    },
  };
}
