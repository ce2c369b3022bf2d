import { AuthzError } from '@platform/error-contracts';
import type { Write } from '../state/write.ts';
import type { SigningKeys } from './signing-keys.ts';
import { entityKey } from '../model/entities.ts';

/**
 * Takes a key out, on behalf of the operator. Where no other key signs yet, the next one does from now on.
 * Throws SIGNING_KEY_NOT_FOUND.
 */
export async function retireKey(
  deps: { readonly signingKeys: SigningKeys; readonly write: Write; readonly now: () => Date },
  kid: string,
): Promise<void> {
  const now = deps.now();
  await deps.write(async ({ signingKeys }, touch) => {
    if (!(await signingKeys.retire(kid, now))) {
      throw new AuthzError('SIGNING_KEY_NOT_FOUND', 'no such signing key');
    }
    // By `signsFrom` alone it is known what a key signed: when it may be dropped, and when it ends.
    const open = (await signingKeys.list(now)).filter(({ expiresAt }) => expiresAt == null);
    const next = open.at(-1);
    if (next !== undefined && next.signsFrom > now) await signingKeys.begin(next.kid, now);
    touch(entityKey('signing_key', kid));
  });
  await deps.signingKeys.refresh();
}
