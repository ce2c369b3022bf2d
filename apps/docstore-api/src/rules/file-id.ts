import { randomBytes } from 'node:crypto';

/**
 * `file_` and a UUID of version 7 (RFC 9562 §5.7): 48 bits of milliseconds since 1970, then 74 random bits.
 */
export function createFileId(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `file_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * True for text that could be an id made here; anything else cannot name a document and need not be looked
 * up.
 */
export function isFileId(text: string): boolean {
  return /^file_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
}
