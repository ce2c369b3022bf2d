import type { handleUnaryCall } from '@grpc/grpc-js';
import {
  Domain as DomainMessage,
  DomainServiceService,
  GetDomainPoliciesResponse,
  type DomainServiceServer,
  type GetDomainByNameRequest,
  type GetDomainPoliciesRequest,
  type GetDomainRequest,
} from '@platform/proto/authz/v1/domain';
import type { Tokens as TokensMessage } from '@platform/proto/authz/v1/quota';
import type { TenantServiceServer } from '@platform/proto/authz/v1/tenant';
import { AuthzError, invalidField } from '@platform/error-contracts';
import type { TransportDeps } from '../ports.ts';
import { requireUuid } from '../ids.ts';
import {
  createTenantUserAssociation,
  deleteTenantUserAssociation,
  getTenantAssociations,
  getTenantUserAssociation,
} from '../operations/associations.ts';
import { createTenant } from '../operations/create-tenant.ts';
import {
  createDomain,
  deleteDomain,
  getDomain,
  getDomainByName,
  listDomains,
  updateDomain,
} from '../operations/domains.ts';
import { getDomainPolicies, putDomainPolicies } from '../operations/policies.ts';
import {
  deleteTenant,
  getTenant,
  getTenantByName,
  listMyTenants,
  listTenants,
  readTenant,
  refreshTenants,
  updateTenant,
} from '../operations/tenants.ts';
import { domainMessage, domainSummary, optionalNumber, tenantMessage, userMessage } from './messages.ts';
import { inTurnOf } from '../operations/plan-resources.ts';
import type { DomainWithPolicies } from '../store/domain-store.ts';
import { runInTimeSlices } from '../time-slices.ts';
import { policyOf, withWritten, writeResponse } from './policy-messages.ts';
import type { QuotaLimits } from '../model/entities.ts';
import type { CallContext, Unary } from './unary.ts';

export function tenantService(deps: TransportDeps, unary: Unary): TenantServiceServer {
  return {
    createTenant: unary(
      'CreateTenant',
      async (context, request) =>
        tenantMessage(
          await readTenant(deps, await createTenant(deps, await context.caller(), request, context.address)),
        ),
      { object: (_, made) => `tenants/${made?.id ?? ''}`, tenantId: (_, { id }) => id },
    ),
    getTenant: unary('GetTenant', async (context, { id }) =>
      tenantMessage(await getTenant(deps, await context.caller(), requireUuid(id, 'id'))),
    ),
    getTenantByName: unary('GetTenantByName', async (context, { name }) =>
      tenantMessage(await getTenantByName(deps, await context.caller(), name)),
    ),
    updateTenant: unary(
      'UpdateTenant',
      async (context, { tenant, id, expectedVersion, allowLockout }) => {
        const caller = await context.caller();
        if (tenant === undefined) throw missing('tenant');
        const tenantId = requireUuid(tenant.id, 'tenant.id');
        if (id !== '' && id.toLowerCase() !== tenantId) throw mismatch('tenant.id', 'id');
        await updateTenant(
          deps,
          caller,
          {
            id: tenantId,
            name: tenant.name,
            description: tenant.description,
            active: tenant.active,
            subscription: tenant.subscription,
            controlPlane: limitsOf(tenant.controlPlane),
            dataPlane: limitsOf(tenant.dataPlane),
            expectedVersion: optionalNumber(expectedVersion),
            allowLockout,
          },
          context.note,
        );
        return {};
      },
      {
        object: ({ tenant }) => `tenants/${tenant?.id ?? ''}`,
        tenantId: ({ tenant }) => tenant?.id.toLowerCase(),
      },
    ),
    deleteTenant: unary(
      'DeleteTenant',
      async (context, { id }) => {
        await deleteTenant(deps, await context.caller(), requireUuid(id, 'id'));
        return {};
      },
      { object: ({ id }) => `tenants/${id}`, tenantId: ({ id }) => id.toLowerCase() },
    ),
    listTenants: unary('ListTenants', async (context, request) => {
      const { items, nextPageToken } = await listTenants(deps, await context.caller(), request);
      return { tenants: items.map(tenantMessage), nextPageToken };
    }),
    listMyTenants: unary('ListMyTenants', async (context, request) => {
      const { items, nextPageToken } = await listMyTenants(deps, await context.caller(), request);
      return { tenants: items.map(({ id, name }) => ({ id, name })), nextPageToken };
    }),
    refreshTenants: unary(
      'RefreshTenants',
      async (context, { users }) => {
        await refreshTenants(deps, await context.caller(), { users });
        return {};
      },
      { object: () => 'tenants', tenantId: () => null },
    ),
    getTenantAssociations: unary('GetTenantAssociations', async (context, request) => {
      const caller = await context.caller();
      const tenantId = requireUuid(request.tenantId, 'tenant_id');
      const { items, nextPageToken } = await getTenantAssociations(deps, caller, tenantId, request);
      return { users: items.map(userMessage), nextPageToken };
    }),
    getTenantUserAssociation: unary('GetTenantUserAssociation', async (context, request) => ({
      isAssociated: await getTenantUserAssociation(deps, await context.caller(), ...pairOf(request)),
    })),
    createTenantUserAssociation: unary(
      'CreateTenantUserAssociation',
      async (context, request) => {
        await createTenantUserAssociation(deps, await context.caller(), ...pairOf(request));
        return {};
      },
      MEMBERSHIP,
    ),
    deleteTenantUserAssociation: unary(
      'DeleteTenantUserAssociation',
      async (context, request) => {
        const { allowLockout } = request;
        await deleteTenantUserAssociation(deps, await context.caller(), ...pairOf(request), { allowLockout });
        return {};
      },
      MEMBERSHIP,
    ),
  };
}

