import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  ASSET_CACHE_CONTROL,
  DATA_PATH,
  EMBED_HEADERS,
  EMBED_PATH,
  loadShareAssets,
  type PaneId,
  rankedClaimsCsv,
  renderEmbedPage,
  renderSharePage,
  shareData,
  SHARE_PAGE_HEADERS,
  type ShareSnapshot,
} from '../src/index.ts';

const BUILD = fileURLToPath(new URL('../build.mjs', import.meta.url));

export interface ShareSite {
  /** The address of a snapshot's page. */
  readonly urlOf: (snapshot: ShareSnapshot) => string;
  readonly assets: ReturnType<typeof loadShareAssets>;
  readonly stop: () => Promise<void>;
}

/** The built page behind its real headers, on a free port. */
export async function startShareSite(): Promise<ShareSite> {
  const folder = mkdtempSync(join(tmpdir(), 'viewer-'));
  execFileSync(process.execPath, [BUILD, folder]);
  const assets = loadShareAssets(folder);
  const pages = new Map<string, ShareSnapshot>();
  const server = createServer((request, response) => {
    const { pathname: path, searchParams } = new URL(request.url!, 'http://localhost');
    const asset = assets.files.find((file) => file.path === path);
    const [page, extension] = /^(.*?)(\/data\.json|\/embed|\.json|\.csv)?$/.exec(path)!.slice(1) as [
      string,
      string | undefined,
    ];
    const snapshot = pages.get(page);
    if (asset) {
      response.writeHead(200, { 'Content-Type': asset.contentType, 'Cache-Control': ASSET_CACHE_CONTROL });
      response.end(asset.body);
    } else if (snapshot && extension === DATA_PATH) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(shareData(snapshot));
    } else if (snapshot && extension === EMBED_PATH) {
      response.writeHead(200, EMBED_HEADERS);
      response.end(renderEmbedPage(snapshot, assets.page));
    } else if (snapshot && extension === '.json') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(snapshot));
    } else if (snapshot && extension === '.csv') {
      response.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' });
      response.end(rankedClaimsCsv(snapshot));
    } else if (snapshot) {
      response.writeHead(200, SHARE_PAGE_HEADERS);
      response.end(
        renderSharePage(snapshot, {
          assets: assets.page,
          pane: (searchParams.get('pane') as PaneId | null) ?? undefined,
          page: Number(searchParams.get('page') ?? 1),
        }),
      );
    } else {
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    assets,
    urlOf(snapshot) {
      const path = `/share/page-${pages.size}/${snapshot.share.slug}`;
      pages.set(path, snapshot);
      return `http://127.0.0.1:${port}${path}`;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a page complained about and where it sent requests. */
export interface PageLog {
  readonly problems: string[];
  readonly requests: string[];
}

/**
 * Opens the address in a context of its own; the log fills as the page runs. Waits until the shown pane is
 * alive.
 */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page & { log: PageLog }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const log: PageLog = { problems: [], requests: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) log.problems.push(message.text());
  });
  page.on('pageerror', (error) => log.problems.push(String(error)));
  await page.exposeFunction('noteViolation', (directive: string) =>
    log.problems.push(`violated ${directive}`),
  );
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => noteViolation(event.effectiveDirective + ' ' + event.blockedURI))`,
  );
  page.on('request', (request) => log.requests.push(request.url()));
  await page.goto(url);
  if (options.javaScriptEnabled !== false)
    await page.waitForSelector('html[data-alive]', { state: 'attached' });
  return Object.assign(page, { log });
}
