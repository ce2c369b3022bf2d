import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import type { KeySource, VerificationKey } from '@platform/jwt';
import { loadVerificationKeys } from '@platform/jwt';
import { CredentialType, LeaseStatus } from '@platform/proto/authz/v1/session';
import type { Tracing } from '@platform/telemetry';
import { callExtras, rethrow, TIMEOUT_MS, unavailable, type CallMetadata } from './authority-calls.ts';
import { openAuthzClients, type AuthzClients } from './clients.ts';
import { GrpcCallError } from './grpc-call-error.ts';
import { createKeyCache } from './key-cache.ts';
import { namesOf, type ObjectNames } from './object-names.ts';
import { readFilter } from './plan.ts';
import { keepResponsive } from './responsive-clients.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import type { TlsFiles } from './tls.ts';
import { requestContext } from './values.ts';

/** The user or account behind a live credential. */
export interface Introspection {
  /** User or service account. */
  readonly subjectId: string;
  readonly username: string;
  /** Null for a credential without tenant. */
  readonly tenantId: string | null;
  /** Domain in which the tenant's resources of other services are checked; null without tenant. */
  readonly rootDomainId: string | null;
  readonly scopes: readonly string[];
  /** What to keep with what is stored for the caller; null without tenant. */
  readonly leases: {
    /** Ends with the membership or the service account. */
    readonly subject: string;
    /** The same, and ends with the API key besides. */
    readonly credential: string;
    /** For keys: as `credential`, and a session's ends besides when its user revokes their keys. */
    readonly keys: string;
    readonly tenant: string;
  } | null;
  /** When the API key ends; null for other credentials. */
  readonly keyExpiresAt: Date | null;
}

/** What policies say: `open` = none allows it and none denies it. */
export type PolicyDecision = 'allowed' | 'denied' | 'open';

/** A user or service account of the same tenant. */
export interface Colleague {
  readonly id: string;
  readonly username: string;
  /** As `Introspection.leases.subject` of their own credentials. */
  readonly lease: string;
  readonly isServiceAccount: boolean;
}

/** What has become of a lease. A suspended one may come back, an ended one does not. */
export interface LeaseState {
  readonly status: 'active' | 'suspended' | 'ended';
  /** Of a tenant's lease, once the tenant is deleted. */
  readonly tenantDeletedAt: Date | null;
}

/** One set of policies of a domain. */
export interface PolicyVersion {
  /** Of the domain, that the write made. */
  readonly version: number;
  /** Empty where that was not kept, as is the digest. */
  readonly authorId: string;
  readonly writtenAt: Date | null;
  readonly message: string;
  readonly digest: string;
}

/**
 * authz-grpc as the other services need it. Every method throws DomainError: `rate_limited` when the caller's
 * quota is used up, `unavailable` when authz-grpc does not respond in time, `unauthenticated` when it refuses
 * the credential.
 */
