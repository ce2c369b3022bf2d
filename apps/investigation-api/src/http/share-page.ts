import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { renderInvestigationError, toDomainError } from '@platform/error-contracts';
import { EXPORT_TYPES, type ExportFormat } from '@platform/interchange/formats';
import {
  ASSET_CACHE_CONTROL,
  EMBED_HEADERS,
  EMBED_PATH,
  GUIDE_PATH,
  PANE_IDS,
  renderErrorPage,
  renderGuidePage,
  SHARE_PAGE_HEADERS,
  type ShareAssets,
} from '@platform/viewer';
import { requestAbortSignal } from '@platform/service-kit';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { Router } from 'express';
import type { ReadShare } from '../operations/read-public-share.ts';
import type { Drawing } from '../page/page-task.ts';
import type { SharePages } from '../page/share-pages.ts';

/** Sends one form of a share. */
export type SendShare = (req: Request, res: Response, share: ReadShare) => void | Promise<void>;

/**
 * The styles and scripts of pages, at their paths. Their names change with their content, so they are kept
 * for ever.
 */
export function assetRoutes({ files }: Pick<ShareAssets, 'files'>): Router {
  const router = Router();
  for (const { path, contentType, body } of files) {
    router.get(path, (_req, res) => {
      res.set({ 'Content-Type': contentType, 'Cache-Control': ASSET_CACHE_CONTROL }).end(body);
    });
  }
  return router;
}

/** The page that every share links to: what its numbers mean. The same for everyone, and public. */
export function guideRoute({ page: assets, guide }: ShareAssets): Router {
  const page = Buffer.from(renderGuidePage(guide, assets));
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 16)}"`;
  const router = Router();
  router.get(GUIDE_PATH, (req, res) => {
    res.set({ ...SHARE_PAGE_HEADERS, 'Cache-Control': 'no-cache', ETag: etag });
    if (req.fresh) return void res.status(304).end();
    res.end(page);
  });
  return router;
}

/** Sends the page of a share. */
export function sendSharePage(pages: SharePages, { page: assets }: ShareAssets): SendShare {
  return drawn(pages, versionOf(assets), { drawingOf, headersOf: () => SHARE_PAGE_HEADERS });
}

/** The same snapshot drawn by other scripts and styles is another page. */
const versionOf = (assets: ShareAssets['page']) =>
  createHash('sha256').update(JSON.stringify(assets)).digest('base64url').slice(0, 8);

/** Sends the card of a share, which other sites may frame. */
export function sendShareCard(pages: SharePages, { page: assets }: ShareAssets): SendShare {
  const send = drawn(pages, versionOf(assets), {
    drawingOf: () => ({ form: 'embed' }),
    headersOf: () => EMBED_HEADERS,
  });
  return (req, res, share) => {
    res.removeHeader('X-Frame-Options');
    return send(req, res, share);
  };
}

/** Sends the preview image of a share, which other sites may load. */
export function sendShareImage(pages: SharePages): SendShare {
  return drawn(pages, 'image', {
    drawingOf: () => ({ form: 'image' }),
    headersOf: () => ({ 'Content-Type': 'image/png', 'Cross-Origin-Resource-Policy': 'cross-origin' }),
  });
}

/** Sends what a share shows of a document that it quotes. */
export function sendShareDocument(pages: SharePages, { page: assets }: ShareAssets): SendShare {
  return drawn(pages, versionOf(assets), {
    drawingOf: ({ params }) => ({
      form: 'document',
      document: String(params['document']),
      version: Number(params['version']),
    }),
    headersOf: () => SHARE_PAGE_HEADERS,
    mayBeMissing: true,
  });
}

/** Sends what changed since the publication before. */
export function sendShareChanges(pages: SharePages, { page: assets }: ShareAssets): SendShare {
  return drawn(pages, versionOf(assets), {
    drawingOf: () => ({ form: 'changes' }),
    headersOf: () => SHARE_PAGE_HEADERS,
    mayBeMissing: true,
  });
}

/** Numbers of pages that an address may ask for: more than any share has. */
const PAGE_NUMBER = /^[1-9]\d?$/;

/** The document that an address asks for: the first page of the chosen pane where it names no other. */
function drawingOf({ query }: Request): Drawing {
  return {
    form: 'html',
    pane: PANE_IDS.find((id) => id === query['pane']),
    page: typeof query['page'] === 'string' && PAGE_NUMBER.test(query['page']) ? Number(query['page']) : 1,
  };
}

