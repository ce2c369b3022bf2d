import { createServer, type Server } from 'node:http';
import { answerParserErrors, HEAD_TIMES } from '@platform/service-kit';
import type { TransportDeps } from '../ports.ts';
import { createAccess } from './access.ts';
import { createCheckRoutes } from './check.ts';
import { createRoutes } from './routes.ts';

/** The REST server, not yet listening: the checks first, everything else through Express. */
export function createHttpServer(deps: TransportDeps): Server {
  const access = createAccess(deps.config);
  const answerCheck = createCheckRoutes(deps, access);
  const app = createRoutes(deps, access);
  const server = createServer(HEAD_TIMES, (req, res) => {
    if (!answerCheck(req, res)) app(req, res);
  });
  answerParserErrors(server, (message) => ({ error: 'invalid_request', message }));
  return server;
}
