import { AuthzError } from '@platform/error-contracts';
import type { Write } from '../state/write.ts';
import type { SigningKeys } from './signing-keys.ts';
import { entityKey } from '../model/entities.ts';

/** Takes a key out, on behalf of the operator. Throws SIGNING_KEY_NOT_FOUND. */
export async function retireKey(
  deps: { readonly signingKeys: SigningKeys; readonly write: Write; readonly now: () => Date },
  kid: string,
): Promise<void> {
  await deps.write(async ({ signingKeys }, touch) => {
    if (!(await signingKeys.retire(kid, deps.now()))) {
      throw new AuthzError('SIGNING_KEY_NOT_FOUND', 'no such signing key');
    }
    touch(entityKey('signing_key', kid));
  });
  await deps.signingKeys.refresh();
}
