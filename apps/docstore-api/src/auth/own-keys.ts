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
 * account, API key or tenant that it was minted for, and a secret of it with those that it was given to.
 */
export function createOwnKeys(keys: Pick<KeyStore, 'findMany'>, leases: Leases | null): CredentialAuthority {
  const load = createBatchLoader<FoundKey>(
    async (ids) => new Map((await keys.findMany(ids)).map((key) => [key.id, key])),
  );
  /** The key of a credential that is good, with the leases that its secret ends with besides. */
  async function findLive(
    credential: string,
    now: Date,
  ): Promise<{ readonly key: FoundKey; readonly given: readonly string[] } | null> {
    const parsed = parseApiKey(credential);
    if (parsed === null) return null;
    const key = await load(parsed.id);
    if (key === null) return null;
    const given = leasesOfSecret(key, parsed.secretHash, now);
    if (given === null) return null;
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return null;
    return (await isServed({ leases }, key, given)) ? { key, given } : null;
  }
  return {
    async authenticate(credential, { now }) {
      const live = await findLive(credential, now);
      if (live === null) return null;
      const { owner, id, scopes, expiresAt, lease } = live.key;
      const leases = [...(lease === null ? [] : [lease]), ...live.given];
      return { owner, subject: id, scopes: scopesOf(scopes), expiresAt, leases };
    },
    isActive: async (credential, now) => (await findLive(credential, now)) !== null,
  };
}

/**
 * Whether what the key was minted for stands still, and those that a secret of it was `given` to, by default
 * the present one: it is refused once one of them has ended or is inactive.
 */
export async function isServed(
  { leases }: { readonly leases: Leases | null },
  key: FoundKey,
  given: readonly string[] = key.secretLeases,
): Promise<boolean> {
  if (leases === null) return true;
  const { owner, servedBy, wasActive, endedLeases } = key;
  const known = given.map((lease) => ({ owner, lease, wasActive: !endedLeases.includes(lease) }));
  if (servedBy !== null) known.push({ owner, lease: servedBy, wasActive });
  return !(await Promise.all(known.map((lease) => leases.isActive(lease)))).includes(false);
}

/**
 * The leases that the key's secret of this hash ends with besides; null where it is neither the present one
 * nor the one before it during the overlap of a rotation.
 */
function leasesOfSecret(key: StoredKey, hash: Uint8Array, now: Date): readonly string[] | null {
  if (isSameSecret(key.secretHash, hash)) return key.secretLeases;
  const { previousHash, previousUntil } = key;
  const isPrevious = previousHash !== null && previousUntil! > now && isSameSecret(previousHash, hash);
  return isPrevious ? key.previousLeases : null;
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
