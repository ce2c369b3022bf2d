import type { OAuthServiceServer } from '@platform/proto/authz/v1/oauth';
import type { PublicKeyServiceServer } from '@platform/proto/authz/v1/public_key';
import type {
  ServiceAccount as ServiceAccountMessage,
  ServiceAccountServiceServer,
} from '@platform/proto/authz/v1/service_account';
import { TokenType, type VerificationServiceServer } from '@platform/proto/authz/v1/verification';
import { invalidField } from '@platform/error-contracts';
import type { TransportDeps } from '../ports.ts';
import { requireUuid } from '../ids.ts';
import {
  createOAuthUser,
  findUserByOAuth,
  loginOAuth,
  storeOAuthState,
  validateOAuthState,
} from '../operations/oauth.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  exchangeServiceAccountToken,
  getServiceAccount,
  listServiceAccounts,
  rotateServiceAccountKey,
  updateServiceAccount,
} from '../operations/service-accounts.ts';
import {
  createEmailVerificationToken,
  markEmailVerified,
  validateEmailVerificationToken,
  type VerificationType,
} from '../operations/verification.ts';
import { getPublicKey, retireSigningKey } from '../operations/public-keys.ts';
import type { ServiceAccountRow } from '../store/service-account-store.ts';
import { scopesOf } from '../authorization/scopes.ts';
import { epochSeconds, loginResponse, optionalNumber } from './messages.ts';
import type { Unary } from './unary.ts';

export function serviceAccountService(deps: TransportDeps, unary: Unary): ServiceAccountServiceServer {
  return {
    createServiceAccount: unary(
      'CreateServiceAccount',
      async (context, request) => {
        const made = await createServiceAccount(deps, await context.caller(), {
          ...request,
          tenantId: ownerOf(request.tenantId),
          scopes: request.scopes?.values,
        });
        const { id, username, email } = accountMessage(made.account);
        return {
          serviceAccountId: id,
          username,
          apiKeyId: made.apiKeyId,
          email,
          expiration: BigInt(made.expiresAt),
          token: made.token,
        };
      },
      {
        object: (_, made) => `service-accounts/${made?.serviceAccountId ?? ''}`,
        tenantId: ({ tenantId }) => (tenantId === '' ? null : tenantId.toLowerCase()),
      },
    ),
    listServiceAccounts: unary('ListServiceAccounts', async (context, request) => {
      const { items, nextPageToken, totalCount } = await listServiceAccounts(
        deps,
        await context.caller(),
        ownerOf(request.tenantId),
        request.activeOnly ?? false,
        request,
      );
      return { serviceAccounts: items.map(accountMessage), totalCount, nextPageToken };
    }),
    getServiceAccount: unary('GetServiceAccount', async (context, { id }) =>
      accountMessage(await getServiceAccount(deps, await context.caller(), requireUuid(id, 'id'))),
    ),
    updateServiceAccount: unary(
      'UpdateServiceAccount',
      async (context, request) => {
        await updateServiceAccount(
          deps,
          await context.caller(),
          {
            ...request,
            id: requireUuid(request.id, 'id'),
            expectedVersion: optionalNumber(request.expectedVersion),
          },
          context.note,
        );
        return {};
      },
      SERVICE_ACCOUNT,
    ),
    deleteServiceAccount: unary(
      'DeleteServiceAccount',
      async (context, { id, allowLockout }) => {
        const accountId = requireUuid(id, 'id');
        await deleteServiceAccount(deps, await context.caller(), accountId, { allowLockout }, context.note);
        return {};
      },
      SERVICE_ACCOUNT,
    ),
    rotateServiceAccountKey: unary(
      'RotateServiceAccountKey',
      async (context, { id, expirationDays }) => {
        const made = await rotateServiceAccountKey(
          deps,
          await context.caller(),
          requireUuid(id, 'id'),
          expirationDays,
          context.note,
        );
        return { apiKeyId: made.apiKeyId, expiration: BigInt(made.expiresAt), token: made.token };
      },
      SERVICE_ACCOUNT,
    ),
    exchangeServiceAccountToken: unary(
      'ExchangeServiceAccountToken',
      async ({ note }, { credential, duration }) => {
        const issued = await exchangeServiceAccountToken(deps, credential, duration, note);
        return { ...issued, tenantId: issued.tenantId ?? '', expiresAt: BigInt(issued.expiresAt) };
      },
      {
        object: (_, issued) => `service-accounts/${issued?.serviceAccountId ?? ''}`,
        tenantId: (_, { tenantId }) => (tenantId === '' ? null : tenantId),
      },
    ),
  };
}

/** The chain is that of the account's tenant, which the operation notes. */
const SERVICE_ACCOUNT = { object: ({ id }: { id: string }) => `service-accounts/${id}` };

const VERIFICATION = {
  object: ({ userId }: { userId: string }) => `users/${userId}/verification-tokens`,
  tenantId: () => null,
};

const OAUTH_STATE = { object: () => 'oauth-states', tenantId: () => null };

/** The tenant of an account; null for the system, which the empty text names. */
function ownerOf(tenantId: string): string | null {
  return tenantId === '' ? null : requireUuid(tenantId, 'tenant_id');
}

