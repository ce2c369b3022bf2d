import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { signedText, type Bundle, type BundleKey } from './bundle.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Policy } from './types.ts';

export const DOMAIN = '3d0e1a2b-0000-4000-8000-0000000000ab';
export const SUPERIOR = '3d0e1a2b-0000-4000-8000-0000000000ac';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
export const KEY: BundleKey = { kid: 'the key', x: publicKey.export({ format: 'jwk' }).x as string };

/** A policy of one statement. */
export function policyOf(name: string, rules: Record<string, string>, more: Partial<Policy> = {}): Policy {
  return {
    name,
    description: '',
    invert: false,
    deny: false,
    engine: 'fixed',
    statements: [{ rules }],
    ...more,
  };
}

/** A bundle from `now` (milliseconds since 1970) on, for 100 seconds. */
export function bundleOf(now: number, policies: readonly Policy[], more: Partial<Bundle> = {}): Bundle {
  return {
    format: 1,
    issuer: 'authz-grpc',
    tenant_id: randomUUID(),
    domain_id: DOMAIN,
    issued_at: now / 1000,
    expires_at: now / 1000 + 100,
    key_id: KEY.kid,
    domains: [
      { id: DOMAIN, version: 5, policies },
      { id: SUPERIOR, version: 3, policies: [] },
    ],
    ...more,
  };
}

/** The body of a response with the bundle, signed. */
export function signed(bundle: Bundle): string {
  const text = canonicalJson(bundle);
  const signature = sign(null, Buffer.from(signedText(text)), privateKey).toString('base64url');
  return `{"bundle":${text},"signature":"${signature}"}`;
}
