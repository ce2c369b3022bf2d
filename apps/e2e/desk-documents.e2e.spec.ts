import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations, startChromium } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { late } from '@platform/testing/for-suite';
import { type Json, send, suitePlatform } from './platform-suite.fixture.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof startChromium>>['newPage']>>;

const STORE = 'Store it and select the passage';
const DAMS = 'First. The dam holds. The dam leaks. The dam broke.';

let browser: Awaited<ReturnType<typeof startChromium>>;
const platform = suitePlatform();
const investigation = late(() => platform.services['investigation-api']);
const tenant = late(() => platform.tenant);

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

const api = (method: string, path: string, body?: unknown) =>
  send(investigation.url, tenant.token, method, `/api/v1${path}`, body);

async function newSession(claim: object): Promise<string> {
  const { json } = await api('POST', '/sessions', {
    name: 'Dam',
    payload: {
      research_question: 'Does the dam hold?',
      actors: [{ id: 'mayor', name: 'Mayor', source_type: 'Institutional' }],
      subjects: [{ id: 'dam', name: 'Dam', subject_type: 'structure' }],
      claims: [
        {
          id: 'c1',
          actor_id: 'mayor',
          subject_id: 'dam',
          predicate: 'holds',
          value: 'true',
          content: 'The dam is said to hold.',
          ...claim,
        },
      ],
    },
  });
  return `/sessions/${json.session_id}`;
}

async function signedIn(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  await page.goto(`${investigation.url}/app${path}`);
  await page.getByText('Advanced: sign in with a token').click();
  await page.getByLabel('Token or API key').fill(tenant.token);
  await page.getByRole('button', { name: 'Sign in with the token' }).click();
  return page;
}

/** The claim's dialog with its stored document in view. */
async function openClaim(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'The dam is said to hold.' }).first().click();
}

async function store(filename: string, contents: string, more: object = {}): Promise<Json> {
  return api('POST', '/documents', { filename, contents, ...more });
}

/** A session with a claim that quotes “The dam” from a place where other words stand. */
async function movedQuote(): Promise<{ session: string; document: string }> {
  const { json } = await store(`dams/${randomUUID()}.txt`, DAMS);
  const { document, version, sha256 } = json;
  const selector = { exact: 'The dam', start: 0, end: 7 };
  const session = await newSession({ source: { document, version, sha256, selector } });
  return { session, document };
}

describe('stored documents by their names', () => {
  it('the same bytes under a name are that document, other bytes are refused, or a new version where asked for', async () => {
    covers('INV-Q.36', 'INV-Q.40');
    const filename = `reports/${randomUUID()}.txt`;
    const first = await store(filename, 'The dam holds.');
    expect([first.status, first.json.is_new]).toEqual([201, true]);
    const again = await store(filename, 'The dam holds.');
    expect(again).toMatchObject({
      status: 201,
      json: { document: first.json.document, version: 1, is_new: false, warnings: [] },
    });
    const mirror = await store(filename, 'The dam holds.', { url: 'https://mirror.example/dam' });
    expect(mirror.json).toMatchObject({ url: null, warnings: [expect.stringContaining('was not kept')] });
    const other = await store(filename, 'The dam leaks.');
    expect([other.status, other.json.error]).toEqual([
      409,
      'a document with this filename exists: send `as_new_version` to store this as a new version of it, or choose another filename',
    ]);
    const next = await store(filename, 'The dam leaks.', { as_new_version: true });
    expect(next.json).toMatchObject({ document: first.json.document, version: 2, is_new: true });
    const old = await api('GET', `/documents/${first.json.document}?version=1`);
    expect(old.json.contents).toBe('The dam holds.');
  });

  it('a list of documents finds them by a part of the name in any case, the last changed first', async () => {
    covers('INV-Q.37');
    const name = randomUUID();
    for (const end of ['A.txt', 'B.txt']) await store(`Lists/${name}/${end}`, end);
    const { json } = await api('GET', `/documents?name_filter=${`lists/${name}`.toUpperCase()}`);
    expect(json.map(({ filename }: Json) => filename)).toEqual([
      `Lists/${name}/B.txt`,
      `Lists/${name}/A.txt`,
    ]);
    const { json: one } = await api('GET', `/documents?name_filter=${name}&limit=1`);
    expect(one).toHaveLength(1);
    expect((await api('GET', '/documents?limit=0')).status).toBe(422);
  });

  it('an analyst opens a stored document by its name, stores a file twice and a changed one as a new version', async () => {
    covers('INV-B.57', 'INV-B.58', 'INV-Q.47');
    const name = `report ${randomUUID()}.txt`;
    await store(name, 'The dam holds.');
    const page = await signedIn(`${await newSession({})}#edit`);
    await openClaim(page);
    await page.getByText('Choose or add a document').click();
    await page.getByLabel('Find a stored document by name').fill(name.slice(3).toUpperCase());
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name }).click();
    await page.getByLabel(`${name}, version 1`).waitFor();

    await page.getByRole('button', { name: 'Another document' }).click();
    await page.getByText('Choose or add a document').click();
    const file = (text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    const input = page.getByLabel('Or store a new one: file');
    await input.setInputFiles(file('The dam holds.'));
    await page.getByLabel('Address it was copied from').fill('https://mirror.example/dam');
    await page.getByRole('button', { name: STORE }).click();
    await page.getByLabel(`${name}, version 1`).waitFor();
    await page.getByText('The address https://mirror.example/dam was not kept').waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Another document' }).click();
    await page.getByText('Choose or add a document').click();
    await input.setInputFiles(file('The dam leaks.'));
    await page.getByRole('button', { name: STORE }).click();
    await page.getByText('is stored already, with another text').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose another name' }).click();
    await eventually(() => page.getByText('is stored already, with another text').count()).toBe(0);
    await page.getByRole('button', { name: STORE }).click();
    await page.getByRole('button', { name: 'Store it as a new version' }).click();
    const text = page.getByLabel(`${name}, version 2`);
    await eventually(() => text.inputValue()).toBe('The dam leaks.');
    await page.close();
  });
});

