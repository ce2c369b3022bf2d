import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { renderInvestigationError } from '@platform/error-contracts';
import { errorHandler, HEAD_TIMES, requestLog, securityHeaders, unknownUrl } from '@platform/service-kit';
import { ASSETS_PATH, loadShareAssets } from '@platform/viewer';
import compression from 'compression';
import express from 'express';
import { createSharePages } from '../page/share-pages.ts';
import type { HttpDeps } from './http-deps.ts';
import { assetRoutes, errorPages, guideRoute } from './share-page.ts';
import { shareRoutes } from './share-routes.ts';

const HOST = '127.0.0.1';

/**
 * Serves the public shares of `sessions` on a free port of this computer, and nothing else, until `close`.
 * `baseUrl` is where their links begin. For a process that is not a service but hands out such links.
 */
export async function serveLocalShares({
  logger,
  sessions,
  leases,
  memoryMiBMax,
}: Pick<HttpDeps, 'logger' | 'sessions' | 'leases'> & { readonly memoryMiBMax: number }): Promise<{
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}> {
  const assets = loadShareAssets(fileURLToPath(new URL('./viewer/', import.meta.url)));
  const pages = createSharePages({ assets: assets.page, memoryMiBMax });
  const address = { host: HOST, port: 0, publicUrl: undefined };
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(requestLog(logger), securityHeaders());
  app.use(['/share', ASSETS_PATH], compression());
  app.use(assetRoutes(assets), guideRoute(assets));
  app.use('/share', shareRoutes({ sessions, leases, pages, assets, config: address }));
  app.use(unknownUrl);
  app.use('/share', errorPages(assets));
  app.use(errorHandler(renderInvestigationError));

  const server = createServer(HEAD_TIMES, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  return {
    baseUrl: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pages.close();
    },
  };
}
