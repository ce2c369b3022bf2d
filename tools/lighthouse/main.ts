/**
 * `npm run lighthouse [-- --only=mesh] [-- --write]`: Lighthouse's scores of performance and accessibility,
 * for every pane of a page of 300 claims as a phone sees it and every screen of the desk on a desktop, with
 * the settings that Lighthouse has for each. Prints what takes points from a screen; `--write` puts the table
 * into docs/benchmarks.md. Ends with 1 when a screen misses what is wanted of it. Lighthouse is fetched from
 * npm once and is no dependency; build investigation-api before, or it says how.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cachedFolder, findChromium } from '@platform/testing';
import { readOptions } from '../command-line.ts';
import { replaceBetween } from '../bench/rows.ts';
import { PANES, ROOT, startShown, TABS } from '../screens/service.ts';

const LIGHTHOUSE = '12.8.2';
const PUPPETEER = '24.43.1';
const PERFORMANCE_MIN = 95;
const ACCESSIBILITY_MIN = 100;
const DOCS = join(ROOT, 'docs/benchmarks.md');

interface Audit {
  readonly score: number | null;
  readonly title: string;
  /** The figure measured, with its unit. */
  readonly displayValue?: string;
}
interface Report {
  readonly categories: Readonly<
    Record<
      'performance' | 'accessibility',
      { readonly score: number | null; readonly auditRefs: readonly { id: string; weight: number }[] }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}
interface Page {
  evaluateOnNewDocument(script: (credential: string) => void, credential: string): Promise<unknown>;
  close(): Promise<void>;
}
interface Launched {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Screen {
  readonly name: string;
  readonly path: string;
  readonly isDesk: boolean;
  /** Default: the analyst's token. */
  readonly credential?: string;
}
type Lighthouse = (
  address: string,
  flags: object,
  config: object | undefined,
  page: Page,
) => Promise<{ readonly lhr: Report }>;

const values = readOptions(import.meta.filename, {
  only: { type: 'string', default: '' },
  write: { type: 'boolean', default: false },
});

const folder = await cachedFolder(`lighthouse-${LIGHTHOUSE}-${PUPPETEER}`, async (draft) => {
  const packages = [`lighthouse@${LIGHTHOUSE}`, `puppeteer-core@${PUPPETEER}`];
  const install = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  await promisify(execFile)('npm', install);
});
const fetched = (path: string) => import(pathToFileURL(join(folder, 'node_modules', path)).href);
const { default: lighthouse, desktopConfig } = (await fetched('lighthouse/core/index.js')) as {
  default: Lighthouse;
  desktopConfig: object;
};
const { launch } = (await fetched('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')) as {
  launch(options: object): Promise<Launched>;
};

const { url, token, shares, stop } = await startShown();
const browser = await launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-background-networking'],
});
const screens = [
  ...PANES.map((pane) => ({ name: `page, ${pane}`, path: `${shares['300']}?pane=${pane}`, isDesk: false })),
  { name: 'page about judging', path: `${url}/how-it-judges`, isDesk: false },
  { name: 'guide', path: `${url}/docs`, isDesk: false },
  { name: 'desk, sign-in', path: `${url}/app`, isDesk: true, credential: '' },
  { name: 'desk, list', path: `${url}/app`, isDesk: true },
  ...TABS.map((tab) => ({ name: `desk, ${tab}`, path: `${url}/app/sessions/300#${tab}`, isDesk: true })),
].filter(({ name }) => name.includes(values.only)) as readonly Screen[];

const percent = (score: number | null) => Math.round((score ?? 0) * 100);

/** What takes points of a category from a report: its title, and the figure measured where there is one. */
function losses({ categories, audits }: Report, category: 'performance' | 'accessibility'): string[] {
  return categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && audits[id]!.score !== null && audits[id]!.score < 1)
    .map(({ id }) => [audits[id]!.title, audits[id]!.displayValue].filter(Boolean).join(': '));
}

const rows: string[] = [];
try {
  for (const { name, path, isDesk, credential = token } of screens) {
    const page = await browser.newPage();
    const signedIn = isDesk ? credential : '';
    if (signedIn !== '')
      await page.evaluateOnNewDocument((text) => sessionStorage.setItem('credential', text), signedIn);
    const flags = { onlyCategories: ['performance', 'accessibility'], disableStorageReset: true };
    const { lhr } = await lighthouse(path, flags, isDesk ? desktopConfig : undefined, page);
    await page.close();
    const performance = percent(lhr.categories.performance.score);
    const accessibility = percent(lhr.categories.accessibility.score);
    const isReached = performance >= PERFORMANCE_MIN && accessibility >= ACCESSIBILITY_MIN;
    if (!isReached) process.exitCode = 1;
    rows.push(`| ${name} | ${performance} | ${accessibility} | ${isReached ? 'reached' : '**missed**'} |`);
    console.log(rows.at(-1));
    for (const title of losses(lhr, 'accessibility')) console.log(`    accessibility: ${title}`);
    if (performance < PERFORMANCE_MIN)
      for (const title of losses(lhr, 'performance')) console.log(`    performance: ${title}`);
  }
} finally {
  await browser.close();
  await stop();
}

const load = loadavg()[0]!.toFixed(1);
const table = [
  `Lighthouse ${LIGHTHOUSE}, at a load average of ${load}: share pages of 300 claims as a phone on a slow network sees them, the desk on a desktop. Wanted are ${PERFORMANCE_MIN} for performance and ${ACCESSIBILITY_MIN} for accessibility.`,
  '',
  '| screen | performance | accessibility | |',
  '| --- | --- | --- | --- |',
  ...rows,
].join('\n');
if (values.write) writeFileSync(DOCS, replaceBetween(readFileSync(DOCS, 'utf8'), 'lighthouse', table));
