import { beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { PANE_IDS } from '../src/index.ts';
import { verdictFragment } from '../src/format/fragments.ts';
import { exampleInput, largeInput, snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage } from './share-site.fixture.ts';
import { useShareSite } from './visit.fixture.ts';

const SCRIPT_BYTES_MAX = 60_000;
const SNAPSHOT = snapshotOf(exampleInput('first-flight'));
const { site, browser } = useShareSite();
let url: string;

beforeAll(() => {
  url = site.urlOf(SNAPSHOT);
});

const visiblePanes = (page: Page) =>
  page.locator('section.pane:visible').evaluateAll((panes) => panes.map(({ id }) => id));
const closeAll = () => Promise.all(browser.contexts().map((context) => context.close()));

describe('the share page', () => {
  it('the share page opens every pane without a browser error, a policy violation or a request to another host', async () => {
    covers('INV-V.4');
    const page = await openPage(browser, url);
    for (const id of PANE_IDS) {
      await page.click(`#tab-${id}`);
      await eventually(() => visiblePanes(page)).toEqual([id]);
      await page.waitForFunction(
        (pane) => document.documentElement.dataset['alive']?.split(' ').includes(pane),
        id,
      );
    }
    expect(page.log.problems).toEqual([]);
    const { origin } = new URL(url);
    expect(
      page.log.requests.filter((request) => !request.startsWith(origin) && !request.startsWith('data:')),
    ).toEqual([]);
    await closeAll();
  });

  it('the share page names the question and the answer for link previews, and stays out of search engines', async () => {
    covers('INV-V.12');
    const page = await openPage(browser, url, { javaScriptEnabled: false });
    const meta = (key: string) =>
      page.getAttribute(`meta[property="${key}"], meta[name="${key}"]`, 'content');
    await eventually(() => page.title()).toContain(
      'Who made the first powered, controlled and sustained flight',
    );
    await eventually(() => meta('og:title')).toBe(await page.title());
    await eventually(() => meta('og:url')).toBe(SNAPSHOT.share.url);
    await eventually(() => meta('og:description')).toMatch(
      /^The first powered, controlled and sustained flight was almost certainly achieved by Wilbur and Orville Wright \(chance \d\d %\)\. Four independent sources say so; Henrique Lins de Barros[^.]+\. Evidence: strong\.$/,
    );
    await eventually(() => meta('robots')).toBe('noindex');
    await closeAll();
  });

  it('the share page opens the pane its owner chose, and the pane, claim or verdict that the address names', async () => {
    covers('INV-V.2');
    const chosen = snapshotOf(exampleInput('first-flight'), {
      share: { ...SNAPSHOT.share, preferred_pane: 'audit' },
    });
    const audited = await openPage(browser, site.urlOf(chosen));
    await eventually(() => visiblePanes(audited)).toEqual(['audit']);
    const timed = await openPage(browser, `${url}#timeline`);
    await eventually(() => visiblePanes(timed)).toEqual(['timeline']);
    const claim = await openPage(browser, `${url}#claim-gibbs-smith-first`);
    await eventually(() => claim.textContent('#claim-drawer blockquote')).toContain('C. H. Gibbs-Smith');
    const verdict = await openPage(browser, `${url}#${verdictFragment(langley(), 'capable_of_flight')}`);
    await verdict.locator('.finding:target details[open]').waitFor();
    await closeAll();
  });

  it("the share page keeps the server's drawing when scripts take over", async () => {
    const still = await openPage(browser, url, { javaScriptEnabled: false });
    const alive = await openPage(browser, url);
    for (const id of PANE_IDS) {
      await alive.click(`#tab-${id}`);
      await alive.waitForFunction(
        (pane) => document.documentElement.dataset['alive']?.split(' ').includes(pane),
        id,
      );
      // The overview stays the server's; the browser draws the words of the audit that the server draws.
      if (id !== 'overview' && id !== 'audit') continue;
      await still.goto(`${url}?pane=${id}`);
      const selector = `[data-pane-body=${id}]`;
      const drawn = (page: Page) => page.textContent(selector);
      await eventually(() => drawn(alive)).toBe(await drawn(still));
    }
    await closeAll();
  });

  it('the share page finds claims and findings by any word', async () => {
    const page = await openPage(browser, url);
    await page.fill('.search input', 'gibbs wilbur');
    await page.locator('.search-results [role=status]', { hasText: /1.claim/ }).waitFor();
    await page.click('.search-results .claim-link');
    await eventually(() => page.textContent('#claim-drawer .claim-id')).toBe('gibbs-smith-first');
    await eventually(() => page.locator('.search-results').count()).toBe(0);
    await closeAll();
  });

  it('the share page gives the snapshot as JSON and the ranked claims as CSV', async () => {
    covers('INV-V.9');
    const page = await openPage(browser, url, { javaScriptEnabled: false });
    const address = async (text: string) =>
      new URL((await page.locator('a', { hasText: text }).getAttribute('href'))!, url).href;
    const json = (await (await fetch(await address('Download JSON'))).json()) as unknown;
    expect(json).toEqual(JSON.parse(JSON.stringify(SNAPSHOT)));
    const csv = await (await fetch(await address('Ranked claims as CSV'))).text();
    expect(csv.split('\r\n')).toHaveLength(SNAPSHOT.input.claims.length + 2);
    await closeAll();
  });

  it(`the share page needs less than ${SCRIPT_BYTES_MAX / 1000} kB of scripts`, () => {
    covers('INV-V.10');
    const scripts = site.assets.files.filter(({ path }) => path.endsWith('.js'));
    const bytes = scripts.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0);
    expect(scripts).toHaveLength(2);
    expect(bytes).toBeLessThan(SCRIPT_BYTES_MAX);
  });
});

