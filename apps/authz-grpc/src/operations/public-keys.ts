import { CALLS } from '../authorization/calls.ts';
import type { Caller } from '../authorization/caller.ts';
import { authorizeRoot } from '../authorization/authorize.ts';
import { retireKey } from '../identity/retire-key.ts';
import type { PublishedKey } from '../identity/signing-keys.ts';
import type { Deps } from '../ports.ts';

/**
 * Every published signing key, the one that signs now first. Needs no authentication. A service asks for it
 * when it meets a key that it does not know, so one that another replica has just made is among them.
 */
export async function getPublicKey(deps: Pick<Deps, 'signingKeys'>): Promise<readonly PublishedKey[]> {
  await deps.signingKeys.readAgain();
  return deps.signingKeys.published();
}

/**
 * Takes a compromised key out: when this returns, no replica accepts a token that it signed. A new key signs
 * at once if it was the one that signs. Throws ACCESS_DENIED to all but the system root,
 * SIGNING_KEY_NOT_FOUND.
 */
export async function retireSigningKey(
  deps: Pick<Deps, 'decisions' | 'signingKeys' | 'write' | 'now'>,
  caller: Caller,
  kid: string,
): Promise<void> {
  await authorizeRoot(deps, caller, CALLS.RetireSigningKey);
  await retireKey(deps, kid);
}
