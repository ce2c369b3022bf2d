import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeObjections, startChromium } from '@platform/testing';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { DAM_INPUT } from '../src/dam-failure.fixture.ts';
import { snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage, startShareSite, type ShareSite } from './share-site.fixture.ts';

let site: ShareSite;
let browser: Browser;
let url: string;
let page: Awaited<ReturnType<typeof openPage>>;

beforeAll(async () => {
  [site, browser] = await Promise.all([startShareSite(), startChromium()]);
  url = site.urlOf(snapshotOf(DAM_INPUT));
  page = await openPage(browser, url);
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function show(pane: 'timeline' | 'mesh' | 'distinctions'): Promise<void> {
  await page.click(`#tab-${pane}`);
  await page.waitForSelector(`html[data-alive~=${pane}]`, { state: 'attached' });
}

const PANES = ['timeline', 'mesh', 'distinctions'] as const;

describe.each([
  ['dark', 320],
  ['light', 1280],
] as const)('everything there is to draw, %s at %i px', (colorScheme, width) => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    opened = await openPage(browser, url, { colorScheme, viewport: { width, height: 800 } });
  });
  afterAll(() => opened?.context().close());

  it.each(PANES)(
    '%s: axe objects to nothing, nothing scrolls sideways, no policy is broken',
    async (pane) => {
      await opened.goto(`${url}#${pane}`);
      await opened.waitForSelector(`html[data-alive~=${pane}]`, { state: 'attached' });
      await opened.locator(`#${pane} details`).evaluateAll((folds) => {
        for (const fold of folds) (fold as HTMLDetailsElement).open = true;
      });
      expect(await axeObjections(opened, `#${pane}`)).toEqual([]);
      expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(opened.log.problems).toEqual([]);
    },
  );
});

describe('printed', () => {
  it('shows the drawings whole, and no buttons', async () => {
    const opened = await openPage(browser, url, { viewport: { width: 800, height: 1100 } });
    await opened.evaluate(() => document.documentElement.classList.add('print-all'));
    await opened.emulateMedia({ media: 'print' });
    expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(800);
    expect(
      await opened
        .locator('#timeline button:not(.sort):visible, #mesh button:not(.sort):visible, #mesh select:visible')
        .count(),
    ).toBe(0);
    expect(await opened.locator('.mesh-figure:visible').count()).toBeGreaterThan(0);
    await opened.context().close();
  });
});

describe('the timeline', () => {
  beforeAll(() => show('timeline'));
  const span = () => page.textContent('.timeline-span');

  it('zooms, moves and shows all again by keyboard', async () => {
    const whole = await span();
    await page.focus('.timeline-frame');
    await page.keyboard.press('+');
    const closer = await span();
    expect(closer).not.toBe(whole);
    await page.keyboard.press('ArrowRight');
    expect(await span()).not.toBe(closer);
    await page.keyboard.press('-');
    await page.keyboard.press('0');
    expect(await span()).toBe(whole);
  });

  it('zooms by buttons, which rest where nothing is left to see', async () => {
    expect(await page.isDisabled('button[aria-label="Zoom out"]')).toBe(true);
    await page.click('button[aria-label="Zoom in"]');
    await page.click('button[aria-label="Zoom out"]');
    expect(await page.isDisabled('button[aria-label="Zoom out"]')).toBe(true);
  });

  it('sorts the claims into lanes by source and by question', async () => {
    const lanes = () => page.locator('.timeline-chart .timeline-lane-title bdi').allTextContents();
    expect(await lanes()).toEqual(['Failure of the Orrin dam', 'Seepage gauge S-14', 'Orrin dam']);
    await page.check('.timeline-lanes-by label:nth-of-type(2) input');
    expect(await lanes()).toContain('Independent Forensic Panel');
    await page.check('.timeline-lanes-by label:nth-of-type(3) input');
    expect(await lanes()).toContain('seepage litres per minute');
    await page.check('.timeline-lanes-by label:nth-of-type(1) input');
  });

  it('says of a claim when it goes stale, and lists all claims in a table', async () => {
    const row = page.locator('.timeline-row', { hasText: 'Seepage through the left abutment' });
    expect(await row.locator('svg.timeline-track').getAttribute('aria-label')).toMatch(
      /left, stale from 8\sDec\s2037/,
    );
    expect(await row.locator('.timeline-note').first().textContent()).toMatch(/stale from/);
    await page.click('.timeline-list > summary');
    expect(await page.locator('.timeline-list tbody tr').count()).toBe(DAM_INPUT.claims.length);
  });
});

