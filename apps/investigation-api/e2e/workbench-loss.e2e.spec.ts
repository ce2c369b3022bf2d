import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { useDesk } from './desk.fixture.ts';

const PAYLOAD = {
  research_question: 'Did it leak?',
  actors: [{ id: 'a1', name: 'Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'The dam', subject_type: 'structure' }],
  claims: [
    { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'leaked', value: 'true', content: 'It leaked.' },
  ],
};

const { service, browser, api } = useDesk();
/** Errors that pages threw. */
const thrown: string[] = [];

/** A tab that is signed in, with a session in it. */
async function openSession(id: string, tab = 'edit'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.on('pageerror', (error) => thrown.push(error.message));
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#${tab}`);
  await page.getByRole('tab', { name: tab, selected: true }).waitFor();
  return page;
}

/** Holds the requests of a method back until the given function is called. */
async function hold(page: Page, method: string, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(path, async (route) => {
    if (route.request().method() === method) await held;
    await route.continue();
  });
  return release;
}

const dialog = (page: Page) => page.getByRole('dialog');
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true }).click();

async function writeSource(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a source' }).click();
  await page.getByLabel('Name required').last().fill(name);
  await page.getByLabel('Source type').selectOption('Expert');
}

describe('a session open in two tabs', () => {
  it('a session open in two tabs keeps what the other tab saved until the user decides otherwise', async () => {
    covers('INV-B.7', 'INV-S.70');
    await api('POST', '/sessions', { name: 'Two', session_id: 'two', payload: PAYLOAD });
    const [one, other] = await Promise.all([openSession('two'), openSession('two')]);
    await writeSource(one, 'From one');
    await save(one);
    await one.locator('[data-item="from-one"]').waitFor();

    // The id that the other tab offers has been taken meanwhile.
    await writeSource(other, 'From the other');
    await save(other);
    await other.locator('[data-item="from-the-other"]').waitFor();
    await eventually(() => api('GET', '/sessions/two/actors')).toMatchObject([
      { name: 'Herald' },
      { name: 'From one' },
      { name: 'From the other' },
    ]);

    await one.locator('[data-item="c1"]').click();
    await one.getByLabel('Value required').fill('false');
    await api('PATCH', '/sessions/two', { claims: [{ ...PAYLOAD.claims[0], value: 'perhaps' }] });
    await save(one);
    await one.getByText('Was changed elsewhere, to "perhaps".').waitFor();
    await eventually(() => api('GET', '/sessions/two/claims/c1')).toMatchObject({ value: 'perhaps' });
    await save(one);
    await dialog(one).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/two/claims/c1')).toMatchObject({ value: 'false' });

    await other.getByLabel('Research question').fill('Mine');
    await api('PATCH', '/sessions/two', { research_question: 'Theirs' });
    await other.locator('form.settings').getByRole('button', { name: 'Save' }).click();
    await other.getByText('Was changed elsewhere, to "Theirs".').waitFor();
    await eventually(() => other.getByLabel('Research question').inputValue()).toBe('Mine');

    // An import takes ids that nobody else takes.
    await other.getByRole('button', { name: 'Import CSV' }).click();
    await other.getByLabel('or paste it').fill('source,subject,predicate,value\nHerald,The dam,leaked,no');
    await api('PATCH', '/sessions/two', { claims: [{ ...PAYLOAD.claims[0], id: 'c2' }] });
    await other.getByRole('button', { name: 'Import 1 claim' }).click();
    await dialog(other).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/two/claims')).toMatchObject([
      { id: 'c1' },
      { id: 'c2', value: 'true' },
      { id: expect.stringMatching(/^c-\w{5}$/), value: 'no' },
    ]);

    // An item edited as JSON is not put back where another tab took it out.
    await one.getByRole('button', { name: 'Edit everything as JSON' }).click();
    const json = one.getByLabel('As JSON');
    await json.fill((await json.inputValue()).replace('From one', 'Renamed'));
    await api('PATCH', '/sessions/two', { remove_actor_ids: ['from-one'] });
    await save(one);
    await one.getByText('actors from-one', { exact: true }).waitFor();
    await eventually(() => api('GET', '/sessions/two/actors')).toHaveLength(2);
    await Promise.all([one.close(), other.close()]);
  });

  it('a session open in two tabs deletes the item that it shows, whatever its id', async () => {
    covers('INV-B.8');
    const dots = { id: '..', name: 'Dots', source_type: 'Expert' };
    await api('POST', '/sessions', {
      name: 'Dots',
      session_id: 'dots',
      payload: { ...PAYLOAD, actors: [...PAYLOAD.actors, dots] },
    });
    const page = await openSession('dots');
    page.on('dialog', (question) => void question.accept());
    await page.locator('[data-item=".."]').click();
    await page.getByLabel('Name required').last().fill('Two dots');
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/dots/actors')).toMatchObject([
      { id: 'a1' },
      { name: 'Two dots' },
    ]);
    await page.locator('[data-item=".."]').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/dots/actors')).toEqual(PAYLOAD.actors);
    // The keyboard stays where the item was.
    await page.locator('#edit-actors:focus').waitFor();
    await page.close();
  });
});

