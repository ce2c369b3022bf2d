import { AuthzError } from '@platform/error-contracts';
import type { Plan, Reading } from '../admission/admission.ts';
import { belongsTo, readLiveSubject, tokenInvalid, userTakes, type Caller } from '../admission/caller.ts';
import { accessDenied, permitAnyone, permitSubject } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { isUuid, NOBODYS_ID } from '../ids.ts';
import { entityKey, type SubjectState, type TenantState, type TokenUse } from '../state/entities.ts';
import { readWithin } from '../fields.ts';

export const SESSION_SECONDS = 3_600;
export const SESSION_SECONDS_MAX = 86_400;

export interface LoginAnswer {
  readonly token: string;
  readonly userId: string;
  readonly tenantId: string | null;
}

/**
 * A session for a user's name and password. Whatever is wrong (name, password, inactive user, unknown or foreign
 * tenant), the answer and its time are the same. Throws LOGIN_FAILED, INVALID_ARGUMENT, RATE_LIMITED.
 */
export async function login(
  deps: Pick<Deps, 'stores' | 'passwords' | 'throttle' | 'tokens' | 'admission' | 'write'>,
  input: {
    readonly username: string;
    readonly password: string;
    readonly tenant?: string | undefined;
    readonly durationSeconds?: number | undefined;
  },
  address: string,
): Promise<LoginAnswer> {
  const lifeSeconds = readWithin(
    input.durationSeconds ?? SESSION_SECONDS,
    1,
    SESSION_SECONDS_MAX,
    'duration',
  );
  await deps.throttle.attempt(`login ${input.username}`, address);
  const user = await deps.stores.users.findLogin(input.username);
  const isMatch = await deps.passwords.matches(user?.passwordHash ?? null, input.password);
  if (user === null || !isMatch || !user.active) throw loginFailed();
  const tenantId = input.tenant === undefined ? null : await findTenantOf(deps, user.id, input.tenant);
  if (input.tenant !== undefined && tenantId === null) throw loginFailed();
  const { token } = await deps.write(async (stores) => {
    // A password that was changed meanwhile ended the sessions there were; one by the old password must not follow.
    if (!(await stores.users.lock(user.id, 'share', user.passwordHash))) throw loginFailed();
    return deps.tokens.issue(stores, { use: 'session', subjectId: user.id, tenantId, lifeSeconds });
  });
  return { token, userId: user.id, tenantId };
}

function loginFailed(): AuthzError {
  return new AuthzError('LOGIN_FAILED', 'login failed');
}

/** The id of an active tenant the user may log in to, by UUID or name; null for every other. */
async function findTenantOf(
  deps: Pick<Deps, 'stores' | 'admission'>,
  userId: string,
  nameOrId: string,
): Promise<string | null> {
  const id = await findTenantIdOf(deps, nameOrId);
  return deps.admission.admit((reading): Plan<string | null> => {
    const subject = reading.get('subject', userId);
    return { result: subject !== null && isOpen(reading, subject, id) ? id : null };
  });
}

async function findTenantIdOf(deps: Pick<Deps, 'stores'>, nameOrId: string): Promise<string> {
  const id = nameOrId.toLowerCase();
  if (isUuid(id)) return id;
  return (await deps.stores.tenants.findId(nameOrId)) ?? NOBODYS_ID;
}

/** Whether the tenant exists, is active, and is one of the subject's. */
function isOpen(reading: Reading, subject: SubjectState, tenantId: string): boolean {
  const tenant = reading.get('tenant', tenantId);
  return tenant !== null && tenant.active && belongsTo(subject, tenant.id);
}

/** Ends the session of the call; the token is refused everywhere when this returns. Throws TOKEN_INVALID, ACCESS_DENIED. */
export async function logout(
  deps: Pick<Deps, 'admission' | 'write' | 'now'>,
  caller: Caller,
  userId: string,
): Promise<void> {
  await permitSubject(deps, caller, ({ id }) => id === userId && caller.use === 'session');
  await deps.write(async ({ credentials }, touch) => {
    if (!(await credentials.revoke(caller.subjectId, caller.jti, deps.now()))) throw tokenInvalid();
    touch(entityKey('credential', caller.jti));
  });
}

