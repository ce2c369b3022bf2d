import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router, static as serveStatic } from 'express';
import helmet from 'helmet';

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/**
 * A page at the mount point to read and try the API described at `openapiUrl`. Everything comes from our own
 * origin; the policy below holds the page to it.
 */
export function docsPage(options: { title: string; openapiUrl: string }): Router {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const page = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${options.title}</title>
    <link rel="stylesheet" href="${base}/swagger-ui.css" />
    <link rel="icon" href="${base}/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}/swagger-ui-bundle.js"></script>
    <script src="${base}/initializer.js"></script>
  </body>
</html>
`;
  const initializer = `SwaggerUIBundle(${JSON.stringify({
    url: options.openapiUrl,
    dom_id: '#swagger-ui',
    validatorUrl: null,
    deepLinking: true,
    // The payloads are large: fold them until asked for.
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
  })});\n`;

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
  router.get('/', (req, res) => void res.type('html').send(page(req.baseUrl)));
  router.get('/initializer.js', (_req, res) => void res.type('js').send(initializer));
  router.get(
    FILES.map((file) => `/${file}`),
    serveStatic(root, { index: false, maxAge: '1h' }),
  );
  return router;
}
