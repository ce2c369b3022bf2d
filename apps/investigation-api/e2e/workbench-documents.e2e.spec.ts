import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

const STORE = 'Store it and select the passage';
const DIGEST = 'a'.repeat(64);
const PDF_DIGEST = 'b'.repeat(64);

/** The dialog of a claim, with a document store whose one document has these contents. */
async function openDialog(
  id: string,
  { contents = '', pdf = false } = {},
): Promise<{ page: Page; sent: Record<string, unknown>[] }> {
  await api('POST', '/sessions', {
    name: id,
    session_id: id,
    payload: {
      research_question: 'Is it closed?',
      actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
      subjects: [{ id: 's1', name: 'North dam', subject_type: 'structure' }],
      claims: [
        { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'closed', value: 'true', content: 'It is.' },
      ],
    },
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  page.setDefaultTimeout(60_000);
  const sent: Record<string, unknown>[] = [];
  const stored = {
    document: 'file_1',
    version: 1,
    sha256: DIGEST,
    filename: 'x.txt',
    url: null,
    added_at: null,
    pdf_sha256: pdf ? PDF_DIGEST : null,
  };
  await page.route(/\/api\/v1\/documents/, async (route) => {
    const request = route.request();
    const isOne = request.url().includes('file_1');
    if (request.method() !== 'POST') return route.fulfill({ json: isOne ? { ...stored, contents } : [] });
    sent.push(request.postDataJSON() as Record<string, unknown>);
    return route.fulfill({ status: 201, json: { ...stored, is_new: true } });
  });
  await page.goto(`${service.url}/app/sessions/${id}#claims`);
  await page.getByRole('button', { name: 'Open claim 1' }).click();
  await page.getByText('Choose or add a document').click();
  return { page, sent };
}

const choose = (page: Page, name: string, buffer: Buffer, mimeType = 'text/plain') =>
  page.getByLabel('Or store a new one: file').setInputFiles({ name, mimeType, buffer });

/** What decides how the lines of a textarea run. With dir="auto" Chromium is quadratic in the lines. */
const direction = (page: Page, label: string) =>
  page
    .getByLabel(label)
    .evaluate((area: HTMLTextAreaElement) => [area.dir, getComputedStyle(area).unicodeBidi]);

describe('the text of a document in the dialog of a claim', () => {
  it('the direction of a text is found once and not with each of its lines, and each paragraph has its own', async () => {
    covers('INV-B.66');
    const { page } = await openDialog('direction');
    const paste = 'Or paste its text';
    await eventually(() => direction(page, paste)).toEqual(['ltr', 'plaintext']);
    await choose(page, 'x.txt', Buffer.from('הסכר סגור.\nThe dam is closed.'));
    await eventually(() => direction(page, paste)).toEqual(['rtl', 'plaintext']);
    await page.getByRole('button', { name: STORE }).click();
    const text = 'x.txt, version 1';
    await page.getByLabel(text).waitFor();
    expect(await direction(page, text)).toEqual(['rtl', 'plaintext']);
    await page.close();
  });

  it('the pages of a PDF file that have no text are named where its passage is selected and on its page', async () => {
    covers('INV-B.67', 'INV-B.69');
    const { page } = await openDialog('scans', { contents: 'Minutes.\f\fEnd.\f\n', pdf: true });
    await choose(page, 'x.pdf', Buffer.from('%PDF'), 'application/pdf');
    await page.getByRole('button', { name: STORE }).click();
    await page.getByText('Pages 2 and 4 of this PDF file have no text').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${service.url}/app/documents/file_1/1`);
    await page.getByText('Pages 2 and 4 of this PDF file have no text').waitFor();
    const facts = page.locator('.document-facts');
    await eventually(() => facts.locator('code').allTextContents()).toEqual([DIGEST, PDF_DIGEST]);
    await eventually(() => facts.textContent()).toContain('of the PDF file itself');
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  it('a file that is neither PDF nor UTF-8 is refused at its field, with what to do, until another is chosen', async () => {
    covers('INV-B.68');
    const { page } = await openDialog('latin');
    await choose(page, 'latin.txt', Buffer.from('caf\xe9', 'latin1'));
    const field = page.locator('.field', { has: page.getByLabel('Or store a new one: file') });
    await field.getByText('latin.txt is neither a PDF file nor text in UTF-8. Save it').waitFor();
    await eventually(() => page.getByText('Something in this page went wrong').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await choose(page, 'utf8.txt', Buffer.from('café'));
    await eventually(() => field.getByText('Save it').count()).toBe(0);
    await page.close();
  });

  it('a web page is refused at its field, with what to do, because its words have code between them', async () => {
    covers('INV-Q.66');
    const { page } = await openDialog('web-page');
    await choose(page, 'dam.html', Buffer.from('<p>The dam <b>is not</b> safe.'), 'text/html');
    const field = page.locator('.field', { has: page.getByLabel('Or store a new one: file') });
    await field.getByText('dam.html is a web page, with code between its words. Copy its text').waitFor();
    await eventually(() => page.getByRole('button', { name: STORE }).isDisabled()).toBe(true);
    await page.close();
  });

  it('a file name in decomposed characters, as macOS keeps them, is stored in composed ones', async () => {
    covers('INV-B.70');
    const { page, sent } = await openDialog('composed');
    const name = page.getByLabel('Name', { exact: true });
    await choose(page, 'Bru\u0308cke.txt', Buffer.from('The bridge.'));
    await eventually(() => name.inputValue()).toBe('Br\u00fccke.txt');
    await name.fill('a/Bru\u0308cke.txt');
    await page.getByRole('button', { name: STORE }).click();
    await eventually(() => sent.map(({ filename }) => filename)).toEqual(['a/Br\u00fccke.txt']);
    await page.close();
  });
});