/** Whether the token of the call is live; a missing or bad one is no error. Throws limits. */
export async function isLoggedIn(
  deps: Pick<Deps, 'admission' | 'tokens'>,
  token: string | null,
): Promise<boolean> {
  if (token === null) return false;
  try {
    await permitAnyone(deps, await deps.tokens.authenticate(token));
    return true;
  } catch (error) {
    if (error instanceof AuthzError && error.reason === 'TOKEN_INVALID') return false;
    throw error;
  }
}

/**
 * Exchanges a session without tenant for one with a tenant, by UUID or name, that ends when the old one would have.
 * Throws TOKEN_INVALID, TENANT_ALREADY_SET, and one ACCESS_DENIED for unknown, foreign and inactive tenants; limits.
 */
export async function refreshLoginWithTenant(
  deps: Pick<Deps, 'admission' | 'stores' | 'tokens' | 'now' | 'write'>,
  caller: Caller,
  tenantNameOrId: string,
): Promise<LoginAnswer> {
  const tenantId = await findTenantIdOf(deps, tenantNameOrId);
  await deps.admission.admit((reading): Plan<null> => {
    const subject = readLiveSubject(reading, caller);
    if (caller.use !== 'session') throw accessDenied();
    if (caller.tenantId !== null)
      throw new AuthzError('TENANT_ALREADY_SET', 'the token carries a tenant already');
    if (!isOpen(reading, subject, tenantId)) throw accessDenied();
    return { result: null, takes: userTakes(reading, subject) };
  });
  const lifeSeconds = Math.floor(caller.expiresAt - deps.now().getTime() / 1000);
  if (lifeSeconds < 1) throw tokenInvalid();
  const { token } = await deps.write(async (stores) => {
    // A change of the password, which ends the user's sessions, either sees the one made here or has ended this one.
    await stores.users.lock(caller.subjectId, 'share');
    if (!(await stores.credentials.lockLive(caller.jti))) throw tokenInvalid();
    return deps.tokens.issue(stores, { use: 'session', subjectId: caller.subjectId, tenantId, lifeSeconds });
  });
  return { token, userId: caller.subjectId, tenantId };
}

/** What another service needs to know of a credential. */
export interface LiveCredential {
  readonly subjectId: string;
  readonly username: string;
  readonly tenantId: string | null;
  readonly rootDomainId: string | null;
  readonly use: TokenUse;
  readonly scopes: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Whose a credential is, for the other services, or null when it is not live: bad, expired, revoked, of an inactive
 * subject, or for a tenant that is inactive or no longer the subject's. Takes one call of the subject's user_plane,
 * nothing when null. The credential itself is the right to ask. Throws QUOTA_EXHAUSTED.
 */
export async function introspectCredential(
  deps: Pick<Deps, 'admission' | 'tokens'>,
  credential: string,
): Promise<LiveCredential | null> {
  try {
    const caller = await deps.tokens.authenticate(credential);
    return await deps.admission.admit((reading): Plan<LiveCredential> => {
      const subject = readLiveSubject(reading, caller);
      let tenant: TenantState | null = null;
      if (caller.tenantId !== null) {
        tenant = reading.get('tenant', caller.tenantId);
        if (tenant === null || !tenant.active || !belongsTo(subject, tenant.id)) throw tokenInvalid();
      }
      const result: LiveCredential = {
        subjectId: subject.id,
        username: subject.username,
        tenantId: caller.tenantId,
        rootDomainId: tenant?.rootDomainId ?? null,
        use: caller.use,
        scopes: caller.scopes,
        expiresAt: Math.floor(caller.expiresAt),
      };
      return { result, takes: userTakes(reading, subject) };
    });
  } catch (error) {
    if (error instanceof AuthzError && error.reason === 'TOKEN_INVALID') return null;
    throw error;
  }
}
