import { AuthzError } from '@platform/error-contracts';
import { tokenInvalid, type Caller } from '../authorization/caller.ts';
import { CALLS } from '../authorization/calls.ts';
import { authorizeSubject } from '../authorization/authorize.ts';
import { insertDefaultQuotas } from '../default-quotas.ts';
import { readText } from '../fields.ts';
import { readTenantName } from './tenants.ts';
import type { Deps } from '../ports.ts';
import type { Policy } from '../policy/types.ts';
import { entityKey } from '../model/entities.ts';
import { digestOfPolicies } from '../policy/digest.ts';

/** Name of every tenant's first domain; no other domain may take it. */
const ROOT_DOMAIN = 'root';

/**
 * Creates a tenant; any authenticated user may. The tenant, the association of its creator, the domain
 * `root`, the starter policy and the root-access policy come to be in one transaction: all or nothing
 * (contract, "Tenant creation bootstrap"). Returns the id. Throws TOKEN_INVALID, INVALID_ARGUMENT,
 * NAME_TAKEN, TENANTS_EXHAUSTED, rate and quota errors.
 */
export async function createTenant(
  deps: Pick<Deps, 'decisions' | 'write' | 'throttle' | 'config' | 'now' | 'newId'>,
  caller: Caller,
  input: { readonly name: string; readonly description: string },
  address: string,
): Promise<string> {
  const name = readTenantName(input.name, 'name');
  const description = readText(input.description, 'description');
  const creator = await authorizeSubject(deps, caller, CALLS.CreateTenant, ({ kind }) => kind === 'user');
  await deps.throttle.create(address);
  const id = deps.newId();
  const domainId = deps.newId();
  const createdAt = deps.now();
  await deps.write(async (stores, touch) => {
    // The founder's row is locked, so that concurrent calls cannot found more tenants than allowed.
    if (!(await stores.users.lock(creator.id, 'update'))) throw tokenInvalid();
    const { tenantsPerFounder } = deps.config;
    if (!creator.isRoot && (await stores.tenants.countOfFounder(creator.id)) >= tenantsPerFounder) {
      throw new AuthzError(
        'TENANTS_EXHAUSTED',
        `a user may found ${tenantsPerFounder} tenants: delete one, or ask the system root to create it`,
      );
    }
    await stores.tenants.insert({ id, name, description, createdAt, founderId: creator.id });
    await insertDefaultQuotas(stores, deps.config, id, ['control_plane', 'data_plane']);
    await stores.tenants.addMember(id, creator.id);
    const rootUserId = (await stores.users.findRootId()) as string;
    const policies = [
      grant('starter', 'the creator of the tenant may do everything', creator.id),
      grant('root-access', 'the system root may do everything', rootUserId),
    ];
    await stores.domains.insert({
      id: domainId,
      tenantId: id,
      name: ROOT_DOMAIN,
      isRoot: true,
      detached: false,
      policies,
      authorId: creator.id,
      digest: digestOfPolicies(policies),
      createdAt,
    });
    touch(entityKey('tenant', id), entityKey('domain', domainId), entityKey('subject', creator.id));
  });
  return id;
}

/** Any action on any resource, to one user by UUID. */
function grant(name: string, description: string, userId: string): Policy {
  return {
    name,
    description,
    invert: false,
    deny: false,
    engine: 'fixed',
    statements: [{ rules: { subject: userId } }],
  };
}
