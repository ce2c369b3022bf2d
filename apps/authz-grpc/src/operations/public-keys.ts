import type { PublishedKey } from '../identity/signing-keys.ts';
import type { Deps } from '../ports.ts';

/** Every published signing key, the one that signs now first. Needs no authentication. */
export function getPublicKey(deps: Pick<Deps, 'signingKeys'>): readonly PublishedKey[] {
  return deps.signingKeys.published();
}