describe('a slow or broken line', () => {
  it('a slow or broken connection loses nothing that is typed during a save', async () => {
    covers('INV-B.3');
    await api('POST', '/sessions', { name: 'Slow', session_id: 'slow', payload: PAYLOAD });
    await api('POST', '/sessions/slow/judge', {});
    const page = await openSession('slow');
    let release = await hold(page, 'PATCH', '**/sessions/slow');
    const question = page.getByLabel('Research question');
    await question.fill('First');
    await page.locator('form.settings').getByRole('button', { name: 'Save' }).click();
    await question.fill('First, and more');
    release();
    await page.locator('.question', { hasText: /^First$/ }).waitFor();
    await page.getByText('Not saved yet.').waitFor();
    await eventually(() => question.inputValue()).toBe('First, and more');

    await page.getByRole('tab', { name: 'Publish' }).click();
    release = await hold(page, 'PUT', '**/interpretation');
    const words = page.getByLabel('What you make of it');
    await words.fill('One');
    await page.getByRole('button', { name: 'Save interpretation' }).click();
    await words.fill('One and two');
    release();
    await page.getByRole('button', { name: 'Save interpretation' }).waitFor();
    await eventually(() => words.inputValue()).toBe('One and two');
    await page.close({ runBeforeUnload: false });
  });

  it('a slow or broken connection keeps what was saved during a judgement, and marks it as not judged', async () => {
    covers('INV-B.3');
    await api('POST', '/sessions', { name: 'Long', session_id: 'long', payload: PAYLOAD });
    const page = await openSession('long');
    // The response is held back, so that what is saved meanwhile is not judged.
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/judge', async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await eventually(() => api('GET', '/sessions/long')).toMatchObject({ judged_at: expect.any(String) });
    await writeSource(page, 'Meanwhile');
    await save(page);
    await page.locator('[data-item="meanwhile"]').waitFor();
    await page.locator('[data-item="c1"]').click();
    await page.getByLabel('Value required').fill('false');
    release();
    await page.getByText('edited since').waitFor();
    // The form stays where it is, and can be gone on with.
    await eventually(() => page.getByLabel('Value required').inputValue()).toBe('false');
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    await page.locator('[data-item="meanwhile"]').waitFor();
    await page.close();
  });

  it('the workbench does not report a judgement as lost when it was kept', async () => {
    covers('INV-B.3');
    await api('POST', '/sessions', { name: 'Late', session_id: 'late', payload: PAYLOAD });
    const page = await openSession('late');
    let arrived = () => {};
    const judged = new Promise<void>((resolve) => (arrived = resolve));
    await page.route('**/judge', async (route) => {
      await route.fetch();
      arrived();
    });
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await judged;
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped too late').last().waitFor();
    await page.locator('#judge:focus').waitFor();
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await page.close();
  });

  it('a form that could not be saved stays open, with the keyboard focus in it', async () => {
    covers('INV-B.3');
    const page = await openSession('slow');
    await page.route('**/api/**', (route) => route.abort());
    await writeSource(page, 'Offline');
    await save(page);
    await page.getByText('The service did not answer').waitFor();
    await eventually(() => page.getByLabel('Name required').last().inputValue()).toBe('Offline');
    await page.locator('button[type=submit]:focus').waitFor();
    await page.unroute('**/api/**');
    await save(page);
    await page.locator('[data-item="offline"]').waitFor();
    await page.close();
  });
});

