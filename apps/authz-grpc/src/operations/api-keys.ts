import { AuthzError } from '@platform/error-contracts';
import { tokenInvalid, type Caller } from '../authorization/caller.ts';
import { authorizeSelf } from '../authorization/authorize.ts';
import { placeKey, readPage, type Page, type PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import { CALLS } from '../authorization/calls.ts';
import { readScopes } from '../authorization/scopes.ts';
import { entityKey } from '../model/entities.ts';
import type { CredentialRow } from '../store/credential-store.ts';
import { readWithin } from '../fields.ts';
import { userNotFound } from '../not-found.ts';
import type { Stores } from '../store/stores.ts';

const KEY_DAYS = 365;
const KEY_DAYS_MAX = 3_650;
const DAY_SECONDS = 86_400;

type KeyDeps = Pick<Deps, 'decisions' | 'stores' | 'now'>;

/** How long a key lives, in seconds. Throws INVALID_ARGUMENT. */
export function readKeyLife(expirationDays: number | undefined): number {
  return readWithin(expirationDays ?? KEY_DAYS, 1, KEY_DAYS_MAX, 'expiration_days') * DAY_SECONDS;
}

/**
 * A key that acts as the user, within the tenant of the calling token and its scopes. The secret is returned
 * once. A key cannot make keys: one that leaked would otherwise outlive its deletion. Throws
 * SESSION_REQUIRED, ACCESS_DENIED, USER_NOT_FOUND, INVALID_ARGUMENT, rate and quota errors.
 */
export async function createApiKey(
  deps: KeyDeps & Pick<Deps, 'tokens' | 'write'>,
  caller: Caller,
  input: {
    readonly userId: string;
    readonly expirationDays?: number | undefined;
    readonly scopes?: readonly string[] | undefined;
  },
): Promise<{ readonly apiKey: string; readonly keyId: string }> {
  const lifeSeconds = readKeyLife(input.expirationDays);
  const scopes = readScopes(input.scopes);
  await authorizeSelf(deps, caller, CALLS.CreateApiKey, input.userId);
  if (!(await deps.stores.users.exists(input.userId))) throw userNotFound();
  const { token, jti } = await deps.write(async (stores) => {
    await requireLiveCaller(stores, caller);
    return deps.tokens.issue(stores, {
      use: 'api_key',
      subjectId: input.userId,
      tenantId: caller.tenantId,
      lifeSeconds,
      scopes,
    });
  });
  return { apiKey: token, keyId: jti };
}

/**
 * Holds the caller's credential until the transaction ends. A change that ends it, as a new password does,
 * may have come between the admission of the call and its write: what the call makes would outlive what it
 * was made by. The user first, as such changes lock them. Throws TOKEN_INVALID.
 */
export async function requireLiveCaller(
  { users, credentials }: Pick<Stores, 'users' | 'credentials'>,
  caller: Caller,
): Promise<void> {
  await users.lock(caller.subjectId, 'share');
  if (!(await credentials.lockLive(caller.jti))) throw tokenInvalid();
}

/** Throws ACCESS_DENIED, API_KEY_NOT_FOUND, limits. */
export async function getApiKey(
  deps: KeyDeps,
  caller: Caller,
  userId: string,
  keyId: string,
): Promise<CredentialRow> {
  await authorizeSelf(deps, caller, CALLS.GetApiKey, userId);
  const keys = await deps.stores.credentials.list(userId, 'api_key', deps.now());
  const key = keys.find(({ jti }) => jti === keyId);
  if (key === undefined) throw keyNotFound();
  return key;
}

/** The user's live keys, oldest first. Throws ACCESS_DENIED, limits. */
export async function listApiKeys(
  deps: KeyDeps,
  caller: Caller,
  userId: string,
  request: PageRequest,
): Promise<Page<CredentialRow>> {
  await authorizeSelf(deps, caller, CALLS.ListApiKeys, userId);
  return readPage<CredentialRow>(
    request,
    ['ListApiKeys', userId],
    ({ issuedAt, jti }) => placeKey({ createdAt: issuedAt, id: jti }),
    (slice) => deps.stores.credentials.list(userId, 'api_key', deps.now(), slice),
  );
}

/** The key is refused on every replica when this returns. Throws ACCESS_DENIED, API_KEY_NOT_FOUND, limits. */
export async function deleteApiKey(
  deps: KeyDeps & Pick<Deps, 'write'>,
  caller: Caller,
  userId: string,
  keyId: string,
): Promise<void> {
  await authorizeSelf(deps, caller, CALLS.DeleteApiKey, userId);
  await deps.write(async ({ credentials }, touch) => {
    const now = deps.now();
    const isKey = (await credentials.list(userId, 'api_key', now)).some(({ jti }) => jti === keyId);
    const revoked = isKey ? await credentials.revoke(userId, keyId, now) : [];
    if (revoked.length === 0) throw keyNotFound();
    touch(...revoked.map((jti) => entityKey('credential', jti)));
  });
}

function keyNotFound(): AuthzError {
  return new AuthzError('API_KEY_NOT_FOUND', 'no such API key');
}
