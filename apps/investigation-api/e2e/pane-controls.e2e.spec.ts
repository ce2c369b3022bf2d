import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { callApi } from './built-service.fixture.ts';
import { EXAMPLE, useDesk } from './desk.fixture.ts';

const { service, browser } = useDesk({});
let shareUrl: string;

beforeAll(async () => {
  await callApi(service, 'POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
  await callApi(service, 'POST', '/sessions/flight/judge', {});
  const share = await callApi<{ url: string }>(service, 'PUT', '/sessions/flight/share', {
    public: true,
    slug: 'flight',
  });
  shareUrl = share.url;
});

describe('the tabs of an investigation at the desk', () => {
  it('a tab holds nothing until it is shown, and keeps what was typed into it then', async () => {
    covers('INV-V.44');
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
    await page.goto(`${service.url}/app/sessions/flight#overview`);
    await page.locator('.finding').first().waitFor();
    const held = () =>
      page.evaluate(() =>
        ['edit', 'claims', 'history', 'publish'].map(
          (id) => document.getElementById(id)!.childElementCount > 0,
        ),
      );
    expect(await held()).toEqual([false, false, false, false]);
    await page.locator('#tab-edit').click();
    const question = page.getByLabel('Research question');
    await question.fill('Who flew first?');
    await page.locator('#tab-overview').click();
    await page.locator('#edit').waitFor({ state: 'hidden' });
    await page.locator('#tab-edit').click();
    await eventually(() => question.inputValue()).toBe('Who flew first?');
    await eventually(held).toEqual([true, false, false, false]);
    await page.close();
  });
});

describe('a long pane at the desk', () => {
  it('the desk draws a long pane a few parts at a time, and at once where the address names one of them', async () => {
    covers('INV-V.46');
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
    // What lies between two tasks of the browser is what its user can see and use.
    await page.addInitScript(() => {
      const counts = new Set<number>();
      Object.assign(globalThis, { counts });
      new MutationObserver(() => counts.add(document.querySelectorAll('.audited-claim').length)).observe(
        document,
        { childList: true, subtree: true },
      );
    });
    const claims = Array.from({ length: 100 }, (_, i) => ({
      id: `c${i}`,
      actor_id: 'a',
      subject_id: 's',
      predicate: `p${i}`,
      value: 'true',
      content: `Sentence ${i}.`,
    }));
    const payload = {
      research_question: 'Which?',
      actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
      subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
      claims,
    };
    await callApi(service, 'POST', '/sessions', { name: 'Long', session_id: 'long', payload });
    await callApi(service, 'POST', '/sessions/long/judge', {});
    const counts = async (fragment: string) => {
      await page.goto('about:blank');
      await page.goto(`${service.url}/app/sessions/long#${fragment}`);
      await eventually(() => page.locator('.audited-claim').count()).toBe(100);
      return page.evaluate(() => [...(globalThis as unknown as { counts: Set<number> }).counts]);
    };
    expect((await counts('audit')).filter((count) => count > 0 && count < 100).length).toBeGreaterThan(1);
    expect((await counts('audit-claims')).filter((count) => count > 0)).toEqual([100]);
    await page.close();
  });
});

// Both draw the same panes, so one suite holds both to the same controls.
describe.each(['share page', 'workbench'] as const)('the panes on the %s', (place) => {
  let page: Page;

  beforeAll(async () => {
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
    await page.goto(place === 'share page' ? shareUrl : `${service.url}/app/sessions/flight`);
    await page.locator('.finding').first().waitFor();
  });
  afterAll(() => page?.close());

  const open = async (pane: 'timeline' | 'mesh') => {
    await page.locator(`#tab-${pane}`).click();
    await page.locator(`#${pane} .${pane}`).waitFor();
  };

  it('the controls of the mesh filter it, focus a node, hide it and save the drawing', async () => {
    covers('INV-V.13');
    await open('mesh');
    const filter = page.locator('.mesh-filters input').first();
    const drawn = () => page.locator('.mesh-evidence').count();
    await eventually(drawn).toBeGreaterThan(0);
    await filter.uncheck();
    await eventually(drawn).toBe(0);
    await filter.check();
    const question = page.locator('.mesh-question').first();
    await question.locator('.mesh-tools select').selectOption({ index: 1 });
    await question.getByRole('button', { name: 'Hide it' }).click();
    await question.getByRole('button', { name: 'Show 1 hidden' }).click();
    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      question.getByRole('button', { name: 'Save SVG' }).click(),
    ]);
    expect(await readFile(await svg.path(), 'utf8')).toMatch(/^<svg /);
    await eventually(() => question.getByRole('button', { name: 'Save PNG' }).isVisible()).toBe(true);
  });

  it('the tab that is chosen is in view on a phone', async () => {
    covers('INV-V.13');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => (location.hash = 'audit'));
    const tab = page.locator('#tab-audit[aria-selected=true]');
    await eventually(async () => {
      const box = await tab.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 390;
    }).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('zoom the timeline, choose its lanes and sort its table', async () => {
    covers('INV-V.13', 'INV-V.52');
    await open('timeline');
    await eventually(() => page.locator('.timeline-dot-for').count()).toBeGreaterThan(5);
    const span = () => page.locator('.timeline-span').textContent();
    const whole = await span();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await eventually(span).not.toBe(whole);
    const lanes = () => page.locator('.timeline-chart .timeline-lane-title').allTextContents();
    const byFinding = await lanes();
    await page.locator('.timeline-lanes-by label', { hasText: 'source' }).click();
    await eventually(lanes).not.toEqual(byFinding);
    await page.locator('.timeline-ages > summary').first().click();
    await eventually(() => page.locator('.timeline-row').first().isVisible()).toBe(true);
    await eventually(() => new URL(page.url()).search).toMatch(/^\?lanes=actor&from=.*&aged=/);
    await page.locator('.timeline-list > summary').click();
    await page.locator('.timeline-list .sort').first().click();
    await eventually(() => page.locator('.timeline-list [aria-sort]').count()).toBe(1);
  });
});

