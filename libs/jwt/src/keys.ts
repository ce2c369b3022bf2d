import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import { calculateJwkThumbprint } from 'jose';

/** A public key and its id, the RFC 7638 SHA-256 thumbprint of its JWK. */
export interface VerificationKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** A private key under the id of its public half. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Where a verifier looks keys up; null when no such key is known. */
export interface KeySource {
  findKey(kid: string): VerificationKey | null | Promise<VerificationKey | null>;
}

/** A JSON Web Key Set (RFC 7517 §5) of public Ed25519 keys, ready to publish. */
export interface PublicJwks {
  readonly keys: readonly JWK[];
}

/** A key source over a list that does not change. */
export function staticKeys(keys: readonly VerificationKey[]): KeySource {
  const byKid = new Map(keys.map((key) => [key.kid, key]));
  return { findKey: (kid) => byKid.get(kid) ?? null };
}

/** An Ed25519 key pair of 128-bit strength from the system's random source. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('ed25519', {});
  return signingKey(privateKey);
}

/**
 * Reads a private Ed25519 key from PKCS #8 PEM or a JWK. Throws a plain Error that names no part of the key.
 */
export async function loadSigningKey(text: string): Promise<SigningKey> {
  return signingKey(
    readKey('private key', () =>
      isPem(text) ? createPrivateKey(text) : createPrivateKey({ key: JSON.parse(text), format: 'jwk' }),
    ),
  );
}

/**
 * Reads public Ed25519 keys from a JWKS, one JWK, or PEM (SPKI, one or several). A key that is private, of
 * another kind, or whose `kid` is not its thumbprint is refused with an Error: each of them is a mistake in
 * the settings.
 */
export async function loadVerificationKeys(text: string): Promise<VerificationKey[]> {
  const keys = isPem(text) ? readPemKeys(text) : readJwks(text);
  if (keys.length === 0) throw new Error('no public key in it');
  return Promise.all(
    keys.map(async ({ key, kid }) => {
      const thumbprint = await thumbprintOf(key);
      if (kid !== undefined && kid !== thumbprint)
        throw new Error(`kid \`${kid}\` is not the key's RFC 7638 thumbprint`);
      return { kid: thumbprint, key };
    }),
  );
}

/** The public half of a signing key. */
export function verificationKeyOf(signing: SigningKey): VerificationKey {
  return { kid: signing.kid, key: createPublicKey(signing.privateKey) };
}

/** The key set to publish (RFC 7517, RFC 8037): public parts only. */
export function publicJwks(keys: readonly VerificationKey[]): PublicJwks {
  return {
    keys: keys.map(({ kid, key }) => ({
      ...(key.export({ format: 'jwk' }) as JWK),
      kid,
      alg: 'EdDSA',
      use: 'sig',
    })),
  };
}

/** PKCS #8 PEM of a signing key, for a file only its owner may read. */
export function exportSigningKey(signing: SigningKey): string {
  return signing.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
}

async function signingKey(privateKey: KeyObject): Promise<SigningKey> {
  assertEd25519(privateKey);
  return { kid: await thumbprintOf(createPublicKey(privateKey)), privateKey };
}

function thumbprintOf(key: KeyObject): Promise<string> {
  return calculateJwkThumbprint(key.export({ format: 'jwk' }), 'sha256');
}

function isPem(text: string): boolean {
  return text.trimStart().startsWith('-----BEGIN');
}

function readPemKeys(text: string): { key: KeyObject; kid?: string }[] {
  if (text.includes('PRIVATE KEY')) throw new Error('a private key where a public one is wanted');
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  return blocks.map((pem) => ({ key: publicKey(() => createPublicKey(pem)) }));
}

function readJwks(text: string): { key: KeyObject; kid?: string }[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('neither PEM nor JSON');
  }
  const list = (parsed as { keys?: unknown } | null)?.keys ?? [parsed];
  if (!Array.isArray(list)) throw new Error('`keys` is not a list');
  return list.map((jwk: JWK) => {
    if (jwk?.d !== undefined) throw new Error('a private key where a public one is wanted');
    return { key: publicKey(() => createPublicKey({ key: jwk as never, format: 'jwk' })), kid: jwk.kid };
  });
}

function publicKey(read: () => KeyObject): KeyObject {
  const key = readKey('public key', read);
  assertEd25519(key);
  return key;
}

/** OpenSSL's own messages say little and may quote the input, so they stay inside. */
function readKey(what: string, read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    throw new Error(`not a readable ${what}`);
  }
}

function assertEd25519(key: KeyObject): void {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
}
