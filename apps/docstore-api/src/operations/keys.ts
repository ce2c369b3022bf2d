import { z } from '@platform/error-contracts/zod-openapi';
import { DomainError } from '@platform/error-contracts';
import type { Caller } from '../auth/caller.ts';
import { createApiKey, isKeyId } from '../rules/api-key.ts';
import { formatScopes, isSubset, parseScopes } from '../rules/scopes.ts';
import { isServed } from '../auth/own-keys.ts';
import type { FoundKey, StoredKey } from '../store/key-store.ts';
import type { Deps } from '../ports.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Longest scopes of a key: twice what a prefix of full length for each action takes. Characters. */
const SCOPES_LENGTH_MAX = 8_192;
/** Live keys an owner may have: they are listed on one page. */
const KEYS_MAX = 1_000;
/** Lifetime of a key made without an expiry. Days. */
const DEFAULT_DAYS = 365;
/** A key that is asked to end at most this much later than the key that makes it ends with that key. */
const END_TOLERANCE_MS = 3_600_000;
const OVERLAP_SECONDS_MAX = 24 * 3600;
/** Users, memberships, accounts and API keys that a secret ends with besides who made its key. */
const SECRET_LEASES_MAX = 16;

export const MintKey = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((name) => name.isWellFormed() && !name.includes('\0'), 'must be well-formed Unicode without NUL'),
  scopes: z.string().max(SCOPES_LENGTH_MAX).describe('for example `file:read file:write#prefix=notes/`'),
  expires_in_days: z
    .number()
    .positive()
    .max(3650)
    .optional()
    .describe('default: a year, or the life of the key that makes it'),
});

export const RotateKey = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .default(0)
    .describe('how long the previous secret is accepted besides the new one'),
});

/** A key as it goes over the wire; `key` stands only in the response that makes it. */
export const KeyBody = z
  .object({
    id: z.string(),
    key: z.string().optional(),
    name: z.string(),
    scopes: z.string(),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    active: z
      .boolean()
      .describe(
        'false once the user, membership, account or API key that made it, or that was given its present secret by a rotation, has ended',
      ),
    minted_by: z
      .string()
      .nullable()
      .describe('id of the key, user or account that made it; null for a key that the operator made'),
    rotated_by: z
      .string()
      .nullable()
      .describe(
        'id of the key, user or account that rotated it last; null for the operator, or where nobody has',
      ),
    rotated_at: z.string().nullable().describe('null for a key that has the secret it was made with'),
    note: z.string().optional().describe('in a replay, which has no `key`: how to get another'),
  })
  .openapi('Key');
export const KeyList = z.object({ keys: z.array(KeyBody) });
export type KeyBody = z.infer<typeof KeyBody>;

type KeyDeps = Pick<Deps, 'keys' | 'keyEnvironment' | 'leases' | 'now'>;

/**
 * A key with a subset of the caller's scopes that does not outlive the caller's own. Errors:
 * `permission_denied` for more, `unprocessable` when the owner has as many keys as an owner may.
 */
export async function mintKey(
  deps: KeyDeps,
  caller: Caller,
  input: z.infer<typeof MintKey>,
): Promise<KeyBody> {
  const scopes = parseScopes(input.scopes);
  if (!isSubset(scopes, caller.scopes)) {
    throw new DomainError('permission_denied', 'a key cannot give scopes that it does not have itself');
  }
  const now = deps.now();
  const expiresAt = endOfLife(now, input.expires_in_days, caller);
  const { id, text, secretHash } = createApiKey(deps.keyEnvironment);
  const [lease = null, ...secretLeases] = caller.leases;
  const key: StoredKey = {
    id,
    owner: caller.owner,
    name: input.name,
    scopes: formatScopes(scopes),
    secretHash,
    createdAt: now,
    expiresAt,
    revokedAt: null,
    previousHash: null,
    previousUntil: null,
    lease,
    secretLeases,
    previousLeases: [],
    mintedBy: nameOf(caller),
    rotatedBy: null,
    rotatedAt: null,
  };
  if (!(await deps.keys.create(key, KEYS_MAX))) {
    throw new DomainError('unprocessable', `there are ${KEYS_MAX} keys: revoke one that is not needed`);
  }
  return keyBody(key, true, text);
}

