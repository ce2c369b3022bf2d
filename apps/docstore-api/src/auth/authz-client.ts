import { credentials as channelCredentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { DomainError } from '@platform/error-contracts';
import { loadVerificationKeys, type KeySource, type VerificationKey } from '@platform/jwt';
import { AuthorizationServiceClient } from '@platform/proto/authz/v1/authorization';
import { PublicKeyServiceClient } from '@platform/proto/authz/v1/public_key';
import { SessionServiceClient } from '@platform/proto/authz/v1/session';
import type { Introspect } from './platform-tokens.ts';

/** Longest wait for authz-grpc, after which the caller is told 503. */
const DEADLINE_MS = 1_500;
/** How often an unknown key id may make us ask for the keys again, so that forged ids cost authz-grpc nothing. */
const REFRESH_INTERVAL_MS = 5_000;

const CHANNEL_OPTIONS = {
  'grpc.service_config': JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [
      {
        name: [{}],
        retryPolicy: {
          maxAttempts: 3,
          initialBackoff: '0.05s',
          maxBackoff: '0.4s',
          backoffMultiplier: 2,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }),
};

/** authz-grpc as this service needs it: the keys tokens are signed with, whether one is live, and who may manage keys. */
export interface AuthzClient {
  readonly keys: KeySource;
  readonly introspect: Introspect;
  close(): void;
}

/** Opens a channel to `target`; connecting happens in the background, so the service starts without authz-grpc too. */
export function connectAuthz(target: string): AuthzClient {
  const insecure = channelCredentials.createInsecure();
  const sessions = new SessionServiceClient(target, insecure, CHANNEL_OPTIONS);
  const publicKeys = new PublicKeyServiceClient(target, insecure, CHANNEL_OPTIONS);
  const authorization = new AuthorizationServiceClient(target, insecure, CHANNEL_OPTIONS);

  return {
    keys: cachedKeys(async () => {
      const { keys } = await call(publicKeys.getPublicKey.bind(publicKeys), {});
      const jwks = keys.map(({ publicKeyBytes }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        x: publicKeyBytes.toString('base64url'),
      }));
      return jwks.length === 0 ? [] : loadVerificationKeys(JSON.stringify({ keys: jwks }));
    }),

    async introspect(token, wantsKeyManagement) {
      const answer = await call(sessions.introspectCredential.bind(sessions), { credential: token }, token);
      if (!answer.live || answer.tenantId === undefined) return null;
      const { tenantId, rootDomainId, subjectId } = answer;
      if (!wantsKeyManagement || rootDomainId === undefined)
        return { tenantId, subjectId, managesKeys: false };
      const context = {
        subject: subjectId,
        action: 'manage',
        object: `svc://${rootDomainId}/docstore/keys`,
      };
      const { authorized } = await call(
        authorization.checkAuthorization.bind(authorization),
        {
          context: new Map(
            Object.entries(context).map(([key, value]) => [
              key,
              { value: { $case: 'single' as const, value } },
            ]),
          ),
        },
        token,
      );
      return { tenantId, subjectId, managesKeys: authorized };
    },

    close() {
      for (const client of [sessions, publicKeys, authorization]) client.close();
    },
  };
}

/** Keys by id, asked for again when an id is unknown. */
function cachedKeys(load: () => Promise<VerificationKey[]>): KeySource {
  let byKid = new Map<string, VerificationKey>();
  let loadedAt = -Infinity;
  let loading: Promise<void> | null = null;
  const refresh = async () => {
    byKid = new Map((await load()).map((key) => [key.kid, key]));
    loadedAt = Date.now();
  };
  return {
    async findKey(kid) {
      if (!byKid.has(kid) && Date.now() - loadedAt > REFRESH_INTERVAL_MS) {
        loading ??= refresh().finally(() => (loading = null));
        await loading;
      }
      return byKid.get(kid) ?? null;
    },
  };
}

type UnaryMethod<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, response: Response) => void,
) => unknown;

/**
 * One call as `token`'s holder. Throws DomainError: `rate_limited` when his quota is used up, `unavailable` when authz-grpc
 * does not answer, `unauthenticated` and `permission_denied` as they are.
 */
function call<Request, Response>(
  method: UnaryMethod<Request, Response>,
  request: Request,
  token?: string,
): Promise<Response> {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return new Promise((resolve, reject) => {
    method(request, metadata, { deadline: Date.now() + DEADLINE_MS }, (error, response) =>
      error === null ? resolve(response) : reject(toError(error)),
    );
  });
}

function toError(error: ServiceError): DomainError {
  switch (error.code) {
    case status.RESOURCE_EXHAUSTED:
      return new DomainError('rate_limited', 'the call quota is used up', {
        retryAfterSeconds: 1,
        cause: error,
      });
    case status.UNAUTHENTICATED:
      return new DomainError('unauthenticated', 'send a valid key: Authorization: Bearer <key>');
    case status.PERMISSION_DENIED:
      return new DomainError('permission_denied', 'not allowed');
    default:
      return new DomainError('unavailable', 'credentials cannot be checked at the moment', {
        retryAfterSeconds: 1,
        cause: error,
      });
  }
}