function accountMessage(account: ServiceAccountRow): ServiceAccountMessage {
  return {
    id: account.id,
    username: `svc:${account.name}`,
    email: `${account.name}@service.internal`,
    tenantId: account.tenantId ?? '',
    description: account.description,
    active: account.active,
    createdAt: epochSeconds(account.createdAt),
    apiKeyId: account.apiKeyId,
    apiKeyExpiration: account.apiKeyExpiresAt === null ? 0n : epochSeconds(account.apiKeyExpiresAt),
    apiKeyActive: account.active && !account.apiKeyEnded,
    scopes: [...scopesOf(account.scopes)],
    version: BigInt(account.version),
  };
}

const VERIFICATION_TYPE = new Map<TokenType, VerificationType>([
  [TokenType.EMAIL_VERIFICATION, 'email_verification'],
  [TokenType.PASSWORD_RESET, 'password_reset'],
  [TokenType.EMAIL_CHANGE, 'email_change'],
]);

function verificationTypeOf(type: TokenType): VerificationType {
  const found = VERIFICATION_TYPE.get(type);
  if (found === undefined) {
    throw invalidField('token_type', 'must name a type');
  }
  return found;
}

export function verificationService(deps: TransportDeps, unary: Unary): VerificationServiceServer {
  return {
    createEmailVerificationToken: unary(
      'CreateEmailVerificationToken',
      async (context, request) =>
        createEmailVerificationToken(deps, await context.caller(), {
          userId: requireUuid(request.userId, 'user_id'),
          email: request.email,
          type: verificationTypeOf(request.tokenType),
          expirationHours: request.expirationHours,
        }),
      VERIFICATION,
    ),
    validateEmailVerificationToken: unary(
      'ValidateEmailVerificationToken',
      async (context, request) => {
        const found = await validateEmailVerificationToken(deps, await context.caller(), {
          token: request.token,
          type: verificationTypeOf(request.tokenType),
        });
        return found === null
          ? { valid: false, userId: '', email: '', errorMessage: 'the token is unknown, used or expired' }
          : { valid: true, ...found, errorMessage: '' };
      },
      { object: (_, found) => `users/${found?.userId ?? ''}/verification-tokens`, tenantId: () => null },
    ),
    markEmailVerified: unary(
      'MarkEmailVerified',
      async (context, { userId, email }) => {
        await markEmailVerified(deps, await context.caller(), requireUuid(userId, 'user_id'), email);
        return {};
      },
      { object: ({ userId }) => `users/${userId}`, tenantId: () => null },
    ),
  };
}

export function oauthService(deps: TransportDeps, unary: Unary): OAuthServiceServer {
  return {
    findUserByOAuth: unary('FindUserByOAuth', async (context, { oauthProvider, oauthSubject }) => {
      const user = await findUserByOAuth(deps, await context.caller(), oauthProvider, oauthSubject);
      return user === null ? { found: false, userId: '', username: '', email: '' } : { found: true, ...user };
    }),
    createOAuthUser: unary(
      'CreateOAuthUser',
      async (context, request) => ({
        userId: await createOAuthUser(deps, await context.caller(), {
          username: request.username,
          email: request.email,
          provider: request.oauthProvider,
          subject: request.oauthSubject,
          emailVerified: request.emailVerified,
          tenantId: request.tenantId === undefined ? undefined : requireUuid(request.tenantId, 'tenant_id'),
        }),
      }),
      {
        object: (_, made) => `users/${made?.userId ?? ''}`,
        tenantId: ({ tenantId }) => tenantId?.toLowerCase() ?? null,
      },
    ),
    loginOAuth: unary(
      'LoginOAuth',
      async (context, request) =>
        loginResponse(
          await loginOAuth(
            deps,
            await context.caller(),
            {
              provider: request.oauthProvider,
              subject: request.oauthSubject,
              tenant: request.tenant,
              durationSeconds: request.duration,
            },
            context.note,
          ),
        ),
      {
        object: (_, opened) => `users/${opened?.userId ?? ''}`,
        tenantId: (_, { tenantId }) => tenantId ?? null,
      },
    ),
    storeOAuthState: unary(
      'StoreOAuthState',
      async (context, request) => {
        await storeOAuthState(deps, await context.caller(), {
          ...request,
          tenantId: request.tenantId === undefined ? undefined : requireUuid(request.tenantId, 'tenant_id'),
        });
        return {};
      },
      OAUTH_STATE,
    ),
    validateOAuthState: unary(
      'ValidateOAuthState',
      async (context, { state }) => {
        const found = await validateOAuthState(deps, await context.caller(), state);
        return found === null
          ? {
              valid: false,
              tenantId: undefined,
              redirectUri: '',
              nonce: '',
              errorMessage: 'the state is unknown, used or expired',
            }
          : { valid: true, ...found, tenantId: found.tenantId ?? undefined, errorMessage: '' };
      },
      OAUTH_STATE,
    ),
  };
}

export function publicKeyService(deps: TransportDeps, unary: Unary): PublicKeyServiceServer {
  return {
    retireSigningKey: unary(
      'RetireSigningKey',
      async (context, { keyId }) => {
        await retireSigningKey(deps, await context.caller(), keyId);
        return {};
      },
      { object: ({ keyId }) => `signing-keys/${keyId}`, tenantId: () => null },
    ),
    getPublicKey: unary('GetPublicKey', async () => {
      const keys = (await getPublicKey(deps)).map(({ kid, raw }) => ({
        publicKeyBytes: Buffer.from(raw),
        algorithm: 'EdDSA',
        keyId: kid,
      }));
      return { ...(keys[0] as (typeof keys)[number]), keys };
    }),
  };
}
