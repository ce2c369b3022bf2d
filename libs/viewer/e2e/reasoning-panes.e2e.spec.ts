import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { readFile } from 'node:fs/promises';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { DAM_INPUT } from '../src/dam-failure.fixture.ts';
import { exampleInput, largeInput, snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage } from './share-site.fixture.ts';
import { useShareSite } from './visit.fixture.ts';

const { site, browser } = useShareSite();
let url: string;
let page: Awaited<ReturnType<typeof openPage>>;

beforeAll(async () => {
  url = site.urlOf(snapshotOf(DAM_INPUT));
  page = await openPage(browser, url);
});

async function show(pane: 'timeline' | 'mesh' | 'distinctions'): Promise<void> {
  await page.click(`#tab-${pane}`);
  await page.waitForSelector(`html[data-alive~=${pane}]`, { state: 'attached' });
}

const PANES = ['timeline', 'mesh', 'distinctions'] as const;

/** Opens all folds that a selector names, and those that are drawn within them. */
async function openFolds(within: Page, selector: string): Promise<void> {
  for (const depth of [1, 2]) {
    await within.locator(selector).evaluateAll((folds) => {
      for (const fold of folds) (fold as HTMLDetailsElement).open = true;
    });
    await eventually(async () => [
      depth,
      await within.locator(`${selector}[open] > div:empty`).count(),
    ]).toEqual([depth, 0]);
  }
}

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
      await openFolds(opened, `#${pane} details`);
      expect(await axeViolations(opened, `#${pane}`)).toEqual([]);
      await eventually(() => opened.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(opened.log.problems).toEqual([]);
    },
  );
});

describe('the first flight', () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    const flight = site.urlOf(snapshotOf(exampleInput('first-flight')));
    opened = await openPage(browser, `${flight}#mesh`, { viewport: { width: 390, height: 844 } });
    await opened.waitForSelector('html[data-alive~=mesh]', { state: 'attached' });
  });
  afterAll(() => opened?.context().close());

  it('the mesh cuts no name of a relationship off at the edge of its drawing', async () => {
    covers('INV-V.31');
    await openFolds(opened, '#mesh details');
    const cut = () =>
      opened
        .locator('.mesh-figure')
        .evaluateAll((figures) =>
          figures.flatMap((figure) =>
            [...figure.querySelectorAll('.mesh-edge-label')]
              .filter((label) => label.getBoundingClientRect().left < figure.getBoundingClientRect().left)
              .map((label) => label.textContent),
          ),
        );
    await eventually(() =>
      opened.locator('.mesh-edge-label', { hasText: 'complements' }).count(),
    ).toBeGreaterThan(0);
    await eventually(cut).toEqual([]);
  });

  it('the mesh that the server drew starts where it cuts no name of a relationship', async () => {
    covers('INV-V.31');
    await opened.goto(opened.url().replace(/#.*/, '?pane=mesh'));
    const names = opened.locator('.mesh-edge-label', { hasText: 'complements' });
    await names.first().scrollIntoViewIfNeeded();
    const cut = () =>
      opened.locator('.mesh-question[open] .mesh-scroll').evaluateAll((frames) =>
        frames.flatMap((frame) => {
          const edge = frame.getBoundingClientRect().left;
          return [...frame.querySelectorAll('.mesh-edge-label')]
            .filter((name) => {
              const { left, right } = name.getBoundingClientRect();
              return left < edge && right > edge;
            })
            .map((name) => name.textContent);
        }),
      );
    await eventually(cut).toEqual([]);
    await opened.goto(opened.url().replace('?pane=mesh', '#mesh'));
    await opened.waitForSelector('html[data-alive~=mesh]', { state: 'attached' });
  });

  it('legends leave the screen of a phone to what they explain', async () => {
    covers('INV-V.53');
    await eventually(() => opened.locator('.mesh-legend').isVisible()).toBe(false);
    await opened.click('#tab-timeline');
    const legend = opened.locator('.timeline-legend').first();
    await eventually(async () => (await legend.boundingBox())?.height).toBeLessThan(30);
    await eventually(() => opened.locator('.timeline-legend:visible').count()).toBe(1);
    await opened.click('#tab-mesh');
  });

  it('the mesh links to the verdict where the drawing is wider than the screen', async () => {
    covers('INV-V.31');
    const frame = opened.locator('.mesh-scroll').first();
    const before = await frame.evaluate((element) => element.scrollLeft);
    await opened.getByRole('button', { name: 'The verdict →' }).first().click();
    await opened.waitForFunction(([element, from]) => (element as Element).scrollLeft > from, [
      await frame.elementHandle(),
      before,
    ] as const);
  });

  it('the share page states the verdict without a distinction', async () => {
    covers('INV-V.31');
    await opened.click('#tab-distinctions');
    await opened.locator('.distinction-toggle').first().check();
    await eventually(() => opened.locator('.distinction-without').first().innerText()).toMatch(
      /The verdict would be .*%.*with it/s,
    );
  });

  it('the share page states where a value in other words counts as the same', async () => {
    covers('INV-V.31');
    await opened.click('#tab-overview');
    await openFolds(opened, ':is(.finding-detail, .copies)');
    await eventually(() => opened.locator('#overview').innerText()).toContain(
      'says “57 seconds”, which counts as the same as “59 seconds”',
    );
    expect(opened.log.problems).toEqual([]);
  });
});

