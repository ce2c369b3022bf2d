import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { paste, useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

const CLAIM = {
  id: 'c1',
  actor_id: 'a1',
  subject_id: 's1',
  predicate: 'open',
  value: 'true',
  content: 'It is.',
};
const PAYLOAD = {
  research_question: 'Is it open?',
  actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'North bridge', subject_type: 'structure' }],
  claims: [CLAIM],
};

async function openClaims(id: string): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload: PAYLOAD });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#claims`);
  await page.getByRole('grid', { name: 'Claims' }).waitFor();
  return page;
}

const cell = (page: Page, row: number, title: string) =>
  page.locator(`.claims-grid [aria-rowindex="${row + 1}"] td`).nth(TITLES.indexOf(title));
const TITLES = ['Source', 'Subject', 'Property', 'Value', 'Denies it', 'In words', 'Said at', 'Link'];
const state = (page: Page) => page.locator('.claims-state');
const claims = (id: string) => api<Record<string, unknown>[]>('GET', `/sessions/${id}/claims`);

describe('a cell of the grid that is not understood', () => {
  it('a word in “Denies it” that leaves a doubt is an error at its cell, is not saved, and turns no claim round', async () => {
    covers('INV-B.49', 'INV-B.52');
    const page = await openClaims('denied');
    await cell(page, 2, 'Source').click();
    const words = ['ja', '✓', 'maybe', 'not', ''];
    await paste(page, words.map((word) => `The Herald\tNorth bridge\topen\ttrue\t${word}`).join('\r\n'));
    await state(page)
      .getByText(/^Saved, but for 2.rows marked ▲\. Row 4: Denies it “maybe” is neither yes nor no/)
      .waitFor();
    await eventually(() => cell(page, 4, 'Denies it').getAttribute('aria-invalid')).toBe('true');
    await eventually(() => cell(page, 4, 'Denies it').innerText()).toBe('maybe');
    expect(await axeViolations(page)).toEqual([]);
    await eventually(async () => (await claims('denied')).map((one) => one['valence'] ?? 'none')).toEqual([
      'none',
      'Refutes',
      'Refutes',
      'none',
    ]);
    await cell(page, 4, 'Denies it').click();
    await page.keyboard.type('nej');
    await page.keyboard.press('Enter');
    await page.keyboard.type('yes');
    await page.keyboard.press('Enter');
    await state(page)
      .getByText(/^Saved\./)
      .waitFor();
    await eventually(async () =>
      (await claims('denied')).map((one) => one['valence'] ?? 'none').sort(),
    ).toEqual(['Refutes', 'Refutes', 'Refutes', 'none', 'none', 'none']);
    await page.close();
  });

  it('a row with a bad link says that the link is wrong, and what is not taken is counted by reason and row', async () => {
    covers('INV-B.50', 'INV-B.51', 'INV-B.52');
    const page = await openClaims('linked');
    await cell(page, 2, 'Source').click();
    const row = (date: string, link: string) => `The Herald\tNorth bridge\topen\ttrue\t\t\t${date}\t${link}`;
    await paste(
      page,
      [row('yesterday', 'javascript:alert(1)'), row('yesterday', ''), row('soon', 'www.n.example/8')].join(
        '\r\n',
      ),
    );
    await state(page)
      .getByText('Row 2: Link “javascript:alert(1)” is not a link: write it as https://example.org/page.')
      .waitFor();
    await state(page)
      .getByText(/^3.cells not taken\. Rows 2, 3 and 4: “yesterday” is not a date/)
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await eventually(async () => (await claims('linked')).map((one) => one['url'] ?? '')).toEqual([
      '',
      '',
      'https://www.n.example/8',
    ]);
    await page.close();
  });
});
