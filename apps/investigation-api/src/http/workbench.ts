import { createHash } from 'node:crypto';
import { SHARE_PAGE_HEADERS } from '@platform/viewer';
import { renderWorkbenchPage, WORKBENCH_PATH, type WorkbenchAssets } from '@platform/workbench';
import { Router } from 'express';

/**
 * The workbench: one document for every path of its own, which asks the API for everything else with the
 * credential that its user pastes. It holds no secret, so it needs none.
 */
export function workbenchRoutes({ page: assets }: WorkbenchAssets): Router {
  const page = Buffer.from(renderWorkbenchPage(assets));
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 16)}"`;
  const router = Router();
  const paths = ['', '/programs', '/sessions/:session_id', '/documents/:document/:version'];
  router.get(
    paths.map((path) => WORKBENCH_PATH + path),
    (req, res) => {
      // A 304 has them, too: a browser shows the page it has under the headers of the response (RFC 9111
      // §4.3.4).
      res.set({ ...SHARE_PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag: etag });
      if (req.fresh) return void res.status(304).end();
      res.end(page);
    },
  );
  return router;
}
