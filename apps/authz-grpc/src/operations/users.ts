import { AuthzError } from '@platform/error-contracts';
import { counterKey } from '../model/quota.ts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS, freed } from '../authorization/calls.ts';
import { groundsOfAccountChange, writeGuarded, type WriteWork } from '../authorization/lockout.ts';
import {
  isFrontEnd,
  authorizeAdmin,
  authorizeOnMember,
  authorizeSelf,
  authorizeSubject,
} from '../authorization/authorize.ts';
import type { Note } from '../model/audit-event.ts';
import { placeKey, readPage, type Page, type PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import { NOBODYS_ID } from '../ids.ts';
import { IDENTITY_SCOPE } from '../authorization/scopes.ts';
import { digestOf } from '../identity/one-time-token.ts';
import { entityKey, type SubjectState } from '../model/entities.ts';
import type { UserRow } from '../store/user-store.ts';
import { insertDefaultQuotas } from '../default-quotas.ts';
import { readDistinctName, readEmail, requireVersion } from '../fields.ts';
import { userNotFound } from '../not-found.ts';
import { readTokens, type Tokens } from './tenants.ts';

export interface User extends UserRow {
  /** Null for those who may not see it. */
  readonly userPlane: Tokens | null;
}

type UserDeps = Pick<Deps, 'decisions' | 'stores' | 'limits' | 'now'>;

/** Prefix of the names of service accounts; no user may have it. */
export const SERVICE_ACCOUNT_PREFIX = 'svc:';

/** Needs no authentication; throttled per address. Throws INVALID_ARGUMENT, NAME_TAKEN, RATE_LIMITED. */
export async function createUser(
  deps: Pick<Deps, 'write' | 'passwords' | 'throttle' | 'config' | 'now' | 'newId'>,
  input: { readonly username: string; readonly email: string; readonly password: string },
  address: string,
  note: Note = () => undefined,
): Promise<string> {
  const username = readUsername(input.username);
  const email = readEmail(input.email, 'email');
  await deps.throttle.create(address);
  const passwordHash = await deps.passwords.hash(input.password);
  const id = deps.newId();
  await deps.write(async (stores, touch) => {
    await stores.users.insert({ id, username, email, passwordHash, createdAt: deps.now() });
    await insertDefaultQuotas(stores, deps.config, id, ['user_plane']);
    touch(entityKey('subject', id));
  });
  note({ subject: id });
  return id;
}

export function readUsername(text: string): string {
  const username = readDistinctName(text, 'username');
  if (username.toLowerCase().startsWith(SERVICE_ACCOUNT_PREFIX)) {
    throw new AuthzError(
      'INVALID_ARGUMENT',
      `names that start with \`${SERVICE_ACCOUNT_PREFIX}\` are service accounts'`,
      {
        field: 'username',
      },
    );
  }
  return username;
}

/**
 * The user, with what the caller may see of them. Throws ACCESS_DENIED for users that are not the caller's to
 * know, USER_NOT_FOUND to the system root, rate and quota errors.
 */
export async function getUser(deps: UserDeps, caller: Caller, id: string): Promise<User> {
  const subject = await authorizeOnMember(deps, caller, CALLS.GetUser, id, {
    action: 'read',
    path: `users/${id}`,
  });
  const user = await deps.stores.users.find(id, deps.now());
  if (user === null) throw userNotFound();
  return readUser(deps, subject, user);
}

/** As `getUser`; a name nobody has and one the caller may not know give the same error. */
export async function getUserByName(deps: UserDeps, caller: Caller, username: string): Promise<User> {
  return getUser(deps, caller, (await deps.stores.users.findId(username)) ?? NOBODYS_ID);
}

export interface UserUpdate {
  readonly id: string;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly active?: boolean | undefined;
  readonly currentPassword?: string | undefined;
  readonly resetToken?: string | undefined;
  readonly revokeApiKeys?: boolean | undefined;
  readonly expectedVersion?: number | undefined;
  readonly allowLockout?: boolean | undefined;
  readonly proof?: string | undefined;
}

/**
 * Changes the fields that are given, in a session of the user or of the system root, if the user still has
 * the version that is expected; the system root stays active. A new password needs the current one or a reset
 * token, and ends the user's other sessions, their unused one-time tokens and, unless told otherwise, their
 * API keys and the keys that other services minted for them. A changed address is unverified, and tokens for
 * the old one end. What deactivation ends, unused one-time tokens among it, does not come back with a later
 * activation. A new password and a deactivation take no quota where nothing else changes. A login front end
 * may set a password by a reset token, but not that of an inactive user. Throws SESSION_REQUIRED,
 * ACCESS_DENIED, USER_NOT_FOUND, NAME_TAKEN, INVALID_ARGUMENT, PROOF_REQUIRED, VERSION_CONFLICT, LOCKOUT,
 * rate and quota errors.
 */
export async function updateUser(
  deps: UserDeps & Pick<Deps, 'write' | 'passwords' | 'throttle'>,
  caller: Caller,
  update: UserUpdate,
  address: string,
  note: Note = () => undefined,
): Promise<User> {
  const subject = await authorizeUpdate(deps, caller, update);
  const username = update.username === undefined ? undefined : readUsername(update.username);
  const email = update.email === undefined ? undefined : readEmail(update.email, 'email');
  const { password, resetToken } = update;
  const provenHash =
    password !== undefined && resetToken === undefined
      ? await requireCurrentPassword(deps, update, address)
      : undefined;
  const passwordHash = password === undefined ? undefined : await deps.passwords.hash(password);
  const isGuarded = update.active === false && update.allowLockout !== true;
  await writeLeaving(deps, caller, { id: update.id, isGuarded }, async (stores, touch) => {
    const { users, tenants, credentials, verifications } = stores;
    const now = deps.now();
    const isLocked = await users.lock(update.id, 'update', provenHash);
    const before = await users.find(update.id, now);
    if (before === null) throw userNotFound();
    if (!isLocked) throw refuse('current_password', 'the password has just been changed by another call');
    requireVersion('user', before.version, update.expectedVersion);
    if (passwordHash !== undefined && resetToken !== undefined) {
      if (!before.active) throw refuse('reset_token', 'the user is inactive, and no token is taken for them');
      const proven = await verifications.take(digestOf(resetToken), 'password_reset', now);
      if (proven?.userId !== update.id) throw refuse('reset_token', 'the token is unknown, used or expired');
    }
    if (before.isRoot && caller.scopes.includes(IDENTITY_SCOPE)) {
      throw new AuthzError('ACCESS_DENIED', 'a login front end may not act for the system root');
    }
    const endsKeys = passwordHash !== undefined && update.revokeApiKeys !== false;
    await users.update(update.id, { username, email, passwordHash, active: update.active, endsKeys });
    note({
      before: { version: before.version, username: before.username, active: before.active },
      after: {
        version: before.version + 1,
        username: username ?? before.username,
        active: update.active ?? before.active,
      },
    });
    const revoked: string[] = [];
    if (update.active === false) {
      revoked.push(...(await credentials.revokeAll(update.id, now)));
      await tenants.endLeases(update.id);
      await verifications.removeUnused(update.id);
    }
    if (passwordHash !== undefined) {
      const except = caller.jti;
      revoked.push(...(await credentials.revokeAll(update.id, now, { use: 'session', except })));
      if (endsKeys) {
        revoked.push(...(await credentials.revokeAll(update.id, now, { use: 'api_key' })));
      }
      await verifications.removeUnused(update.id);
    }
    if (email !== undefined && email !== before.email) await verifications.removeUnused(update.id);
    touch(entityKey('subject', update.id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
  const user = await deps.stores.users.find(update.id, deps.now());
  if (user === null) throw userNotFound();
  return readUser(deps, subject, user);
}

/**
 * Writes what ends the part that a user has in their tenants. Throws LOCKOUT when a tenant would be left
 * without anyone who can manage it, unless it is not guarded.
 */
async function writeLeaving(
  deps: UserDeps & Pick<Deps, 'write'>,
  caller: Caller,
  { id, isGuarded }: { readonly id: string; readonly isGuarded: boolean },
  work: WriteWork<void>,
): Promise<void> {
  if (!isGuarded) return deps.write(work);
  const tenantIds = (await deps.stores.tenants.listActive(id)).map((tenant) => tenant.id);
  const leaving = { accountId: id, tenantIds };
  return writeGuarded(deps, tenantIds, () => groundsOfAccountChange(deps, caller, leaving), work);
}

/** A front end may set a password by a reset token, and nothing else. */
function authorizeUpdate(deps: UserDeps, caller: Caller, update: UserUpdate): Promise<SubjectState> {
  const { id, username, email, password, active, resetToken } = update;
  if (caller.scopes.includes(IDENTITY_SCOPE)) {
    const isReset = password !== undefined && resetToken !== undefined;
    const isOnlyThat = username === undefined && email === undefined && active === undefined;
    return authorizeSubject(
      deps,
      caller,
      { scope: IDENTITY_SCOPE },
      (subject) => isFrontEnd(subject, caller) && isReset && isOnlyThat,
    );
  }
  // Deactivation and a new password end what a thief holds, who could use the user's quota up.
  const isEnd = active !== true && (active === false || password !== undefined);
  const isAlone = username === undefined && email === undefined;
  const call = isEnd && isAlone ? freed(CALLS.UpdateUser) : CALLS.UpdateUser;
  return authorizeSelf(
    deps,
    caller,
    call,
    id,
    (subject) => !subject.isRoot || subject.id !== id || active !== false,
  );
}

/** The hash of the current password: a session left open must not be enough to take the account over. */
async function requireCurrentPassword(
  deps: UserDeps & Pick<Deps, 'passwords' | 'throttle'>,
  { id, currentPassword, proof }: UserUpdate,
  address: string,
): Promise<string | null | undefined> {
  if (currentPassword === undefined) {
    throw refuse('current_password', 'a new password needs `current_password` or `reset_token`');
  }
  const user = await deps.stores.users.find(id, deps.now());
  if (user === null) throw userNotFound();
  const attempt = { username: user.username, password: currentPassword, address, proof };
  await deps.throttle.begin(attempt);
  const login = await deps.stores.users.findLogin(user.username);
  if (await deps.passwords.matches(login?.passwordHash ?? null, currentPassword)) return login?.passwordHash;
  await deps.throttle.failed(attempt);
  throw refuse('current_password', '`current_password` is not the password of the user');
}

function refuse(field: string, message: string): AuthzError {
  return new AuthzError('INVALID_ARGUMENT', message, { field });
}

/**
 * Ends associations and tokens with the user; the system root cannot be deleted. Throws SESSION_REQUIRED,
 * ACCESS_DENIED, USER_NOT_FOUND, LOCKOUT for the last one who can manage a tenant.
 */
export async function deleteUser(
  deps: UserDeps & Pick<Deps, 'write'>,
  caller: Caller,
  id: string,
  options: { readonly allowLockout?: boolean | undefined } = {},
): Promise<void> {
  await authorizeSelf(deps, caller, CALLS.DeleteUser, id, (subject) => !subject.isRoot || subject.id !== id);
  const isGuarded = options.allowLockout !== true;
  await writeLeaving(deps, caller, { id, isGuarded }, async ({ users, credentials, quotas }, touch) => {
    if (!(await users.remove(id))) throw userNotFound();
    const revoked = await credentials.revokeAll(id, deps.now());
    await quotas.remove(id);
    touch(entityKey('subject', id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
}

/**
 * All users to the system root; to others the users of their tenant, if its root domain allows `manage`, each
 * with what the caller may see of them. Throws ACCESS_DENIED, rate and quota errors.
 */
export async function listUsers(deps: UserDeps, caller: Caller, request: PageRequest): Promise<Page<User>> {
  const permission = { action: 'manage', path: 'users' } as const;
  const { subject, tenantId } = await authorizeAdmin(deps, caller, CALLS.ListUsers, permission);
  return readUserPage(deps, { subject, tenantId, operation: 'ListUsers' }, request);
}

/** A page of all users, or of the members of one tenant, oldest first, each as `subject` may see them. */
export async function readUserPage(
  deps: Pick<Deps, 'stores' | 'limits' | 'now'>,
  of: {
    readonly subject: SubjectState;
    readonly tenantId: string | null;
    readonly operation: 'ListUsers' | 'GetTenantAssociations';
  },
  request: PageRequest,
): Promise<Page<User>> {
  const { subject, tenantId, operation } = of;
  const { items, nextPageToken } = await readPage<UserRow>(
    request,
    [operation, tenantId],
    placeKey,
    (slice) => deps.stores.users.list(tenantId, deps.now(), slice),
  );
  return { items: await readUsers(deps, subject, items), nextPageToken };
}

/**
 * Users as `subject` may see them: the address, its verification, the keys and the quota of a user are theirs
 * and the system root's to see. An administrator of a tenant did not ask its members before associating them.
 */
async function readUsers(
  deps: Pick<Deps, 'stores' | 'limits'>,
  subject: SubjectState,
  users: readonly UserRow[],
): Promise<User[]> {
  const isOpen = (user: UserRow) => subject.isRoot || user.id === subject.id;
  const planes = await readTokens(
    deps,
    users.filter(isOpen).map(({ id }) => id),
  );
  return users.map((user) =>
    isOpen(user)
      ? { ...user, userPlane: user.isRoot ? null : (planes.get(counterKey(user.id, 'user_plane')) ?? null) }
      : { ...user, email: '', emailVerified: false, apiKeyIds: [], version: 0, userPlane: null },
  );
}

async function readUser(
  deps: Pick<Deps, 'stores' | 'limits'>,
  subject: SubjectState,
  user: UserRow,
): Promise<User> {
  return (await readUsers(deps, subject, [user]))[0] as User;
}
