import type { IncomingMessage } from 'node:http';
import { DomainError } from '@platform/error-contracts';

/** Bytes of request bodies held at one time; what keeps many large uploads from filling the memory. */
export interface BodyBudget {
  /** Sets `bytes` aside until the returned function is called. Throws DomainError `unavailable` when too few are left. */
  reserve(bytes: number): () => void;
}

/** When bytes may have become free. Seconds. */
const RETRY_AFTER_SECONDS = 2;

export function createBodyBudget(bytesMax: number): BodyBudget {
  let reserved = 0;
  return {
    reserve(bytes) {
      if (reserved + bytes > bytesMax) {
        throw new DomainError('unavailable', 'too many large requests at once, try again later', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      reserved += bytes;
      let isHeld = true;
      return () => {
        if (isHeld) reserved -= bytes;
        isHeld = false;
      };
    },
  };
}

/** Bytes to set aside for a request's body: the declared length where there is one, never more than is read. */
export function expectedBytes(req: Pick<IncomingMessage, 'headers'>, bytesMax: number): number {
  const declared = req.headers['content-length'];
  return declared === undefined ? bytesMax : Math.min(Number(declared), bytesMax);
}
