/**
 * `npm run screens [-- --only=desk-list] [-- --out=<folder>]`: draws pages of shares and screens of the desk
 * in every state - empty, loading, failed, and with 1, 300 and 10,000 claims - at 1440 and 390 px, light and
 * dark, into `dist/screens`, for somebody to look at. Prints what is wider than its window and what a browser
 * complains of, and ends with 1 then. investigation-api is built before; `--only` draws what has these words
 * in its name.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium } from '@platform/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { readOptions } from '../command-line.ts';
import { PANES, ROOT, startShown, TABS } from './service.ts';

const VIEWS = [
  { name: '1440-light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: '1440-dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: '390-light', colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true },
  { name: '390-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 }, isMobile: true },
] as const;
const API = '**/api/v1/**';
/** Pixels. A page of 10,000 claims is too long to be looked at. */
const DEPTH_MAX = 2_500;

const values = readOptions(import.meta.filename, {
  only: { type: 'string', default: '' },
  out: { type: 'string', default: join(ROOT, 'dist/screens') },
});
const isWanted = (name: string) => name.includes(values.only);
mkdirSync(values.out, { recursive: true });

const { url, token, beginner, shares, stop } = await startShown();
const browser = await startChromium();
const complaints: string[] = [];

/** Draws what the page shows once it is at rest, as far down as DEPTH_MAX. */
async function draw(page: Page, name: string): Promise<void> {
  const { width } = page.viewportSize()!;
  const deep = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(deep, DEPTH_MAX) };
  await page.screenshot({ path: join(values.out, `${name}.png`), fullPage: true, clip });
  const overflow = await page.evaluate(
    // The inner width of a phone grows with what is too wide.
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) complaints.push(`${name}: ${overflow} px wider than the window`);
}

async function openPage(context: BrowserContext, name: string): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`${name}: ${error.message}`));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(`${name}: ${message.text()}`);
  });
  return page;
}

async function drawPage(context: BrowserContext, name: string, address: string): Promise<void> {
  if (!isWanted(name)) return;
  const page = await openPage(context, name);
  await page.goto(address, { waitUntil: 'networkidle' });
  await draw(page, name);
  await page.close();
}

/** Draws a screen of the desk; `state` says what becomes of its requests. */
async function drawDesk(
  context: BrowserContext,
  name: string,
  path: string,
  {
    credential = token,
    state = 'there',
  }: { credential?: string; state?: 'there' | 'loading' | 'failed' } = {},
): Promise<void> {
  if (!isWanted(name)) return;
  const page = await openPage(context, name);
  await page.addInitScript((text) => sessionStorage.setItem('credential', text), credential);
  // Never answered: what is drawn is the wait.
  if (state === 'loading') await page.route(API, () => undefined);
  if (state === 'failed')
    await page.route(API, (route) => route.fulfill({ status: 503, json: { error: 'unavailable' } }));
  await page.goto(url + path, { waitUntil: state === 'loading' ? 'load' : 'networkidle' });
  await page.locator('main').waitFor();
  await draw(page, name);
  await page.close();
}

try {
  for (const { name: view, ...options } of VIEWS) {
    const context = await browser.newContext({ ...options, hasTouch: 'isMobile' in options });
    for (const [state, address] of Object.entries(shares))
      for (const pane of PANES)
        await drawPage(context, `page-${state}-${pane}-${view}`, `${address}?pane=${pane}`);
    await drawPage(context, `page-absent-${view}`, `${url}/share/00000000-0000-4000-8000-000000000000/x`);
    await drawPage(context, `page-card-${view}`, `${shares.example}/embed`);
    await drawPage(context, `page-guide-${view}`, `${url}/how-it-judges`);
    await drawPage(context, `docs-${view}`, `${url}/docs`);
    await drawPage(context, `desk-sign-in-${view}`, `${url}/app`);
    await drawDesk(context, `desk-list-empty-${view}`, '/app', { credential: beginner });
    for (const state of ['there', 'loading', 'failed'] as const) {
      await drawDesk(context, `desk-list-${state}-${view}`, '/app', { state });
      await drawDesk(context, `desk-session-${state}-${view}`, '/app/sessions/example', { state });
    }
    for (const id of Object.keys(shares))
      for (const tab of TABS)
        await drawDesk(context, `desk-${id}-${tab}-${view}`, `/app/sessions/${id}#${tab}`);
    await context.close();
  }
} finally {
  await browser.close();
  await stop();
}
for (const complaint of complaints) console.log(complaint);
console.log(`drawn into ${values.out}; ${complaints.length} complaints`);
process.exitCode = complaints.length === 0 ? 0 : 1;
