import { readFileSync } from 'node:fs';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { startChromium } from '@platform/testing';
import { forSuite, late } from '@platform/testing/for-suite';
import type { Browser, Page } from 'playwright-core';
import { callApi, startBuilt, type BuiltService } from './built-service.fixture.ts';

/** The investigation of the demo. */
export const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../../examples/first-flight.json', import.meta.url), 'utf8'),
) as InvestigationInput;

/** The built service, a browser beside it and calls of its API, for the tests of the file around the call. */
export function useDesk(settings: Record<string, string> = { INVESTIGATION_LOG_LEVEL: 'info' }) {
  const made = forSuite(
    async () => {
      const [service, browser] = await Promise.all([startBuilt(settings), startChromium()]);
      return { service, browser };
    },
    async ({ service, browser }) => {
      await browser.close();
      await service.stop();
    },
  );
  const service = late<BuiltService>(() => made.service);
  return {
    service,
    browser: late<Browser>(() => made.browser),
    api: <Answer>(method: string, path: string, body?: object) =>
      callApi<Answer>(service, method, path, body),
  };
}

/** How many pixels the page is wider than its window; 0 where it fits. */
export const overflowOf = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

/** Pastes a text where the focus is, as a spreadsheet would. */
export const paste = (page: Page, text: string) =>
  page.evaluate((tsv) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', tsv);
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
