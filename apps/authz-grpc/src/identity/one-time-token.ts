import { createHash, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ONE_TIME_TOKEN_CHARACTERS = 64;

/** 64 alphanumeric characters, each drawn without modulo bias from the system's random source: 381 bits. */
export function newOneTimeToken(): string {
  let token = '';
  for (let i = 0; i < ONE_TIME_TOKEN_CHARACTERS; i += 1) token += ALPHABET[randomInt(ALPHABET.length)];
  return token;
}

/** The stored form of a single-use secret: SHA-256, enough for a secret that cannot be guessed. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}
