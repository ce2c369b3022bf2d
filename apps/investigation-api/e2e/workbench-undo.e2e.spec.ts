import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

type Items = readonly Readonly<Record<string, unknown>>[];

const claim = (id: string, content: string, more: object = {}) => ({
  id,
  actor_id: 'a1',
  subject_id: 's1',
  predicate: 'cause',
  value: 'arson',
  content,
  ...more,
});
const BASE = {
  research_question: 'What started the fire?',
  decay_half_life_days: 73_000,
  actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
  claims: [claim('c1', 'Original.'), claim('c2', 'Beside it.')],
};

async function open(id: string, tab: string, payload: object = BASE): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#${tab}`);
  return page;
}

async function importJson(page: Page, file: object): Promise<void> {
  await page.getByRole('button', { name: 'Import another file' }).click();
  const buffer = Buffer.from(JSON.stringify(file));
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'own.json', mimeType: 'application/json', buffer });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Import \d/ }).click();
  await dialog.waitFor({ state: 'detached' });
}

const toast = (page: Page) => page.locator('.toast');
const undo = (page: Page) => toast(page).getByRole('button', { name: 'Undo' }).click();
const items = (id: string, kind: string) => api<Items>('GET', `/sessions/${id}/${kind}`);
const idsOf = async (id: string, kind: string) => (await items(id, kind)).map((item) => item['id']);
/** What another user writes while the page is open. */
const elsewhere = (id: string, kind: string, item: Items[number]) =>
  api('PUT', `/sessions/${id}/${kind}/${String(item['id'])}`, item);

