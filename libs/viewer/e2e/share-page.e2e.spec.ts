import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { exampleInput, snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage, startBrowser, startShareSite, type ShareSite } from './share-site.fixture.ts';

jest.setTimeout(120_000);

let site: ShareSite;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startShareSite(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

describe('the share page', () => {
  it('shows the question, without a complaint of the browser and with nothing from outside', async () => {
    const url = site.urlOf(snapshotOf(exampleInput('first-flight')));
    const page = await openPage(browser, url);
    expect(await page.textContent('h1')).toContain('Who made the first powered');
    expect(page.log.problems).toEqual([]);
    const origin = new URL(url).origin;
    expect(
      page.log.requests.filter((request) => !request.startsWith(origin) && !request.startsWith('data:')),
    ).toEqual([]);
    await page.context().close();
  });
});