/** Who keys of the caller are said to be made or rotated by. */
function nameOf({ mintsAs, subject }: Caller): string | null {
  return mintsAs === undefined ? subject : mintsAs;
}

/**
 * When a key ends that is made at `now`. Throws `permission_denied` when it would outlive the key that makes
 * it.
 */
function endOfLife(now: Date, days: number | undefined, { expiresAt }: Caller): Date {
  const asked = new Date(now.getTime() + (days ?? DEFAULT_DAYS) * DAY_MS);
  if (expiresAt === null || asked <= expiresAt) return asked;
  if (days !== undefined && asked.getTime() > expiresAt.getTime() + END_TOLERANCE_MS) {
    throw new DomainError('permission_denied', 'a key cannot outlive the key that makes it');
  }
  return expiresAt;
}

/** The owner's live keys, newest first, at most KEYS_MAX: as many as there may be. */
export async function listKeys(deps: KeyDeps, caller: Caller): Promise<z.infer<typeof KeyList>> {
  const keys = await deps.keys.list(caller.owner, deps.now(), KEYS_MAX);
  return { keys: await Promise.all(keys.map(async (key) => keyBody(key, await isServed(deps, key)))) };
}

/** Throws `not_found` for a key that is absent, expired, revoked or another owner's. */
export async function getKey(deps: KeyDeps, caller: Caller, id: string): Promise<KeyBody> {
  const key = await requireKey(deps, caller, id);
  return keyBody(key, await isServed(deps, key));
}

/**
 * Gives a key another secret, which ends with the caller as well as with who made the key; the previous one
 * is accepted for `overlap_seconds` more. Errors: `not_found` as `getKey`, `permission_denied` for a key that
 * the caller could not have made, `unprocessable` for a caller whose own key ends with too many others.
 */
export async function rotateKey(
  deps: KeyDeps,
  caller: Caller,
  id: string,
  { overlap_seconds }: z.infer<typeof RotateKey>,
): Promise<KeyBody> {
  const key = await requireKey(deps, caller, id);
  requireMintable(caller, key);
  const { text, secretHash } = createApiKey(deps.keyEnvironment, id);
  const now = deps.now();
  const next = {
    secretHash,
    previousUntil: overlap_seconds === 0 ? null : new Date(now.getTime() + overlap_seconds * 1000),
    secretLeases: caller.leases.filter((lease) => lease !== key.lease),
    rotatedBy: nameOf(caller),
    rotatedAt: now,
  };
  if (next.secretLeases.length > SECRET_LEASES_MAX) {
    throw new DomainError(
      'unprocessable',
      `a secret may end with ${SECRET_LEASES_MAX} others: rotate this key with a platform credential`,
    );
  }
  if (!(await deps.keys.replaceSecret(caller.owner, id, next))) throw keyAbsent();
  const rotated = { ...key, ...next };
  return keyBody(rotated, await isServed(deps, rotated), text);
}

/** Ends a key, for every replica from now on. Errors: as `rotateKey`. */
export async function revokeKey(deps: KeyDeps, caller: Caller, id: string): Promise<void> {
  requireMintable(caller, await requireKey(deps, caller, id));
  if (!(await deps.keys.revoke(caller.owner, id, deps.now()))) throw keyAbsent();
}

/** Throws `permission_denied` unless the caller could make a key with these rights and this life. */
function requireMintable(caller: Caller, key: StoredKey): void {
  const outlives = caller.expiresAt !== null && (key.expiresAt === null || key.expiresAt > caller.expiresAt);
  if (outlives || !isSubset(parseScopes(key.scopes), caller.scopes)) {
    throw new DomainError('permission_denied', 'this key may do more or lives longer than the key you use');
  }
}

async function requireKey(deps: KeyDeps, caller: Caller, id: string): Promise<FoundKey> {
  const key = isKeyId(id) ? await deps.keys.find(caller.owner, id, deps.now()) : null;
  if (key === null) throw keyAbsent();
  return key;
}

function keyAbsent(): DomainError {
  return new DomainError('not_found', 'no such key');
}

function keyBody(key: StoredKey, active: boolean, text?: string): KeyBody {
  return {
    id: key.id,
    ...(text === undefined ? {} : { key: text }),
    name: key.name,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    active,
    minted_by: key.mintedBy,
    rotated_by: key.rotatedBy,
    rotated_at: key.rotatedAt?.toISOString() ?? null,
  };
}
