import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningKey, TokenType } from '@platform/jwt';
import {
  exportSigningKey,
  generateSigningKey,
  loadSigningKey,
  publicJwks,
  signToken,
  verificationKeyOf,
} from '@platform/jwt';

const DAY_SECONDS = 86_400;
/** Longest life of a session's token, and life of an API key, in seconds. */
const LIFE_SECONDS = { 'at+jwt': DAY_SECONDS, 'key+jwt': 365 * DAY_SECONDS, 'svc+jwt': DAY_SECONDS } as const;

/** The signing key under `folder`, made on first start and readable by its owner only, and its public half as a file. */
export async function ensureKeys(folder: string): Promise<{ key: SigningKey; publicKeys: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'signing.pem');
  const publicKeys = join(folder, 'public.jwks.json');
  if (!existsSync(file)) {
    writeFileSync(file, exportSigningKey(await generateSigningKey()), { mode: 0o600, flag: 'wx' });
  }
  const key = await loadSigningKey(readFileSync(file, 'utf8'));
  writeFileSync(publicKeys, JSON.stringify(publicJwks([verificationKeyOf(key)])));
  return { key, publicKeys };
}

/** A credential of the demo user, valid from now. */
export function issue(key: SigningKey, type: TokenType): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return signToken(
    {
      iss: process.env.INVESTIGATION_JWT_ISSUER || 'authz-grpc',
      aud: process.env.INVESTIGATION_JWT_AUDIENCE || 'platform',
      sub: 'demo',
      iat: now,
      nbf: now,
      exp: now + LIFE_SECONDS[type],
      jti: randomUUID(),
    },
    { type, key },
  );
}
