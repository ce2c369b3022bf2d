import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeObjections, startChromium, STEP_MS_MAX } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import type { Browser, Page } from 'playwright-core';
import type { BuiltService } from './built-service.fixture.ts';
import { callApi, startBuilt } from './built-service.fixture.ts';

const PAYLOAD = { research_question: 'What started the fire?', actors: [], subjects: [], claims: [] };
const CSV = `Outlet,Topic,Property,Value,Quote,Published
Fire Department,The fire,cause,electrical,"A cable, we think.",03/04/2025
The Daily Herald,The fire,cause,arson,Arson!,05/06/2025
Maria,The fire,cause,arson,I saw him.,07/08/2025
`;

let service: BuiltService;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startBuilt(), startChromium()]);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const api = <Answer>(method: string, path: string, body?: object) =>
  callApi<Answer>(service, method, path, body);

async function openSession(id: string, payload: object): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(STEP_MS_MAX);
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#edit`);
  await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
  return page;
}

const dialog = (page: Page) => page.getByRole('dialog');
const toast = (page: Page) => page.locator('.toast');

describe('a CSV import', () => {
  let page: Page;
  const importButton = () => dialog(page).getByRole('button', { name: /^Import 3/ });

  beforeAll(async () => {
    page = await openSession('fire', PAYLOAD);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByLabel('or paste it').fill(CSV);
  });
  afterAll(() => page?.close());

  it('a CSV import shows each new source with a guessed type, and waits for the types that it cannot guess', async () => {
    covers('INV-B.10');
    const typeOf = (name: string) => page.getByLabel(`Type of ${name}`).inputValue();
    expect(await typeOf('Fire Department')).toBe('Institutional');
    expect(await typeOf('The Daily Herald')).toBe('Journalist');
    expect(await typeOf('Maria')).toBe('');
    expect(await importButton().isDisabled()).toBe(true);
    expect(await axeObjections(page)).toEqual([]);
    await page.getByLabel('Type of Maria').selectOption('Insider');
  });

  it('a CSV import asks once whether the day or the month comes first', async () => {
    covers('INV-B.9');
    expect(await importButton().isDisabled()).toBe(true);
    await page.getByLabel(/^Said at: is 03\/04\/2025/).selectOption('day-first');
    expect(await importButton().isDisabled()).toBe(false);
  });

  it('a CSV import shows how many claims each way of ageing would fade, and keeps the one chosen', async () => {
    covers('INV-B.10');
    const choices = await page.locator('fieldset', { hasText: 'Does this get out of date?' }).innerText();
    expect(choices).toMatch(/facts of the past[^]*0 of 3.claims would be faded/);
    expect(choices).toMatch(/Within days[^]*3 of 3.claims would be faded/);
    await page.getByLabel('No: these are facts of the past').check();
    await importButton().click();
    await dialog(page).waitFor({ state: 'detached' });
    const stored = await api<{ payload: Record<string, unknown> }>('GET', '/sessions/fire');
    expect(stored.payload['decay_half_life_days']).toBe(73_000);
    expect(stored.payload['claims']).toMatchObject([
      { assertion_time: '2025-04-03T00:00:00Z' },
      { assertion_time: '2025-06-05T00:00:00Z' },
      { assertion_time: '2025-08-07T00:00:00Z' },
    ]);
    expect(stored.payload['actors']).toMatchObject([
      { source_type: 'Institutional' },
      { source_type: 'Journalist' },
      { source_type: 'Insider' },
    ]);
  });

  it('a CSV import says what it added, and takes it out again', async () => {
    covers('INV-B.11');
    expect(await toast(page).innerText()).toMatch(/^3.claims added/);
    expect(await axeObjections(page)).toEqual([]);
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await toast(page).waitFor({ state: 'detached' });
    for (const list of ['claims', 'actors', 'subjects'])
      expect(await api('GET', `/sessions/fire/${list}`)).toEqual([]);
  });
});

describe('deleting an item', () => {
  it('deleting an item names what refers to it first, and can be undone', async () => {
    covers('INV-B.11');
    const page = await openSession('delete', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Herald', source_type: 'Journalist' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [
        { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'x', content: 'It was x.' },
      ],
    });
    await page.locator('[data-item="a1"]').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('Claims: It was x.').waitFor();
    expect(await axeObjections(page)).toEqual([]);
    expect(await api('GET', '/sessions/delete/actors')).toHaveLength(1);
    await dialog(page).getByRole('button', { name: 'Keep it' }).click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Delete it anyway' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await api('GET', '/sessions/delete/actors')).toEqual([]);
    expect(await toast(page).innerText()).toContain('Deleted “Herald”.');
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await page.locator('[data-item="a1"]').waitFor();
    expect(await api('GET', '/sessions/delete/actors')).toEqual([
      { id: 'a1', name: 'Herald', source_type: 'Journalist' },
    ]);
    await page.close();
  });
});