/** Sends an error page to browsers where a share cannot be shown; programs get the contract's errors. */
export function errorPages({ page: assets }: Pick<ShareAssets, 'page'>): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error);
    res.vary('Accept').set('Cache-Control', 'no-cache');
    const domainError = toDomainError(error);
    // Unexpected errors are logged where all others are.
    if (domainError.kind === 'internal' || req.accepts(['json', 'html']) !== 'html') return next(error);
    if (domainError.cause !== undefined) req.log().warn({ err: domainError.cause }, domainError.message);
    const { status, headers } = renderInvestigationError(domainError, { requestId: req.id });
    // A frame that may not be shown says nothing to its reader.
    const isFramed = req.path.endsWith(EMBED_PATH);
    if (isFramed) res.removeHeader('X-Frame-Options');
    res.status(status).set({ ...headers, ...(isFramed ? EMBED_HEADERS : SHARE_PAGE_HEADERS) });
    res.end(renderErrorPage(status, assets));
  };
}

/** Sends the ranked claims of a share as CSV. */
export function sendShareCsv(pages: SharePages): SendShare {
  return drawn(pages, 'csv', {
    drawingOf: () => ({ form: 'csv' }),
    headersOf: ({ slug }) => ({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': contentDisposition(slug, 'csv'),
    }),
  });
}

/** Sends a share in the format of another tool. */
export function sendShareExport(pages: SharePages, format: ExportFormat): SendShare {
  const { contentType, extension } = EXPORT_TYPES[format];
  return drawn(pages, `export-${format}`, {
    drawingOf: () => ({ form: 'export', format }),
    headersOf: ({ slug }) => ({
      'Content-Type': contentType,
      'Content-Disposition': contentDisposition(slug, extension),
    }),
  });
}

/** Sends the feed of a share. */
export function sendShareFeed(pages: SharePages): SendShare {
  return drawn(pages, 'feed', {
    drawingOf: async (_req, share) => ({ form: 'feed', entries: await share.feed() }),
    headersOf: () => ({ 'Content-Type': 'application/atom+xml; charset=utf-8' }),
  });
}

/** Sends what the scripts of a share's page draw from. */
export function sendShareData(pages: SharePages): SendShare {
  return drawn(pages, 'data', {
    drawingOf: () => ({ form: 'data' }),
    headersOf: () => ({ 'Content-Type': 'application/json; charset=utf-8' }),
  });
}

const unzip = promisify(gunzip);

/** Draws a page; `version` is the state that it depends on besides the share. */
function drawn(
  pages: SharePages,
  version: string,
  {
    drawingOf: drawingFor,
    headersOf,
    mayBeMissing = false,
  }: {
    readonly drawingOf: (req: Request, share: ReadShare) => Drawing | Promise<Drawing>;
    readonly headersOf: (share: ReadShare) => Readonly<Record<string, string>>;
    /** A share may have no such page, which is known once it is drawn. */
    readonly mayBeMissing?: boolean;
  },
): SendShare {
  return async (req, res, share) => {
    const etag = `"${version}-${share.etag.slice(1)}`;
    res.set('ETag', etag);
    const hasPage = req.fresh;
    // A browser shows the page it has under the headers of this response, its policy among them (RFC 9111
    // §4.3.4).
    const sendUnchanged = () =>
      void res
        .status(304)
        .set({ ...headersOf(share), ETag: etag })
        .end();
    if (hasPage && !mayBeMissing) return sendUnchanged();
    res.removeHeader('ETag');
    try {
      const drawing = await drawingFor(req, share);
      const bytes = await pages.render(share, drawing, requestAbortSignal(res));
      if (hasPage) return sendUnchanged();
      res.set({ ...headersOf(share), ETag: etag });
      if (drawing.form === 'image') return void res.end(bytes);
      res.vary('Accept-Encoding');
      // Written before, once for all readers; the compression of responses passes over what is encoded
      // already.
      if (req.acceptsEncodings('gzip', 'identity') === 'gzip') res.set('Content-Encoding', 'gzip').end(bytes);
      else res.end(await unzip(bytes));
    } catch (error) {
      // The client disconnected; the request log records it.
      if (!res.destroyed) throw error;
    }
  };
}

/** Source: RFC 6266 §4.3, RFC 8187 §3.2; the plain form is for clients that know no other. */
function contentDisposition(slug: string, extension: string): string {
  const ascii = slug.replace(/[^\x20-\x7e]+/g, '_');
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${encodeURIComponent(slug)}.${extension}`;
}
