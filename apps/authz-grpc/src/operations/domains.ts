import { AuthzError } from '@platform/error-contracts';
import type { Caller } from '../authorization/caller.ts';
import { CALLS, freed } from '../authorization/calls.ts';
import { groundsOfDomainChange, lockout, writeGuarded } from '../authorization/lockout.ts';
import { authorizeOnTenant, type Permission } from '../authorization/authorize.ts';
import { SUPERIOR_DEPTH_MAX } from '../authorization/policy-scope.ts';
import type { Note } from '../model/audit-event.ts';
import { placeKey, readPage, type Page, type PageRequest } from '../pages.ts';
import type { Deps } from '../ports.ts';
import { entityKey } from '../model/entities.ts';
import type { DomainRow, DomainWithPolicies } from '../store/domain-store.ts';
import type { Stores } from '../store/stores.ts';
import { readDistinctName, requireVersion } from '../fields.ts';
import { digestOfPolicies, summaryOf } from '../policy/digest.ts';
import { domainNotFound, tenantNotFound } from '../not-found.ts';

type DomainDeps = Pick<Deps, 'decisions' | 'stores'>;
type DomainWriteDeps = DomainDeps & Pick<Deps, 'write' | 'now' | 'newId'>;

const SUPERIORS_MAX = 64;

/** Throws ACCESS_DENIED, NAME_TAKEN, INVALID_ARGUMENT for superiors that are refused, limits. */
export async function createDomain(
  deps: DomainWriteDeps,
  caller: Caller,
  input: {
    readonly tenantId: string;
    readonly name: string;
    readonly superiorIds: readonly string[];
    /** Does not inherit the policies of the tenant's root domain. */
    readonly detached?: boolean | undefined;
  },
): Promise<DomainWithPolicies> {
  const { tenantId, superiorIds } = input;
  await authorizeOnTenant(deps, caller, CALLS.CreateDomain, tenantId, { action: 'create', path: 'domains' });
  const name = readDistinctName(input.name, 'name');
  const id = deps.newId();
  return deps.write(async (stores, touch) => {
    if (!(await stores.tenants.lock(tenantId))) throw tenantNotFound();
    await stores.domains.insert({
      id,
      tenantId,
      name,
      isRoot: false,
      detached: input.detached ?? false,
      policies: [],
      authorId: caller.subjectId,
      digest: digestOfPolicies([]),
      createdAt: deps.now(),
    });
    await setSuperiors(stores, tenantId, id, { ids: superiorIds, field: 'superior_domain_ids' });
    touch(entityKey('domain', id));
    return (await stores.domains.find(tenantId, { id })) as DomainWithPolicies;
  });
}

/** Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, limits. */
export async function getDomain(
  deps: DomainDeps,
  caller: Caller,
  tenantId: string,
  id: string,
): Promise<DomainWithPolicies> {
  await authorizeOnTenant(deps, caller, CALLS.GetDomain, tenantId, { action: 'read', path: `domains/${id}` });
  return found(await deps.stores.domains.find(tenantId, { id }));
}

/** Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, limits. */
export async function getDomainByName(
  deps: DomainDeps,
  caller: Caller,
  tenantId: string,
  name: string,
): Promise<DomainWithPolicies> {
  await authorizeOnTenant(deps, caller, CALLS.GetDomainByName, tenantId, { action: 'read', path: 'domains' });
  return found(await deps.stores.domains.find(tenantId, { name }));
}

/** The tenant's domains, oldest first, without policies. Throws ACCESS_DENIED, limits. */
export async function listDomains(
  deps: DomainDeps,
  caller: Caller,
  tenantId: string,
  request: PageRequest,
): Promise<Page<DomainRow>> {
  const { tenant } = await authorizeOnTenant(deps, caller, CALLS.ListDomains, tenantId, {
    action: 'read',
    path: 'domains',
  });
  if (tenant === null) throw tenantNotFound();
  return readPage<DomainRow>(request, ['ListDomains', tenantId], placeKey, (slice) =>
    deps.stores.domains.list(tenantId, slice),
  );
}

/**
 * Changes the fields that are given, if the domain still has the version that is expected. The domain `root`
 * keeps its name and stays active. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, ROOT_IMMUTABLE, NAME_TAKEN,
 * INVALID_ARGUMENT, VERSION_CONFLICT, LOCKOUT, limits.
 */
