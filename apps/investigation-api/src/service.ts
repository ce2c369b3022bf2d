import { httpService } from '@platform/service-kit';
import { createDeps } from './deps.ts';
import { createApiServer } from './server.ts';

/**
 * Starts the service and resolves once it takes requests. Errors: those of `createDeps`, and ports that are
 * taken.
 */
export const startService = httpService({
  prefix: 'INVESTIGATION',
  createDeps,
  createServer: createApiServer,
});
