import type { Caller } from '../authorization/caller.ts';
import { AuthzError } from '@platform/error-contracts';
import { CALLS } from '../authorization/calls.ts';
import { authorizeAnyone, authorizeIdentity } from '../authorization/authorize.ts';
import type { Deps } from '../ports.ts';
import { digestOf, newOneTimeToken } from '../identity/one-time-token.ts';
import { readEmail, readWithin } from '../fields.ts';
import { requireLiveCaller } from './api-keys.ts';
import { userNotFound } from '../not-found.ts';
import type { UserRow } from '../store/user-store.ts';

export type VerificationType = 'email_verification' | 'password_reset' | 'email_change';

const VERIFICATION_HOURS = 24;
const VERIFICATION_HOURS_MAX = 720;

/**
 * A token that proves control of an address once it comes back, so only the mailer gets it: an operation of
 * the system root and of login front ends. Unused tokens of the user and type end. Throws ACCESS_DENIED, also
 * to a front end that asks for the system root, USER_NOT_FOUND, INVALID_ARGUMENT, also to a front end that
 * names another address, and for a user who is inactive, limits.
 */
export async function createEmailVerificationToken(
  deps: Pick<Deps, 'decisions' | 'write' | 'now'>,
  caller: Caller,
  input: {
    readonly userId: string;
    readonly email: string;
    readonly type: VerificationType;
    readonly expirationHours?: number | undefined;
  },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const subject = await authorizeIdentity(deps, caller, CALLS.CreateEmailVerificationToken);
  const hours = readWithin(
    input.expirationHours ?? VERIFICATION_HOURS,
    1,
    VERIFICATION_HOURS_MAX,
    'expiration_hours',
  );
  const email = readEmail(input.email, 'email');
  const token = newOneTimeToken();
  const expiresAt = new Date(deps.now().getTime() + hours * 3_600_000);
  const { userId, type } = input;
  await deps.write(async (stores) => {
    const { users, verifications } = stores;
    // The user's row is locked, so that of two tokens made at once only the later one stays.
    if (!(await users.lock(userId, 'update'))) throw userNotFound();
    await requireLiveCaller(stores, caller);
    const user = await users.find(userId, deps.now());
    if (!subject.isRoot) requireOwnAddress(user, email, type);
    if (user?.active !== true) {
      throw new AuthzError('INVALID_ARGUMENT', 'the user is inactive: activate them first', {
        field: 'user_id',
      });
    }
    await verifications.removeUnused(userId, [type]);
    await verifications.insert({ tokenHash: digestOf(token), userId, email, type, expiresAt });
  });
  return { token, expiresAt };
}

/**
 * A front end's token must not open an account to anyone but the owner of its address, and the system root is
 * none of its accounts: a leaked key of the front end would open the whole service.
 */
function requireOwnAddress(user: UserRow | null, email: string, type: VerificationType): void {
  if (user?.isRoot) {
    throw new AuthzError('ACCESS_DENIED', 'a login front end may not act for the system root');
  }
  if (type !== 'email_change' && user?.email !== email) {
    throw new AuthzError('INVALID_ARGUMENT', "`email` is not the user's address", { field: 'email' });
  }
}

/**
 * The user and address a token stood for, used up now; null when it is unknown, used, expired or of another
 * type.
 */
export async function validateEmailVerificationToken(
  deps: Pick<Deps, 'decisions' | 'stores' | 'now'>,
  caller: Caller,
  input: { readonly token: string; readonly type: VerificationType },
): Promise<{ readonly userId: string; readonly email: string } | null> {
  await authorizeAnyone(deps, caller, CALLS.ValidateEmailVerificationToken);
  return deps.stores.verifications.take(digestOf(input.token), input.type, deps.now());
}

/**
 * Marks the user's address as verified, if it is still the one that was proven. Throws ACCESS_DENIED to all
 * but the system root and login front ends, USER_NOT_FOUND, INVALID_ARGUMENT for another address, rate and
 * quota errors.
 */
export async function markEmailVerified(
  deps: Pick<Deps, 'decisions' | 'write' | 'now'>,
  caller: Caller,
  userId: string,
  email?: string,
): Promise<void> {
  await authorizeIdentity(deps, caller, CALLS.MarkEmailVerified);
  await deps.write(async ({ users }) => {
    if (!(await users.lock(userId, 'update'))) throw userNotFound();
    const user = await users.find(userId, deps.now());
    if (email !== undefined && user?.email !== email) {
      throw new AuthzError('INVALID_ARGUMENT', "`email` is not the user's address", { field: 'email' });
    }
    await users.markVerified(userId);
  });
}
