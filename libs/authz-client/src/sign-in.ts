import { status } from '@grpc/grpc-js';
import { DomainError, RETRY_AFTER_SECONDS } from '@platform/error-contracts';
import { callExtras, rethrow, TIMEOUT_MS, type CallMetadata, type Measured } from './authority-calls.ts';
import { GrpcCallError } from './grpc-call-error.ts';
import type { ResponsiveClients } from './responsive-clients.ts';

/** A user's name and password, and what else a login needs. */
export interface Login {
  readonly username: string;
  readonly password: string;
  /** Id or name; unless given, the user's only one. */
  readonly tenant?: string | undefined;
  /** What a login that got `proof` sends along the next time. */
  readonly proof?: string | undefined;
  /** How long the session lives. Seconds. */
  readonly lifeSeconds: number;
  /** Where the client is, as `x-forwarded-for` has it: the hops the caller was told about, then its peer. */
  readonly forwardedFor: string;
}

/** What has become of a login. */
export type LoginOutcome =
  | { readonly kind: 'session'; readonly token: string }
  /** Name, password or tenant are wrong; which one is not said. */
  | { readonly kind: 'refused' }
  /** The user belongs to none or several: names of those to choose from. */
  | { readonly kind: 'tenants'; readonly names: readonly string[] }
  /** Too many logins failed: the next one needs a proof of this many bits (`session.proto`). */
  | { readonly kind: 'proof'; readonly bits: number; readonly retryAfterSeconds: number };

/** A program that a user lets work for them, by its grant. */
export interface ConnectedProgram {
  readonly id: string;
  /** As the program called itself; nobody has verified it. */
  readonly name: string;
  readonly redirectUri: string;
  /** The service that its tokens are good for. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** When it last fetched a token, which is good for up to an hour; null = never. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
}

/** How users sign in to a service, and which programs they let work for them. Throws as Authority does. */
export interface SignIn {
  /** A session of a user by name and password. The throttle of authz-grpc counts what fails. */
  logIn(login: Login, metadata?: CallMetadata): Promise<LoginOutcome>;
  /** Ends the session of a token; one that has ended already is no error. */
  logOut(token: string, userId: string, metadata?: CallMetadata): Promise<void>;
  /** The programs that the holder of `credential` lets work for them, oldest first; at most 1,000. */
  listPrograms(credential: string, userId: string, metadata?: CallMetadata): Promise<ConnectedProgram[]>;
  /**
   * Ends a program's grant with every token of it. Throws besides `not_found`, and `permission_denied` for a
   * credential that is not a session of the user.
   */
  endProgram(credential: string, userId: string, id: string, metadata?: CallMetadata): Promise<void>;
}

/** Life of the session that only asks for the tenants of its user. */
const LOOKUP_SECONDS = 60;

/** Signing in by calls to authz-grpc. */
export function createSignIn(measured: Measured, clients: ResponsiveClients): SignIn {
  return {
    async logIn({ lifeSeconds, forwardedFor, tenant, ...login }, metadata) {
      const sent = { ...metadata, 'x-forwarded-for': forwardedFor };
      const request = (duration: number, named: string | undefined) =>
        measured('SessionService/Login', sent, (by, extras = {}) =>
          by.sessions.login(
            { ...login, duration, tenant: named },
            { metadata: extras, timeoutMs: TIMEOUT_MS.login },
          ),
        );
      try {
        if (tenant !== undefined)
          return { kind: 'session', token: (await request(lifeSeconds, tenant)).token };
        // A session of its own life, which asks for the tenants and ends.
        const { token, userId } = await request(LOOKUP_SECONDS, undefined);
        const extras = callExtras(token, TIMEOUT_MS.login, metadata);
        const { tenants } = await clients.ask((by) => by.tenants.listMyTenants({}, extras));
        await clients.ask((by) => by.sessions.logout({ userId }, extras));
        const [first, ...others] = tenants;
        if (first === undefined || others.length > 0)
          return { kind: 'tenants', names: tenants.map(({ name }) => name) };
        return { kind: 'session', token: (await request(lifeSeconds, first.id)).token };
      } catch (error) {
        return loginOutcome(error);
      }
    },

    async logOut(token, userId, metadata) {
      const extras = callExtras(token, TIMEOUT_MS.introspect, metadata);
      try {
        await measured('SessionService/Logout', metadata, (by) => by.sessions.logout({ userId }, extras));
      } catch (error) {
        if (error instanceof GrpcCallError && error.code === status.UNAUTHENTICATED) return;
        rethrow(error);
      }
    },

    async listPrograms(credential, userId, metadata) {
      const { clientGrants } = await measured('SessionService/ListClientGrants', metadata, (by, sent) =>
        by.sessions.listClientGrants({ userId }, callExtras(credential, TIMEOUT_MS.check, sent)),
      ).catch(rethrowRefusal);
      const timeOf = (seconds: bigint) => new Date(Number(seconds) * 1000);
      return clientGrants.map(({ clientName, createdAt, lastUsedAt, expiresAt, ...grant }) => ({
        id: grant.id,
        name: clientName,
        redirectUri: grant.redirectUri,
        resource: grant.resource,
        scopes: grant.scopes,
        createdAt: timeOf(createdAt),
        lastUsedAt: lastUsedAt === undefined ? null : timeOf(lastUsedAt),
        expiresAt: timeOf(expiresAt),
      }));
    },

    async endProgram(credential, userId, id, metadata) {
      await measured('SessionService/DeleteClientGrant', metadata, (by, sent) =>
        by.sessions.deleteClientGrant({ userId, id }, callExtras(credential, TIMEOUT_MS.check, sent)),
      ).catch(rethrowRefusal);
    },
  };
}

function loginOutcome(error: unknown): LoginOutcome {
  if (!(error instanceof GrpcCallError)) throw error;
  if (error.code === status.UNAUTHENTICATED || error.code === status.INVALID_ARGUMENT)
    return { kind: 'refused' };
  if (error.reason !== 'PROOF_REQUIRED') return rethrow(error);
  return {
    kind: 'proof',
    bits: Number(error.fields.get('proof')),
    retryAfterSeconds: Math.ceil(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS.dependency),
  };
}

/** As `rethrow`, for calls that can be refused by what they ask for. */
function rethrowRefusal(error: unknown): never {
  if (error instanceof GrpcCallError) {
    if (error.code === status.NOT_FOUND || error.code === status.INVALID_ARGUMENT)
      throw new DomainError('not_found', 'no such program, or it has ended already');
    if (error.code === status.PERMISSION_DENIED)
      throw new DomainError('permission_denied', 'this needs a sign-in of the user, not a key');
  }
  return rethrow(error);
}
