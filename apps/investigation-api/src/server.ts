import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { renderInvestigationError } from '@platform/error-contracts';
import {
  errorHandler,
  respondToParserErrors,
  cors,
  createUploadLimiter,
  docsPage,
  HEAD_TIMES,
  requestLog,
  requestTrace,
  securityHeaders,
  unknownUrl,
} from '@platform/service-kit';
import { ASSETS_PATH } from '@platform/viewer';
import { WORKBENCH_ASSETS_PATH, WORKBENCH_PATH } from '@platform/workbench';
import compression from 'compression';
import express from 'express';
import { CORS_RULES } from './http/cors-rules.ts';
import { deskSessionRoutes } from './http/desk-session.ts';
import { guideOf } from './http/guide.ts';
import { llmsText } from './http/llms-text.ts';
import type { HttpDeps } from './http/http-deps.ts';
import { buildOpenApi } from './http/openapi.ts';
import { METADATA_PATH, protectedResourceRoutes } from './http/protected-resource.ts';
import { apiRoutes } from './http/routes.ts';
import { assetRoutes, guideRoute, errorPages } from './http/share-page.ts';
import { shareRoutes } from './http/share-routes.ts';
import { workbenchRoutes } from './http/workbench.ts';
import { mcpRouter } from './mcp/http.ts';
import { TOOLS } from './mcp/tools.ts';

/** The service's HTTP server, not yet listening. */
export function createApiServer(deps: HttpDeps): Server {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(requestTrace(deps.tracing), requestLog(deps.logger), deps.metrics.middleware, securityHeaders());

  app.use(['/api/v1', '/mcp', METADATA_PATH], cors(deps.config.corsOrigins, CORS_RULES));
  const { bodyBytesMax, bodyBytesInFlightMax: roomBytes } = deps.config;
  const uploads = createUploadLimiter({ roomBytes, bodyBytesMax });
  app.use('/api/v1', apiRoutes(deps, uploads));
  // People who open the service in a browser want the workbench.
  app.get('/', (_req, res) => res.redirect(302, WORKBENCH_PATH));
  const document = buildOpenApi(TOOLS);
  const openApi = JSON.stringify(document);
  app.get('/openapi.json', (_req, res) => void res.type('json').send(openApi));
  app.use('/docs', docsPage(guideOf(document, deps.config)));
  app.use(`${WORKBENCH_PATH}/session`, deskSessionRoutes(deps));
  // What readers' browsers load; responses of the API go to programs nearby, for which deflating costs more
  // than sending.
  app.use(['/share', ASSETS_PATH, WORKBENCH_PATH, WORKBENCH_ASSETS_PATH], compression());
  app.use(
    assetRoutes(deps.assets),
    guideRoute(deps.assets),
    assetRoutes(deps.workbench),
    workbenchRoutes(deps.workbench),
  );
  app.use('/share', shareRoutes(deps));
  app.use(protectedResourceRoutes(deps.config), llmsText(deps.config));
  app.use('/mcp', mcpRouter(deps, uploads));
  app.use(unknownUrl, deps.metrics.countRefusals);
  app.use('/share', errorPages(deps.assets));
  app.use(errorHandler(renderInvestigationError));

  const server = createServer(HEAD_TIMES, app);
  respondToParserErrors(server, (error) => ({ error }));
  return server;
}
