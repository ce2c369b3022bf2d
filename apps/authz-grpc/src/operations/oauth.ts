import { invalidField } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { authorizeIdentity } from '../authorization/authorize.ts';
import type { Note } from '../model/audit-event.ts';
import type { Deps } from '../ports.ts';
import { digestOf } from '../identity/one-time-token.ts';
import { entityKey } from '../model/entities.ts';
import type { OAuthState, OAuthUser } from '../store/oauth-store.ts';
import { insertDefaultQuotas } from '../default-quotas.ts';
import { readEmail, readName, readText, readWithin } from '../fields.ts';
import { tenantNotFound } from '../not-found.ts';
import { loginFailed, openSession, readSessionLife, type LoginResult } from './sessions.ts';
import { readUsername } from './users.ts';

/*
 * All of these are a login front end's: it vouches for what a provider said. The system root may call them,
 * too.
 */

const STATE_MINUTES = 10;
const STATE_MINUTES_MAX = 1_440;

/** The user of a provider's subject, or null. Throws ACCESS_DENIED, limits. */
export async function findUserByOAuth(
  deps: Pick<Deps, 'decisions' | 'stores'>,
  caller: Caller,
  provider: string,
  subject: string,
): Promise<OAuthUser | null> {
  await authorizeIdentity(deps, caller, CALLS.FindUserByOAuth);
  return deps.stores.oauth.findUser(readText(provider, 'oauth_provider'), readText(subject, 'oauth_subject'));
}

/**
 * Throws ACCESS_DENIED, NAME_TAKEN for a name or identity in use, TENANT_NOT_FOUND, INVALID_ARGUMENT, limits.
 */
export async function createOAuthUser(
  deps: Pick<Deps, 'decisions' | 'write' | 'config' | 'now' | 'newId'>,
  caller: Caller,
  input: {
    readonly username: string;
    readonly email: string;
    readonly provider: string;
    readonly subject: string;
    readonly emailVerified: boolean;
    readonly tenantId?: string | undefined;
  },
): Promise<string> {
  await authorizeIdentity(deps, caller, CALLS.CreateOAuthUser);
  const username = readUsername(input.username);
  const email = readEmail(input.email, 'email');
  const provider = readName(input.provider, 'oauth_provider');
  const subject = readName(input.subject, 'oauth_subject');
  const { emailVerified, tenantId } = input;
  const id = deps.newId();
  await deps.write(async (stores, touch) => {
    await stores.users.insert({
      id,
      username,
      email,
      passwordHash: null,
      emailVerified,
      createdAt: deps.now(),
    });
    await insertDefaultQuotas(stores, deps.config, id, ['user_plane']);
    await stores.oauth.insertIdentity(provider, subject, id);
    if (tenantId !== undefined) {
      if ((await stores.tenants.find(tenantId)) === null) throw tenantNotFound();
      await stores.tenants.addMember(tenantId, id);
    }
    touch(entityKey('subject', id));
  });
  return id;
}

/**
 * A session for the user of a provider's subject, which the caller vouches that the provider has verified.
 * Whatever is wrong (identity, inactive user, unknown or foreign tenant), the error is the same. Throws
 * LOGIN_FAILED, ACCESS_DENIED, INVALID_ARGUMENT, rate and quota errors.
 */
export async function loginOAuth(
  deps: Pick<Deps, 'decisions' | 'stores' | 'tokens' | 'write'>,
  caller: Caller,
  input: {
    readonly provider: string;
    readonly subject: string;
    readonly tenant?: string | undefined;
    readonly durationSeconds?: number | undefined;
  },
  note: Note = () => undefined,
): Promise<LoginResult> {
  const lifeSeconds = readSessionLife(input.durationSeconds);
  await authorizeIdentity(deps, caller, CALLS.LoginOAuth);
  const user = await deps.stores.oauth.findUser(
    readText(input.provider, 'oauth_provider'),
    readText(input.subject, 'oauth_subject'),
  );
  if (user === null) throw loginFailed();
  note({ object: `users/${user.userId}`, subject: user.userId });
  return openSession(deps, user.userId, { tenant: input.tenant, lifeSeconds, voucher: caller });
}

/**
 * Throws ACCESS_DENIED, NAME_TAKEN for a state that is stored already, TENANT_NOT_FOUND, INVALID_ARGUMENT,
 * limits.
 */
export async function storeOAuthState(
  deps: Pick<Deps, 'decisions' | 'stores' | 'now'>,
  caller: Caller,
  input: {
    readonly state: string;
    readonly tenantId?: string | undefined;
    readonly expiresInMinutes?: number | undefined;
    readonly redirectUri: string;
    readonly nonce: string;
  },
): Promise<void> {
  await authorizeIdentity(deps, caller, CALLS.StoreOAuthState);
  const minutes = readWithin(
    input.expiresInMinutes ?? STATE_MINUTES,
    1,
    STATE_MINUTES_MAX,
    'expires_in_minutes',
  );
  if (input.state.length < 16) {
    throw invalidField('state', 'must have at least 16 characters');
  }
  const stateHash = digestOf(readText(input.state, 'state'));
  const state: OAuthState = {
    tenantId: input.tenantId ?? null,
    redirectUri: readText(input.redirectUri, 'redirect_uri'),
    nonce: readText(input.nonce, 'nonce'),
  };
  if (state.tenantId !== null && (await deps.stores.tenants.find(state.tenantId)) === null)
    throw tenantNotFound();
  await deps.stores.oauth.insertState(stateHash, state, new Date(deps.now().getTime() + minutes * 60_000));
}

/** What was stored under the state, used up now; null when it is unknown, used or expired. */
export async function validateOAuthState(
  deps: Pick<Deps, 'decisions' | 'stores' | 'now'>,
  caller: Caller,
  state: string,
): Promise<OAuthState | null> {
  await authorizeIdentity(deps, caller, CALLS.ValidateOAuthState);
  return deps.stores.oauth.takeState(digestOf(state), deps.now());
}
