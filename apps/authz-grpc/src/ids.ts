import { randomFillSync } from 'node:crypto';
import { invalidField } from '@platform/error-contracts';
import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The nil UUID (RFC 9562 §5.9), which no entity has: an unknown name is looked up under it, at the cost of an
 * unknown id.
 */
export const NOBODYS_ID = '00000000-0000-0000-0000-000000000000';

/** Whether the text is a UUID in its canonical, lower-case form (RFC 9562 §4). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The id in canonical form. Throws INVALID_ARGUMENT for anything that is not a UUID. */
export function requireUuid(text: string, field: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw invalidField(field, 'must be a UUID');
  return id;
}

/**
 * Random bytes of one id, and of how many ids they are drawn at once: a draw costs more than making the id.
 */
const RANDOM_BYTES = 16;
const DRAWN_IDS = 256;

/**
 * Makes UUIDv7s that ascend within this process (RFC 9562 §5.7, with a counter from a random start within
 * each millisecond, §6.2 method 1). `now` is in milliseconds since 1970.
 */
export function createOrderedIds(now: () => number): () => string {
  const drawn = Buffer.alloc(RANDOM_BYTES * DRAWN_IDS);
  let at = drawn.length;
  let msecs = -1;
  let seq = 0;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    const random = drawn.subarray(at, (at += RANDOM_BYTES));
    const time = now();
    if (time > msecs) {
      msecs = time;
      // The top bit stays clear, so that the counter has room for two thousand million ids before it would
      // run over.
      seq = random.readUInt32BE(0) >>> 1;
    } else seq += 1;
    return v7({ random, msecs, seq });
  };
}
