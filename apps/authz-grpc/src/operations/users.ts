import { AuthzError } from '@platform/error-contracts';
import { counterKey } from '../gate/counters.ts';
import type { Caller } from '../admission/caller.ts';
import { permitAdmin, permitOnMember, permitSelf } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { NOBODYS_ID } from '../ids.ts';
import { entityKey } from '../state/entities.ts';
import type { UserRow } from '../store/user-store.ts';
import { insertDefaultQuotas } from '../default-quotas.ts';
import { readEmail, readName } from '../fields.ts';
import { userNotFound } from '../not-found.ts';
import { readTokens, type Tokens } from './tenants.ts';

export interface User extends UserRow {
  readonly userPlane: Tokens;
}

type UserDeps = Pick<Deps, 'admission' | 'stores' | 'gate' | 'now'>;

/** What service accounts are called; no user may be. */
export const SERVICE_ACCOUNT_PREFIX = 'svc:';

/** Needs no authentication; throttled per address. Throws INVALID_ARGUMENT, NAME_TAKEN, RATE_LIMITED. */
export async function createUser(
  deps: Pick<Deps, 'write' | 'passwords' | 'throttle' | 'config' | 'now' | 'newId'>,
  input: { readonly username: string; readonly email: string; readonly password: string },
  address: string,
): Promise<string> {
  const username = readUsername(input.username);
  const email = readEmail(input.email, 'email');
  await deps.throttle.attempt(`create ${username}`, address);
  const passwordHash = await deps.passwords.hash(input.password);
  const id = deps.newId();
  await deps.write(async (stores, touch) => {
    await stores.users.insert({ id, username, email, passwordHash, createdAt: deps.now() });
    await insertDefaultQuotas(stores, deps.config, id, ['user_plane']);
    touch(entityKey('subject', id));
  });
  return id;
}

export function readUsername(text: string): string {
  const username = readName(text, 'username');
  if (username.startsWith(SERVICE_ACCOUNT_PREFIX)) {
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

/** Throws ACCESS_DENIED for users that are not the caller's to know, USER_NOT_FOUND to the system root, limits. */
export async function getUser(deps: UserDeps, caller: Caller, id: string): Promise<User> {
  await permitOnMember(deps, caller, id, { action: 'read', path: `users/${id}` });
  const user = await deps.stores.users.find(id, deps.now());
  if (user === null) throw userNotFound();
  return withPlane(deps, user);
}

/** As `getUser`; a name nobody has and one the caller may not know answer alike. */
export async function getUserByName(deps: UserDeps, caller: Caller, username: string): Promise<User> {
  return getUser(deps, caller, (await deps.stores.users.findId(username)) ?? NOBODYS_ID);
}

export interface UserUpdate {
  readonly id: string;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Changes the fields that are given. A user changes himself, the system root anyone; only root reactivates. A
 * changed password ends the user's other sessions; a changed address is unverified. The system root stays active.
 * Throws ACCESS_DENIED, USER_NOT_FOUND, NAME_TAKEN, INVALID_ARGUMENT, limits.
 */
export async function updateUser(
  deps: UserDeps & Pick<Deps, 'write' | 'passwords' | 'now'>,
  caller: Caller,
  update: UserUpdate,
): Promise<User> {
  await permitSelf(
    deps,
    caller,
    update.id,
    ({ isRoot, id }) => !isRoot || id !== update.id || update.active !== false,
  );
  const username = update.username === undefined ? undefined : readUsername(update.username);
  const email = update.email === undefined ? undefined : readEmail(update.email, 'email');
  const passwordHash = update.password === undefined ? undefined : await deps.passwords.hash(update.password);
  await deps.write(async ({ users, credentials }, touch) => {
    const change = { username, email, passwordHash, active: update.active };
    if (!(await users.update(update.id, change))) throw userNotFound();
    if (passwordHash !== undefined) {
      const options = { use: 'session', except: caller.jti } as const;
      const revoked = await credentials.revokeAll(update.id, deps.now(), options);
      touch(...revoked.map((jti) => entityKey('credential', jti)));
    }
    touch(entityKey('subject', update.id));
  });
  const user = await deps.stores.users.find(update.id, deps.now());
  if (user === null) throw userNotFound();
  return withPlane(deps, user);
}

/** Ends associations and tokens with the user; the system root cannot be deleted. Throws as `updateUser`. */
export async function deleteUser(deps: UserDeps & Pick<Deps, 'write' | 'now'>, caller: Caller, id: string) {
  await permitSelf(deps, caller, id, (subject) => !subject.isRoot || subject.id !== id);
  await deps.write(async ({ users, credentials, quotas }, touch) => {
    if (!(await users.remove(id))) throw userNotFound();
    const revoked = await credentials.revokeAll(id, deps.now());
    await quotas.remove(id);
    touch(entityKey('subject', id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
}

/** All users to the system root; to others the users of their tenant, if its root domain allows `manage`. */
export async function listUsers(deps: UserDeps, caller: Caller): Promise<User[]> {
  const scope = await permitAdmin(deps, caller, { action: 'manage', path: 'users' });
  return withPlanes(deps, await deps.stores.users.list(scope, deps.now()));
}

/** Users with what is left of their planes. */
export async function withPlanes(
  deps: Pick<Deps, 'stores' | 'gate'>,
  users: readonly UserRow[],
): Promise<User[]> {
  const planes = await readTokens(
    deps,
    users.map(({ id }) => id),
  );
  return users.map((user) => ({
    ...user,
    userPlane: planes.get(counterKey(user.id, 'user_plane')) as Tokens,
  }));
}

async function withPlane(deps: Pick<Deps, 'stores' | 'gate'>, user: UserRow): Promise<User> {
  return (await withPlanes(deps, [user]))[0] as User;
}
