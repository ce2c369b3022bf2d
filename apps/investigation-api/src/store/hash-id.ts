import { idHash } from '../model/item-columns.ts';

/** The same as `idHash`, as the text of a UUID. */
export function hashId(id: string): string {
  const hex = idHash(id).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The UUID of the list of an owner's sessions. */
export function hashList(tenantId: string, ownerId: string): string {
  return hashId(JSON.stringify([tenantId, ownerId]));
}
