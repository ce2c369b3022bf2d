import { AuthzError, hasReason } from '@platform/error-contracts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import {
  belongsTo,
  readLiveSubject,
  readSubject,
  tokenInvalid,
  userTakes,
  type Caller,
} from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { decideRevocation } from '../authorization/revocation.ts';
import { accessDenied, authorizeSubject } from '../authorization/authorize.ts';
import type { Note } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import { isUuid, NOBODYS_ID } from '../ids.ts';
import { entityKey, type SubjectState, type TenantState, type TokenUse } from '../model/entities.ts';
import { readWithin } from '../fields.ts';
import { requireLiveCaller } from './api-keys.ts';
import { leasesOf, type Leases } from './leases.ts';

export const SESSION_SECONDS = 3_600;
const SESSION_SECONDS_MAX = 86_400;

export interface LoginResult {
  readonly token: string;
  readonly userId: string;
  readonly tenantId: string | null;
}

/**
 * A session for a user's name and password. Whatever is wrong (name, password, inactive user, unknown or
 * foreign tenant), the error and its time are the same. Throws LOGIN_FAILED, INVALID_ARGUMENT,
 * PROOF_REQUIRED, RATE_LIMITED.
 */
export async function login(
  deps: Pick<Deps, 'stores' | 'passwords' | 'throttle' | 'tokens' | 'decisions' | 'write'>,
  input: {
    readonly username: string;
    readonly password: string;
    readonly tenant?: string | undefined;
    readonly durationSeconds?: number | undefined;
    readonly proof?: string | undefined;
  },
  address: string,
  note: Note = () => undefined,
): Promise<LoginResult> {
  const lifeSeconds = readSessionLife(input.durationSeconds);
  const { username, password, tenant, proof } = input;
  const attempt = { username, password, proof, address };
  await deps.throttle.begin(attempt);
  try {
    const user = await deps.stores.users.findLogin(username);
    // The name as it was typed is on no record: it may be a password in the wrong field.
    note(user === null ? { object: 'users' } : { object: `users/${user.id}`, subject: user.id });
    const isMatch = await deps.passwords.matches(user?.passwordHash ?? null, password);
    if (user === null || !isMatch || !user.active) throw loginFailed();
    return await openSession(deps, user.id, { tenant, lifeSeconds, passwordHash: user.passwordHash });
  } catch (error) {
    if (hasReason(error, 'LOGIN_FAILED')) await deps.throttle.failed(attempt);
    throw error;
  }
}

export function loginFailed(): AuthzError {
  return new AuthzError('LOGIN_FAILED', 'login failed');
}

/** How long a session lives, in seconds. Throws INVALID_ARGUMENT. */
export function readSessionLife(durationSeconds: number | undefined): number {
  return readWithin(durationSeconds ?? SESSION_SECONDS, 1, SESSION_SECONDS_MAX, 'duration');
}

/**
 * Opens a session of a user whose identity is proven, for a tenant if one is named. With `passwordHash`, only
 * while the user has that password; with `voucher`, only while that caller's credential lives. Throws
 * LOGIN_FAILED.
 */
export async function openSession(
  deps: Pick<Deps, 'stores' | 'tokens' | 'decisions' | 'write'>,
  userId: string,
  options: {
    readonly tenant?: string | undefined;
    readonly lifeSeconds: number;
    readonly passwordHash?: string | null;
    readonly voucher?: Caller;
  },
): Promise<LoginResult> {
  const { tenant, lifeSeconds, passwordHash, voucher } = options;
  const tenantId = tenant === undefined ? null : await findTenantOf(deps, userId, tenant);
  if (tenant !== undefined && tenantId === null) throw loginFailed();
  try {
    const { token } = await deps.write(async (stores) => {
      // A password that was changed meanwhile ended the sessions there were; one by the old password must not
      // follow.
      if (!(await stores.users.lock(userId, 'share', passwordHash))) throw loginFailed();
      if (voucher !== undefined) await requireLiveCaller(stores, voucher);
      return deps.tokens.issue(stores, { use: 'session', subjectId: userId, tenantId, lifeSeconds });
    });
    return { token, userId, tenantId };
  } catch (error) {
    if (hasReason(error, 'TOKEN_INVALID')) throw loginFailed();
    throw error;
  }
}

