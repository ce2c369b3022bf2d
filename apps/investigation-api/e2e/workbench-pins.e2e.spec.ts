import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

const QUOTE = 'The dam was closed.';
const CLAIM = {
  id: 'c1',
  actor_id: 'a1',
  subject_id: 's1',
  predicate: 'closed',
  value: 'true',
  content: 'It is.',
  quote: QUOTE,
  source: { document: 'file_1', selector: { exact: QUOTE } },
};
const PAYLOAD = {
  research_question: 'Is it closed?',
  actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'North dam', subject_type: 'structure' }],
  claims: [CLAIM],
};

async function openClaims(id: string): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload: PAYLOAD });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  page.setDefaultTimeout(60_000);
  await page.goto(`${service.url}/app/sessions/${id}#claims`);
  await page.getByRole('grid', { name: 'Claims' }).waitFor();
  return page;
}

const storedClaim = async (id: string) =>
  (await api<Record<string, unknown>[]>('GET', `/sessions/${id}/claims`))[0]!;

/** Types other words into the cell of the quote. */
async function typeQuote(page: Page): Promise<void> {
  await page.locator('.claims-grid [aria-rowindex="2"] td').nth(8).click();
  await page.keyboard.type('The dam was open.');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Row 1: the quote and the pin' }).waitFor();
}

describe('a quote in the grid that is not what its claim pins', () => {
  it('a changed quote of a pinned claim says so in plain words, stays in the verdicts, and can be unpinned', async () => {
    covers('INV-B.64', 'INV-B.65');
    const page = await openClaims('unpinned');
    const verdict = page.locator('[data-live]');
    await verdict.waitFor();
    await typeQuote(page);
    const state = page.locator('.claims-state');
    await state
      .getByText(/Row 1: Verbatim quote “The dam was open\.” says other words than those that are pinned/)
      .waitFor();
    await eventually(async () => (await state.innerText()).includes('is empty')).toBe(false);
    await eventually(() => verdict.count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unpin the quote' }).click();
    await state.getByText(/^Saved\./).waitFor();
    const { source: _, ...rest } = CLAIM;
    expect(await storedClaim('unpinned')).toEqual({ ...rest, quote: 'The dam was open.' });
    await eventually(() => page.getByRole('group', { name: /the quote and the pin/ }).count()).toBe(0);
    await page.close();
  });

  it('the pinned words are taken back, and the form of the claim says at the quote that the pin holds other words', async () => {
    covers('INV-B.64');
    const page = await openClaims('taken-back');
    await typeQuote(page);
    await page.getByRole('button', { name: 'Pin the new words …' }).click();
    const form = page.getByRole('dialog');
    await form
      .getByText(/Says other words than those that are pinned/)
      .first()
      .waitFor();
    await eventually(async () => (await form.innerText()).includes('selector')).toBe(false);
    await form.getByRole('button', { name: 'Unpin' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Take the pinned words back' }).click();
    await page
      .locator('.claims-state')
      .getByText(/^Saved\./)
      .waitFor();
    expect(await storedClaim('taken-back')).toEqual(CLAIM);
    await page.close();
  });
});

describe('the name of a document that is stored from a file', () => {
  it('another file gives the document its own name, unless one was typed', async () => {
    covers('INV-B.63');
    const page = await openClaims('named');
    await page.getByRole('button', { name: 'Open claim 1' }).click();
    await page.getByText('Pin another passage').click();
    const file = page.getByLabel('Or store a new one: file');
    const name = page.getByLabel('Name', { exact: true });
    const choose = (called: string, text = called) =>
      file.setInputFiles({ name: called, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') });
    await choose('wrong.txt');
    await eventually(() => name.inputValue()).toBe('wrong.txt');
    await choose('right.txt');
    await eventually(() => name.inputValue()).toBe('right.txt');
    await name.fill('minutes/mine.txt');
    await choose('other.txt');
    const text = page.getByLabel('Or paste its text');
    await eventually(() => text.inputValue()).toBe('other.txt');
    await eventually(() => name.inputValue()).toBe('minutes/mine.txt');
    // What cannot be read leaves nothing of the file before to be stored in its name.
    await choose('picture.bin', '\0\xff\xfe\0');
    await eventually(() => text.inputValue()).toBe('');
    await page.close();
  });
});
