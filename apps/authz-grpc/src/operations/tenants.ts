import { AuthzError } from '@platform/error-contracts';
import { counterKey } from '../model/quota.ts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS, freed, type Call } from '../authorization/calls.ts';
import { lockout } from '../authorization/lockout.ts';
import {
  accessDenied,
  authorizeAdmin,
  authorizeAnyone,
  authorizeOnTenant,
  authorizeRoot,
} from '../authorization/authorize.ts';
import type { Note } from '../model/audit-event.ts';
import { placeKey, readPage, type Page, type PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import { isUuid, NOBODYS_ID } from '../ids.ts';
import {
  entityKey,
  TENANT_EPOCH,
  USER_EPOCH,
  type EntityKey,
  type QuotaLimits,
  type TenantState,
} from '../model/entities.ts';
import type { DomainRow } from '../store/domain-store.ts';
import type { QuotaRow, QuotaScope } from '../store/quota-store.ts';
import type { TenantRow } from '../store/tenant-store.ts';
import { readDistinctName, readText, readWithin, requireVersion } from '../fields.ts';
import { tenantNotFound } from '../not-found.ts';

/** A call quota as the contract shows it. */
export interface Tokens {
  readonly maxTokens: number;
  readonly tokens: number;
  readonly maxOverage: number;
  readonly overage: number;
}

export interface Tenant extends TenantRow {
  readonly controlPlane: Tokens;
  readonly dataPlane: Tokens;
  readonly lastTokenReset: Date;
  readonly domains: readonly DomainRow[];
}

type TenantDeps = Pick<Deps, 'decisions' | 'stores' | 'limits'>;

const TENANT = 'tenant';

/**
 * A name of a tenant, which Login and RefreshLoginWithTenant must not take for an id. Throws
 * INVALID_ARGUMENT.
 */
export function readTenantName(text: string, field: string): string {
  if (isUuid(text.toLowerCase())) {
    throw new AuthzError('INVALID_ARGUMENT', `\`${field}\` must not be a UUID, which is read as an id`, {
      field,
    });
  }
  return readDistinctName(text, field);
}

/** Throws ACCESS_DENIED, TENANT_NOT_FOUND (only to the system root), limits. */
export async function getTenant(deps: TenantDeps, caller: Caller, id: string): Promise<Tenant> {
  await authorizeOnTenant(deps, caller, CALLS.GetTenant, id, { action: 'read', path: TENANT });
  return readTenant(deps, id);
}

/** As `getTenant`; a name nobody has and one the caller may not read give the same error. */
export async function getTenantByName(deps: TenantDeps, caller: Caller, name: string): Promise<Tenant> {
  const id = await deps.stores.tenants.findId(name);
  return getTenant(deps, caller, id ?? NOBODYS_ID);
}

/** A tenant just created, to its creator. */
export async function readTenant(deps: Pick<Deps, 'stores' | 'limits'>, id: string): Promise<Tenant> {
  const row = await deps.stores.tenants.find(id);
  if (row === null) throw tenantNotFound();
  const [tenant] = await withPlanes(deps, [row]);
  return { ...(tenant as Tenant), domains: await deps.stores.domains.list(id) };
}

/** The tenants there are to the system root; to others their own, if its root domain allows `manage`. */
export async function listTenants(
  deps: TenantDeps,
  caller: Caller,
  request: PageRequest,
): Promise<Page<Tenant>> {
  const { tenantId } = await authorizeAdmin(deps, caller, CALLS.ListTenants, {
    action: 'manage',
    path: TENANT,
  });
  const { items, nextPageToken } = await readPage<TenantRow>(
    request,
    ['ListTenants', tenantId],
    placeKey,
    (slice) => deps.stores.tenants.list(tenantId === null ? null : [tenantId], slice),
  );
  return { items: await withPlanes(deps, items), nextPageToken };
}

/** The active tenants that RefreshLoginWithTenant would take, oldest first. Throws rate and quota errors. */
export async function listMyTenants(
  deps: Pick<Deps, 'decisions' | 'stores'>,
  caller: Caller,
  request: PageRequest,
): Promise<Page<TenantRow>> {
  const subject = await authorizeAnyone(deps, caller, CALLS.ListMyTenants);
  return readPage<TenantRow>(request, ['ListMyTenants', subject.id], placeKey, async (slice) => {
    if (subject.kind !== 'user') return [];
    return deps.stores.tenants.listActive(subject.isRoot ? null : subject.id, slice);
  });
}

export interface TenantUpdate {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  readonly subscription?: string | undefined;
  readonly controlPlane?: Partial<QuotaLimits> | undefined;
  readonly dataPlane?: Partial<QuotaLimits> | undefined;
  readonly expectedVersion?: number | undefined;
  readonly allowLockout?: boolean | undefined;
}

/**
 * Changes the fields that are given, if the tenant still has the version that is expected. Limits of the
 * planes and a subscription that differ from the present ones, and reactivation, are the system root's to
 * change: else a tenant would set its own quota. Throws SESSION_REQUIRED, ACCESS_DENIED, NAME_TAKEN,
 * TENANT_NOT_FOUND, INVALID_ARGUMENT, VERSION_CONFLICT, LOCKOUT, limits.
 */
export async function updateTenant(
  deps: TenantDeps & Pick<Deps, 'write' | 'now'>,
  caller: Caller,
  update: TenantUpdate,
  note: Note = () => undefined,
): Promise<void> {
  const changesLimits = (tenant: TenantState) =>
    PLANES.some(([, field]) => !areEqual({ ...tenant[field], ...definedOf(update[field]) }, tenant[field]));
  const { subject } = await authorizeOnTenant(
    deps,
    caller,
    callOf(update),
    update.id,
    { action: 'update', path: TENANT },
    changesLimits,
  );
  if (update.name !== undefined) readTenantName(update.name, 'tenant.name');
  if (update.description !== undefined) readText(update.description, 'tenant.description');
  if (update.subscription !== undefined) readText(update.subscription, 'tenant.subscription');
  await deps.write(async ({ tenants, quotas, credentials }, touch) => {
    await tenants.lock(update.id);
    const tenant = await tenants.find(update.id);
    if (tenant === null) throw tenantNotFound();
    requireVersion('tenant', tenant.version, update.expectedVersion);
    const { name, description, active, subscription } = { ...tenant, ...definedOf(update) };
    if (subscription !== tenant.subscription && !subject.isRoot) throw accessDenied();
    if (tenant.active && !active && update.allowLockout !== true && !subject.isRoot) {
      throw lockout('only the system root activates a tenant again');
    }
    await tenants.update({ id: update.id, name, description, active, subscription });
    const before = await quotas.find([update.id]);
    const limits: Record<string, object> = {};
    const limitsBefore: Record<string, object> = {};
    for (const [plane, field] of PLANES) {
      const present = before.find((row) => row.plane === plane);
      if (update[field] === undefined || present === undefined) continue;
      const { maxTokens, maxOverage } = present;
      const next = { maxTokens, maxOverage, ...definedOf(update[field]) };
      if (areEqual(next, present)) continue;
      // They were equal when the call entered.
      if (!subject.isRoot) throw accessDenied();
      readWithin(next.maxTokens, 0, Number.MAX_SAFE_INTEGER, `tenant.${plane}.max_tokens`);
      readWithin(next.maxOverage, 0, Number.MAX_SAFE_INTEGER - next.maxTokens, `tenant.${plane}.max_overage`);
      await quotas.updateLimits(update.id, plane, next);
      limits[plane] = shownLimits(next);
      limitsBefore[plane] = shownLimits(present);
    }
    note({
      before: {
        version: tenant.version,
        name: tenant.name,
        active: tenant.active,
        subscription: tenant.subscription,
        ...limitsBefore,
      },
      after: { version: tenant.version + 1, name, active, subscription, ...limits },
    });
    // What ends with the tenant ends for good: a later activation brings no session or key back.
    const revoked = active ? [] : await credentials.revokeOfTenant(update.id, deps.now());
    touch(entityKey('tenant', update.id), ...revoked.map((jti) => entityKey('credential', jti)));
  });
}

/** Deactivation ends every credential of the tenant for good, which takes the session of a user. */
function callOf(update: TenantUpdate): Call {
  if (update.active !== false) return CALLS.UpdateTenant;
  const call: Call = { ...CALLS.UpdateTenant, session: true };
  return isDeactivation(update) ? freed(call) : call;
}

const PLANES = [
  ['control_plane', 'controlPlane'],
  ['data_plane', 'dataPlane'],
] as const;

/** The fields that have a value. */
function definedOf<T extends object>(fields: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Limits in the words of the contract, for the audit. */
function shownLimits({ maxTokens, maxOverage }: QuotaLimits): object {
  return { max_tokens: maxTokens, max_overage: maxOverage };
}

/** Whether the update only ends what is active, which is never refused for quota. */
function isDeactivation(update: TenantUpdate): boolean {
  const { id: _id, active, allowLockout: _forced, expectedVersion: _version, ...others } = update;
  return active === false && Object.values(others).every((value) => value === undefined);
}

function areEqual(one: QuotaLimits, other: QuotaLimits): boolean {
  return one.maxTokens === other.maxTokens && one.maxOverage === other.maxOverage;
}

/**
 * Deletes the tenant with its domains, associations, attributes and service accounts; its audit rows stay.
 */
export async function deleteTenant(
  deps: TenantDeps & Pick<Deps, 'write' | 'now'>,
  caller: Caller,
  id: string,
) {
  await authorizeOnTenant(deps, caller, CALLS.DeleteTenant, id, { action: 'delete', path: TENANT });
  await deps.write(async ({ tenants, domains, serviceAccounts, credentials, quotas }, touch) => {
    await tenants.lock(id);
    const domainIds = (await domains.list(id)).map((domain) => domain.id);
    const subjectIds = [...(await tenants.memberIds(id)), ...(await serviceAccounts.ids(id))];
    const revoked = await credentials.revokeOfTenant(id, deps.now());
    if (!(await tenants.remove(id, deps.now()))) throw tenantNotFound();
    await quotas.remove(id);
    const keys: EntityKey[] = [entityKey('tenant', id)];
    domainIds.forEach((domainId) => keys.push(entityKey('domain', domainId)));
    subjectIds.forEach((subjectId) => keys.push(entityKey('subject', subjectId)));
    revoked.forEach((jti) => keys.push(entityKey('credential', jti)));
    touch(...keys);
  });
}

/**
 * Starts the next cycle of all tenants' planes, and of all users' planes when asked to; for the system root
 * alone, because it gives everyone a full quota. Throws ACCESS_DENIED.
 */
export async function refreshTenants(
  deps: Pick<Deps, 'decisions' | 'write' | 'now'>,
  caller: Caller,
  options: { readonly users?: boolean | undefined } = {},
): Promise<void> {
  await authorizeRoot(deps, caller, CALLS.RefreshTenants);
  await startCycle(deps, options.users === true ? ['tenant', 'user'] : ['tenant']);
}

/** Starts the next refresh cycle. */
async function startCycle(deps: Pick<Deps, 'write' | 'now'>, scopes: readonly QuotaScope[]): Promise<void> {
  await deps.write(async ({ quotas }, touch) => {
    for (const scope of scopes) {
      await quotas.startCycle(scope, deps.now());
      touch(entityKey('epoch', scope === 'tenant' ? TENANT_EPOCH : USER_EPOCH));
    }
  });
}

/** Starts the next cycle of those of `scopes` whose cycle has lasted its days, once for all replicas. */
export async function startDueCycles(
  deps: Pick<Deps, 'stores' | 'write' | 'now'> & {
    readonly database: { exclusively(lockName: string, work: () => Promise<void>): Promise<void> };
  },
  scopes: readonly QuotaScope[],
  cycleMs: number,
): Promise<void> {
  await deps.database.exclusively('authz quota cycle', async () => {
    const over = deps.now().getTime() - cycleMs;
    const due: QuotaScope[] = [];
    for (const scope of scopes)
      if ((await deps.stores.quotas.cycleStart(scope)).getTime() <= over) due.push(scope);
    if (due.length > 0) await startCycle(deps, due);
  });
}

async function withPlanes(
  deps: Pick<Deps, 'stores' | 'limits'>,
  rows: readonly TenantRow[],
): Promise<Tenant[]> {
  const quotas = await readTokens(
    deps,
    rows.map(({ id }) => id),
  );
  const resetAt = await deps.stores.quotas.cycleStart('tenant');
  return rows.map((row) => ({
    ...row,
    controlPlane: quotas.get(counterKey(row.id, 'control_plane')) ?? NO_TOKENS,
    dataPlane: quotas.get(counterKey(row.id, 'data_plane')) ?? NO_TOKENS,
    lastTokenReset: resetAt > row.createdAt ? resetAt : row.createdAt,
    domains: [],
  }));
}

const NO_TOKENS: Tokens = { maxTokens: 0, tokens: 0, maxOverage: 0, overage: 0 };

/** What is left of the owners' planes at this moment, by counter key. */
export async function readTokens(
  deps: Pick<Deps, 'stores' | 'limits'>,
  ownerIds: readonly string[],
): Promise<Map<string, Tokens>> {
  const quotas = await deps.stores.quotas.find(ownerIds);
  const usages = await deps.limits.usage(quotas.map(({ ownerId, plane }) => counterKey(ownerId, plane)));
  return new Map(
    quotas.map((quota, index) => {
      const counted = usages[index];
      const used = counted == null ? quota.used : counted.epoch === quota.epoch ? counted.used : 0;
      return [counterKey(quota.ownerId, quota.plane), tokensOf(quota, used)];
    }),
  );
}

/** Tokens go first, then overage counts up. */
function tokensOf({ maxTokens, maxOverage }: QuotaRow, used: number): Tokens {
  return {
    maxTokens,
    tokens: Math.max(0, maxTokens - used),
    maxOverage,
    // A limit set lower than what was used already leaves nothing, and never more than all of it used.
    overage: Math.min(maxOverage, Math.max(0, used - maxTokens)),
  };
}
