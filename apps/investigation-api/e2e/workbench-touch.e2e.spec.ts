import { beforeAll, describe, expect, it } from '@jest/globals';
import { smallTargets } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { callApi } from './built-service.fixture.ts';
import { EXAMPLE, overflowOf, useDesk } from './desk.fixture.ts';

const { service, browser } = useDesk({});

beforeAll(async () => {
  await callApi(service, 'POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
  await callApi(service, 'POST', '/sessions/flight/judge', {});
});

/** A place of the desk on a phone, once it shows what `selector` names. */
async function openPhone(place: string, selector: string): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app${place}`);
  await page.locator(selector).first().waitFor();
  return page;
}

describe('the workbench on a phone', () => {
  it.each([
    ['list of investigations', '', 'td, th[scope=row]'],
    ['edit', '/sessions/flight#edit', '#edit table a, #edit table button'],
    ['claims', '/sessions/flight#claims', '.claims-grid td'],
    ['overview', '/sessions/flight#overview', '.finding'],
    ['sources', '/sessions/flight#sources', '#sources table, #sources article, #sources li'],
    ['timeline', '/sessions/flight#timeline', '.timeline-claim'],
    ['mesh', '/sessions/flight#mesh', '#mesh h2'],
    ['distinctions', '/sessions/flight#distinctions', '#distinctions h2'],
    ['audit', '/sessions/flight#audit', '#audit td'],
    ['history', '/sessions/flight#history', '#history h2'],
    ['publish', '/sessions/flight#publish', '#publish form'],
  ])('a finger finds targets of 44 px on %s', async (_, place, selector) => {
    covers('INV-B.72');
    const page = await openPhone(place, selector);
    // A cell of the grid has the height of its row.
    const isNoCell = (target: string) => !target.startsWith('textarea.cell-editor');
    await eventually(async () => (await smallTargets(page)).filter(isNoCell)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.close();
  });
});
