import { z } from '@platform/error-contracts/zod-openapi';
import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../auth/caller.ts';
import { createApiKey, isKeyId } from '../rules/api-key.ts';
import { formatScopes, isSubset, parseScopes } from '../rules/scopes.ts';
import type { StoredKey } from '../store/key-store.ts';
import type { Deps } from '../ports.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Characters of a key's scopes: more than a prefix of full length for each action needs twice over. */
const SCOPES_LENGTH_MAX = 8_192;
/** Keys an owner may have that are not revoked: they are listed on one page. */
const KEYS_MAX = 1_000;

export const MintKey = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => name.isWellFormed() && !name.includes('\0'), 'must be well-formed Unicode without NUL'),
  scopes: z.string().max(SCOPES_LENGTH_MAX).describe('for example `file:read file:write#prefix=notes/`'),
  expires_in_days: z.number().positive().max(3650).optional(),
});

/** A key as it goes over the wire; `key` stands only in the answer that makes it. */
export const KeyBody = z
  .object({
    id: z.string(),
    key: z.string().optional(),
    name: z.string(),
    scopes: z.string(),
    created_at: z.string(),
    expires_at: z.string().nullable(),
  })
  .openapi('Key');
export const KeyList = z.object({ keys: z.array(KeyBody) });
export type KeyBody = z.infer<typeof KeyBody>;

type KeyPorts = Pick<Deps, 'keys' | 'keyEnvironment' | 'now'>;

/**
 * A key with a subset of the caller's scopes that does not outlive the caller's own. Errors: `permission_denied` for more,
 * `unprocessable` when the owner has as many keys as an owner may.
 */
export async function mintKey(
  deps: KeyPorts,
  caller: Caller,
  input: z.infer<typeof MintKey>,
): Promise<KeyBody> {
  const scopes = parseScopes(input.scopes);
  if (!isSubset(scopes, caller.scopes)) {
    throw new DomainError('permission_denied', 'a key cannot give scopes that it does not have itself');
  }
  const now = deps.now();
  const asked =
    input.expires_in_days === undefined ? null : new Date(now.getTime() + input.expires_in_days * DAY_MS);
  if (asked !== null && caller.expiresAt !== null && asked > caller.expiresAt) {
    throw new DomainError('permission_denied', 'a key cannot outlive the key that makes it');
  }
  const { id, text, secretHash } = createApiKey(deps.keyEnvironment);
  const key: StoredKey = {
    id,
    owner: caller.owner,
    name: input.name,
    scopes: formatScopes(scopes),
    secretHash,
    createdAt: now,
    // Without a wish a key lives as long as the one that makes it.
    expiresAt: asked ?? caller.expiresAt,
    revokedAt: null,
  };
  if (!(await deps.keys.create(key, KEYS_MAX))) {
    throw new DomainError('unprocessable', `there are ${KEYS_MAX} keys: revoke one that is not needed`);
  }
  return keyBody(key, text);
}

/** The owner's keys that are not revoked, newest first; expired ones are among them. */
export async function listKeys(deps: KeyPorts, caller: Caller): Promise<{ keys: KeyBody[] }> {
  return { keys: (await deps.keys.list(caller.owner)).map((key) => keyBody(key)) };
}

/** Throws `not_found` for a key that is absent, revoked or another owner's. */
export async function getKey(deps: KeyPorts, caller: Caller, id: string): Promise<KeyBody> {
  return keyBody(await requireKey(deps, caller, id));
}

/** Another secret for the same key; the old one stops at once. A key beyond the caller's own scopes is not his to take. */
export async function rotateKey(deps: KeyPorts, caller: Caller, id: string): Promise<KeyBody> {
  const key = await requireKey(deps, caller, id);
  const outlives = caller.expiresAt !== null && (key.expiresAt === null || key.expiresAt > caller.expiresAt);
  if (!isSubset(parseScopes(key.scopes), caller.scopes) || outlives) {
    throw new DomainError('permission_denied', 'a key cannot rotate one that may do more or lives longer');
  }
  const { text, secretHash } = createApiKey(deps.keyEnvironment, id);
  if (!(await deps.keys.replaceSecret(caller.owner, id, secretHash))) throw keyAbsent();
  return keyBody(key, text);
}

/** Ends a key, for every replica from now on. Throws `not_found` as `getKey` does. */
export async function revokeKey(deps: KeyPorts, caller: Caller, id: string): Promise<void> {
  if (!isKeyId(id) || !(await deps.keys.revoke(caller.owner, id, deps.now()))) throw keyAbsent();
}

async function requireKey(deps: KeyPorts, caller: Caller, id: string): Promise<StoredKey> {
  const key = isKeyId(id) ? await deps.keys.find(caller.owner, id) : null;
  if (key === null) throw keyAbsent();
  return key;
}

function keyAbsent(): DomainError {
  return new DomainError('not_found', 'no such key');
}

function keyBody(key: StoredKey, text?: string): KeyBody {
  return {
    id: key.id,
    ...(text === undefined ? {} : { key: text }),
    name: key.name,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
}
