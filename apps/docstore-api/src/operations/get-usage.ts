import { z } from '@platform/error-contracts/zod-openapi';
import type { Caller } from '../auth/caller.ts';
import type { Deps } from '../ports.ts';

const Used = z.object({ used: z.int(), limit: z.int() });

/**
 * What an owner uses and may use: `bytes` of contents in UTF-8, `requests_per_minute` of each credential,
 * sustained.
 */
export const UsageBody = z
  .object({ documents: Used, bytes: Used, requests_per_minute: z.int() })
  .openapi('Usage');

/** The usage of the caller's owner, as counted by the statements that write. */
export async function getUsage(
  deps: Pick<Deps, 'documents' | 'quota' | 'rate'>,
  caller: Caller,
): Promise<z.infer<typeof UsageBody>> {
  const { documents, bytes } = await deps.documents.usage(caller.owner);
  return {
    documents: { used: documents, limit: deps.quota.documentsMax },
    bytes: { used: bytes, limit: deps.quota.bytesMax },
    requests_per_minute: deps.rate.perMinute,
  };
}
