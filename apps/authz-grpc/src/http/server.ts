import { createServer, type Server } from 'node:http';
import { answerParserErrors } from '@platform/service-kit';
import type { Deps } from '../ports.ts';
import { createCheckRoutes } from './check.ts';
import { createRoutes } from './routes.ts';

/** The REST server, not yet listening: the checks first, everything else through Express. */
export function createHttpServer(deps: Deps): Server {
  const answerCheck = createCheckRoutes(deps);
  const app = createRoutes(deps);
  const server = createServer((req, res) => {
    if (!answerCheck(req, res)) app(req, res);
  });
  answerParserErrors(server, (message) => ({ error: 'invalid_request', message }));
  return server;
}