export interface Authority extends SignIn {
  /** The published signing keys, kept by id. */
  readonly keys: KeySource;
  /**
   * Whether a token or API key is live, and whose it is; null = not live. Takes one call of its holder's
   * quota.
   */
  introspect(credential: string, metadata?: CallMetadata): Promise<Introspection | null>;
  /**
   * Whether the policies allow `context` (subject, action, object and attributes); asked as the holder of
   * `credential`. Throws `invalid_argument`, in the words of authz-grpc, for a context that it refuses.
   */
  isAllowed(
    credential: string,
    context: Readonly<Record<string, string>>,
    metadata?: CallMetadata,
  ): Promise<boolean>;
  /** The same of up to 1,000 contexts in one call, by index; what cannot be decided is not allowed. */
  areAllowed(
    credential: string,
    contexts: readonly Readonly<Record<string, string>>[],
    metadata?: CallMetadata,
  ): Promise<boolean[]>;
  /**
   * What policies say about up to 1,000 contexts in one call, by index, for a service whose own records may
   * allow what they leave open. What cannot be decided is denied.
   */
  decide(
    credential: string,
    contexts: readonly Readonly<Record<string, string>>[],
    metadata?: CallMetadata,
  ): Promise<PolicyDecision[]>;
  /**
   * The active users with these names, and users and service accounts with these ids, of the credential's
   * tenant; at most 100 names and ids. Others are left out. Takes one call of the holder's quota.
   */
  findColleagues(
    credential: string,
    sought: { readonly usernames?: readonly string[]; readonly ids?: readonly string[] },
    metadata?: CallMetadata,
  ): Promise<Colleague[]>;
  /**
   * `areAllowed` on behalf of subjects other than the holder of `credential`, about whom its own rights say
   * nothing: throws besides `permission_denied` where the holder may not ask.
   */
  areOthersAllowed(
    credential: string,
    contexts: readonly Readonly<Record<string, string>>[],
    metadata?: CallMetadata,
  ): Promise<boolean[]>;
  /**
   * Where `context` (subject and action) may be allowed on objects of `domainId` whose path begins with
   * `prefix`: every object that is allowed is in it, and each one in it has to be asked about. Null where the
   * names of objects do not say it.
   */
  namesAllowed(
    credential: string,
    context: Readonly<Record<string, string>>,
    within: { readonly domainId: string; readonly prefix: string },
    metadata?: CallMetadata,
  ): Promise<ObjectNames | null>;
  /**
   * The sets of policies that a domain has and had, newest first, at most `limit` (1 to 1,000); null where
   * there is no such domain for the holder of `credential`.
   */
  policyVersions(
    credential: string,
    domain: { readonly tenantId: string; readonly domainId: string },
    limit: number,
    metadata?: CallMetadata,
  ): Promise<PolicyVersion[] | null>;
  /** What has become of leases, by index; at most 100. Takes no quota. */
  leaseStates(leases: readonly string[]): Promise<LeaseState[]>;
  /** Resolves while there is a connection to authz-grpc. Takes no quota. */
  ping(): Promise<void>;
  /**
   * Resolves when the first load of the keys has ended, with the keys or without: half a second at most. A
   * service that takes requests after it has the connection and the keys for the first of them.
   */
  readonly triedKeys: Promise<void>;
  close(): void;
}

/**
 * Upper bound of one load of the keys. Callers that join a load in progress keep their own, shorter timeout.
 */
const KEYS_LOAD_MS = 1_000;

