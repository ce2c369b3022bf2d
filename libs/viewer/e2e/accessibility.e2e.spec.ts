import { beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations, smallTargets } from '@platform/testing';
import type { Page } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { PANE_IDS, type PaneId } from '../src/index.ts';
import { exampleInput, snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage } from './share-site.fixture.ts';
import { useShareSite } from './visit.fixture.ts';

const { site, browser } = useShareSite();
let url: string;

beforeAll(() => {
  url = site.urlOf(snapshotOf(exampleInput('lk-99')));
});

/**
 * Opens the first folds of the shown pane, one of each kind among them, so that what they hold is judged too.
 */
async function unfold(page: Page): Promise<void> {
  await page.locator('.pane:visible details').evaluateAll((folds) => {
    const kinds = new Set<string>();
    for (const fold of folds) {
      if (kinds.has(fold.className)) continue;
      kinds.add(fold.className);
      (fold as HTMLDetailsElement).open = true;
    }
  });
}

async function show(page: Page, pane: PaneId): Promise<void> {
  await page.click(`#tab-${pane}`);
  await page.waitForSelector(`html[data-alive~=${pane}]`, { state: 'attached' });
}

// In the dark only colors differ; what the rest of the rules look at is the same document.
describe.each([
  ['light', 1280, undefined],
  ['dark', 320, ['color-contrast', 'target-size', 'scrollable-region-focusable']],
] as const)('in %s at %i px', (colorScheme, width, rules) => {
  let page: Page;

  beforeAll(async () => {
    page = await openPage(browser, url, { colorScheme, viewport: { width, height: 900 } });
  });

  it.each(PANE_IDS)('axe objects to nothing on %s', async (pane: PaneId) => {
    covers('INV-V.6');
    await show(page, pane);
    await unfold(page);
    expect(await axeViolations(page, `#${pane}`, rules)).toEqual([]);
  });

  it.each(PANE_IDS)('%s needs no sideways scrolling', async (pane: PaneId) => {
    covers('INV-V.6');
    await show(page, pane);
    await unfold(page);
    await eventually(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  it('axe objects to nothing in the claim drawer', async () => {
    await page.goto(`${url}#claim-ksasc-final`);
    await page.waitForSelector('#claim-drawer[open]');
    expect(await axeViolations(page, '#claim-drawer', rules)).toEqual([]);
  });
});

describe('on a phone', () => {
  it.each(PANE_IDS)('a finger finds targets of 44 px on %s', async (pane: PaneId) => {
    covers('INV-V.6', 'INV-V.90');
    const page = await openPage(browser, `${url}?pane=${pane}`, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    await unfold(page);
    expect(await smallTargets(page)).toEqual([]);
    await page.context().close();
  });
});

describe('the tabs', () => {
  const moreTabs = (page: Page) =>
    page.evaluate(() => {
      const list = document.querySelector('.tab-nav > ul')!;
      const arrow = getComputedStyle(list, '::after');
      return arrow.content.includes('›') ? Number(arrow.opacity) : 0;
    });

  it('an arrow says that there are more tabs than a phone shows, until the last one is in view', async () => {
    covers('INV-V.88');
    const page = await openPage(browser, url, { viewport: { width: 390, height: 844 } });
    await eventually(() => moreTabs(page)).toBe(1);
    await page.evaluate(() => document.querySelector('.tab-nav > ul')!.scrollBy(1000, 0));
    await eventually(() => moreTabs(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await eventually(() => moreTabs(page)).toBe(0);
    await page.context().close();
  });

  it('the chosen tab alone has an outline in forced colors', async () => {
    covers('INV-V.89');
    const page = await openPage(browser, `${url}?pane=sources`, { forcedColors: 'active' });
    const outlined = () =>
      page
        .locator('.tab-nav a')
        .evaluateAll((tabs) =>
          tabs.filter((tab) => getComputedStyle(tab).outlineStyle !== 'none').map((tab) => tab.id),
        );
    await eventually(outlined).toEqual(['tab-sources']);
    await page.context().close();
  });
});

describe('without scripts', () => {
  it('axe objects to nothing on the whole page', async () => {
    // Scripts of the page are off; axe itself needs them: the page is judged with its scripts taken out
    // instead.
    const page = await openPage(browser, url, { javaScriptEnabled: false });
    const html = (await page.content()).replaceAll(/<script (src|defer)[^>]*><\/script>/g, '');
    const styles = site.assets.files.find(({ path }) => path.endsWith('.css'))!.body.toString();
    const still = await browser.newPage();
    await still.setContent(html);
    await still.addStyleTag({ content: styles });
    expect(await axeViolations(still, 'html')).toEqual([]);
    await still.close();
    await page.context().close();
  });
});

describe('in the dark', () => {
  it('the dark scheme turns the paper dark and the ink light', async () => {
    const page = await openPage(browser, url, { colorScheme: 'dark' });
    const colors = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return { ink: style.color, paper: style.backgroundColor };
    });
    const brightness = (color: string) => Number(/\d+/.exec(color)![0]);
    expect(brightness(colors.ink)).toBeGreaterThan(200);
    expect(brightness(colors.paper)).toBeLessThan(50);
    await page.context().close();
  });
});
