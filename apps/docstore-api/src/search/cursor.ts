import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@platform/error-contracts';
import { SCAN_SECONDS_MAX } from '../rules/limits.ts';
import type { ListPosition } from './query.ts';

/** Where a scan continues, and when it began. */
interface CursorContent {
  readonly position: ListPosition;
  readonly startedAt: number;
}

/** Cursors are opaque to clients, signed, and valid only for the query and the owner they were made for. */
export interface Cursors {
  /** `binding` is all that the query depends on; `startedAt` is that of the cursor before, or now. */
  encode(position: ListPosition, startedAt: Date, binding: string): string;
  /**
   * Throws `invalid_argument` for a cursor that is not ours, for another query, or older than a scan may
   * take.
   */
  decode(text: string, binding: string, now: Date): { position: ListPosition; startedAt: Date };
}

const SIGNATURE_BYTES = 16;

/** Cursors signed with `secret`, which all replicas share. */
export function createCursors(secret: Uint8Array): Cursors {
  const sign = (content: string, binding: string) =>
    createHmac('sha256', secret)
      .update(createHash('sha256').update(binding).digest())
      .update(content)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  return {
    encode(position, startedAt, binding) {
      const content = JSON.stringify({ position, startedAt: startedAt.getTime() } satisfies CursorContent);
      return `${Buffer.from(content).toString('base64url')}.${sign(content, binding).toString('base64url')}`;
    },
    decode(text, binding, now) {
      const [encoded = '', signature = ''] = text.split('.');
      const content = Buffer.from(encoded, 'base64url').toString();
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, sign(content, binding))) {
        throw new DomainError('invalid_argument', '`cursor` is not one that was given out for this query');
      }
      const { position, startedAt } = JSON.parse(content) as CursorContent;
      if (now.getTime() - startedAt > SCAN_SECONDS_MAX * 1000) {
        throw new DomainError('invalid_argument', '`cursor` is older than an hour: start again without it');
      }
      return { position, startedAt: new Date(startedAt) };
    },
  };
}