describe('a quote that has moved', () => {
  it('a link to a quote that has moved leads to its document with every place marked and none chosen', async () => {
    covers('INV-B.59');
    const { session, document } = await movedQuote();
    await api('POST', `${session}/judge`, {});
    const page = await signedIn(`${session}#audit`);
    const link = page.locator('.quote-state-moved a').first();
    await link.waitFor();
    const href = await link.getAttribute('href');
    expect(href).toContain(`/app/documents/${document}/1?moved=`);
    await page.goto(`${investigation.url}${href}`);
    await page.getByText('This document holds them 3 times. None is chosen').waitFor();
    await eventually(() => page.locator('mark').allTextContents()).toEqual(['The dam', 'The dam', 'The dam']);
    await eventually(() => page.locator('mark.passage').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  it('the dialog of a claim says that its quote has moved, offers each place, and pins the one that is chosen', async () => {
    covers('INV-B.60');
    const { session } = await movedQuote();
    const page = await signedIn(`${session}#edit`);
    await openClaim(page);
    await page.getByText('Version 1 holds them 3 times. No place is chosen for you.').waitFor();
    const link = page.getByRole('link', { name: 'Show in its document' });
    await eventually(() => link.getAttribute('href')).toContain('?moved=');
    expect(await axeViolations(page)).toEqual([]);
    const place = page.getByRole('listitem').filter({ hasText: 'The dam leaks' });
    await place.getByRole('button', { name: 'Pin this place' }).nth(0).click();
    await page.getByText('The words stand there in the stored document.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => {
      const { json } = await api('GET', `${session}/claims/c1`);
      return json.source.selector.start;
    }).not.toBe(0);
    await page.close();
  });

  it('the dialog of a claim says what an edit of the document did to its quote', async () => {
    covers('INV-B.61', 'INV-Q.38');
    const filename = `edits/${randomUUID()}.txt`;
    const { document } = (await store(filename, DAMS)).json;
    const { json } = await api('GET', `/documents/${document}/quote?exact=The%20dam%20broke`);
    const session = await newSession({ source: json.source });
    await store(filename, 'The dam holds.', { as_new_version: true });
    const judged = await api('POST', `${session}/judge`, {});
    expect(judged.json.quotes.items).toMatchObject([{ state: 'verified', current: { state: 'gone' } }]);
    const page = await signedIn(`${session}#audit`);
    await page.getByText('and does not say so any more').waitFor();
    await eventually(() => page.locator('.quote-state-verified').first().textContent()).toContain(
      'verified, not found since',
    );
    await page.goto(`${investigation.url}/app${session}#edit`);
    await openClaim(page);
    await page.getByText('edited since: version 2 does not hold these words any more').waitFor();
    await page.close();
  });

  it('a quote that was typed with plain signs is found, and pinned and quoted as its document has it', async () => {
    covers('INV-Q.61');
    const name = `signs ${randomUUID()}.txt`;
    const { document, version, sha256 } = (await store(name, 'It says: “We’ll hold the dam – today.”')).json;
    const typed = `"We'll hold the dam - today."`;
    const session = await newSession({
      quote: typed,
      source: { document, version, sha256, selector: { exact: typed } },
    });
    const page = await signedIn(`${session}#edit`);
    await openClaim(page);
    await page.getByText('does not hold these very words, but similar ones once').waitFor();
    await page.getByText('Pin another passage').click();
    await page.getByLabel('Find a stored document by name').fill(name);
    await page.getByRole('button', { name }).click();
    const field = page.getByLabel('Find the quote');
    await field.fill('the dam leaks');
    await field.press('Enter');
    await page.getByText('holds neither these words nor similar ones').waitFor();
    await field.fill(typed);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('The document holds similar words once.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.locator('.passage-choice').getByRole('button', { name: 'Pin this place' }).click();
    await page.getByText('The words stand there in the stored document.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const stored = '“We’ll hold the dam – today.”';
    await eventually(async () => (await api('GET', `${session}/claims/c1`)).json).toMatchObject({
      quote: stored,
      source: { selector: { exact: stored, start: 9 } },
    });
    await page.close();
  });

  it('a quote that was typed with spaces is saved with the passage that its document breaks over lines', async () => {
    covers('INV-Q.35', 'INV-B.62');
    const name = `lines ${randomUUID()}.txt`;
    await store(name, 'The dam\r\n  holds today.');
    const session = await newSession({ quote: 'The dam holds' });
    const page = await signedIn(`${session}#edit`);
    await openClaim(page);
    await page.getByText('Choose or add a document').click();
    await page.getByLabel('Find a stored document by name').fill(name);
    await page.getByRole('button', { name }).click();
    const text = page.getByLabel(`${name}, version 1`);
    await text.waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('none of its words are pinned to this item yet').waitFor();
    await text.evaluate((area: Json) => area.setSelectionRange(0, 15));
    await page.getByRole('button', { name: 'Pin the selected words' }).click();
    await page.getByText('The words stand there in the stored document.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => (await api('GET', `${session}/claims/c1`)).json).toMatchObject({
      quote: 'The dam holds',
      source: { selector: { exact: 'The dam\r\n  holds' } },
    });
    await page.close();
  });
});