describe('the mesh', () => {
  beforeAll(() => show('mesh'));
  const cause = () => page.locator('.mesh-question', { hasText: 'Failure of the Orrin dam cause' });

  it('switches readings: what one rejects, the other accepts, and the change is said and marked', async () => {
    const node = cause().locator('.mesh-claim', { hasText: 'Inflow exceeded' });
    expect(await node.getAttribute('class')).toContain('is-rejected');
    await cause().locator('select').first().selectOption({ index: 1 });
    expect(await node.getAttribute('class')).toContain('is-accepted is-changed');
    expect(await cause().locator('[role=status]').textContent()).toMatch(
      /^Against Interpretation 1, Interpretation 2 accepts Inflow/,
    );
    await cause().locator('select').first().selectOption({ index: 0 });
  });

  it('filters drawing and tables alike', async () => {
    const drawn = () => cause().locator('.mesh-evidence').count();
    const listed = () => cause().locator('.mesh-tables tbody tr', { hasText: 'evidence' }).count();
    await cause().locator('.mesh-tables > summary').click();
    expect(await drawn()).toBeGreaterThan(0);
    expect(await listed()).toBeGreaterThanOrEqual(await drawn());
    await page.uncheck('.mesh-filters label:nth-of-type(1) input');
    expect([await drawn(), await listed()]).toEqual([0, 0]);
    await page.check('.mesh-filters label:nth-of-type(1) input');
  });

  it('fades all but the neighbors of a node in focus, and hides a node with what hangs on it', async () => {
    const focus = cause().locator('.mesh-tools select');
    await focus.selectOption('claim:operator-earthquake');
    expect(await cause().locator('.mesh-claim.is-dim').count()).toBeGreaterThan(0);
    expect(await cause().locator('.mesh-claim:not(.is-dim)', { hasText: 'A tremor' }).count()).toBe(1);
    await cause().getByRole('button', { name: 'Hide it' }).click();
    expect(await cause().locator('.mesh-node', { hasText: 'A tremor' }).count()).toBe(0);
    expect(await cause().locator('.mesh-meta', { hasText: 'None of the nine' }).count()).toBe(0);
    await cause().getByRole('button', { name: 'Show 1 hidden' }).click();
    expect(await cause().locator('.mesh-claim', { hasText: 'A tremor' }).count()).toBe(1);
  });

  it('opens the claim of a node by keyboard', async () => {
    await cause().locator('a.mesh-claim').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#claim-drawer[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('saves the drawing as SVG with its colors and as PNG', async () => {
    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      cause().getByRole('button', { name: 'Save SVG' }).click(),
    ]);
    const text = await readFile(await svg.path(), 'utf8');
    expect(text.slice(0, 300)).toContain('xmlns="http://www.w3.org/2000/svg"');
    expect(text.includes('stroke="rgb(')).toBe(true);
    expect(text.includes('class=')).toBe(false);
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      cause().getByRole('button', { name: 'Save PNG' }).click(),
    ]);
    expect((await readFile(await png.path())).subarray(1, 4).toString()).toBe('PNG');
    expect(page.log.problems).toEqual([]);
  });

  it('leads from a suppressed attack to the distinctions', async () => {
    await page.locator('.mesh-edge-suppressed a').first().click();
    expect(await page.isVisible('#distinctions')).toBe(true);
  });
});

describe('the distinctions', () => {
  beforeAll(() => show('distinctions'));

  it('read as two sentences, and show the attack when they are ignored', async () => {
    covers('INV-R10.1');
    const card = page.locator('.distinction-active');
    expect(await card.locator('.distinction-conclusion p').allTextContents()).toEqual([
      expect.stringMatching(/^If the reading at the weir counts, the chance that A is right is \d+\s%\.$/),
      expect.stringMatching(
        /^If the reading in the control room counts, the chance that B is right is \d+\s%\.$/,
      ),
    ]);
    expect(await card.locator('.distinction-ignored').isVisible()).toBe(false);
    await card.getByLabel('Ignore this distinction').press('Space');
    expect(await card.locator('.distinction-ignored').isVisible()).toBe(true);
    expect(await card.locator('.distinction-cross').isVisible()).toBe(false);
  });
});

describe('without scripts', () => {
  it('draws timeline and mesh, and a distinction can still be ignored', async () => {
    const plain = await openPage(browser, url, { javaScriptEnabled: false });
    expect(await plain.locator('.timeline-row').count()).toBeGreaterThan(10);
    expect(await plain.locator('.mesh-figure a.mesh-claim').count()).toBeGreaterThan(10);
    expect(await plain.locator('.timeline-controls').isVisible()).toBe(false);
    await plain.getByLabel('Ignore this distinction').check();
    expect(await plain.locator('.distinction-ignored').first().isVisible()).toBe(true);
    await plain.context().close();
  });
});

describe('less to show', () => {
  it.each([
    ['summary mode', { ...DAM_INPUT, summary_mode: true }, /summary mode/],
    [
      'nothing',
      { research_question: 'Nothing?', actors: [], subjects: [], claims: [] },
      /Nothing was claimed|names none/,
    ],
  ])('of %s every pane says why', async (_, input, words) => {
    const opened = await openPage(browser, site.urlOf(snapshotOf(input)), { javaScriptEnabled: false });
    for (const pane of PANES) expect(await opened.textContent(`#${pane}`)).toMatch(words);
    await opened.context().close();
  });
});