/** The service, with methods whose handlers write the response, which may be of a large set. */
export const readingDomains = withWritten(DomainServiceService, [
  'getDomain',
  'getDomainByName',
  'getDomainPolicies',
]);

/** The handlers of `readingDomains`. */
interface DomainServer extends Omit<
  DomainServiceServer,
  'getDomain' | 'getDomainByName' | 'getDomainPolicies'
> {
  readonly getDomain: handleUnaryCall<GetDomainRequest, Buffer>;
  readonly getDomainByName: handleUnaryCall<GetDomainByNameRequest, Buffer>;
  readonly getDomainPolicies: handleUnaryCall<GetDomainPoliciesRequest, Buffer>;
}

export function domainService(deps: TransportDeps, unary: Unary): DomainServer {
  const write = (domain: DomainWithPolicies, context: CallContext) =>
    inTurnOf(deps, domain.tenantId, context, () =>
      runInTimeSlices(writeResponse(DomainMessage, domainSummary(domain), domain.policies), context),
    );
  return {
    createDomain: unary(
      'CreateDomain',
      async (context, request) =>
        domainMessage(
          await createDomain(deps, await context.caller(), {
            tenantId: requireUuid(request.tenantId, 'tenant_id'),
            name: request.name,
            superiorIds: superiorsOf(request.superiorDomainIds, 'superior_domain_ids'),
            detached: request.detached,
          }),
        ),
      { object: (_, made) => `domains/${made?.id ?? ''}`, tenantId: ofTenant },
    ),
    getDomain: unary('GetDomain', async (context, request) => {
      const caller = await context.caller();
      const [tenantId, id] = domainPairOf(request);
      return write(await getDomain(deps, caller, tenantId, id), context);
    }),
    getDomainByName: unary('GetDomainByName', async (context, { tenantId, name }) =>
      write(
        await getDomainByName(deps, await context.caller(), requireUuid(tenantId, 'tenant_id'), name),
        context,
      ),
    ),
    updateDomain: unary(
      'UpdateDomain',
      async (context, { tenantId, domain, expectedVersion, allowLockout }) => {
        const caller = await context.caller();
        if (domain === undefined) throw missing('domain');
        if (domain.tenantId !== '' && domain.tenantId.toLowerCase() !== tenantId.toLowerCase())
          throw mismatch('domain.tenant_id', 'tenant_id');
        await updateDomain(
          deps,
          caller,
          requireUuid(tenantId, 'tenant_id'),
          {
            id: requireUuid(domain.id, 'domain.id'),
            name: domain.name,
            active: domain.active,
            superiorIds: newSuperiorsOf(domain),
            detached: domain.detached,
            expectedVersion: optionalNumber(expectedVersion),
            allowLockout,
          },
          context.note,
        );
        return {};
      },
      { object: ({ domain }) => `domains/${domain?.id ?? ''}`, tenantId: ofTenant },
    ),
    deleteDomain: unary(
      'DeleteDomain',
      async (context, request) => {
        await deleteDomain(deps, await context.caller(), ...domainPairOf(request), context.note);
        return {};
      },
      { object: ({ domainId }) => `domains/${domainId}`, tenantId: ofTenant },
    ),
    listDomains: unary('ListDomains', async (context, request) => {
      const caller = await context.caller();
      const tenantId = requireUuid(request.tenantId, 'tenant_id');
      const { items, nextPageToken } = await listDomains(deps, caller, tenantId, request);
      return { domains: items.map(domainSummary), nextPageToken };
    }),
    getDomainPolicies: unary('GetDomainPolicies', async (context, request) => {
      const domain = await getDomainPolicies(deps, await context.caller(), ...domainPairOf(request));
      const response = { policies: [], version: BigInt(domain.version) };
      return inTurnOf(deps, domain.tenantId, context, () =>
        runInTimeSlices(writeResponse(GetDomainPoliciesResponse, response, domain.policies), context),
      );
    }),
    putDomainPolicies: unary(
      'PutDomainPolicies',
      async (context, request) => {
        const caller = await context.caller();
        const [tenantId, domainId] = domainPairOf(request);
        const version = await putDomainPolicies(
          deps,
          caller,
          {
            tenantId,
            domainId,
            policies: request.policies.map(policyOf),
            expectedVersion: optionalNumber(request.expectedVersion),
            allowLockout: request.allowLockout,
            message: request.message,
          },
          context.note,
        );
        return { version: BigInt(version) };
      },
      { object: ({ domainId }) => `domains/${domainId}/policies`, tenantId: ofTenant },
    ),
  };
}

