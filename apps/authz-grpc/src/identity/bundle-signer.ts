import { sign } from 'node:crypto';
import type { SigningKey } from '@platform/jwt';
import type { BundleSigner } from '../state/bundles.ts';

/**
 * Signs bundles with the key that signs tokens: who holds it can log in as anybody already, and what is
 * signed of a bundle begins with a line that no token has (docs/decisions/0050-decide-anywhere.md).
 */
export function bundleSigner({ kid, privateKey }: SigningKey): BundleSigner {
  return { kid, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}
