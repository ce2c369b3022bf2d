import { createHash } from 'node:crypto';

/**
 * The UUID by which tables know `id`: the first 128 bits of SHA-256 over its UTF-16 units, so that ids of any
 * length and with any content (NUL, lone surrogates) fit an index and stay apart.
 */
export function hashId(id: string): string {
  const hex = createHash('sha256').update(id, 'utf16le').digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The UUID of the list of an owner's sessions. */
export function hashList(tenantId: string, ownerId: string): string {
  return hashId(JSON.stringify([tenantId, ownerId]));
}
