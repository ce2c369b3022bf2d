import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { renderGuide, type Guide } from './guide-page.ts';

/** Where the files lie: a bundle has copies beside it (tools/build/bundle.mjs). */
const FOLDERS = import.meta.url.endsWith('.js') ? ['./guide/'] : ['./', '../../../viewer/src/styles/'];

function readAsset(name: string): string {
  for (const folder of FOLDERS) {
    try {
      return readFileSync(new URL(folder + name, import.meta.url), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`no ${name} beside the program: build it`);
}

/** The colors, sizes and spaces of the product, as CSS; light and dark. */
export function productTokens(): string {
  return readAsset('tokens.css');
}

/**
 * The guide to an API at the mount point: it explains every operation of the OpenAPI document and runs
 * examples. Everything comes from our own origin; the policy below holds the page to it.
 */
export function docsPage(guide: Guide): Router {
  // The colors and sizes of the product are the viewer's.
  const styles = servedOnce(productTokens() + readAsset('guide.css'), 'text/css; charset=utf-8');
  const script = servedOnce(readAsset('guide.mjs'), 'text/javascript; charset=utf-8');
  let page: ReturnType<typeof servedOnce> | undefined;

  const router = Router();
  router.use(
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    }),
  );
  router.get('/', (req, res, next) => {
    page ??= servedOnce(
      renderGuide(guide, {
        styles: `${req.baseUrl}/guide-${styles.digest}.css`,
        script: `${req.baseUrl}/guide-${script.digest}.js`,
      }),
      'text/html; charset=utf-8',
    );
    page.serve('no-cache')(req, res, next);
  });
  const forEver = 'public, max-age=31536000, immutable';
  router.get(`/guide-${styles.digest}.css`, styles.serve(forEver));
  router.get(`/guide-${script.digest}.js`, script.serve(forEver));
  return router;
}

/** Text that never changes while the process lives, compressed once. */
function servedOnce(text: string, contentType: string) {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('hex').slice(0, 12);
  const gzipped = gzipSync(plain, { level: 9 });
  const serve =
    (cacheControl: string): RequestHandler =>
    (req, res) => {
      res.set({ 'Cache-Control': cacheControl, ETag: `"${digest}"`, Vary: 'Accept-Encoding' });
      if (req.headers['if-none-match'] === `"${digest}"`) return void res.status(304).end();
      const isGzip = req.acceptsEncodings('gzip') === 'gzip';
      if (isGzip) res.set('Content-Encoding', 'gzip');
      res.set('Content-Type', contentType).end(isGzip ? gzipped : plain);
    };
  return { digest, serve };
}