describe('printed', () => {
  it('a printed page shows the drawings whole, and no buttons', async () => {
    const opened = await openPage(browser, url, { viewport: { width: 800, height: 1100 } });
    await opened.evaluate(() => (window.print = () => {}));
    await opened.getByRole('button', { name: 'Print everything' }).click();
    await opened.waitForSelector('html.print-all', { state: 'attached' });
    await opened.emulateMedia({ media: 'print' });
    await eventually(() => opened.evaluate('document.documentElement.scrollWidth')).toBe(800);
    await eventually(() =>
      opened
        .locator('#timeline button:not(.sort):visible, #mesh button:not(.sort):visible, #mesh select:visible')
        .count(),
    ).toBe(0);
    await eventually(() => opened.locator('.mesh-figure:visible').count()).toBeGreaterThan(0);
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
    const closer = await eventually(span).not.toBe(whole);
    await page.keyboard.press('ArrowRight');
    await eventually(span).not.toBe(closer);
    await page.keyboard.press('-');
    await page.keyboard.press('0');
    await eventually(span).toBe(whole);
  });

  it('the timeline zooms by buttons, which are disabled at the ends', async () => {
    await eventually(() => page.isDisabled('button[aria-label="Zoom out"]')).toBe(true);
    await page.click('button[aria-label="Zoom in"]');
    await page.click('button[aria-label="Zoom out"]');
    await eventually(() => page.isDisabled('button[aria-label="Zoom out"]')).toBe(true);
  });

  it('the timeline sorts the claims into lanes by source and by question', async () => {
    const lanes = () => page.locator('.timeline-chart .timeline-lane-title').allTextContents();
    await eventually(async () => (await lanes())[0]).toMatch(
      /^The cause of the failure of the Orrin dam was Internal erosion .*almost certain/,
    );
    await page.check('.timeline-lanes-by label:nth-of-type(2) input');
    await eventually(lanes).toContain('Independent Forensic Panel');
    await page.check('.timeline-lanes-by label:nth-of-type(3) input');
    await eventually(lanes).toContain('seepage litres per minute');
    await page.check('.timeline-lanes-by label:nth-of-type(1) input');
  });

  it('a dot of the timeline is named by a sentence and opens its claim by keyboard', async () => {
    covers('INV-V.50', 'INV-V.7');
    const dot = page.locator('.timeline-dots a', { hasText: 'Independent Forensic Panel' }).first();
    await eventually(() => dot.locator('title').textContent()).toMatch(
      /^Independent Forensic Panel \(.*\) says “.*”; counts for “.*” with a weight of \d/,
    );
    await dot.focus();
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#claim-drawer[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('#claim-drawer[open]').count()).toBe(0);
  });

  it('the timeline states when a claim goes stale, and lists all claims in a table', async () => {
    covers('INV-V.51');
    await page.getByRole('button', { name: 'Show how all age' }).click();
    const row = page.locator('.timeline-row', { hasText: 'Seepage through the left abutment' });
    await eventually(() => row.locator('svg.timeline-track').getAttribute('aria-label')).toMatch(
      /left, stale from 8\sDec\s2037/,
    );
    await eventually(() => row.locator('.timeline-note').first().textContent()).toMatch(/stale from/);
    await page.click('.timeline-list > summary');
    await eventually(() => page.locator('.timeline-list tbody tr').count()).toBe(DAM_INPUT.claims.length);
    await page.getByRole('button', { name: 'Hide how they age' }).click();
    await eventually(() => page.locator('.timeline-row:visible').count()).toBe(0);
  });

  it('the address has lanes, zoom and unfolded lanes, keeps them in other panes, and leads to them', async () => {
    covers('INV-V.52');
    await page.check('.timeline-lanes-by label:nth-of-type(2) input');
    await page.click('button[aria-label="Zoom in"]');
    await page.locator('.timeline-ages > summary').nth(1).click();
    await eventually(() => new URL(page.url()).search).toMatch(/^\?lanes=actor&from=.*&to=.*&aged=/);
    const shown = async (of: Page) => ({
      span: await of.textContent('.timeline-span'),
      lanes: await of.locator('.timeline-lane-title').allTextContents(),
      unfolded: await of
        .locator('.timeline-ages')
        .evaluateAll((folds) => folds.map((fold) => (fold as HTMLDetailsElement).open)),
      rows: await of.locator('.timeline-row:visible').count(),
    });
    const wanted = await shown(page);
    expect(wanted.unfolded.filter(Boolean)).toHaveLength(1);
    await page.click('#tab-mesh');
    await page.click('#tab-timeline');
    const { search, hash } = new URL(page.url());
    for (const address of [`${url}${search}${hash}`, `${url}${search}&pane=timeline`]) {
      const opened = await openPage(browser, address);
      await eventually(() => shown(opened)).toEqual(wanted);
      expect(opened.log.problems).toEqual([]);
      await opened.context().close();
    }
    await page.click('.timeline-zoom button:last-child');
    await page.check('.timeline-lanes-by label:nth-of-type(1) input');
    await eventually(() => new URL(page.url()).search).toBe('');
  });
});

