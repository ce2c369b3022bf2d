import type { AttributeServiceServer } from '@platform/proto/authz/v1/attribute';
import type { ApiKeyServiceServer } from '@platform/proto/authz/v1/api_key';
import {
  CredentialType,
  LeaseStatus,
  type LoginResponse,
  type SessionServiceServer,
} from '@platform/proto/authz/v1/session';
import type { UserServiceServer } from '@platform/proto/authz/v1/user';
import type { TransportDeps } from '../ports.ts';
import { requireUuid } from '../ids.ts';
import { deleteClientGrant, listClientGrants } from '../operations/connected-clients.ts';
import { createApiKey, deleteApiKey, getApiKey, listApiKeys } from '../operations/api-keys.ts';
import {
  clearUserAttributes,
  getUserAttributes,
  removeUserAttribute,
  setUserAttribute,
} from '../operations/attributes.ts';
import { findColleagues } from '../operations/find-colleagues.ts';
import { getLeaseStates } from '../operations/leases.ts';
import {
  introspectCredential,
  isLoggedIn,
  login,
  logout,
  refreshLoginWithTenant,
} from '../operations/sessions.ts';
import {
  createUser,
  deleteUser,
  getUser,
  getUserByName,
  listUsers,
  updateUser,
} from '../operations/users.ts';
import type { TokenUse } from '../model/entities.ts';
import { apiKeyMessage, clientGrantMessage, loginResponse, optionalNumber, userMessage } from './messages.ts';
import type { Unary } from './unary.ts';

export function userService(deps: TransportDeps, unary: Unary): UserServiceServer {
  return {
    createUser: unary(
      'CreateUser',
      async (context, request) => ({
        userId: await createUser(deps, request, context.address, context.note),
      }),
      { object: (_, made) => `users/${made?.userId ?? ''}`, tenantId: () => null },
    ),
    getUser: unary('GetUser', async (context, { id }) =>
      userMessage(await getUser(deps, await context.caller(), requireUuid(id, 'id'))),
    ),
    getUserByName: unary('GetUserByName', async (context, { username }) =>
      userMessage(await getUserByName(deps, await context.caller(), username)),
    ),
    updateUser: unary(
      'UpdateUser',
      async (context, request) =>
        userMessage(
          await updateUser(
            deps,
            await context.caller(),
            {
              ...request,
              id: requireUuid(request.id, 'id'),
              expectedVersion: optionalNumber(request.expectedVersion),
            },
            context.address,
            context.note,
          ),
        ),
      ACCOUNT,
    ),
    deleteUser: unary(
      'DeleteUser',
      async (context, { id, allowLockout }) => {
        await deleteUser(deps, await context.caller(), requireUuid(id, 'id'), { allowLockout });
        return {};
      },
      ACCOUNT,
    ),
    listUsers: unary('ListUsers', async (context, request) => {
      const { items, nextPageToken } = await listUsers(deps, await context.caller(), request);
      return { users: items.map(userMessage), nextPageToken };
    }),
  };
}

/** Accounts belong to no tenant. */
const ACCOUNT = {
  object: ({ id }: { id: string }) => `users/${id}`,
  tenantId: () => null,
};

const SESSION = {
  object: (_: unknown, opened: LoginResponse | null) => `users/${opened?.userId ?? ''}`,
  tenantId: (_: unknown, { tenantId }: LoginResponse) => tenantId ?? null,
};

const ATTRIBUTES = { object: ({ userId }: { userId: string }) => `users/${userId}/attributes` };

const CREDENTIAL_TYPE = {
  session: CredentialType.SESSION,
  api_key: CredentialType.API_KEY,
  service_account: CredentialType.SERVICE_ACCOUNT,
} as const satisfies Record<TokenUse, CredentialType>;