const SOURCES = 300;

describe.each(['share page', 'workbench'] as const)('a timeline of 300 sources on the %s', (place) => {
  it('lanes stand on pages, which the address has, and the timeline says how many are left out', async () => {
    covers('INV-V.56');
    const id = place === 'share page' ? 'many-shared' : 'many-desk';
    const numbers = Array.from({ length: SOURCES }, (_, index) => index);
    await callApi(service, 'POST', '/sessions', {
      name: 'Many',
      session_id: id,
      payload: {
        research_question: 'Is it open?',
        decay_half_life_days: 3650,
        actors: numbers.map((n) => ({ id: `a${n}`, name: `Paper ${n + 1}`, source_type: 'Journalist' })),
        subjects: [{ id: 's', name: 'North bridge', subject_type: 'structure' }],
        claims: numbers.map((n) => ({
          id: `c${n}`,
          actor_id: `a${n}`,
          subject_id: 's',
          predicate: 'open',
          value: n % 3 === 0 ? 'false' : 'true',
          content: `Report ${n}.`,
          assertion_time: new Date(Date.UTC(2025, 0, 1 + n)).toISOString(),
        })),
      },
    });
    await callApi(service, 'POST', `/sessions/${id}/judge`, {});
    const { url } = await callApi<{ url: string }>(service, 'PUT', `/sessions/${id}/share`, {
      public: true,
      slug: id,
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
    await page.goto(place === 'share page' ? url : `${service.url}/app/sessions/${id}`);
    await page.locator('.finding').first().waitFor();
    await page.locator('#tab-timeline').click();
    await page.locator('#timeline .timeline').waitFor();
    await page.locator('.timeline-lanes-by label', { hasText: 'source' }).click();
    const lanes = page.locator('.timeline-chart .timeline-lane');
    const titles = () => page.locator('.timeline-chart .timeline-lane-title').allTextContents();
    await eventually(() => lanes.count()).toBe(25);
    await page.getByText('Sources 1 to 25 of 300 are drawn. The other 275 are left out').waitFor();
    const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight);
    expect(await heightOf()).toBeLessThan(7000);

    // Every lane is on one of the pages.
    const pager = page.getByRole('navigation', { name: 'Pages of sources' });
    const seen = new Set(await titles());
    const unseen = async () => (await titles()).filter((title) => !seen.has(title)).length;
    for (let number = 2; number <= SOURCES / 25; number += 1) {
      await pager.getByRole('link', { name: `Page ${number}`, exact: true }).click();
      await page.getByText(`Sources ${number * 25 - 24} to ${number * 25} of 300 are drawn.`).waitFor();
      await eventually(unseen).toBe(25);
      for (const title of await titles()) seen.add(title);
    }
    expect(seen.size).toBe(SOURCES);
    await eventually(() => page.evaluate(() => document.activeElement!.className)).toBe('timeline-frame');
    await eventually(() => new URL(page.url()).search).toBe('?lanes=actor&lane_page=12');
    await page.reload();
    await page.getByText('Sources 276 to 300 of 300 are drawn.').waitFor();
    await eventually(() => lanes.count()).toBe(25);
    await page.locator('.timeline-lanes-by label', { hasText: 'finding' }).click();
    await eventually(() => lanes.count()).toBe(1);
    await eventually(() => pager.count()).toBe(0);
    await page.close();
  });
});