export async function updateDomain(
  deps: DomainWriteDeps & Pick<Deps, 'policyWorker'>,
  caller: Caller,
  tenantId: string,
  update: {
    readonly id: string;
    readonly name?: string | undefined;
    readonly active?: boolean | undefined;
    readonly superiorIds?: readonly string[] | undefined;
    readonly detached?: boolean | undefined;
    readonly expectedVersion?: number | undefined;
    readonly allowLockout?: boolean | undefined;
  },
  note: Note = () => undefined,
): Promise<void> {
  const call = isDeactivation(update) ? freed(CALLS.UpdateDomain) : CALLS.UpdateDomain;
  await authorizeOnTenant(deps, caller, call, tenantId, writing('update', update.id));
  const { id: domainId, superiorIds, active } = update;
  const reaches = superiorIds !== undefined || active !== undefined;
  const find = async () => {
    if (!reaches || update.allowLockout === true) return [];
    const grounds = await groundsOfDomainChange(deps, caller, tenantId, { domainId, superiorIds, active });
    if (grounds === null) throw lockout('this change of the domain locks the tenant');
    return grounds;
  };
  await writeGuarded(deps, [tenantId], find, async (stores, touch) => {
    const before = found(await stores.domains.findLocked(tenantId, update.id));
    requireVersion('domain', before.version, update.expectedVersion);
    const { name = before.name, active = before.active, detached = before.detached } = update;
    if (name !== before.name) readDistinctName(name, 'domain.name');
    if (before.isRoot && (name !== before.name || !active)) {
      throw new AuthzError('ROOT_IMMUTABLE', 'the root domain can be neither renamed nor deactivated');
    }
    if (before.isRoot && detached)
      throw new AuthzError('ROOT_IMMUTABLE', 'the root domain has no root domain that it could leave');
    await stores.domains.update({ id: update.id, name, active, detached });
    if (superiorIds !== undefined) {
      const superiors = { ids: superiorIds, field: 'domain.superior_domain_ids' };
      await setSuperiors(stores, tenantId, update.id, superiors);
    }
    const after = (await stores.domains.list(tenantId)).find(({ id }) => id === update.id);
    note({ before: stateOf(before), after: stateOf(after ?? before) });
    touch(entityKey('domain', update.id));
  });
}

/** Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, ROOT_IMMUTABLE, DEPENDENTS_EXIST, limits. */
export async function deleteDomain(
  deps: DomainWriteDeps,
  caller: Caller,
  tenantId: string,
  id: string,
  note: Note = () => undefined,
): Promise<void> {
  await authorizeOnTenant(deps, caller, CALLS.DeleteDomain, tenantId, writing('delete', id));
  await deps.write(async (stores, touch) => {
    await stores.tenants.lock(tenantId);
    const domain = found(await stores.domains.findLocked(tenantId, id));
    if (domain.isRoot) throw new AuthzError('ROOT_IMMUTABLE', 'the root domain goes with its tenant only');
    if (await stores.domains.hasSubordinates(id)) {
      throw new AuthzError('DEPENDENTS_EXIST', 'other domains name this one as their superior');
    }
    if (await stores.resources.hasAny(id)) {
      throw new AuthzError('DEPENDENTS_EXIST', 'resources are registered in the domain');
    }
    await stores.domains.remove(id, deps.now());
    note({ before: { ...stateOf(domain), ...summaryOf(domain.policies) } });
    touch(entityKey('domain', id));
  });
}

/** Whether the update only ends what is active, which is never refused for quota. */
function isDeactivation(update: {
  readonly name?: unknown;
  readonly active?: boolean | undefined;
  readonly superiorIds?: unknown;
  readonly detached?: unknown;
}): boolean {
  const { name, active, superiorIds, detached } = update;
  return active === false && [name, superiorIds, detached].every((value) => value === undefined);
}

/** What of a domain an audit row shows. */
function stateOf({ version, name, active, detached, superiorIds }: DomainRow): object {
  return { version, name, active, detached, superiors: superiorIds };
}

function writing(action: 'update' | 'delete', id: string): Permission {
  return { action, path: `domains/${id}` };
}

function found<T>(domain: T | null): T {
  if (domain === null) throw domainNotFound();
  return domain;
}

/**
 * Sets the superiors and refuses unknown and foreign ones, cycles and chains longer than 10. Runs with the
 * tenant's row locked, so that two writes cannot close a cycle between them.
 */
async function setSuperiors(
  stores: Pick<Stores, 'domains'>,
  tenantId: string,
  domainId: string,
  { ids: superiorIds, field }: { readonly ids: readonly string[]; readonly field: string },
): Promise<void> {
  const refuse = (message: string) => new AuthzError('INVALID_ARGUMENT', message, { field });
  const ids = [...new Set(superiorIds)];
  if (ids.length > SUPERIORS_MAX) throw refuse(`more than ${SUPERIORS_MAX} superior domains`);
  const domains = new Map(
    (await stores.domains.list(tenantId)).map((domain) => [domain.id, domain.superiorIds]),
  );
  if (ids.some((id) => !domains.has(id))) throw refuse('a superior domain is not a domain of the tenant');
  domains.set(domainId, ids);
  const depths = new Map<string, number>();
  const climb = (id: string, path: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    if (path.has(id)) throw refuse('the superior domains form a cycle');
    const above = new Set(path).add(id);
    const depth = Math.max(0, ...(domains.get(id) ?? []).map((superior) => 1 + climb(superior, above)));
    depths.set(id, depth);
    return depth;
  };
  // A longer chain may go through this domain from below, so every domain of the tenant is measured.
  for (const id of domains.keys()) {
    if (climb(id, new Set()) > SUPERIOR_DEPTH_MAX)
      throw refuse(`a chain of superiors longer than ${SUPERIOR_DEPTH_MAX}`);
  }
  await stores.domains.replaceSuperiors(domainId, ids);
}
