import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 16;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^dsk_([a-z]{1,16})_([0-9A-Za-z]{16})_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;

/** A credential as it is handed out: `dsk_<env>_<keyid>_<32 base62>_<6 base62 CRC32>`. */
export interface ApiKeyText {
  /** `key_<keyid>`. */
  readonly id: string;
  /** The key as its holder sends it; shown once. */
  readonly text: string;
  /**
   * SHA-256 of the secret part, what is stored. The secret has 190 random bits, so no slow hash is needed.
   */
  readonly secretHash: Buffer;
}

/** A fresh key for `environment` (lower-case letters); with `id`, another secret for the key of that id. */
export function createApiKey(environment: string, id?: string): ApiKeyText {
  const keyId = id?.slice('key_'.length) ?? randomBase62(ID_LENGTH);
  const secret = randomBase62(SECRET_LENGTH);
  const body = `dsk_${environment}_${keyId}_${secret}`;
  return { id: `key_${keyId}`, text: `${body}_${checksum(body)}`, secretHash: hashSecret(secret) };
}

/** Takes a key apart; null when its shape or checksum says that it cannot be one, which needs no look-up. */
export function parseApiKey(text: string): { id: string; secretHash: Buffer } | null {
  const match = SHAPE.exec(text);
  if (match === null) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH - 1);
  if (checksum(body) !== match[4]) return null;
  return { id: `key_${match[2]}`, secretHash: hashSecret(match[3]!) };
}

/** True for text that could be a key's id; anything else cannot name one and need not be looked up. */
export function isKeyId(text: string): boolean {
  return /^key_[0-9A-Za-z]{16}$/.test(text);
}

/** Compares in constant time, so that timing does not reveal where the two differ. */
export function isSameSecret(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * CRC-32 in base62, most significant digit first: lets typing errors and secret scanners be sure without us.
 */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Uniform base62: bytes beyond the last whole multiple of 62 are thrown away. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
