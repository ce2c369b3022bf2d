import type { Leases } from '@platform/authz-client';
import { isSameSecret, parseApiKey } from '../rules/api-key.ts';
import { parseScopes, type Scope } from '../rules/scopes.ts';
import type { FoundKey, KeyStore, StoredKey } from '../store/key-store.ts';
import { createBatchLoader } from '../store/batch-loader.ts';
import type { CredentialAuthority } from './credential-authority.ts';

/**
 * The store's own keys. Every request sees the key as it is stored at that moment, so a revocation holds at
 * once on every replica; requests that arrive together share one look-up, begun after the last of them
 * arrived. With `leases` a key is refused within five seconds of the end of the user, membership, service
 * account, API key or tenant that it was minted for.
 */
export function createOwnKeys(keys: Pick<KeyStore, 'findMany'>, leases: Leases | null): CredentialAuthority {
  const load = createBatchLoader<FoundKey>(
    async (ids) => new Map((await keys.findMany(ids)).map((key) => [key.id, key])),
  );
  async function findLive(credential: string, now: Date): Promise<FoundKey | null> {
    const parsed = parseApiKey(credential);
    if (parsed === null) return null;
    const key = await load(parsed.id);
    if (key === null || !isSecretOf(key, parsed.secretHash, now)) return null;
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return null;
    return (await isServed({ leases }, key)) ? key : null;
  }
  return {
    async authenticate(credential, { now }) {
      const key = await findLive(credential, now);
      if (key === null) return null;
      const { owner, id, scopes, expiresAt, lease } = key;
      return { owner, subject: id, scopes: scopesOf(scopes), expiresAt, lease };
    },
    isActive: async (credential, now) => (await findLive(credential, now)) !== null,
  };
}

/** Whether what the key was minted for stands still: it is refused once that has ended or is inactive. */
export async function isServed(
  { leases }: { readonly leases: Leases | null },
  { owner, servedBy: lease, wasActive }: FoundKey,
): Promise<boolean> {
  return leases === null || lease === null || leases.isActive({ owner, lease, wasActive });
}

/** Whether `hash` is that of the key's secret, or of the one before it during the overlap of a rotation. */
function isSecretOf(key: StoredKey, hash: Uint8Array, now: Date): boolean {
  if (isSameSecret(key.secretHash, hash)) return true;
  const { previousHash, previousUntil } = key;
  return previousHash !== null && previousUntil! > now && isSameSecret(previousHash, hash);
}

const parsedScopes = new Map<string, readonly Scope[]>();
const PARSED_SCOPES_MAX = 1000;

/** Scopes as parsed before: many keys share few texts. */
function scopesOf(text: string): readonly Scope[] {
  let scopes = parsedScopes.get(text);
  if (scopes === undefined) {
    scopes = parseScopes(text);
    if (parsedScopes.size >= PARSED_SCOPES_MAX) parsedScopes.clear();
    parsedScopes.set(text, scopes);
  }
  return scopes;
}