describe('leaving', () => {
  it('the next claim keeps source and date of the one before, and a form without anything new closes unasked', async () => {
    covers('INV-B.44');
    await api('POST', '/sessions', { name: 'Row', session_id: 'row', payload: PAYLOAD });
    const page = await openSession('row');
    const asked: string[] = [];
    page.on('dialog', (question) => {
      asked.push(question.message());
      void question.accept();
    });
    await page.getByRole('button', { name: 'Add a claim' }).click();
    const form = dialog(page);
    await form.getByLabel('Source required').selectOption('a1');
    await form.getByLabel('Subject', { exact: true }).selectOption('s1');
    await form.getByLabel('Property required').fill('cracked');
    await form.getByLabel('Value required').fill('true');
    await form.getByLabel('In words required').fill('It cracked.');
    await form.getByLabel('Said at').fill('2025-05-01');
    await form.getByRole('button', { name: 'Save and add another' }).click();
    await eventually(() => api('GET', '/sessions/row/claims')).toHaveLength(2);
    await eventually(() => form.getByLabel('Value required').inputValue()).toBe('');
    await eventually(() => form.getByLabel('Source required').inputValue()).toBe('a1');
    await eventually(() => form.getByLabel('Said at').inputValue()).toBe('2025-05-01');

    // Neither what stays nor what was emptied again could be lost.
    await form.getByLabel('Value required').fill('x');
    await form.getByLabel('Value required').fill('');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Add a claim' }).click();
    await eventually(() => form.getByLabel('Source required').inputValue()).toBe('');
    await form.getByLabel('Value required').fill('x');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    expect(asked).toHaveLength(1);
    await page.close();
  });

  it('leaving a page asks before typed text is lost, also by the Back button', async () => {
    covers('INV-B.3');
    const page = await openSession('long', 'overview');
    const asked: string[] = [];
    let isLeaving = false;
    page.on('dialog', (question) => {
      asked.push(question.type());
      void (isLeaving ? question.accept() : question.dismiss());
    });
    await page.getByRole('tab', { name: 'Edit' }).click();
    await writeSource(page, 'Typed');
    await Promise.all([page.waitForEvent('dialog'), page.goBack()]);
    await eventually(() => asked).toEqual(['confirm']);
    await eventually(() => page.getByLabel('Name required').last().inputValue()).toBe('Typed');
    isLeaving = true;
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Check our work' }).click();

    isLeaving = false;
    await page.getByRole('link', { name: 'Investigations' }).click();
    await page.getByRole('button', { name: 'New investigation' }).click();
    await page.getByLabel('Research question').fill('Long thought about');
    await page.keyboard.press('Escape');
    await eventually(() => asked).toEqual(['confirm', 'confirm', 'confirm']);
    await eventually(() => page.getByLabel('Research question').inputValue()).toBe('Long thought about');
    await page.getByLabel('Name required').fill('New');
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
    expect(asked).toHaveLength(3);
    expect(thrown).toEqual([]);
    await page.close();
  });

  it('one session is made when the response to the first try was lost', async () => {
    await api('POST', '/sessions', { name: 'Before', session_id: 'before', payload: PAYLOAD });
    const page = await openSession('before');
    await page.getByRole('link', { name: 'Investigations' }).click();
    let isLost = false;
    await page.route('**/api/v1/sessions', async (route) => {
      if (route.request().method() !== 'POST' || isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'New investigation' }).click();
    await page.getByLabel('Name required').fill('Made once');
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.getByText('The service did not answer').waitFor();
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
    await eventually(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Made once');
    const made = await api<{ name: string }[]>('GET', '/sessions?name_filter=Made%20once');
    expect(made).toHaveLength(1);
    expect(thrown).toEqual([]);
    await page.close();
  });
});
