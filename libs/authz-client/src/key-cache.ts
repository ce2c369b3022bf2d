import { createKeyFinder, type KeySource, type VerificationKey } from '@platform/jwt';
import { unavailable } from './authority-calls.ts';

/**
 * The keys that `load` gives, kept by id, as `createKeyFinder` has it; beyond its bound an unknown id is
 * DomainError `unavailable`.
 */
export function createKeyCache(
  load: () => Promise<readonly VerificationKey[]>,
  now?: () => number,
  withTimeout?: (loading: Promise<void>) => Promise<void>,
): KeySource {
  let byKid = new Map<string, VerificationKey>();
  return createKeyFinder({
    find: (kid) => byKid.get(kid) ?? null,
    fetch: async () => {
      byKid = new Map((await load()).map((key) => [key.kid, key]));
    },
    unavailable,
    ...(now === undefined ? {} : { now }),
    ...(withTimeout === undefined ? {} : { withTimeout }),
  });
}
