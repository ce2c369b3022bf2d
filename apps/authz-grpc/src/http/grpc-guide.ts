import type { docsPage, GrpcService } from '@platform/service-kit';
import methods from '@platform/proto/methods.json' with { type: 'json' };

type GrpcCalls = NonNullable<Parameters<typeof docsPage>[0]['grpc']>;

/** What each service is for, in the order in which one needs them, and its name among the clients. */
export const GROUPS: readonly (readonly [service: string, title: string, client: string])[] = [
  ['SessionService', 'Log in and out', 'sessions'],
  ['AuthorizationService', 'Check, explain and audit', 'authorization'],
  ['SearchService', 'Search what is allowed', 'search'],
  ['DomainService', 'Write policies by domain', 'domains'],
  ['PolicySetService', 'Plan, try and undo policies', 'policySets'],
  ['TenantService', 'Keep tenants and their members', 'tenants'],
  ['UserService', 'Keep users', 'users'],
  ['ServiceAccountService', 'Keep service accounts', 'serviceAccounts'],
  ['ApiKeyService', 'Keep API keys', 'apiKeys'],
  ['AttributeService', 'Say what users are', 'attributes'],
  ['ResourceService', 'Register resources for searches', 'resources'],
  ['VerificationService', 'Prove e-mail addresses', 'verification'],
  ['OAuthService', 'Sign in by identity providers', 'oauth'],
  ['PublicKeyService', 'Read the keys of tokens', 'publicKeys'],
];

/** Every method of authz.v1 for the guide, with examples that call the server at `address`. */
export function grpcGuide(address: string, isTls: boolean): GrpcCalls {
  const services = methods as readonly GrpcService[];
  return {
    packageName: 'authz.v1',
    address,
    isTls,
    groups: GROUPS.map(([name, title, client]) => ({
      title: `gRPC: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
      client,
      service: services.find((service) => service.name === name)!,
    })),
  };
}
