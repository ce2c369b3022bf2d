import { createHmac, timingSafeEqual } from 'node:crypto';

/** What an id belongs to: a session of the server, or an event of one of its streams. */
type Use = 'session' | 'event';

/** Ids of the server in a form that only the caller whom they were given to can use. */
export interface BoundIds {
  bind(use: Use, subject: string, id: string): string;
  /** The id of the server; null for one that was not bound to the subject. */
  release(use: Use, subject: string, bound: string): string | null;
}

/** Binds by a digest with `key`, so that nothing is kept for an id. */
export function createBoundIds(key: Uint8Array): BoundIds {
  const digestOf = (use: Use, subject: string, id: string) =>
    createHmac('sha256', key).update(`${use}\0${subject}\0${id}`).digest('base64url');
  return {
    bind: (use, subject, id) => `${id}.${digestOf(use, subject, id)}`,
    release(use, subject, bound) {
      const at = bound.lastIndexOf('.');
      if (at < 0) return null;
      const id = bound.slice(0, at);
      const [given, expected] = [bound.slice(at + 1), digestOf(use, subject, id)].map((text) =>
        Buffer.from(text),
      ) as [Buffer, Buffer];
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
    },
  };
}
