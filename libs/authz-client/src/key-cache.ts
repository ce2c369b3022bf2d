import type { KeySource, VerificationKey } from '@platform/jwt';

/**
 * How often unknown key ids may make us ask for the keys again, so that forged ids cost nobody much.
 * Milliseconds.
 */
const COOL_DOWN_MS = 5_000;

/**
 * Keys by id, loaded when an id is asked for that is not among them: at most once in five seconds, and once
 * for all who wait. What `load` throws goes to those who waited; the next one tries anew. `now` is a
 * monotonic time in milliseconds. `withTimeout` ends the wait of a caller that has waited long enough, and
 * not the load: the next one may find it done.
 */
export function createKeyCache(
  load: () => Promise<readonly VerificationKey[]>,
  now: () => number = () => performance.now(),
  withTimeout: (loading: Promise<void>) => Promise<void> = (loading) => loading,
): KeySource {
  let byKid = new Map<string, VerificationKey>();
  let loadedAt = -Infinity;
  let loading: Promise<void> | null = null;
  const refresh = async () => {
    byKid = new Map((await load()).map((key) => [key.kid, key]));
    loadedAt = now();
  };
  return {
    async findKey(kid) {
      if (!byKid.has(kid) && now() - loadedAt > COOL_DOWN_MS) {
        loading ??= refresh().finally(() => (loading = null));
        await withTimeout(loading);
      }
      return byKid.get(kid) ?? null;
    },
  };
}