describe('without scripts', () => {
  it('a page without scripts shows one pane, links to the others, and links a claim to its record', async () => {
    covers('INV-V.1');
    const page = await openPage(browser, url, { javaScriptEnabled: false });
    for (const id of PANE_IDS) {
      await page.click(`#tab-${id}`);
      await eventually(() => visiblePanes(page)).toEqual([id]);
    }
    await page.goto(url);
    await eventually(() => page.locator('.search input').count()).toBe(0);
    await page.locator('.finding-detail summary').first().click();
    await page.locator('.finding-detail .claim-link').first().click();
    const record = page.locator('.audited-claim[open] .claim-record');
    // The browser unfolds it once the document is laid out.
    await record.waitFor();
    await eventually(() => record.count()).toBe(1);
    await eventually(() => record.isVisible()).toBe(true);
    await closeAll();
  });
});

describe('a share of a thousand claims', () => {
  let large: string;
  beforeAll(() => {
    large = site.urlOf(snapshotOf(largeInput(1000)));
  });

  it('the page of a thousand claims loads nothing more than its styles and scripts until something is opened', async () => {
    covers('INV-V.34');
    const page = await openPage(browser, large);
    const data = () => page.log.requests.filter((request) => request.endsWith('/data.json')).length;
    expect(data()).toBe(0);
    await page.click('#tab-timeline');
    await page.waitForSelector('html[data-alive~=timeline] .timeline-chart');
    await eventually(data).toBe(1);
    expect(page.log.problems).toEqual([]);
    await closeAll();
  });

  it('a verdict and a claim of a further page open from their links, and pages of findings from theirs', async () => {
    covers('INV-V.34');
    const page = await openPage(browser, `${large}#${verdictFragment('subject-39', 'has_value')}`);
    await page.waitForURL(/pane=overview&page=2#verdict/);
    await page.locator('.finding:target details[open]').waitFor();
    await page.getByRole('link', { name: 'Page 1', exact: true }).click();
    await page.locator('.answer-headline').waitFor();
    await page.goto(`${large}#claim-claim-999`);
    await eventually(() => page.textContent('#claim-drawer .claim-id')).toBe('claim-999');
    await closeAll();
  });

  it('a claim of a further page is linked to its record where scripts do not run', async () => {
    covers('INV-V.1');
    const page = await openPage(browser, `${large}?pane=timeline&page=9`, { javaScriptEnabled: false });
    await page.locator('.claim-link').last().click();
    await eventually(() => new URL(page.url()).search).toMatch(/^\?pane=audit&page=\d+$/);
    await page.locator('.audited-claim[open] .claim-record').waitFor();
    await closeAll();
  });

  it('a part of the page that cannot be loaded is named, and linked to as the server draws it', async () => {
    covers('INV-V.34');
    const page = await openPage(browser, large);
    await page.route('**/data.json', (route) => route.abort());
    await page.click('#tab-audit');
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.locator('#audit-claims').waitFor();
    await closeAll();
  });
});

describe('on paper', () => {
  it('a printed page holds the answer and a line for each finding on one sheet, and everything when asked for', async () => {
    covers('INV-V.8');
    const page = await openPage(browser, url);
    await page.evaluate(() => (window.print = () => {}));
    await page.emulateMedia({ media: 'print' });
    const pages = async () =>
      ((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g) ?? []).length;
    await eventually(() => visiblePanes(page)).toEqual(['overview']);
    await eventually(() => page.locator('.answer, .finding-statement').first().isVisible()).toBe(true);
    for (const hidden of ['.pane-nav', '.page-actions', '.claim-drawer', '.finding-detail'])
      await eventually(() => page.locator(hidden).first().isVisible()).toBe(false);
    const short = await pages();
    expect(short).toBeLessThanOrEqual(2);

    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Print everything' }).click();
    await page.waitForSelector('html.print-all', { state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    await eventually(() => visiblePanes(page)).toEqual([...PANE_IDS]);
    await eventually(() => page.locator('.finding-detail .opinion-triangle').first().isVisible()).toBe(true);
    await eventually(pages).toBeGreaterThan(short);

    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Print one page' }).click();
    await page.waitForSelector('html:not(.print-all)', { state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    await eventually(() => visiblePanes(page)).toEqual(['overview']);
    await closeAll();
  });

  it('a printed page of many claims holds the records of the first fifty and the figures of all', async () => {
    covers('INV-V.8');
    const page = await openPage(browser, site.urlOf(snapshotOf(largeInput(60))));
    await page.evaluate(() => (window.print = () => {}));
    await page.getByRole('button', { name: 'Print everything' }).click();
    await page.waitForSelector('html.print-all', { state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    await eventually(() => page.locator('.audited-claim .claim-record:visible').count()).toBe(50);
    await eventually(() => page.locator('.audited-claim summary:visible').count()).toBe(60);
    await closeAll();
  });
});

describe('the findings', () => {
  it('the findings stand in the order of the question, and the most disputed first when asked', async () => {
    covers('INV-V.17');
    const page = await openPage(browser, url);
    const bars = () =>
      page.locator('.finding > .opinion-bar').evaluateAll((found) =>
        found.map((bar) => {
          const [support, opposition] = [...bar.querySelectorAll('.bar-support, .bar-opposition')].map(
            (rect) => Number(rect.getAttribute('width')),
          );
          return Math.min(support!, opposition!) / (support! + opposition! || 1);
        }),
      );
    const asked = await bars();
    await page.getByLabel('Show first').selectOption('most disputed');
    await page.getByRole('heading', { name: 'Most disputed first' }).waitFor();
    const disputed = await eventually(bars).not.toEqual(asked);
    expect(disputed).toEqual(asked.toSorted((a, b) => b - a));
    expect(page.log.problems).toEqual([]);
    await closeAll();
  });

  it('the answer stands above the fold of a phone', async () => {
    covers('INV-V.15');
    const page = await openPage(browser, url, { viewport: { width: 390, height: 844 } });
    const bottom = async () => {
      const answer = await page.locator('.answer-headline').boundingBox();
      return answer!.y + answer!.height;
    };
    await eventually(bottom).toBeLessThan(422);
    await closeAll();
  });
});

describe('by keyboard', () => {
  it('the keyboard leads from the skip link over the tabs into the findings; arrows change panes', async () => {
    covers('INV-V.7');
    const page = await openPage(browser, url);
    const focused = () =>
      page.evaluate(() => document.activeElement?.id ?? document.activeElement?.className);
    await page.keyboard.press('Tab');
    await eventually(() => page.textContent(':focus')).toContain('Skip to the findings');
    await page.focus('#tab-overview');
    await page.keyboard.press('ArrowRight');
    await eventually(focused).toBe('tab-sources');
    await eventually(() => visiblePanes(page)).toEqual(['sources']);
    await page.keyboard.press('End');
    await eventually(() => visiblePanes(page)).toEqual(['audit']);
    await page.keyboard.press('ArrowRight');
    await eventually(() => visiblePanes(page)).toEqual(['overview']);
    await eventually(() => new URL(page.url()).hash).toBe('#overview');
    await closeAll();
  });

  it('the keyboard opens a claim with Enter, stays within it, closes it with Escape and returns to where it was', async () => {
    covers('INV-V.7');
    const page = await openPage(browser, url);
    await page.locator('.finding-detail summary').first().click();
    const link = page.locator('.finding-detail .claim-link').first();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#claim-drawer[open]');
    await eventually(() => page.evaluate(() => document.activeElement?.closest('dialog')?.id)).toBe(
      'claim-drawer',
    );
    await eventually(() => new URL(page.url()).hash).toMatch(/^#claim-/);
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('#claim-drawer').isVisible()).toBe(false);
    await eventually(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    await eventually(() => new URL(page.url()).hash).toBe('#overview');
    await page.goBack();
    await page.waitForSelector('#claim-drawer[open]');
    await closeAll();
  });
});

/** Id of the subject about Langley's machine, as the example names it. */
function langley(): string {
  return SNAPSHOT.input.subjects.find(({ name }) => name.startsWith('Langley'))!.id;
}
