import type { Caller } from '../authorization/caller.ts';
import { CALLS, type Call } from '../authorization/calls.ts';
import { authorizeOnTenant, type Permission } from '../authorization/authorize.ts';
import { objectStart, type Resource } from '../model/resource.ts';
import { domainNotFound } from '../not-found.ts';
import { readPage, type Page, type PageRequest } from '../pages.ts';
import { beginningWith, behindText } from '../policy/ranges.ts';
import type { Deps } from '../ports.ts';
import { readObject, readPrefix, readResources, requireCount } from '../search/read-resource.ts';

type ResourceDeps = Pick<Deps, 'decisions' | 'stores'>;

/** A domain of a tenant. */
export interface DomainOfTenant {
  readonly tenantId: string;
  readonly domainId: string;
}

/**
 * Registers resources for searches; what is there gets the attributes that are sent. Throws ACCESS_DENIED,
 * DOMAIN_NOT_FOUND, INVALID_ARGUMENT, INVALID_OBJECT_URI, limits.
 */
export async function putResources(
  deps: ResourceDeps,
  caller: Caller,
  { tenantId, domainId, resources }: DomainOfTenant & { readonly resources: readonly Resource[] },
): Promise<void> {
  await permit(deps, caller, CALLS.PutResources, { tenantId, domainId }, 'update');
  readResources(resources, domainId);
  if (resources.length === 0) return;
  if (!(await deps.stores.resources.put(tenantId, domainId, resources))) throw domainNotFound();
}

/**
 * Forgets resources, and returns how many of them there were. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND,
 * INVALID_ARGUMENT, INVALID_OBJECT_URI, limits.
 */
export async function deleteResources(
  deps: ResourceDeps,
  caller: Caller,
  { tenantId, domainId, objects }: DomainOfTenant & { readonly objects: readonly string[] },
): Promise<number> {
  await permit(deps, caller, CALLS.DeleteResources, { tenantId, domainId }, 'delete');
  requireCount(objects, 'objects');
  objects.forEach((object, index) => readObject(object, domainId, `objects[${index}]`));
  await requireDomain(deps, { tenantId, domainId });
  return deps.stores.resources.remove(domainId, objects);
}

/** A page of the registered resources. Throws ACCESS_DENIED, DOMAIN_NOT_FOUND, INVALID_ARGUMENT, limits. */
export async function listResources(
  deps: ResourceDeps,
  caller: Caller,
  { tenantId, domainId, prefix, ...page }: DomainOfTenant & PageRequest & { readonly prefix: string },
): Promise<Page<Resource>> {
  await permit(deps, caller, CALLS.ListResources, { tenantId, domainId }, 'read');
  await requireDomain(deps, { tenantId, domainId });
  const within = [beginningWith(objectStart(domainId) + readPrefix(prefix, domainId))];
  return readPage<Resource>(
    page,
    ['ListResources', tenantId, domainId, prefix],
    ({ object }) => object,
    ({ after, limit }) =>
      deps.stores.resources.list(domainId, after === null ? within : behindText(within, after), limit),
  );
}

function permit(
  deps: ResourceDeps,
  caller: Caller,
  call: Call,
  { tenantId, domainId }: DomainOfTenant,
  action: Permission['action'],
): Promise<unknown> {
  return authorizeOnTenant(deps, caller, call, tenantId, { action, path: `domains/${domainId}/resources` });
}

/** Throws DOMAIN_NOT_FOUND. */
async function requireDomain(
  { stores }: ResourceDeps,
  { tenantId, domainId }: DomainOfTenant,
): Promise<void> {
  if (!(await stores.domains.exists(tenantId, domainId))) throw domainNotFound();
}