describe('the mesh', () => {
  beforeAll(() => show('mesh'));
  const cause = () => page.locator('.mesh-question', { hasText: 'Failure of the Orrin dam cause' });

  it('the mesh switches readings: what one rejects, the other accepts, and the change is said and marked', async () => {
    const node = cause().locator('.mesh-claim', { hasText: 'Inflow exceeded' });
    await eventually(() => node.getAttribute('class')).toContain('is-rejected');
    await cause().locator('select').first().selectOption({ index: 1 });
    await eventually(() => node.getAttribute('class')).toContain('is-accepted is-changed');
    await eventually(() => cause().locator('[role=status]').textContent()).toMatch(
      /^Against Interpretation 1, Interpretation 2 accepts Inflow/,
    );
    await cause().locator('select').first().selectOption({ index: 0 });
  });

  it('the mesh filters drawing and tables alike', async () => {
    const drawn = () => cause().locator('.mesh-evidence').count();
    const listed = () => cause().locator('.mesh-tables tbody tr', { hasText: 'evidence' }).count();
    await cause().locator('.mesh-tables > summary').click();
    await eventually(drawn).toBeGreaterThan(0);
    await eventually(async () => (await listed()) - (await drawn())).toBeGreaterThanOrEqual(0);
    await page.uncheck('.mesh-filters label:nth-of-type(1) input');
    await eventually(() => Promise.all([drawn(), listed()])).toEqual([0, 0]);
    await page.check('.mesh-filters label:nth-of-type(1) input');
  });

  it('the mesh fades all but the neighbors of a node in focus, and hides a node with what hangs on it', async () => {
    const focus = cause().locator('.mesh-tools select');
    await focus.selectOption('claim:operator-earthquake');
    await eventually(() => cause().locator('.mesh-claim.is-dim').count()).toBeGreaterThan(0);
    await eventually(() => cause().locator('.mesh-claim:not(.is-dim)', { hasText: 'A tremor' }).count()).toBe(
      1,
    );
    await cause().getByRole('button', { name: 'Hide it' }).click();
    await eventually(() => cause().locator('.mesh-node', { hasText: 'A tremor' }).count()).toBe(0);
    await eventually(() => cause().locator('.mesh-meta', { hasText: 'None of the nine' }).count()).toBe(0);
    await cause().getByRole('button', { name: 'Show 1 hidden' }).click();
    await eventually(() => cause().locator('.mesh-claim', { hasText: 'A tremor' }).count()).toBe(1);
  });

  it('the mesh opens the claim of a node by keyboard', async () => {
    await cause().locator('a.mesh-claim').first().focus();
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#claim-drawer[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('the mesh saves the drawing as SVG with its colors and as PNG', async () => {
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

  it('the mesh links from a suppressed attack to the distinctions', async () => {
    await page.locator('.mesh-edge-suppressed a').first().click();
    await eventually(() => page.isVisible('#distinctions')).toBe(true);
  });
});

describe('the distinctions', () => {
  beforeAll(() => show('distinctions'));

  it('a distinction reads as two sentences, and shows the attack when it is ignored', async () => {
    covers('INV-R10.1');
    const card = page.locator('.distinction-active');
    await eventually(() => card.locator('.distinction-conclusion p').allTextContents()).toEqual([
      expect.stringMatching(/^If the reading at the weir counts, the chance that A is right is \d+\s%\.$/),
      expect.stringMatching(
        /^If the reading in the control room counts, the chance that B is right is \d+\s%\.$/,
      ),
    ]);
    await eventually(() => card.locator('.distinction-ignored').isVisible()).toBe(false);
    await card.getByLabel('Ignore this distinction').press('Space');
    await eventually(() => card.locator('.distinction-ignored').isVisible()).toBe(true);
    await eventually(() => card.locator('.distinction-cross').isVisible()).toBe(false);
  });
});

describe('the pane that the server drew', () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  const dataLoads = () => opened.log.requests.filter((request) => request.endsWith('/data.json')).length;
  const openServed = async (pane: string, address = url, viewport = { width: 1280, height: 900 }) => {
    opened = await openPage(browser, `${address}?pane=${pane}`, { viewport });
  };
  afterEach(() => opened.context().close());

  it('a served timeline is taken over at its first use, and does everything that was asked of it till then', async () => {
    covers('INV-V.45');
    await openServed('timeline');
    const span = () => opened.textContent('.timeline-span');
    const whole = await span();
    expect(dataLoads()).toBe(0);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await opened.route('**/data.json', async (route) => {
      await asked;
      await route.continue();
    });
    await opened.click('button[aria-label="Zoom in"]');
    await opened.focus('.timeline-frame');
    await opened.keyboard.press('+');
    await opened.keyboard.press('ArrowRight');
    await opened.click('.timeline-lanes-by label:nth-of-type(2) input');
    expect(await span()).toBe(whole);
    answer();
    await eventually(span).not.toBe(whole);
    const lanes = () => opened.locator('.timeline-chart .timeline-lane-title').allTextContents();
    await eventually(lanes).toContain('Independent Forensic Panel');
    await eventually(() => opened.locator('.timeline-lanes-by input').nth(1).isChecked()).toBe(true);
    const moved = await span();
    await opened.click('button[aria-label="Zoom out"]');
    await eventually(span).not.toBe(moved);
    expect([dataLoads(), opened.log.problems]).toEqual([1, []]);
  });

  it('a served pane that cannot be taken over is asked again at its next use', async () => {
    covers('INV-V.45');
    await openServed('timeline');
    const span = () => opened.textContent('.timeline-span');
    const whole = await span();
    await opened.route('**/data.json', (route) => route.abort(), { times: 1 });
    await opened.click('button[aria-label="Zoom in"]');
    await eventually(async () => {
      await opened.click('button[aria-label="Zoom in"]');
      return span();
    }).not.toBe(whole);
  });

  it.each([
    ['a filter', DAM_INPUT, '.mesh-filters input', '.mesh:not(:has(.mesh-evidence))'],
    ['a fold', largeInput(100), '.mesh-question:not([open]) > summary', '.clicked .mesh-figure'],
    ['a node under the pointer', DAM_INPUT, '.mesh-claim', '.mesh-node.is-dim'],
  ] as const)('a served mesh answers to %s', async (_, input, control, answer) => {
    covers('INV-V.45');
    await openServed('mesh', site.urlOf(snapshotOf(input)));
    const used = opened.locator(control).first();
    await used.evaluate((element) => element.parentElement!.classList.add('clicked'));
    await eventually(() => opened.locator(answer).count()).toBe(0);
    expect(dataLoads()).toBe(0);
    if (control === '.mesh-claim') await used.hover();
    else await used.click();
    await eventually(() => opened.locator(answer).count()).toBeGreaterThan(0);
    expect(opened.log.problems).toEqual([]);
  });

  it('a served mesh that is wider than the screen starts at its claims, says so, and leads to the verdict', async () => {
    covers('INV-V.31');
    await openServed('mesh', url, { width: 390, height: 844 });
    const frame = opened.locator('.mesh-scroll').first();
    const left = () => frame.evaluate((element) => element.scrollLeft);
    await eventually(left).toBeGreaterThan(0);
    const before = await left();
    expect(dataLoads()).toBe(0);
    await opened.getByRole('button', { name: 'The verdict →' }).first().click();
    await eventually(left).toBeGreaterThan(before);
  });
});

describe('without scripts', () => {
  it('timeline and mesh are drawn without scripts, and a distinction can still be ignored', async () => {
    const plain = await openPage(browser, `${url}?pane=timeline`, { javaScriptEnabled: false });
    await eventually(() => plain.locator('.timeline-dots a').count()).toBeGreaterThan(10);
    await eventually(() => plain.locator('.timeline-row:visible').count()).toBe(0);
    await plain.locator('.timeline-ages > summary').first().click();
    await eventually(() => plain.locator('.timeline-row:visible').count()).toBeGreaterThan(2);
    await eventually(() => plain.locator('.timeline-controls').isVisible()).toBe(false);
    await plain.goto(`${url}?pane=mesh`);
    await eventually(() => plain.locator('.mesh-figure a.mesh-claim').count()).toBeGreaterThan(10);
    await plain.goto(`${url}?pane=distinctions`);
    await plain.getByLabel('Ignore this distinction').check();
    await eventually(() => plain.locator('.distinction-ignored').first().isVisible()).toBe(true);
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
  ])('every pane of %s explains why it is empty', async (_, input, words) => {
    const address = site.urlOf(snapshotOf(input));
    const opened = await openPage(browser, address, { javaScriptEnabled: false });
    for (const pane of PANES) {
      await opened.goto(`${address}?pane=${pane}`);
      await eventually(() => opened.textContent(`#${pane}`)).toMatch(words);
    }
    await opened.context().close();
  });
});