describe('Undo after an import', () => {
  it('an import that replaces items says how many, and Undo puts the replaced ones back', async () => {
    covers('INV-B.37');
    const page = await open('replacing', 'edit');
    const before = await items('replacing', 'claims');
    const file = { ...BASE, claims: [claim('c9', 'New.'), claim('c1', 'From file.')] };
    await importJson(page, { ...file, actors: [{ ...BASE.actors[0], name: 'Herald' }] });
    await eventually(() => toast(page).innerText()).toMatch(
      /^1.claim added, 1 replaced, 1.other item replaced\./,
    );
    expect(await axeViolations(page)).toEqual([]);
    await eventually(() => items('replacing', 'claims')).toMatchObject([
      { id: 'c1', content: 'From file.' },
      { id: 'c2' },
      { id: 'c9' },
    ]);
    await undo(page);
    await toast(page).waitFor({ state: 'detached' });
    await eventually(() => items('replacing', 'claims')).toEqual(before);
    await eventually(() => items('replacing', 'actors')).toEqual(BASE.actors);
    await page.close();
  });

  it('Undo of an import keeps what somebody else changed or refers to since, and names it', async () => {
    covers('INV-B.46');
    const page = await open('colleague', 'edit');
    const own = { actor_id: 'a9', subject_id: 's9' };
    await importJson(page, {
      ...BASE,
      actors: [
        ...BASE.actors,
        { id: 'a8', name: 'Nobody', source_type: 'Insider' },
        { id: 'a9', name: 'Maria', source_type: 'Insider' },
      ],
      subjects: [
        ...BASE.subjects,
        { id: 's8', name: 'The cellar', subject_type: 'place' },
        { id: 's9', name: 'The roof', subject_type: 'place' },
      ],
      claims: [
        claim('c1', 'From file.', { value: 'accident' }),
        claim('c3', 'It burned.', own),
        claim('c4', 'It fell.', own),
        claim('c5', 'It rained.'),
      ],
    });
    await toast(page).waitFor();
    // The colleague edits a claim, states one about an imported subject, and adds evidence for a third.
    await elsewhere('colleague', 'claims', claim('c3', 'It burned, I checked.', own));
    await elsewhere('colleague', 'claims', claim('c6', 'Mine.', { subject_id: 's8' }));
    await elsewhere('colleague', 'evidence', {
      id: 'e1',
      claim_id: 'c4',
      content: 'A photo.',
      valence: 'Supports',
    });
    // And a field of a replaced claim that the import left as it was.
    await elsewhere('colleague', 'claims', claim('c1', 'From file.', { value: 'accident', quote: 'Arson!' }));
    await undo(page);
    await eventually(() => toast(page).innerText()).toMatch(
      /^Not all of it was taken back.*“Maria”, “The cellar”, “The roof” and 2 more/,
    );
    await eventually(() => toast(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await eventually(() => items('colleague', 'claims')).toMatchObject([
      { id: 'c1', content: 'Original.', value: 'arson', quote: 'Arson!' },
      { id: 'c2' },
      { id: 'c3', content: 'It burned, I checked.' },
      { id: 'c4' },
      { id: 'c6' },
    ]);
    await eventually(() => idsOf('colleague', 'actors')).toEqual(['a1', 'a9']);
    await eventually(() => idsOf('colleague', 'subjects')).toEqual(['s1', 's8', 's9']);
    await page.close();
  });
});

describe('every other Undo of the workbench, with a second writer in between', () => {
  it('Undo of a deletion leaves an item that took the id since, and names it', async () => {
    covers('INV-B.46');
    const page = await open('deleted', 'edit');
    await page.locator('[data-item="c2"]').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(() => toast(page).innerText()).toContain('Deleted “Beside it.”.');
    await elsewhere('deleted', 'claims', claim('c2', 'Another one.'));
    await undo(page);
    await eventually(() => toast(page).innerText()).toMatch(/^Not all of it was taken back.*“Beside it\.”/);
    await eventually(() => items('deleted', 'claims')).toMatchObject([
      { id: 'c1' },
      { id: 'c2', content: 'Another one.' },
    ]);
    await page.close();
  });

  it('Undo of a row typed into the grid asks about a source that somebody else uses since', async () => {
    covers('INV-B.46');
    const page = await open('typed', 'claims');
    await page.locator('.claims-grid [aria-rowindex="4"] [aria-colindex="2"]').click();
    await page.keyboard.type('Maria');
    await page.keyboard.press('Enter');
    await eventually(() => idsOf('typed', 'actors')).toHaveLength(2);
    const maria = String((await idsOf('typed', 'actors'))[1]);
    await elsewhere('typed', 'claims', claim('c7', 'She saw it.', { actor_id: maria }));
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await page.getByText('Somebody else changed the same, meanwhile').waitFor();
    await page.getByText('You deleted it; an item of theirs refers to it now.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await eventually(() => idsOf('typed', 'actors')).toEqual(['a1', maria]);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await eventually(() => page.getByText('Take theirs').count()).toBe(0);
    await eventually(() => idsOf('typed', 'actors')).toEqual(['a1', maria]);
    await page.close();
  });

  it('Undo of a mended warning asks where somebody else changed the same since, and leads there', async () => {
    covers('INV-B.46');
    const quote = 'It was lit.';
    const actors = [...BASE.actors, { id: 'a2', name: 'Morning Post', source_type: 'Journalist' }];
    const claims = [claim('c1', 'A.', { quote }), claim('c2', 'B.', { quote, actor_id: 'a2' })];
    const page = await open('mended', 'edit', { ...BASE, actors, claims });
    await api('POST', '/sessions/mended/judge', {});
    await page.goto(`${service.url}/app/sessions/mended#audit`);
    await page.reload();
    await page.getByRole('button', { name: /^Count once/ }).click();
    await eventually(() => items('mended', 'actors')).toMatchObject([{}, { depends_on: ['a1'] }]);
    await elsewhere('mended', 'actors', { id: 'a3', name: 'Wire', source_type: 'Journalist' });
    await elsewhere('mended', 'actors', { ...actors[1]!, depends_on: ['a3'] });
    await undo(page);
    await page.getByText('Somebody else changed what you changed').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose between yours and theirs' }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await eventually(() => items('mended', 'actors')).toMatchObject([{}, { depends_on: ['a3'] }, {}]);
    await page.close();
  });
});
