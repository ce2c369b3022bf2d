import { AuthzError } from '@platform/error-contracts';
import type { DecisionPlan } from '../authorization/decision-runner.ts';
import {
  belongsTo,
  readLiveSubject,
  tenantTake,
  tokenInvalid,
  type Caller,
} from '../authorization/caller.ts';
import { CALLS, freed, type Call } from '../authorization/calls.ts';
import { groundsOfAccountChange, writeGuarded, type WriteWork } from '../authorization/lockout.ts';
import { authorizeOnTenant, authorizeRoot } from '../authorization/authorize.ts';
import { SYSTEM_CHAIN, type Note } from '../model/audit-event.ts';
import { placeKey, readPage, type Page, type PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import { IDENTITY_SCOPE, readScopes, scopesOf } from '../authorization/scopes.ts';
import { entityKey } from '../model/entities.ts';
import type { Stores } from '../store/stores.ts';
import type { ServiceAccountRow } from '../store/service-account-store.ts';
import { readKeyLife, requireLiveCaller } from './api-keys.ts';
import { readName, readText, requireVersion } from '../fields.ts';
import { tenantNotFound } from '../not-found.ts';
import { readSessionLife } from './sessions.ts';
import { SERVICE_ACCOUNT_PREFIX } from './users.ts';

type AccountDeps = Pick<Deps, 'decisions' | 'stores' | 'now'>;
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

/**
 * An account with its first key, whose secret is returned once. Without a tenant it is an account of the
 * system, which the system root makes for a login front end and whose one scope is `identity`. Throws
 * SESSION_REQUIRED, ACCESS_DENIED, NAME_TAKEN, INVALID_ARGUMENT, rate and quota errors.
 */
export async function createServiceAccount(
  deps: AccountDeps & Pick<Deps, 'write' | 'tokens' | 'newId'>,
  caller: Caller,
  input: {
    readonly name: string;
    readonly description: string;
    readonly tenantId: string | null;
    readonly expirationDays?: number | undefined;
    readonly scopes?: readonly string[] | undefined;
  },
): Promise<CreatedServiceAccount> {
  const { tenantId } = input;
  await authorizeOnAccounts(deps, caller, CALLS.CreateServiceAccount, tenantId);
  const lifeSeconds = readKeyLife(input.expirationDays);
  const name = readAccountName(input.name);
  const description = readText(input.description, 'description');
  const scopes = tenantId === null ? readSystemScopes(input.scopes) : readScopes(input.scopes);
  const id = deps.newId();
  return deps.write(async (stores, touch) => {
    await requireLiveCaller(stores, caller);
    if (tenantId !== null && !(await stores.tenants.lock(tenantId))) throw tenantNotFound();
    // Names of the system's accounts are held unique by the lock, those of a tenant's by the database.
    if (tenantId === null) await stores.users.lock(caller.subjectId, 'update');
    const row = { id, tenantId, name, description, scopes, createdAt: deps.now() };
    await stores.serviceAccounts.insert(row);
    touch(entityKey('subject', id));
    return issueKey(deps, stores, id, { tenantId, lifeSeconds, scopes });
  });
}

function readSystemScopes(values: readonly string[] | undefined): string {
  if (values?.join() === IDENTITY_SCOPE) return IDENTITY_SCOPE;
  throw new AuthzError(
    'INVALID_ARGUMENT',
    `an account without \`tenant_id\` has \`${IDENTITY_SCOPE}\` as its one scope`,
    { field: 'scopes' },
  );
}

/** Issues a key of the account, whose secret is returned once. */
async function issueKey(
  deps: Pick<Deps, 'tokens' | 'now'>,
  stores: Stores,
  id: string,
  key: { readonly tenantId: string | null; readonly lifeSeconds: number; readonly scopes: string },
): Promise<CreatedServiceAccount> {
  const { token, jti, expiresAt } = await deps.tokens.issue(stores, {
    use: 'service_account',
    subjectId: id,
    ...key,
  });
  const account = await stores.serviceAccounts.find(id, deps.now());
  return { account: account as ServiceAccountRow, token, apiKeyId: jti, expiresAt };
}

/**
 * Ends the account's keys and their sessions and gives it a new key, whose secret is returned once. Throws
 * SESSION_REQUIRED, as `getServiceAccount`, INVALID_ARGUMENT.
 */
export async function rotateServiceAccountKey(
  deps: AccountDeps & Pick<Deps, 'write' | 'tokens'>,
  caller: Caller,
  id: string,
  expirationDays: number | undefined,
  note: Note = () => undefined,
): Promise<CreatedServiceAccount> {
  const lifeSeconds = readKeyLife(expirationDays);
  const account = await authorizeOnAccount(deps, caller, CALLS.RotateServiceAccountKey, id);
  const { tenantId, scopes } = account;
  return deps.write(async (stores, touch) => {
    await requireLiveCaller(stores, caller);
    // Else neither the key of a rotation at the same time nor a session derived meanwhile would be seen.
    if (!(await stores.serviceAccounts.lock(id))) throw accountNotFound();
    const revoked = await stores.credentials.revokeAll(id, deps.now());
    touch(...revoked.map((jti) => entityKey('credential', jti)));
    const made = await issueKey(deps, stores, id, { tenantId, lifeSeconds, scopes });
    note({
      ...chainOf(account),
      before: { api_key_id: account.apiKeyId },
      after: { api_key_id: made.apiKeyId, expires_at: made.expiresAt },
    });
    return made;
  });
}

/** The chain that the rows of an account's changes belong to. */
function chainOf({ tenantId }: ServiceAccountRow): { readonly tenantId: string } {
  return { tenantId: tenantId ?? SYSTEM_CHAIN };
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

/** Lets callers enter who may manage the tenant's accounts; those of the system are the system root's. */
async function authorizeOnAccounts(
  deps: Pick<Deps, 'decisions'>,
  caller: Caller,
  call: Call,
  tenantId: string | null,
): Promise<void> {
  if (tenantId === null) await authorizeRoot(deps, caller, call);
  else {
    const permission = { action: 'manage', path: PATH } as const;
    const { tenant } = await authorizeOnTenant(deps, caller, call, tenantId, permission);
    if (tenant === null) throw tenantNotFound();
  }
}

/**
 * The tenant's accounts, oldest first, or the system's, and how many there are on all pages. Throws
 * ACCESS_DENIED, INVALID_ARGUMENT, rate and quota errors.
 */
export async function listServiceAccounts(
  deps: AccountDeps,
  caller: Caller,
  tenantId: string | null,
  activeOnly: boolean,
  request: PageRequest,
): Promise<Page<ServiceAccountRow> & { readonly totalCount: number }> {
  await authorizeOnAccounts(deps, caller, CALLS.ListServiceAccounts, tenantId);
  const { serviceAccounts } = deps.stores;
  const page = await readPage<ServiceAccountRow>(
    request,
    ['ListServiceAccounts', tenantId, activeOnly],
    placeKey,
    (slice) => serviceAccounts.list(tenantId, activeOnly, deps.now(), slice),
  );
  return { ...page, totalCount: await serviceAccounts.count(tenantId, activeOnly) };
}

/**
 * Throws ACCESS_DENIED for unknown and foreign accounts alike, SERVICE_ACCOUNT_NOT_FOUND as below, limits.
 */
export async function getServiceAccount(
  deps: AccountDeps,
  caller: Caller,
  id: string,
): Promise<ServiceAccountRow> {
  return authorizeOnAccount(deps, caller, CALLS.GetServiceAccount, id);
}

/**
 * Changes the fields that are given, if the account still has the version that is expected. Credentials that
 * deactivation ends stay ended after a later activation: the account then needs a new key. Throws
 * SESSION_REQUIRED, INVALID_ARGUMENT, VERSION_CONFLICT, LOCKOUT, and the errors of `getServiceAccount`.
 */
export async function updateServiceAccount(
  deps: AccountDeps & Pick<Deps, 'write'>,
  caller: Caller,
  update: {
    readonly id: string;
    readonly description?: string | undefined;
    readonly active?: boolean | undefined;
    readonly expectedVersion?: number | undefined;
    readonly allowLockout?: boolean | undefined;
  },
  note: Note = () => undefined,
): Promise<void> {
  if (update.description !== undefined) readText(update.description, 'description');
  const { id, description, active } = update;
  const isDeactivation = active === false && description === undefined;
  const call = isDeactivation ? freed(CALLS.UpdateServiceAccount) : CALLS.UpdateServiceAccount;
  const account = await authorizeOnAccount(deps, caller, call, id);
  const isGuarded = active === false && update.allowLockout !== true;
  await writeLeaving(
    deps,
    caller,
    { account, isGuarded },
    async ({ serviceAccounts, credentials }, touch) => {
      if (!(await serviceAccounts.lock(id))) throw accountNotFound();
      const before = (await serviceAccounts.find(id, deps.now())) as ServiceAccountRow;
      requireVersion('service account', before.version, update.expectedVersion);
      await serviceAccounts.update(id, { description, active });
      note({
        ...chainOf(account),
        before: { version: before.version, active: before.active },
        after: { version: before.version + 1, active: active ?? before.active },
      });
      const revoked = active === false ? await credentials.revokeAll(id, deps.now()) : [];
      touch(entityKey('subject', id), ...revoked.map((jti) => entityKey('credential', jti)));
    },
  );
}

/**
 * Its keys and sessions end with it. Throws as `getServiceAccount`, LOCKOUT for an account that
 * can manage the tenant as no user can.
 */
export async function deleteServiceAccount(
  deps: AccountDeps & Pick<Deps, 'write'>,
  caller: Caller,
  id: string,
  options: { readonly allowLockout?: boolean | undefined } = {},
  note: Note = () => undefined,
): Promise<void> {
  const account = await authorizeOnAccount(deps, caller, CALLS.DeleteServiceAccount, id);
  note(chainOf(account));
  const leaving = { account, isGuarded: options.allowLockout !== true };
  await writeLeaving(deps, caller, leaving, async ({ serviceAccounts, credentials }, touch) => {
    if (!(await serviceAccounts.remove(id))) throw accountNotFound();
    const revoked = await credentials.revokeAll(id, deps.now());
    touch(entityKey('subject', id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
}

/**
 * Writes what ends an account. Throws LOCKOUT when the account can manage its tenant and no user can, unless
 * not guarded. Without the scope `manage` or a live key an account manages nothing that would end with it.
 */
async function writeLeaving(
  deps: AccountDeps & Pick<Deps, 'write'>,
  caller: Caller,
  { account, isGuarded }: { readonly account: ServiceAccountRow; readonly isGuarded: boolean },
  work: WriteWork<void>,
): Promise<void> {
  const canManage = scopesOf(account.scopes).includes('manage') && !account.apiKeyEnded;
  if (!isGuarded || !canManage || account.tenantId === null) return deps.write(work);
  const leaving = { accountId: account.id, tenantIds: [account.tenantId] };
  const find = () => groundsOfAccountChange(deps, caller, leaving);
  return writeGuarded(deps, leaving.tenantIds, find, work);
}

/**
 * The account, if the caller may manage its tenant's accounts. One's own tenant permits and yet has no such
 * account: SERVICE_ACCOUNT_NOT_FOUND, which a foreign account gets, too, for it is looked up within the
 * tenant.
 */
async function authorizeOnAccount(
  deps: AccountDeps,
  caller: Caller,
  call: Call,
  id: string,
): Promise<ServiceAccountRow> {
  const account = await deps.stores.serviceAccounts.find(id, deps.now());
  const tenantId = caller.tenantId ?? account?.tenantId ?? null;
  if (tenantId === null) {
    // Without a tenant to ask, only the system root may know the account.
    await authorizeRoot(deps, caller, call);
    if (account === null) throw accountNotFound();
    return account;
  }
  const permission = { action: 'manage', path: `${PATH}/${id}` } as const;
  const { subject } = await authorizeOnTenant(deps, caller, call, tenantId, permission);
  if (account === null || (account.tenantId !== tenantId && !subject.isRoot)) throw accountNotFound();
  return account;
}

function accountNotFound(): AuthzError {
  return new AuthzError('SERVICE_ACCOUNT_NOT_FOUND', 'no such service account');
}

export interface ExchangedToken {
  readonly token: string;
  readonly serviceAccountId: string;
  /** Null for accounts of the system. */
  readonly tenantId: string | null;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A short-lived session for a service account's key: it has the key's scopes, ends no later than the key, and
 * ends with it. Takes one call of its tenant's control_plane. Throws TOKEN_INVALID, INVALID_ARGUMENT, rate
 * and quota errors.
 */
export async function exchangeServiceAccountToken(
  deps: Pick<Deps, 'decisions' | 'tokens' | 'now' | 'write' | 'stores'>,
  credential: string,
  durationSeconds: number | undefined,
  note: Note = () => undefined,
): Promise<ExchangedToken> {
  const wantedSeconds = readSessionLife(durationSeconds);
  const key = await deps.tokens.authenticate(credential);
  if (key.use !== 'service_account') throw tokenInvalid();
  note({ subject: key.subjectId });
  await deps.decisions.runDecision((reading): DecisionPlan<null> => {
    const subject = readLiveSubject(reading, key);
    if (key.tenantId === null) return { result: null };
    const tenant = belongsTo(subject, key.tenantId) ? reading.get('tenant', key.tenantId) : null;
    return { result: null, quotas: tenant === null ? [] : [tenantTake(reading, tenant, 'control_plane')] };
  });
  const account = await deps.stores.serviceAccounts.find(key.subjectId, deps.now());
  const lifeSeconds = Math.min(wantedSeconds, key.expiresAt - Math.floor(deps.now().getTime() / 1000));
  if (account === null || lifeSeconds < 1) throw tokenInvalid();
  const issued = await deps.write((stores) =>
    deps.tokens.issue(stores, {
      use: 'session',
      subjectId: key.subjectId,
      tenantId: key.tenantId,
      lifeSeconds,
      scopes: account.scopes,
      parentId: key.jti,
    }),
  );
  return {
    token: issued.token,
    serviceAccountId: key.subjectId,
    tenantId: key.tenantId,
    expiresAt: issued.expiresAt,
  };
}
