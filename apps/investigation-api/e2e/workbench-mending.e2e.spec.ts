import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

type Items = readonly Readonly<Record<string, unknown>>[];

const BASE = {
  research_question: 'What started the fire?',
  decay_half_life_days: 73_000,
  actors: [
    { id: 'a1', name: 'The Herald', source_type: 'Journalist' },
    { id: 'a2', name: 'The Times', source_type: 'Journalist' },
  ],
  subjects: [{ id: 's1', name: 'Fire', subject_type: 'event' }],
  claims: [
    { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'arson', content: 'Arson.' },
  ],
};

async function open(id: string): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload: BASE });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#edit`);
  await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
  return page;
}

const items = (id: string, kind: string) => api<Items>('GET', `/sessions/${id}/${kind}`);
const dialog = (page: Page) => page.getByRole('dialog');

describe('a CSV import with cells that are not understood', () => {
  it('a CSV with grouped rows has its empty sources and subjects filled from the row above by a button', async () => {
    covers('INV-IMPORT.100');
    const page = await open('grouped-rows');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await page
      .getByLabel('or paste it')
      .fill(
        'source,subject,predicate,value\n,,height,9 m\nThe Herald,Fire,cause,arson\n,,damage,high\n,Bridge,open,no\n',
      );
    const outcome = dialog(page).locator('.outcome');
    await outcome.getByText(/^1.claim from 4.rows/).waitFor();
    await outcome.getByRole('button', { name: /^Fill 2.cells from the row above/ }).click();
    await outcome.getByText(/^2.cells of Source filled from the row above\./).waitFor();
    await outcome.getByRole('button', { name: /^Fill 1.cell from the row above/ }).click();
    await outcome.getByText(/^3.claims from 4.rows/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await outcome.getByRole('button', { name: 'Take it back' }).first().click();
    await outcome.getByText(/^1.claim from 4.rows/).waitFor();
    await page.close();
  });

  it('a CSV with bad dates, links and words is mended by a button for each kind, and loses no row', async () => {
    covers('INV-B.53', 'INV-B.54', 'INV-B.55', 'INV-B.50', 'INV-B.49');
    const page = await open('mended');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const row = (date: string, link: string, denied: string) =>
      `The Herald,Fire,cause,arson,${date},${link},${denied}`;
    const rows = [
      row('15-May-25', 'www.n.example/8', 'ja'),
      row('20250514', '', 'no'),
      row('Q2 2025', 'javascript:alert(1)', ''),
      row('yesterday', '', 'nixda'),
      row('soon', '', ''),
    ];
    const csv = `source,subject,predicate,value,date,link,Denied?\n${rows.join('\n')}\n`;
    await page.getByLabel('or paste it').fill(csv);
    const outcome = dialog(page).locator('.outcome');
    await outcome.getByText(/^Said at: “yesterday”, “soon” is not a date.*\(lines 5, 6\)\./).waitFor();
    await outcome.getByText(/^Link: “www\.n\.example\/8” got https:\/\/ in front/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await outcome.getByRole('button', { name: 'Leave these 2 cells empty' }).click();
    await outcome.getByRole('button', { name: 'Leave this cell empty' }).click();
    await outcome.getByText('“nixda”').waitFor();
    await outcome.getByRole('button', { name: 'It denies', exact: true }).click();
    await outcome.getByText('“nixda” means that the source denies it').waitFor();
    await outcome.getByText(/^5.claims from 5.rows/).waitFor();
    const button = dialog(page).getByRole('button', { name: /^Import 5/ });
    await eventually(() => button.isDisabled()).toBe(true);
    await page
      .getByLabel(/^Said at: which year is meant by two digits, as in 15-May-25/)
      .selectOption('2000');
    await outcome.getByRole('button', { name: 'Take it back' }).first().click();
    await outcome.getByText(/^3.claims from 5.rows/).waitFor();
    await outcome.getByRole('button', { name: 'Leave these 2 cells empty' }).click();
    expect(await axeViolations(page)).toEqual([]);
    await button.click();
    await dialog(page).waitFor({ state: 'detached' });
    const stored = (await items('mended', 'claims')).slice(1);
    expect(stored.map((claim) => [claim['assertion_time'], claim['url'], claim['valence']])).toEqual([
      ['2025-05-15T00:00:00Z', 'https://www.n.example/8', 'Refutes'],
      ['2025-05-14T00:00:00Z', undefined, 'Supports'],
      ['2025-04-01T00:00:00Z', undefined, undefined],
      [undefined, undefined, 'Refutes'],
      [undefined, undefined, undefined],
    ]);
    await page.close();
  });
});

describe('Undo across deletions in Edit', () => {
  it('several deletions in Edit are taken back one by one, by Ctrl+Z, by Ctrl+K and by the button', async () => {
    covers('INV-B.56');
    const page = await open('deletions');
    const remove = async (id: string, button: string) => {
      await page.locator(`[data-item="${id}"]`).click();
      await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
      if (button !== '') await dialog(page).getByRole('button', { name: button }).click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    const idsOf = async () =>
      (await Promise.all(['actors', 'subjects'].map((kind) => items('deletions', kind)))).map((list) =>
        list.map((item) => item['id']),
      );
    await remove('a1', 'Delete it anyway');
    await remove('a2', '');
    await remove('s1', 'Delete it anyway');
    await eventually(idsOf).toEqual([[], []]);
    await page.locator('#edit-subjects').focus();
    await page.keyboard.press('Control+z');
    await eventually(idsOf).toEqual([[], ['s1']]);
    await page.getByText('Taken back: Deleted “Fire”.').waitFor();
    await eventually(() => page.locator('.toast').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await dialog(page).getByRole('combobox').fill('undo');
    await page.getByRole('option', { name: 'Undo: Deleted “The Times”' }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(idsOf).toEqual([['a2'], ['s1']]);
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await eventually(idsOf).toEqual([['a1', 'a2'], ['s1']]);
    await eventually(() => page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+k');
    await dialog(page).getByRole('combobox').fill('undo');
    await dialog(page).getByText('Nothing has all of these words.').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => items('deletions', 'claims')).toMatchObject([{ id: 'c1', actor_id: 'a1' }]);
    await page.close();
  });
});
