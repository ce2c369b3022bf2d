import type { KeySource, VerificationKey } from './keys.ts';

/** Fetches that unknown ids may cause at once, before each further one waits for its turn. */
const BURST = 10;
/** One fetch in this time in the long run. Milliseconds. */
const EVERY_MS = 1_000;
/** Longest that an id which a fetch lacked is refused without another. Milliseconds. */
const MISSING_MS = 5_000;

/**
 * Keys that are fetched when an id is asked for that `find` lacks, once for all who wait. An id is null after
 * a fetch that began when it had been asked for and lacks it. Forged ids cause no more than ten fetches at
 * once and one a second after that: beyond it an unknown id throws what `unavailable` gives. What `fetch`
 * throws goes to those who waited; the next one tries anew. `now` is a monotonic time in milliseconds.
 * `withTimeout` ends the wait of a caller that has waited long enough, and not the fetch.
 */
export function createKeyFinder(parts: {
  readonly find: (kid: string) => VerificationKey | null;
  readonly fetch: () => Promise<void>;
  readonly unavailable: () => Error;
  readonly now?: () => number;
  readonly withTimeout?: (fetching: Promise<void>) => Promise<void>;
}): KeySource {
  const { find, unavailable, now = () => performance.now(), withTimeout = (fetching) => fetching } = parts;
  let paidUntil = -Infinity;
  let fetchedAt = -Infinity;
  let fetching: Promise<void> | null = null;
  /** Ids that the last fetch lacked. */
  let missing = new Set<string>();
  const fetchAll = async () => {
    await parts.fetch();
    fetchedAt = now();
    paidUntil = Math.max(paidUntil, fetchedAt) + EVERY_MS;
    missing = new Set();
  };
  const isSettled = (kid: string) =>
    find(kid) !== null || (missing.has(kid) && now() - fetchedAt < MISSING_MS);
  return {
    async findKey(kid) {
      // A fetch that is under way may have begun before the key was made.
      if (!isSettled(kid) && fetching !== null) await withTimeout(fetching);
      if (!isSettled(kid)) {
        if (fetching === null && paidUntil - now() > (BURST - 1) * EVERY_MS) throw unavailable();
        fetching ??= fetchAll().finally(() => (fetching = null));
        await withTimeout(fetching);
        if (find(kid) === null) missing.add(kid);
      }
      return find(kid);
    },
  };
}
