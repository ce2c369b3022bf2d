import { EXPORT_FORMATS } from '@platform/interchange/formats';
import { baseUrlOf, requestAbortSignal } from '@platform/service-kit';
import { CHANGES_PATH, DATA_PATH, EMBED_PATH, FEED_PATH, IMAGE_PATH } from '@platform/viewer';
import type { Request, RequestHandler } from 'express';
import { Router } from 'express';
import { readPublicShare } from '../operations/read-public-share.ts';
import type { SharePages } from '../page/share-pages.ts';
import { JsonChunks } from '../wire/json-bytes.ts';
import { sendJson } from './send-json.ts';
import type { HttpDeps } from './http-deps.ts';
import type { SendShare } from './share-page.ts';
import {
  sendShareCard,
  sendShareChanges,
  sendShareCsv,
  sendShareData,
  sendShareDocument,
  sendShareExport,
  sendShareFeed,
  sendShareImage,
  sendSharePage,
} from './share-page.ts';

/**
 * Published snapshots, for anyone with the link: the page at `/{uuid}/{slug}`, the snapshot with `.json`
 * behind it, its ranked claims with `.csv`, what its scripts draw from with `/data.json`, its card for other
 * sites with `/embed`, its preview image with `/image.png` and the passages of a document that it quotes with
 * `/documents/{id}/{version}`, its feed with `/feed.atom`, what changed
 * since the publication before with `/changes`, and with `/export/{format}` a file for another
 * tool. Another slug leads to the right one. Unknown, hidden and deleted shares get one and the same 404.
 */
export function shareRoutes(
  deps: Pick<HttpDeps, 'sessions' | 'leases' | 'pages' | 'assets'> & {
    readonly config: Pick<HttpDeps['config'], 'publicUrl' | 'host' | 'port'>;
  },
): Router {
  const router = Router();
  const serve =
    (suffix: string, send: SendShare): RequestHandler<{ uuid: string; slug?: string }> =>
    async (req, res) => {
      const { uuid, slug } = req.params;
      const share = await readPublicShare(deps, uuid, { baseUrl: baseUrlOf(req as Request, deps.config) });
      // A share may be hidden or renamed at any time, so caches must revalidate before each use.
      res.set({ 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex' });
      if (slug !== share.slug || uuid !== uuid.toLowerCase())
        return res.redirect(301, `${share.path}${suffix}${/\?.*$/.exec(req.originalUrl)?.[0] ?? ''}`);
      return send(req as Request, res, share);
    };
  router.get('/:uuid/:slug.json', serve('.json', sendSnapshot(deps.pages)));
  router.get('/:uuid/:slug.csv', serve('.csv', sendShareCsv(deps.pages)));
  router.get(`/:uuid/:slug${DATA_PATH}`, serve(DATA_PATH, sendShareData(deps.pages)));
  router.get(`/:uuid/:slug${EMBED_PATH}`, serve(EMBED_PATH, sendShareCard(deps.pages, deps.assets)));
  router.get(`/:uuid/:slug${CHANGES_PATH}`, serve(CHANGES_PATH, sendShareChanges(deps.pages, deps.assets)));
  router.get([`/:uuid/:slug${FEED_PATH}`, `/:uuid${FEED_PATH}`], serve(FEED_PATH, sendShareFeed(deps.pages)));
  router.get(`/:uuid/:slug${IMAGE_PATH}`, serve(IMAGE_PATH, sendShareImage(deps.pages)));
  for (const format of EXPORT_FORMATS)
    router.get(
      `/:uuid/:slug/export/${format}`,
      serve(`/export/${format}`, sendShareExport(deps.pages, format)),
    );
  router.get('/:uuid/:slug/documents/:document/:version', (req, res, next) => {
    const { document, version } = req.params;
    const suffix = `/documents/${encodeURIComponent(document)}/${encodeURIComponent(version)}`;
    return serve(suffix, sendShareDocument(deps.pages, deps.assets))(req, res, next);
  });
  router.get('/:uuid/:slug', serve('', sendSharePage(deps.pages, deps.assets)));
  return router;
}

const sendSnapshot =
  (pages: SharePages): SendShare =>
  async (req, res, share) => {
    const etag = share.etag;
    const type = { 'Content-Type': 'application/json; charset=utf-8' };
    res.set('ETag', etag);
    if (req.fresh) return void res.status(304).set(type).end();
    res.removeHeader('ETag');
    await pages.withSnapshot(share, requestAbortSignal(res), (snapshot) =>
      sendJson(res.set({ ETag: etag }), new JsonChunks(snapshot)),
    );
  };
