import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startChromium, type BenchRow, median } from '@platform/testing';

const CLAIMS = 1000;
const ROUNDS = 5;
const INTERACTIVE_MS_MAX = 1000;
const HTML_MB_MAX = 1;
const SCRIPT_KB_MAX = 60;
const MEASURE = '--measure-share-page';

/** Speed and size of the share page of a large snapshot, in a real browser. */
export async function run(): Promise<BenchRow[]> {
  // A process of its own: components need this library's JSX settings, which tsx takes from one file for all.
  const output = execFileSync(process.execPath, ['--import', 'tsx', import.meta.filename, MEASURE], {
    env: { ...process.env, TSX_TSCONFIG_PATH: fileURLToPath(new URL('../tsconfig.json', import.meta.url)) },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output.trim().split('\n').at(-1)!) as BenchRow[];
}

/** Runs in the page: the mark that the script leaves when the first pane is alive. */
const ALIVE_AFTER_FIRST_BYTE = `performance.getEntriesByName('alive')[0].startTime
  - performance.getEntriesByType('navigation')[0].responseStart`;
const OPEN_AUDIT = `(async () => {
  const start = performance.now();
  document.getElementById('tab-audit').click();
  while (!document.querySelector('html[data-alive~=audit] .audit')) await new Promise(requestAnimationFrame);
  return performance.now() - start;
})()`;

const kilobytes = (text: string | Buffer) => gzipSync(text, { level: 9 }).length / 1000;

async function measure(): Promise<BenchRow[]> {
  const { largeInput, snapshotOf } = await import('../src/snapshot.fixture.ts');
  const { renderSharePage } = await import('../src/index.ts');
  const { openPage, startShareSite } = await import('../e2e/share-site.fixture.ts');
  const snapshot = snapshotOf(largeInput(CLAIMS));
  const [site, browser] = await Promise.all([startShareSite(), startChromium()]);
  const assets = site.assets.page;
  const render: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    renderSharePage(snapshot, { assets });
    render.push(performance.now() - start);
  }
  const html = renderSharePage(snapshot, { assets });
  const url = site.urlOf(snapshot);
  const interactive: number[] = [];
  const audit: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await openPage(browser, url);
    // From the first byte: what comes before is the server's, which keeps the page once drawn.
    interactive.push(await page.evaluate(ALIVE_AFTER_FIRST_BYTE));
    audit.push(await page.evaluate(OPEN_AUDIT));
    await page.context().close();
  }
  await browser.close();
  await site.stop();
  const scripts = site.assets.files.filter(({ path }) => path.endsWith('.js'));
  const scriptKilobytes = scripts.reduce((sum, { body }) => sum + kilobytes(body), 0);
  const detail = `${CLAIMS} claims, median of ${ROUNDS}`;
  return [
    row('share page, first byte to interactive', median(interactive), 'ms', INTERACTIVE_MS_MAX, detail),
    row('share page, click to the audit alive', median(audit), 'ms', INTERACTIVE_MS_MAX, detail),
    row('share page, scripts gzipped', scriptKilobytes, 'kB', SCRIPT_KB_MAX, 'gzip -9'),
    row('share page, rendering on the server', median(render), 'ms', null, detail),
    row('share page, HTML gzipped', kilobytes(html), 'kB', null, 'gzip -9'),
    row('share page, HTML', html.length / 1e6, 'MB', HTML_MB_MAX, `${CLAIMS} claims, first document`),
  ];
}

function row(name: string, value: number, unit: string, most: number | null, detail: string): BenchRow {
  return {
    name,
    value: Math.round(value * 10) / 10,
    unit,
    target: most === null ? '' : `< ${most}`,
    pass: most === null || value < most,
    detail,
  };
}

if (process.argv.includes(MEASURE)) console.log(JSON.stringify(await measure()));
