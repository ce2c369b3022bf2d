import { AuthzError } from '@platform/error-contracts';
import { tokenInvalid, type Caller } from '../admission/caller.ts';
import { permitAnyone, permitOnTenant } from '../admission/permit.ts';
import type { Deps } from '../ports.ts';
import { NOBODYS_ID } from '../ids.ts';
import { entityKey } from '../state/entities.ts';
import type { ServiceAccountRow } from '../store/service-account-store.ts';
import { readKeyLife } from './api-keys.ts';
import { readName, readText, readWithin } from '../fields.ts';
import { tenantNotFound } from '../not-found.ts';
import { SESSION_SECONDS, SESSION_SECONDS_MAX } from './sessions.ts';
import { SERVICE_ACCOUNT_PREFIX } from './users.ts';

type AccountDeps = Pick<Deps, 'admission' | 'stores' | 'now'>;
const PATH = 'service-accounts';
/** Longest name that leaves room for the prefix. */
const NAME_PATTERN = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/;

export interface CreatedServiceAccount {
  readonly account: ServiceAccountRow;
  readonly token: string;
  readonly apiKeyId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** An account with its first key, whose secret is told once. Throws ACCESS_DENIED, NAME_TAKEN, INVALID_ARGUMENT, limits. */
export async function createServiceAccount(
  deps: AccountDeps & Pick<Deps, 'write' | 'tokens' | 'newId'>,
  caller: Caller,
  input: {
    readonly name: string;
    readonly description: string;
    readonly tenantId: string;
    readonly expirationDays?: number | undefined;
  },
): Promise<CreatedServiceAccount> {
  const { tenant } = await permitOnTenant(deps, caller, input.tenantId, { action: 'manage', path: PATH });
  if (tenant === null) throw tenantNotFound();
  const lifeSeconds = readKeyLife(input.expirationDays);
  const name = readAccountName(input.name);
  const description = readText(input.description, 'description');
  const id = deps.newId();
  return deps.write(async (stores, touch) => {
    if (!(await stores.tenants.lock(tenant.id))) throw tenantNotFound();
    const row = { id, tenantId: tenant.id, name, description, createdAt: deps.now() };
    await stores.serviceAccounts.insert(row);
    const key = await deps.tokens.issue(stores, {
      use: 'service_account',
      subjectId: id,
      tenantId: tenant.id,
      lifeSeconds,
    });
    touch(entityKey('subject', id));
    const account = (await stores.serviceAccounts.find(id, row.createdAt)) as ServiceAccountRow;
    return { account, token: key.token, apiKeyId: key.jti, expiresAt: key.expiresAt };
  });
}

function readAccountName(text: string): string {
  const name = text.startsWith(SERVICE_ACCOUNT_PREFIX) ? text.slice(SERVICE_ACCOUNT_PREFIX.length) : text;
  readName(name, 'name');
  if (!NAME_PATTERN.test(name)) {
    // The name becomes the local part of an e-mail address.
    throw new AuthzError('INVALID_ARGUMENT', '`name` must have 1 to 63 of a-z, 0-9, `.`, `_`, `-`', {
      field: 'name',
    });
  }
  return name;
}

/** The tenant's accounts by name. Throws ACCESS_DENIED, limits. */
export async function listServiceAccounts(
  deps: AccountDeps,
  caller: Caller,
  tenantId: string,
  activeOnly: boolean,
): Promise<ServiceAccountRow[]> {
  const { tenant } = await permitOnTenant(deps, caller, tenantId, { action: 'manage', path: PATH });
  if (tenant === null) throw tenantNotFound();
  return deps.stores.serviceAccounts.list(tenantId, activeOnly, deps.now());
}

/** Throws ACCESS_DENIED for unknown and foreign accounts alike, SERVICE_ACCOUNT_NOT_FOUND as below, limits. */
export async function getServiceAccount(
  deps: AccountDeps,
  caller: Caller,
  id: string,
): Promise<ServiceAccountRow> {
  return permitOnAccount(deps, caller, id);
}

/** Throws as `getServiceAccount`, INVALID_ARGUMENT. */
export async function updateServiceAccount(
  deps: AccountDeps & Pick<Deps, 'write'>,
  caller: Caller,
  update: {
    readonly id: string;
    readonly description?: string | undefined;
    readonly active?: boolean | undefined;
  },
): Promise<void> {
  if (update.description !== undefined) readText(update.description, 'description');
  await permitOnAccount(deps, caller, update.id);
  await deps.write(async ({ serviceAccounts }, touch) => {
    if (!(await serviceAccounts.update(update.id, update))) throw accountNotFound();
    touch(entityKey('subject', update.id));
  });
}

/** Its keys and sessions end with it. Throws as `getServiceAccount`. */
export async function deleteServiceAccount(
  deps: AccountDeps & Pick<Deps, 'write'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await permitOnAccount(deps, caller, id);
  await deps.write(async ({ serviceAccounts, credentials }, touch) => {
    if (!(await serviceAccounts.remove(id))) throw accountNotFound();
    const revoked = await credentials.revokeAll(id, deps.now());
    touch(entityKey('subject', id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
}

/**
 * The account, if the caller may manage its tenant's accounts. One's own tenant permits and yet has no such account:
 * SERVICE_ACCOUNT_NOT_FOUND, which a foreign account answers too, for it is looked up within the tenant.
 */
async function permitOnAccount(deps: AccountDeps, caller: Caller, id: string): Promise<ServiceAccountRow> {
  const account = await deps.stores.serviceAccounts.find(id, deps.now());
  const tenantId = caller.tenantId ?? account?.tenantId ?? null;
  if (tenantId === null) {
    // Without any tenant to ask there is nobody but the system root who could know that the account is absent.
    await permitOnTenant(deps, caller, NOBODYS_ID, { action: 'manage', path: PATH });
    throw accountNotFound();
  }
  const { subject } = await permitOnTenant(deps, caller, tenantId, {
    action: 'manage',
    path: `${PATH}/${id}`,
  });
  if (account === null || (account.tenantId !== tenantId && !subject.isRoot)) throw accountNotFound();
  return account;
}

function accountNotFound(): AuthzError {
  return new AuthzError('SERVICE_ACCOUNT_NOT_FOUND', 'no such service account');
}

export interface ExchangedToken {
  readonly token: string;
  readonly serviceAccountId: string;
  readonly tenantId: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A short-lived session for a service account's key, which ends no later than the key. Takes one call of its tenant's
 * control_plane. Throws TOKEN_INVALID, INVALID_ARGUMENT, limits.
 */
export async function exchangeServiceAccountToken(
  deps: Pick<Deps, 'admission' | 'stores' | 'tokens' | 'now'>,
  credential: string,
  durationSeconds: number | undefined,
): Promise<ExchangedToken> {
  const wantedSeconds = readWithin(durationSeconds ?? SESSION_SECONDS, 1, SESSION_SECONDS_MAX, 'duration');
  const key = await deps.tokens.authenticate(credential);
  if (key.use !== 'service_account' || key.tenantId === null) throw tokenInvalid();
  await permitAnyone(deps, key);
  const lifeSeconds = Math.min(wantedSeconds, key.expiresAt - Math.floor(deps.now().getTime() / 1000));
  if (lifeSeconds < 1) throw tokenInvalid();
  const issued = await deps.tokens.issue(deps.stores, {
    use: 'session',
    subjectId: key.subjectId,
    tenantId: key.tenantId,
    lifeSeconds,
  });
  return {
    token: issued.token,
    serviceAccountId: key.subjectId,
    tenantId: key.tenantId,
    expiresAt: issued.expiresAt,
  };
}
