import { beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { DAM_INPUT } from '../src/dam-failure.fixture.ts';
import { exampleInput, snapshotOf } from '../src/snapshot.fixture.ts';
import { openPage } from './share-site.fixture.ts';
import { useShareSite } from './visit.fixture.ts';

const PROVENANCE = {
  url: 'https://www.example.org/report?page=2',
  archived_url: 'https://web.archive.org/web/2020/https://www.example.org/report',
  quote: 'The words of the report, letter by letter.',
  published_by: 'Example Press',
};
const INPUT: InvestigationInput = {
  ...DAM_INPUT,
  claims: DAM_INPUT.claims.map((claim) => ({ ...claim, ...PROVENANCE })),
  evidence: DAM_INPUT.evidence?.map((item) => ({ ...item, ...PROVENANCE })),
};

const { site, browser } = useShareSite();
let page: Awaited<ReturnType<typeof openPage>>;

beforeAll(async () => {
  page = await openPage(browser, site.urlOf(snapshotOf(INPUT)), { viewport: { width: 390, height: 844 } });
});

const links = (selector: string) =>
  page.locator(`${selector} a.source-link`).evaluateAll((all) =>
    all.map((link) => ({
      href: link.getAttribute('href'),
      rel: link.getAttribute('rel'),
      words: link.textContent,
    })),
  );

describe('sources on the share page', () => {
  it('every row of reasons shows source, kind, day, publisher, quote and links that tell the other site nothing', async () => {
    covers('INV-V.32');
    const row = page.locator('.reasons li').first();
    await page.locator('.finding-detail > summary').first().click();
    await eventually(() => row.locator('.cited-name').innerText()).not.toBe('');
    await eventually(() => row.locator('.source-type').innerText()).toMatch(/^[a-z]+( [a-z]+)?$/);
    await eventually(() => row.locator('.cited').innerText()).toContain('Example Press');
    await eventually(() => row.locator('.cited-quote').innerText()).toContain(PROVENANCE.quote);
    const found = await links('.reasons li:first-child');
    expect(found.slice(0, 2)).toEqual([
      { href: PROVENANCE.url, rel: 'noopener nofollow', words: expect.stringContaining('example.org ↗') },
      {
        href: PROVENANCE.archived_url,
        rel: 'noopener nofollow',
        words: expect.stringContaining('archived copy ↗'),
      },
    ]);
  });

  it('sources that are not independent of another stand in one line under it until it is opened', async () => {
    covers('INV-V.32');
    const flight = await openPage(browser, site.urlOf(snapshotOf(exampleInput('first-flight'))));
    // Claims that one source makes twice are folded by the same rule, in words of their own.
    const copies = flight.locator('.copies', { hasText: 'not independent' }).first();
    await flight.locator('.finding-detail').evaluateAll((folds) => {
      for (const fold of folds) (fold as HTMLDetailsElement).open = true;
    });
    await eventually(() => copies.locator('summary').innerText()).toMatch(
      /^and \d+ not independent of it, according to the author, counted once$/,
    );
    await eventually(() => copies.locator('li').first().isVisible()).toBe(false);
    await copies.locator('summary').click();
    await eventually(() => copies.locator('li').first().isVisible()).toBe(true);
    await flight.context().close();
  });

  it('the Sources pane says who says what and how far each is trusted, without a word of accusation', async () => {
    covers('INV-V.33');
    await page.click('#tab-sources');
    await page.waitForSelector('html[data-alive~=sources]', { state: 'attached' });
    const pane = page.locator('#sources');
    await eventually(() => pane.locator('.source-card').count()).toBe(
      new Set(INPUT.claims.map(({ actor_id }) => actor_id)).size,
    );
    const text = await pane.innerText();
    expect(text).toMatch(/Taken to be right in \d+\s%/);
    expect(text).toMatch(/Repeats .+, according to the author; together they count as one voice/);
    expect(text).not.toMatch(/copie|copy from|plagiar/i);
    await eventually(() => links('#sources')).not.toEqual([]);
    expect(await axeViolations(page, '#sources')).toEqual([]);
    await eventually(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(page.log.problems).toEqual([]);
  });
});
