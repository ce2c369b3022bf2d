import { readFileSync } from 'node:fs';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import {
  Server,
  status,
  type handleServerStreamingCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { ApiKeyServiceService } from '@platform/proto/authz/v1/api_key';
import { AttributeServiceService } from '@platform/proto/authz/v1/attribute';
import { OAuthServiceService } from '@platform/proto/authz/v1/oauth';
import { PublicKeyServiceService } from '@platform/proto/authz/v1/public_key';
import { ResourceServiceService } from '@platform/proto/authz/v1/resource';
import { ServiceAccountServiceService } from '@platform/proto/authz/v1/service_account';
import { SessionServiceService } from '@platform/proto/authz/v1/session';
import { TenantServiceService } from '@platform/proto/authz/v1/tenant';
import { UserServiceService } from '@platform/proto/authz/v1/user';
import { VerificationServiceService } from '@platform/proto/authz/v1/verification';
import { HealthImplementation } from 'grpc-health-check';
import type { TransportDeps } from '../ports.ts';
import { bounded, LONG_BYTES_MAX } from './bounded-messages.ts';
import { checkingService } from './check-messages.ts';
import { authorizationService } from './check-services.ts';
import {
  oauthService,
  publicKeyService,
  serviceAccountService,
  verificationService,
} from './identity-services.ts';
import { handleQuickly } from './quick-calls.ts';
import { READING_BUDGETS, readingWithin } from './message-reading.ts';
import { searchingService } from './plan-messages.ts';
import { policySetService, readingPolicySets } from './policy-set-services.ts';
import { resourceService, searchService } from './search-services.ts';
import { domainService, readingDomains, tenantService } from './tenant-services.ts';
import { createUnary } from './unary.ts';
import { apiKeyService, attributeService, sessionService, userService } from './user-services.ts';

export interface GrpcServer {
  readonly server: Server;
  /** Sets what health Check and Watch say, of the server and of every service. */
  setServing(isServing: boolean): void;
  /**
   * Ends every health Watch, which would outlast any drain; its client is told UNAVAILABLE and watches
   * another replica.
   */
  endWatches(): void;
}

const HEALTH = 'grpc.health.v1.Health';

type WatchCall = ServerWritableStream<unknown, unknown>;

/**
 * All services of `authz.v1` with the standard health service and reflection, not yet listening.
 * `descriptors` is the file of the descriptor set that the code generation wrote.
 */
export function createGrpcServer(deps: TransportDeps, descriptors: string): GrpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': LONG_BYTES_MAX,
    'grpc.max_send_message_length': LONG_BYTES_MAX,
    // Nobody asks for its counts, and keeping them is a tenth of a call.
    'grpc.enable_channelz': 0,
    interceptors: [readingWithin(READING_BUDGETS, deps.tokens.authenticate)],
  });
  const unary = createUnary(deps);
  const [checking, answering] = [bounded(checkingService), authorizationService(deps, unary)];
  server.addService(checking, { ...answering });
  handleQuickly(server, checking.checkAuthorization, answering.checkAuthorization, deps.now);
  server.addService(bounded(searchingService), { ...searchService(deps, unary) });
  server.addService(bounded(ResourceServiceService), { ...resourceService(deps, unary) });
  server.addService(bounded(readingDomains), { ...domainService(deps, unary) });
  server.addService(bounded(readingPolicySets), { ...policySetService(deps, unary) });
  server.addService(bounded(TenantServiceService), tenantService(deps, unary));
  server.addService(bounded(UserServiceService), userService(deps, unary));
  server.addService(bounded(SessionServiceService), sessionService(deps, unary));
  server.addService(bounded(ApiKeyServiceService), apiKeyService(deps, unary));
  server.addService(bounded(ServiceAccountServiceService), serviceAccountService(deps, unary));
  server.addService(bounded(AttributeServiceService), attributeService(deps, unary));
  server.addService(bounded(VerificationServiceService), verificationService(deps, unary));
  server.addService(bounded(OAuthServiceService), oauthService(deps, unary));
  server.addService(bounded(PublicKeyServiceService), publicKeyService(deps, unary));

  const definitions = loadFileDescriptorSetFromBuffer(readFileSync(descriptors));
  const services = Object.keys(definitions).filter((name) => /^authz\.v1\.\w+Service$/.test(name));
  const health = new HealthImplementation(
    Object.fromEntries(['', ...services].map((name) => [name, 'NOT_SERVING' as const])),
  );
  const watches = new Set<WatchCall>();
  health.addToServer({
    addService: (definition: ServiceDefinition, handlers: UntypedServiceImplementation) => {
      const answer = handlers['watch'] as handleServerStreamingCall<unknown, unknown>;
      const watch = (call: WatchCall) => {
        watches.add(call);
        call.once('cancelled', () => watches.delete(call));
        answer(call);
      };
      server.addService(definition, { ...handlers, watch });
    },
  });
  new ReflectionService(definitions, { services: [...services, HEALTH] }).addToServer(server);
  return {
    server,
    setServing(isServing) {
      for (const name of ['', ...services]) health.setStatus(name, isServing ? 'SERVING' : 'NOT_SERVING');
    },
    endWatches() {
      for (const call of watches)
        call.emit('error', { code: status.UNAVAILABLE, details: 'the server is stopping' });
    },
  };
}