const ofTenant = ({ tenantId }: { tenantId: string }) => tenantId.toLowerCase();

const MEMBERSHIP = {
  object: ({ userId }: { userId: string }) => `members/${userId}`,
  tenantId: ofTenant,
};

function pairOf(request: { tenantId: string; userId: string }): [tenantId: string, userId: string] {
  return [requireUuid(request.tenantId, 'tenant_id'), requireUuid(request.userId, 'user_id')];
}

function domainPairOf(request: { tenantId: string; domainId: string }): [tenantId: string, domainId: string] {
  return [requireUuid(request.tenantId, 'tenant_id'), requireUuid(request.domainId, 'domain_id')];
}

function superiorsOf(ids: readonly string[], field: string): string[] {
  return ids.map((id) => requireUuid(id, field));
}

/**
 * The superiors to write; undefined leaves them as they are. An empty list without its wrapper is one that
 * was not sent.
 */
function newSuperiorsOf({ superiors, superiorDomainIds }: DomainMessage): string[] | undefined {
  if (superiors !== undefined) return superiorsOf(superiors.ids, 'domain.superiors.ids');
  return superiorDomainIds.length === 0
    ? undefined
    : superiorsOf(superiorDomainIds, 'domain.superior_domain_ids');
}

function limitsOf(tokens: TokensMessage | undefined): Partial<QuotaLimits> | undefined {
  // Beyond 2^53 a number is no longer exact, and the operation refuses it.
  const number = (value: bigint | undefined) => (value === undefined ? undefined : Number(value));
  return tokens && { maxTokens: number(tokens.maxTokens), maxOverage: number(tokens.maxOverage) };
}

function missing(field: string): AuthzError {
  return invalidField(field, 'is missing');
}

function mismatch(field: string, other: string): AuthzError {
  return new AuthzError('ID_MISMATCH', `\`${field}\` and \`${other}\` differ`, { field });
}
