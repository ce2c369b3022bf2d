import {
  Client,
  Metadata,
  status,
  type CallOptions,
  type ChannelOptions,
  type MethodDefinition,
} from '@grpc/grpc-js';
import { ApiKeyServiceService } from '@platform/proto/authz/v1/api_key';
import { AttributeServiceService } from '@platform/proto/authz/v1/attribute';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { DomainServiceService } from '@platform/proto/authz/v1/domain';
import { OAuthServiceService } from '@platform/proto/authz/v1/oauth';
import { PolicySetServiceService } from '@platform/proto/authz/v1/policy_set';
import { PublicKeyServiceService } from '@platform/proto/authz/v1/public_key';
import { ResourceServiceService } from '@platform/proto/authz/v1/resource';
import { SearchServiceService } from '@platform/proto/authz/v1/search';
import { ServiceAccountServiceService } from '@platform/proto/authz/v1/service_account';
import { SessionServiceService } from '@platform/proto/authz/v1/session';
import { TenantServiceService } from '@platform/proto/authz/v1/tenant';
import { UserServiceService } from '@platform/proto/authz/v1/user';
import { VerificationServiceService } from '@platform/proto/authz/v1/verification';
import { GrpcCallError } from './grpc-call-error.ts';
import { channelCredentials, type TlsFiles } from './tls.ts';

/** What goes along with a call. */
export interface CallExtras {
  /** Session token or API key. */
  readonly token?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Milliseconds until the call is given up; unless given, those of the clients. */
  readonly timeoutMs?: number;
  /** Receives the trailing metadata, such as `x-check-id`. */
  readonly onTrailer?: (trailer: Metadata) => void;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a method's types are read off it below
type AnyMethod = MethodDefinition<any, any>;

/** The methods of a service as promises. Errors: GrpcCallError, with the reason and the fields at fault. */
export type Methods<S> = {
  readonly [M in keyof S]: S[M] extends MethodDefinition<infer Request, infer Response>
    ? (request: Request, extras?: CallExtras) => Promise<Response>
    : never;
};

/** The definition of every service of `authz.v1`, under its name in `AuthzClients`. */
export const AUTHZ_SERVICES = {
  authorization: AuthorizationServiceService,
  search: SearchServiceService,
  resources: ResourceServiceService,
  domains: DomainServiceService,
  policySets: PolicySetServiceService,
  tenants: TenantServiceService,
  users: UserServiceService,
  sessions: SessionServiceService,
  apiKeys: ApiKeyServiceService,
  serviceAccounts: ServiceAccountServiceService,
  attributes: AttributeServiceService,
  verification: VerificationServiceService,
  oauth: OAuthServiceService,
  publicKeys: PublicKeyServiceService,
} as const;

/** Every service of `authz.v1` over one connection. */
export type AuthzClients = {
  readonly [S in keyof typeof AUTHZ_SERVICES]: Methods<(typeof AUTHZ_SERVICES)[S]>;
} & {
  /** Resolves once a connection stands, else rejects after `timeoutMs`. */
  connected(timeoutMs: number): Promise<void>;
  close(): void;
};

/** Room for a domain of 100,000 policies in one message. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Calls of one connection go over all replicas behind the name; what failed before it reached one is tried
 * again. A server that was unavailable is found again within about a second, however long that took, where
 * grpc-js waits up to two minutes; a connection whose other end vanished without a word is noticed and
 * replaced.
 */
const CHANNEL: ChannelOptions = {
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 2_000,
};

/**
 * Opens clients of the server at `target`: `host:port`, or `dns:///host:port` for all replicas behind a name.
 * With `tls` the server is spoken to over TLS. A call that names no time is given up after `timeoutMs`, ten
 * seconds unless given.
 */
export function openAuthzClients(
  target: string,
  options: { tls?: TlsFiles | undefined; channel?: ChannelOptions; timeoutMs?: number } = {},
): AuthzClients {
  const { timeoutMs = TIMEOUT_MS } = options;
  const client = new Client(target, channelCredentials(options.tls), {
    ...CHANNEL,
    ...options.channel,
  });
  const services = Object.entries(AUTHZ_SERVICES).map(([name, service]) => [
    name,
    methodsOf(client, service, timeoutMs),
  ]);
  return {
    ...(Object.fromEntries(services) as AuthzClients),
    connected: (timeout) =>
      new Promise((resolve, reject) =>
        client.waitForReady(Date.now() + timeout, (error) =>
          error === undefined ? resolve() : reject(error),
        ),
      ),
    close: () => client.close(),
  };
}

function methodsOf(
  client: Client,
  service: Readonly<Record<string, AnyMethod>>,
  timeoutMs: number,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(service).map(([name, method]) => [
      name,
      (request: unknown, extras: CallExtras = {}) =>
        callUnary(client, method, request, { timeoutMs, ...extras }),
    ]),
  );
}

/** What a header can carry: a token read from a file may bring its line's end along. */
const TOKEN = /^[\x21-\x7e]*$/;

/** The error that the service would return. grpc-js's own error would repeat the credential. */
function notAToken(): GrpcCallError {
  const details = 'the credential has characters that no token has, such as a space or the end of a line';
  return new GrpcCallError(
    Object.assign(new Error(details), {
      code: status.UNAUTHENTICATED,
      details,
      metadata: new Metadata(),
    }),
  );
}

function callUnary(
  client: Client,
  method: AnyMethod,
  request: unknown,
  extras: CallExtras & { readonly timeoutMs: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const metadata = new Metadata();
    if (!TOKEN.test(extras.token ?? '')) return reject(notAToken());
    if (extras.token != null) metadata.set('authorization', `Bearer ${extras.token}`);
    for (const [key, value] of Object.entries(extras.metadata ?? {})) metadata.set(key, value);
    const options: CallOptions = { deadline: Date.now() + extras.timeoutMs };
    const { path, requestSerialize, responseDeserialize } = method;
    let response: unknown;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      options,
      (error, answer) => {
        if (error !== null) return reject(new GrpcCallError(error));
        response = answer;
        if (extras.onTrailer === undefined) resolve(response);
      },
    );
    // The trailer comes after the response; only calls that ask for it wait.
    if (extras.onTrailer !== undefined) {
      call.on('status', ({ code, metadata: trailer }) => {
        if (code !== status.OK) return;
        extras.onTrailer?.(trailer);
        resolve(response);
      });
    }
  });
}
