import { DOCSTORE, DOCSTORE_CODES, DomainError } from '@platform/error-contracts';
import type { z } from '@platform/error-contracts/zod-openapi';
import type { Caller } from '../auth/caller.ts';
import { runBatch, type BatchItem, type BatchResults } from '../operations/batch.ts';
import type { HttpDeps } from './http-deps.ts';
import type { Once } from './idempotency.ts';

type Results = z.infer<typeof BatchResults>;

/** Carries out the items one after another, each once per Idempotency-Key, and gives their results by index. */
export async function runItems(
  deps: HttpDeps,
  caller: Caller,
  items: readonly BatchItem[],
  once: Once,
): Promise<Results> {
  const results: Results['results'] = [];
  for (const [index, item] of items.entries()) {
    try {
      const { status, json } = await once(`#${index}`, item, async (stores) => {
        const { file, ...result } = await runBatch({ ...deps, ...stores }, caller, item);
        return { status: result.status, json: file === undefined ? {} : { file } };
      });
      results.push({ status, ...(json as { file?: Results['results'][number]['file'] }) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const code = DOCSTORE[error.kind];
      const { message, details } = error;
      const status = code === 'internal' ? 503 : DOCSTORE_CODES[code].status;
      results.push({
        status,
        error: { code, message, ...(details === undefined ? {} : { details: { ...details } }) },
      });
    }
  }
  return { results };
}