export function sessionService(deps: TransportDeps, unary: Unary): SessionServiceServer {
  return {
    login: unary(
      'Login',
      async (context, { username, password, tenant, duration, proof }) =>
        loginResponse(
          await login(
            deps,
            { username, password, tenant, durationSeconds: duration, proof },
            context.address,
            context.note,
          ),
        ),
      SESSION,
    ),
    logout: unary(
      'Logout',
      async (context, { userId }) => {
        await logout(deps, await context.caller(), requireUuid(userId, 'user_id'));
        return {};
      },
      { object: ({ userId }) => `users/${userId}` },
    ),
    listClientGrants: unary('ListClientGrants', async (context, request) => {
      const userId = requireUuid(request.userId, 'user_id');
      const { items, nextPageToken } = await listClientGrants(deps, await context.caller(), userId, request);
      return { clientGrants: items.map(clientGrantMessage), nextPageToken };
    }),
    deleteClientGrant: unary(
      'DeleteClientGrant',
      async (context, request) => {
        const userId = requireUuid(request.userId, 'user_id');
        const id = requireUuid(request.id, 'id');
        await deleteClientGrant(deps, await context.caller(), userId, id, context.note);
        return {};
      },
      { object: ({ id }) => `client-grants/${id}` },
    ),
    isLoggedIn: unary('IsLoggedIn', async (context) => ({
      isLoggedIn: await isLoggedIn(deps, context.token),
    })),
    refreshLoginWithTenant: unary(
      'RefreshLoginWithTenant',
      async (context, { tenantId }) =>
        loginResponse(await refreshLoginWithTenant(deps, await context.caller(), tenantId)),
      SESSION,
    ),
    getLeaseStates: unary('GetLeaseStates', async (_context, { leases }) => {
      const states = await getLeaseStates(deps, leases);
      return {
        states: states.map(({ status, tenantDeletedAt }) => ({
          status: LEASE_STATUS[status],
          tenantDeletedAt:
            tenantDeletedAt === null ? undefined : BigInt(Math.floor(tenantDeletedAt.getTime() / 1000)),
        })),
      };
    }),
    findColleagues: unary('FindColleagues', async (context, request) => ({
      colleagues: await findColleagues(deps, await context.caller(), request),
    })),
    introspectCredential: unary('IntrospectCredential', async ({ isRevoking }, { credential }) => {
      const found = await introspectCredential(deps, credential, isRevoking);
      if (found === null) return NOT_LIVE;
      return {
        live: true,
        subjectId: found.subjectId,
        tenantId: found.tenantId ?? undefined,
        rootDomainId: found.rootDomainId ?? undefined,
        type: CREDENTIAL_TYPE[found.use],
        scopes: [...found.scopes],
        expiresAt: BigInt(found.expiresAt),
        username: found.username,
        leases: found.leases ?? undefined,
      };
    }),
  };
}

const LEASE_STATUS = {
  active: LeaseStatus.ACTIVE,
  suspended: LeaseStatus.SUSPENDED,
  ended: LeaseStatus.ENDED,
} as const;

const NOT_LIVE = {
  live: false,
  subjectId: '',
  tenantId: undefined,
  rootDomainId: undefined,
  type: CredentialType.UNSPECIFIED,
  leases: undefined,
  scopes: [],
  expiresAt: 0n,
  username: '',
};

export function apiKeyService(deps: TransportDeps, unary: Unary): ApiKeyServiceServer {
  return {
    createApiKey: unary(
      'CreateApiKey',
      async (context, { userId, expirationDays, scopes }) =>
        createApiKey(deps, await context.caller(), {
          userId: requireUuid(userId, 'user_id'),
          expirationDays,
          scopes: scopes?.values,
        }),
      { object: ({ userId }, made) => `users/${userId}/api-keys/${made?.keyId ?? ''}` },
    ),
    getApiKey: unary('GetApiKey', async (context, request) =>
      apiKeyMessage(await getApiKey(deps, await context.caller(), ...keyPairOf(request))),
    ),
    deleteApiKey: unary(
      'DeleteApiKey',
      async (context, request) => {
        await deleteApiKey(deps, await context.caller(), ...keyPairOf(request));
        return {};
      },
      { object: ({ userId, keyId }) => `users/${userId}/api-keys/${keyId}` },
    ),
    listApiKeys: unary('ListApiKeys', async (context, request) => {
      const userId = requireUuid(request.userId, 'user_id');
      const { items, nextPageToken } = await listApiKeys(deps, await context.caller(), userId, request);
      return { apiKeys: items.map(apiKeyMessage), nextPageToken };
    }),
  };
}

export function attributeService(deps: TransportDeps, unary: Unary): AttributeServiceServer {
  return {
    setUserAttribute: unary(
      'SetUserAttribute',
      async (context, request) => {
        await setUserAttribute(deps, await context.caller(), attributeOf(request));
        return {};
      },
      ATTRIBUTES,
    ),
    removeUserAttribute: unary(
      'RemoveUserAttribute',
      async (context, request) => {
        await removeUserAttribute(deps, await context.caller(), attributeOf(request));
        return {};
      },
      ATTRIBUTES,
    ),
    getUserAttributes: unary('GetUserAttributes', async (context, { userId }) => {
      const attributes = await getUserAttributes(
        deps,
        await context.caller(),
        requireUuid(userId, 'user_id'),
      );
      return { attributes: new Map([...attributes].map(([key, values]) => [key, { values }])) };
    }),
    clearUserAttributes: unary(
      'ClearUserAttributes',
      async (context, { userId, allowLockout }) => {
        const id = requireUuid(userId, 'user_id');
        await clearUserAttributes(deps, await context.caller(), id, { allowLockout });
        return {};
      },
      ATTRIBUTES,
    ),
  };
}

function attributeOf(request: {
  userId: string;
  attributeKey: string;
  attributeValues: string[];
  allowLockout?: boolean | undefined;
}) {
  return {
    allowLockout: request.allowLockout,
    userId: requireUuid(request.userId, 'user_id'),
    key: request.attributeKey,
    values: request.attributeValues,
  };
}

function keyPairOf(request: { userId: string; keyId: string }): [userId: string, keyId: string] {
  return [requireUuid(request.userId, 'user_id'), requireUuid(request.keyId, 'key_id')];
}
