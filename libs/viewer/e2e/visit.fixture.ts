import { startChromium } from '@platform/testing';
import { forSuite, late } from '@platform/testing/for-suite';
import type { Browser } from 'playwright-core';
import { startShareSite, type ShareSite } from './share-site.fixture.ts';

/** A site of share pages and a browser, for the tests of the file around the call. */
export function useShareSite(): { site: ShareSite; browser: Browser } {
  const made = forSuite(
    async () => {
      const [site, browser] = await Promise.all([startShareSite(), startChromium()]);
      return { site, browser };
    },
    async ({ site, browser }) => {
      await browser.close();
      await site.stop();
    },
  );
  return { site: late(() => made.site), browser: late<Browser>(() => made.browser) };
}