/** The id of an active tenant the user may log in to, by UUID or name; null for every other. */
async function findTenantOf(
  deps: Pick<Deps, 'stores' | 'decisions'>,
  userId: string,
  nameOrId: string,
): Promise<string | null> {
  const id = await findTenantIdOf(deps, nameOrId);
  return deps.decisions.runDecision((reading): DecisionPlan<string | null> => {
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
function isOpen(reading: StateReader, subject: SubjectState, tenantId: string): boolean {
  const tenant = reading.get('tenant', tenantId);
  return tenant !== null && tenant.active && belongsTo(subject, tenant.id);
}

/**
 * Ends the session of the call and every session derived from it; their tokens are refused everywhere when
 * this returns. Throws TOKEN_INVALID, SESSION_REQUIRED, ACCESS_DENIED.
 */
export async function logout(
  deps: Pick<Deps, 'decisions' | 'write' | 'now'>,
  caller: Caller,
  userId: string,
): Promise<void> {
  await authorizeSubject(deps, caller, CALLS.Logout, ({ id }) => id === userId);
  await deps.write(async ({ credentials }, touch) => {
    const revoked = await credentials.revoke(caller.subjectId, caller.jti, deps.now());
    if (revoked.length === 0) throw tokenInvalid();
    touch(...revoked.map((jti) => entityKey('credential', jti)));
  });
}

/**
 * Whether the token of the call is live; a missing or bad one is no error. Takes nothing and is never
 * limited.
 */
export async function isLoggedIn(
  deps: Pick<Deps, 'decisions' | 'tokens'>,
  token: string | null,
): Promise<boolean> {
  if (token === null) return false;
  try {
    const caller = await deps.tokens.authenticate(token);
    await deps.decisions.runDecision((reading): DecisionPlan<SubjectState> => ({
      result: readLiveSubject(reading, caller),
    }));
    return true;
  } catch (error) {
    if (hasReason(error, 'TOKEN_INVALID')) return false;
    throw error;
  }
}

/**
 * Exchanges a session without tenant for one with a tenant, by UUID or name, that ends when the old one would
 * have. Throws TOKEN_INVALID, TENANT_ALREADY_SET, and one ACCESS_DENIED for unknown, foreign and inactive
 * tenants; limits.
 */
export async function refreshLoginWithTenant(
  deps: Pick<Deps, 'decisions' | 'stores' | 'tokens' | 'now' | 'write'>,
  caller: Caller,
  tenantNameOrId: string,
): Promise<LoginResult> {
  const tenantId = await findTenantIdOf(deps, tenantNameOrId);
  await deps.decisions.runDecision((reading): DecisionPlan<null> => {
    const subject = readSubject(reading, caller, CALLS.RefreshLoginWithTenant);
    if (caller.tenantId !== null)
      throw new AuthzError('TENANT_ALREADY_SET', 'the token carries a tenant already');
    if (!isOpen(reading, subject, tenantId)) throw accessDenied();
    return { result: null, quotas: userTakes(reading, subject) };
  });
  const lifeSeconds = Math.floor(caller.expiresAt - deps.now().getTime() / 1000);
  if (lifeSeconds < 1) throw tokenInvalid();
  const { token } = await deps.write((stores) =>
    deps.tokens.issue(stores, {
      use: 'session',
      subjectId: caller.subjectId,
      tenantId,
      lifeSeconds,
      parentId: caller.jti,
    }),
  );
  return { token, userId: caller.subjectId, tenantId };
}

/** The facts about a credential that another service needs. */
export interface LiveCredential {
  readonly subjectId: string;
  readonly username: string;
  readonly tenantId: string | null;
  readonly rootDomainId: string | null;
  readonly use: TokenUse;
  readonly scopes: readonly string[];
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** What the other services may keep of it; null without tenant. */
  readonly leases: Leases | null;
}

/**
 * Whose a credential is, for the other services, or null when it is not live: bad, expired, revoked, of an
 * inactive subject, or for a tenant that is inactive or no longer the subject's. Takes one call of the
 * subject's user_plane, nothing when null; `isRevoking` as `decideRevocation` says. The credential itself is
 * the right to ask. Throws QUOTA_EXHAUSTED, RATE_LIMITED.
 */
export async function introspectCredential(
  deps: Pick<Deps, 'decisions' | 'tokens'>,
  credential: string,
  isRevoking = false,
): Promise<LiveCredential | null> {
  try {
    const caller = await deps.tokens.authenticate(credential);
    const decide = (reading: StateReader): DecisionPlan<LiveCredential> => {
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
        leases: tenant === null ? null : leasesOf(reading, caller, subject, tenant),
      };
      return { result, quotas: userTakes(reading, subject) };
    };
    return await (isRevoking
      ? decideRevocation(deps.decisions, caller, decide)
      : deps.decisions.runDecision(decide));
  } catch (error) {
    if (hasReason(error, 'TOKEN_INVALID')) return null;
    throw error;
  }
}