const CHANNEL = {
  'grpc.service_config': JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [
      {
        name: [{}],
        retryPolicy: {
          maxAttempts: 3,
          initialBackoff: '0.05s',
          maxBackoff: '0.2s',
          backoffMultiplier: 2,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }),
  // Each has connections of its own, so that they can be made anew.
  'grpc.use_local_subchannel_pool': 1,
} as const;

export interface AuthorityOptions {
  /** Over TLS with these files; plaintext unless given. */
  readonly tls?: TlsFiles | undefined;
  /** Every call is a client span of the request's trace. */
  readonly tracing?: Tracing;
  /**
   * Told about every call: its method, `ok` or the name of its gRPC status, and seconds, retries included.
   */
  readonly observe?: (method: string, outcome: string, seconds: number) => void;
}

/**
 * authz-grpc at `target` (`host:port`, or `dns:///host:port` for all replicas behind a name). Connecting
 * happens in the background, and the keys are asked for at once, so a service starts without it too and finds
 * it when it comes.
 */
export function connectAuthority(target: string, options: AuthorityOptions = {}): Authority {
  const { tls, tracing, observe } = options;
  const clients = keepResponsive(() => openAuthzClients(target, { tls, channel: CHANNEL }));

  /** One call of `method` (`Service/Method`), measured; `call` is given the clients and the metadata. */
  async function measured<T>(
    method: string,
    metadata: CallMetadata | undefined,
    call: (clients: AuthzClients, metadata: CallMetadata | undefined) => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now();
    const [service, name] = method.split('/') as [string, string];
    const span = tracing?.isOn
      ? tracing.start(`authz.v1.${method}`, {
          kind: 'client',
          parent: metadata?.traceparent,
          attributes: { 'rpc.system': 'grpc', 'rpc.service': `authz.v1.${service}`, 'rpc.method': name },
        })
      : null;
    const end = (outcome: string) => {
      observe?.(method, outcome, (performance.now() - startedAt) / 1000);
      span?.end(outcome === 'ok' ? {} : { error: outcome });
    };
    const sent = span?.traceparent === undefined ? metadata : { ...metadata, traceparent: span.traceparent };
    try {
      const answer = await clients.ask((by) => call(by, sent));
      end('ok');
      return answer;
    } catch (error) {
      end(error instanceof GrpcCallError ? (status[error.code] ?? 'UNKNOWN').toLowerCase() : 'failed');
      throw error;
    }
  }

  async function loadKeys(): Promise<readonly VerificationKey[]> {
    const published = await measured('PublicKeyService/GetPublicKey', undefined, (by) =>
      by.publicKeys.getPublicKey({}, { timeoutMs: KEYS_LOAD_MS }),
    ).catch(rethrow);
    const jwks = published.keys.map(({ publicKeyBytes }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: publicKeyBytes.toString('base64url'),
    }));
    return jwks.length === 0 ? [] : loadVerificationKeys(JSON.stringify({ keys: jwks }));
  }
  const keys = createKeyCache(loadKeys, undefined, keysInTime);
  let isClosed = false;
  /** Tries until it succeeds once; resolves after the first try. */
  async function fetchKeys(): Promise<void> {
    try {
      await keys.findKey('');
    } catch {
      if (!isClosed) setTimeout(() => void fetchKeys(), 1_000 * RETRY_AFTER_SECONDS.dependency).unref();
    }
  }

  /** Throws `permission_denied` where the holder of the credential may not ask. */
  async function batchCheck(
    credential: string,
    contexts: readonly Readonly<Record<string, string>>[],
    metadata?: CallMetadata,
  ): Promise<PolicyDecision[]> {
    const checks = contexts.map((context) => ({ context: requestContext(context) }));
    const method = 'AuthorizationService/BatchCheckAuthorization';
    try {
      const { results } = await measured(method, metadata, (by, sent) =>
        by.authorization.batchCheckAuthorization({ checks }, callExtras(credential, TIMEOUT_MS.check, sent)),
      );
      // A version before does not say what is denied, and nobody is let in by not knowing.
      return results.map(({ authorized, denied = true }) =>
        authorized ? 'allowed' : denied ? 'denied' : 'open',
      );
    } catch (cause) {
      if (cause instanceof GrpcCallError && cause.code === status.PERMISSION_DENIED)
        throw new DomainError('permission_denied', 'the credential may not ask for decisions', { cause });
      return rethrow(cause);
    }
  }

  /** As `batchCheck`; where the credential may not ask, or the domain is gone, all is denied. */
  const decide: Authority['decide'] = async (credential, contexts, metadata) => {
    try {
      return await batchCheck(credential, contexts, metadata);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'permission_denied')
        return contexts.map(() => 'denied' as const);
      throw error;
    }
  };

  return {
    keys,
    triedKeys: fetchKeys(),

    async introspect(credential, metadata) {
      const answer = await measured('SessionService/IntrospectCredential', metadata, (by, sent) =>
        by.sessions.introspectCredential({ credential }, callExtras(credential, TIMEOUT_MS.introspect, sent)),
      ).catch(rethrow);
      if (!answer.live) return null;
      const { subjectId, username, tenantId = null, rootDomainId = null, scopes } = answer;
      // An authz-grpc of the release before gives no lease for keys.
      const leases = answer.leases && {
        ...answer.leases,
        keys: answer.leases.keys || answer.leases.credential,
      };
      const isKey = answer.type === CredentialType.API_KEY;
      const keyExpiresAt = isKey ? new Date(Number(answer.expiresAt) * 1000) : null;
      return { subjectId, username, tenantId, rootDomainId, scopes, leases: leases ?? null, keyExpiresAt };
    },

    async isAllowed(credential, context, metadata) {
      const request = { context: requestContext(context) };
      try {
        const { authorized } = await measured(
          'AuthorizationService/CheckAuthorization',
          metadata,
          (by, sent) =>
            by.authorization.checkAuthorization(request, callExtras(credential, TIMEOUT_MS.check, sent)),
        );
        return authorized;
      } catch (error) {
        // The domain is not the tenant's, or is gone: nothing in it is allowed.
        if (error instanceof GrpcCallError && error.code === status.PERMISSION_DENIED) return false;
        if (error instanceof GrpcCallError && error.code === status.INVALID_ARGUMENT)
          throw new DomainError('invalid_argument', error.message, { cause: error });
        return rethrow(error);
      }
    },

    areAllowed: async (...asked) => (await decide(...asked)).map(isAllowedBy),
    decide,
    areOthersAllowed: async (...asked) => (await batchCheck(...asked)).map(isAllowedBy),

    async findColleagues(credential, { usernames = [], ids = [] }, metadata) {
      const request = { usernames: [...usernames], ids: [...ids] };
      const { colleagues } = await measured('SessionService/FindColleagues', metadata, (by, sent) =>
        by.sessions.findColleagues(request, callExtras(credential, TIMEOUT_MS.check, sent)),
      ).catch(rethrow);
      return colleagues;
    },

    async namesAllowed(credential, context, { domainId, prefix }, metadata) {
      const request = { context: requestContext(context), domainId, namesOnly: true, prefix };
      try {
        const { filter } = await measured('SearchService/PlanResources', metadata, (by, sent) =>
          by.search.planResources(request, callExtras(credential, TIMEOUT_MS.check, sent)),
        );
        return namesOf(readFilter(filter), `svc://${domainId}/`, prefix);
      } catch (error) {
        // The credential may not ask, or the domain is gone: the checks of what comes say so.
        if (error instanceof GrpcCallError && error.code === status.PERMISSION_DENIED) return null;
        return rethrow(error);
      }
    },

    async policyVersions(credential, domain, limit, metadata) {
      const request = { ...domain, pageSize: limit };
      try {
        const { versions } = await measured('PolicySetService/ListPolicyVersions', metadata, (by, sent) =>
          by.policySets.listPolicyVersions(request, callExtras(credential, TIMEOUT_MS.list, sent)),
        );
        return versions.map(({ version, authorId, writtenAt, message, digest }) => ({
          version: Number(version),
          authorId,
          writtenAt: writtenAt ?? null,
          message,
          digest,
        }));
      } catch (error) {
        const isRefused =
          error instanceof GrpcCallError &&
          [status.PERMISSION_DENIED, status.NOT_FOUND, status.INVALID_ARGUMENT].includes(error.code);
        return isRefused ? null : rethrow(error);
      }
    },

    async leaseStates(leases) {
      const { states } = await measured('SessionService/GetLeaseStates', undefined, (by) =>
        by.sessions.getLeaseStates({ leases: [...leases] }, { timeoutMs: TIMEOUT_MS.leases }),
      ).catch(rethrow);
      return states.map(({ status: found, tenantDeletedAt }) => ({
        status: LEASE_STATUS[found] ?? 'ended',
        tenantDeletedAt: tenantDeletedAt === undefined ? null : new Date(Number(tenantDeletedAt) * 1000),
      }));
    },

    ping: () => clients.ask((by) => by.connected(TIMEOUT_MS.introspect)),

    ...createSignIn(measured, clients),

    close() {
      isClosed = true;
      clients.close();
    },
  };
}

const isAllowedBy = (decision: PolicyDecision) => decision === 'allowed';

const LEASE_STATUS: Partial<Record<LeaseStatus, LeaseState['status']>> = {
  [LeaseStatus.ACTIVE]: 'active',
  [LeaseStatus.SUSPENDED]: 'suspended',
};

/** Errors: `unavailable` after the wait that a request has for the keys. */
async function keysInTime(loading: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const tooLong = delay(TIMEOUT_MS.keys, undefined, { signal: timer.signal }).then(() => {
    throw unavailable();
  });
  try {
    await Promise.race([loading, tooLong]);
  } finally {
    timer.abort();
  }
}
