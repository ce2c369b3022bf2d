import { canonicalJson } from './canonical-json.ts';
import type { Policy } from './types.ts';

/** The policies that decide on a domain, as authz-grpc signs them. Times are in seconds since 1970. */
export interface Bundle {
  readonly format: 1;
  /** `iss` of the service's tokens. */
  readonly issuer: string;
  readonly tenant_id: string;
  readonly domain_id: string;
  readonly issued_at: number;
  /** From then on nothing is decided by it. */
  readonly expires_at: number;
  /** The key that signed it, by its RFC 7638 thumbprint. */
  readonly key_id: string;
  /** The domain first, then its superiors. */
  readonly domains: readonly BundledDomain[];
}

export interface BundledDomain {
  readonly id: string;
  /** Counts every change of the domain and of its policies. */
  readonly version: number;
  readonly policies: readonly Omit<Policy, 'description'>[];
}

/** A public Ed25519 key as a JWK (RFC 8037). */
export interface BundleKey {
  readonly kid: string;
  /** Base64url of the 32 bytes. */
  readonly x: string;
}

/**
 * Why a bundle is not decided by. `malformed`: no bundle. `unknown_key`, `bad_signature`: not what the
 * service signed. `expired`; `not_yet_issued`: from the future, by the clock of this process. `other_domain`:
 * of another domain or tenant. `rolled_back`: a domain has a lower version than one that was seen.
 */
export type BundleRefusal =
  | 'malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'expired'
  | 'not_yet_issued'
  | 'other_domain'
  | 'rolled_back';

export class BundleError extends Error {
  readonly code: BundleRefusal;

  constructor(code: BundleRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** How far the clock of the service may be ahead. Milliseconds. */
const AHEAD_MAX_MS = 60_000;

/**
 * What is signed of a bundle, given as canonical JSON. The line before it is part of no token, so that the
 * key that signs tokens signs nothing that is both.
 */
export function signedText(canonical: string): string {
  return `platform bundle 1\n${canonical}`;
}

/**
 * The bundle in the body of a response, once its signature, its time and its domain are checked. `now` is in
 * milliseconds since 1970. Throws BundleError.
 */
export async function verifyBundle(
  body: string,
  expected: { readonly keys: readonly BundleKey[]; readonly domainId: string; readonly now: number },
): Promise<Bundle> {
  const { bundle, signature } = readSigned(body);
  const key = expected.keys.find(({ kid }) => kid === bundle.key_id);
  if (key === undefined)
    throw new BundleError(
      'unknown_key',
      `the key ${bundle.key_id} that signed it is none of the keys known here`,
    );
  if (!(await isSignedBy(key, bundle, signature)))
    throw new BundleError('bad_signature', 'its signature is not that of its content');
  if (bundle.domain_id !== expected.domainId)
    throw new BundleError('other_domain', `it is of the domain ${bundle.domain_id}`);
  if (bundle.expires_at * 1000 <= expected.now)
    throw new BundleError('expired', 'it has expired: check the clock');
  if (bundle.issued_at * 1000 > expected.now + AHEAD_MAX_MS)
    throw new BundleError('not_yet_issued', 'it is from the future: check the clock');
  return bundle;
}

async function isSignedBy(key: BundleKey, bundle: Bundle, signature: string): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
    const imported = await subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
    const text = new TextEncoder().encode(signedText(canonicalJson(bundle)));
    return await subtle.verify('Ed25519', imported, bytesOf(signature), text);
  } catch {
    return false;
  }
}

/** The bytes of base64url without padding. Throws for any other text, and for a second spelling of bytes. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  if (btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') !== text)
    throw new TypeError('not base64url');
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function readSigned(body: string): { readonly bundle: Bundle; readonly signature: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // What follows says it.
  }
  const { bundle, signature } = (parsed ?? {}) as { bundle?: Bundle; signature?: unknown };
  if (typeof signature !== 'string' || typeof bundle !== 'object' || !isBundle(bundle))
    throw new BundleError('malformed', 'it is not a signed bundle of a format that this version reads');
  return { bundle, signature };
}

/** Whether the value has the outline of a bundle; what is in it is believed once its signature holds. */
function isBundle(value: Bundle | null): value is Bundle {
  return (
    value?.format === 1 &&
    typeof value.key_id === 'string' &&
    Number.isFinite(value.issued_at) &&
    Number.isFinite(value.expires_at) &&
    Array.isArray(value.domains) &&
    value.domains.every((domain) => Number.isSafeInteger(domain?.version) && Array.isArray(domain.policies))
  );
}
