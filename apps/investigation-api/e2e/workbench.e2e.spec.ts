import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { overflowOf, useDesk } from './desk.fixture.ts';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e"\'`</script><script>alert(2)</script>';

const { service, browser, api } = useDesk();
/**
 * What pages said on their consoles, violations of their policy among it, besides what the browser says about
 * refused requests.
 */
const said: string[] = [];
const foreign: string[] = [];

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on('console', (message) => {
    if (!/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()))
      said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) foreign.push(request.url());
  });
  return page;
}

async function signIn(page: Page, path = '/app'): Promise<void> {
  await page.goto(service.url + path);
  await page.getByLabel('Token or API key').fill(`Bearer ${service.token}\n`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** What axe objects to on the page as it stands, and a page that is wider than its window. */
async function objections(page: Page): Promise<string[]> {
  const found = await axeViolations(page);
  const overflow = await overflowOf(page);
  return overflow > 0 ? [...found, `${overflow} px wider than the window`] : found;
}

const dialog = (page: Page) => page.getByRole('dialog');
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true }).click();

describe('the workbench', () => {
  it('the workbench goes from a pasted token to a published link', async () => {
    covers('INV-B.1');
    const page = await openPage();
    await page.goto(`${service.url}/app`);
    expect(await objections(page)).toEqual([]);
    await page.getByLabel('Token or API key').fill('nonsense');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The token was not accepted').waitFor();
    await page.getByLabel('Token or API key').fill(service.token);
    await page.keyboard.press('Enter');

    await page.getByText('No investigations yet').waitFor();
    expect(await objections(page)).toEqual([]);
    await page.getByRole('button', { name: 'New investigation' }).click();
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.getByText('Give the investigation a name.').waitFor();
    expect(await objections(page)).toEqual([]);
    await page.getByLabel('Name required').fill(`Dam ${HOSTILE}`);
    await page.getByLabel('Research question').fill('Did the dam leak before it broke?');
    await page.keyboard.press('Tab');
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
    await eventually(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('<img src=x');
    await eventually(() => page.locator('.question').innerText()).toBe('Did the dam leak before it broke?');
    expect(await objections(page)).toEqual([]);

    await page.getByRole('button', { name: 'Add a source' }).click();
    await save(page);
    // The focus moves once the message is drawn.
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await page.getByLabel('Name required').last().fill(HOSTILE);
    await page.getByLabel('Source type').selectOption('Journalist');
    await page.getByLabel('Base reliability').fill('often');
    await save(page);
    const reliability = page.getByLabel('Base reliability');
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await eventually(() => reliability.getAttribute('aria-invalid')).toBe('true');
    const described = await reliability.getAttribute('aria-describedby');
    const error = page.locator(`[id="${described!.split(' ').find((id) => id.endsWith('-error'))}"]`);
    await eventually(() => error.innerText()).toContain('Must be a finite number');
    expect(await objections(page)).toEqual([]);
    await reliability.fill('0.8');
    await dialog(page).getByRole('button', { name: 'Save and add another' }).click();
    const source = await page.locator('[data-item]').first().getAttribute('data-item');
    await page.getByLabel('Name required').last().fill('Operator');
    await page.getByLabel('Source type').selectOption('Institutional');
    await save(page);
    await page.locator('[data-item="operator"]').waitFor();

    await page.getByRole('button', { name: 'Add a subject' }).click();
    await page.getByLabel('Name required').last().fill('The dam');
    await page.getByLabel('Subject type').fill('structure');
    await save(page);
    await page.getByRole('button', { name: 'Add a claim' }).click();
    await page.getByLabel('Source required').selectOption(source);
    await page.getByLabel('Subject', { exact: true }).selectOption('the-dam');
    await page.getByLabel('Property required').fill('leaked_before');
    await page.getByLabel('Value required').fill('true');
    await page.getByLabel('In words required').fill(`It leaked. ${HOSTILE}`);
    await page.getByLabel('Link', { exact: true }).fill('javascript:alert(1)');
    await save(page);
    await page.getByText('Must be an http or https address').waitFor();
    await page.getByLabel('Link', { exact: true }).fill('https://dam.example/report');
    await page.getByLabel('Verbatim quote').fill('It leaked for days.');
    await save(page);
    const claims = page.locator('[data-item^="c-"]');
    await claims.waitFor();

    await page.getByRole('button', { name: 'Import CSV' }).click();
    const csv =
      'Source;Topic;Predicate;Value;Quote;Date\n' +
      'operator;The dam;leaked_before;false;"No; it did not.";2026-01-02T00:00:00Z\n' +
      'Engineers;The dam;leaked_before;true;It did.;soon\n';
    await page.getByLabel('or paste it').fill(csv);
    await page.getByText(/^Said at: .*\(line 3\)/).waitFor();
    await eventually(() => page.getByRole('button', { name: /^Import 1/ }).isDisabled()).toBe(true);
    expect(await objections(page)).toEqual([]);
    await page.getByLabel('or paste it').fill(csv.replace('soon', '2026-01-03T00:00:00Z'));
    await eventually(() => page.getByLabel('Type of Engineers').inputValue()).toBe('Expert');
    await page.getByLabel('Over years').check();
    await page.getByRole('button', { name: /^Import 2/ }).click();
    await claims.nth(2).waitFor();

    await page.locator('#judge').click();
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await page.locator('.finding').first().waitFor();
    await page.getByText('Reasons and weights are being worked out').waitFor({ state: 'detached' });
    for (const pane of ['Timeline', 'Arguments', 'It depends', 'Check our work', 'Overview']) {
      await page.getByRole('tab', { name: pane }).click();
      await page.getByRole('tabpanel', { name: pane }).waitFor();
      expect(await objections(page)).toEqual([]);
    }
    await page.getByText('Why', { exact: true }).first().click();
    await page.locator('.claim-link:visible').first().click();
    expect(await objections(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await page.getByRole('tab', { name: 'Publish' }).click();
    await page.getByLabel('What you make of it').fill(`Most likely. ${HOSTILE}`);
    await page.getByRole('button', { name: 'Save interpretation' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByLabel('Name in the link').fill('Did the dam leak?');
    await page.getByLabel('Opens with').selectOption('audit');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const url = await eventually(() => page.getByLabel('Link', { exact: true }).inputValue()).toMatch(
      /\/share\/[0-9a-f-]{36}\/did-the-dam-leak$/,
    );
    expect(await objections(page)).toEqual([]);

    // The digests that the workbench showed are those that the share froze.
    const frozen = (await (await fetch(`${url}.json`)).json()) as Record<
      'input_sha256' | 'result_sha256',
      string
    >;
    await page.getByRole('tab', { name: 'Check our work' }).click();
    const audit = page.getByRole('tabpanel', { name: 'Check our work' });
    await eventually(() => audit.innerText()).toContain(frozen.input_sha256);
    await eventually(() => audit.innerText()).toContain(frozen.result_sha256);
    const drawn = (text: string) => text.replace(/\s+/g, ' ');
    // What came before is the analyst's alone; a share shows the published judgement.
    await eventually(async () => drawn(await audit.innerText())).toContain(
      'Changes since the judgement before This is the first judgement.',
    );
    const live = drawn(await page.locator('[data-pane-body=audit]').innerText());

    const reader = await openPage();
    await reader.goto(url);
    await reader.getByRole('tab', { name: 'Check our work', selected: true }).waitFor();
    await eventually(async () => drawn(await reader.locator('[data-pane-body=audit]').innerText())).toBe(
      live,
    );
    await reader.close();

    const list = await openPage();
    await signIn(list);
    const mark = list.getByRole('row', { name: /^Dam/ }).getByText('published');
    await mark.waitFor();
    expect(await objections(list)).toEqual([]);

    await page.getByRole('tab', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await dialog(page).getByText('the link stays the same').waitFor();
    expect(await objections(page)).toEqual([]);
    expect((await fetch(url)).status).toBe(200);
    await dialog(page).getByRole('button', { name: 'Hide it' }).click();
    await page.getByText('Hidden: its link says').waitFor();
    expect((await fetch(url)).status).toBe(404);
    await list.reload();
    await list.getByRole('row', { name: /^Dam/ }).waitFor();
    await eventually(() => mark.count()).toBe(0);
    await list.close();
    await page.close();
    expect(said).toEqual([]);
    expect(foreign).toEqual([]);
  });

  it('the workbench keeps typed text when the token is refused, and continues with another token', async () => {
    covers('INV-B.2');
    await api('POST', '/sessions', { name: 'Expiry', session_id: 'a/b?c#d é' });
    const page = await openPage();
    await signIn(page, `/app/sessions/${encodeURIComponent('a/b?c#d é')}`);
    await page.getByRole('button', { name: 'Add a source' }).click();
    await page.getByLabel('Name required').last().fill('Late');
    await page.getByLabel('Source type').selectOption('Expert');
    // The next call carries a token that nobody signed, as after its expiry.
    await page.route(
      '**/api/v1/**',
      (route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer x.y.z' } }),
      { times: 1 },
    );
    await save(page);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    expect(await objections(page)).toEqual([]);
    await page.getByLabel('Token or API key').fill(service.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-item="late"]').waitFor();
    await eventually(() =>
      page.evaluate(() => [localStorage.length, document.cookie, location.href.includes('ey')]),
    ).toEqual([0, '', false]);
    await page.close();
  });

  it('the workbench shows a question once where the session is named by it', async () => {
    const question = 'Who flew first?';
    const payload = { research_question: `${question} `, actors: [], subjects: [], claims: [] };
    await api('POST', '/sessions', { name: question, session_id: 'named', payload });
    const page = await openPage();
    await signIn(page, '/app/sessions/named');
    await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
    await eventually(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(question);
    await eventually(() => page.locator('.question').count()).toBe(0);
    await page.close();
  });

  it('the workbench asks before unsaved text is lost, and links a refused judgement to the field at fault', async () => {
    covers('INV-B.3');
    await api('POST', '/sessions', {
      name: 'Broken',
      session_id: 'broken',
      payload: {
        research_question: 'q',
        actors: [{ id: 'a1', name: 'A', source_type: 'Expert' }],
        subjects: [{ id: 's1', name: 'S', subject_type: 'x' }],
        claims: [
          { id: 'c1', actor_id: 'nobody', subject_id: 's1', predicate: 'p', value: 'v', content: 'c' },
        ],
      },
    });
    const page = await openPage({ colorScheme: 'dark', viewport: { width: 320, height: 640 } });
    await signIn(page);
    await page.getByLabel('Name contains').fill('brok');
    await page.getByRole('link', { name: 'Expiry' }).waitFor({ state: 'detached' });
    expect(await objections(page)).toEqual([]);
    await page.getByRole('link', { name: 'Broken' }).click();
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('heading', { name: 'It cannot be judged yet' }).waitFor();
    expect(await objections(page)).toEqual([]);
    await page.getByRole('button', { name: 'Claim “c”, Source' }).click();
    const source = page.getByLabel('Source required');
    await page.locator('[aria-invalid=true]').first().waitFor();
    await eventually(() => source.getAttribute('aria-invalid')).toBe('true');
    expect(await objections(page)).toEqual([]);
    await source.selectOption('a1');

    const asked: string[] = [];
    page.once('dialog', (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.keyboard.press('Escape');
    await eventually(() => asked).toHaveLength(1);
    await eventually(() => source.inputValue()).toBe('a1');
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit everything as JSON' }).click();
    const json = page.getByLabel('As JSON');
    await json.fill((await json.inputValue()).replace('"Expert"', '"Wizard"'));
    await save(page);
    await page.getByText('`Wizard` is not known').waitFor();
    expect(await objections(page)).toEqual([]);
    await json.fill((await json.inputValue()).replace('"Wizard"', '"Analyst"'));
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.locator('.finding').first().waitFor();
    await eventually(() => api('GET', '/sessions/broken/actors/a1')).toMatchObject({
      source_type: 'Analyst',
    });
    await page.close();
    expect(said).toEqual([]);
  });

  it('the workbench starts from a JSON file, and stops judging on request', async () => {
    covers('INV-B.1');
    const page = await openPage();
    await signIn(page);
    await page.getByRole('button', { name: 'New investigation' }).click();
    await page.getByLabel('Name required').fill('From a file');
    await page.getByText('Start from JSON').click();
    const file = (text: string) => ({
      name: 'flight.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await page.getByLabel('JSON file').setInputFiles(file('{"claims": 1}'));
    await eventually(() => page.getByLabel('or paste it').inputValue()).toContain('"claims"');
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.getByText('must be an array of objects').waitFor();
    expect(await objections(page)).toEqual([]);
    const example = readFileSync(new URL('../../../examples/first-flight.json', import.meta.url), 'utf8');
    await page.getByLabel('JSON file').setInputFiles(file(example));
    await eventually(() => page.getByLabel('or paste it').inputValue()).toContain('Wilbur and Orville');
    await dialog(page).getByRole('button', { name: 'Create investigation' }).click();
    await page.locator('[data-item="wrights"]').waitFor();

    // The request is held up on its way, as on a slow line. Stopping waits until it is: a request that is
    // stopped before it leaves the page never meets the route, and the next one would be held up in its
    // place.
    let hold: (route: Route) => void = () => {};
    const held = new Promise<Route>((resolve) => (hold = resolve));
    await page.route('**/judge', hold);
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByText('Judging, ').waitFor();
    const route = await held;
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. Nothing was kept.').last().waitFor();
    await route.abort().catch(() => {});
    await page.unroute('**/judge');
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await page.close();
    expect(said).toEqual([]);
  });

  it('the address of the service leads to the workbench', async () => {
    covers('INV-B.12');
    const response = await fetch(service.url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/app']);
  });

  it('the workbench asks in its own words before it deletes an investigation, and never says session', async () => {
    covers('INV-B.12');
    await api('POST', '/sessions', { name: 'Short-lived', session_id: 'short' });
    const page = await openPage();
    const native: string[] = [];
    page.on('dialog', (question) => {
      native.push(question.message());
      void question.accept();
    });
    await signIn(page);
    await page.getByRole('link', { name: 'Short-lived' }).waitFor();
    await eventually(() => page.locator('body').innerText()).not.toMatch(/sessions?\b/i);
    await page.getByRole('link', { name: 'Short-lived' }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
    await eventually(() => page.locator('body').innerText()).not.toMatch(/sessions?\b/i);
    const remove = page.getByRole('button', { name: 'Delete investigation' });
    await remove.click();
    expect(await objections(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Keep it' }).click();
    await eventually(() => api('GET', '/sessions/short')).toMatchObject({ name: 'Short-lived' });
    await remove.click();
    await dialog(page).getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { name: 'Investigations' }).waitFor();
    await page.getByRole('link', { name: 'Short-lived' }).waitFor({ state: 'detached' });
    expect(native).toEqual([]);
    await page.close();
  });

  it('the workbench page has its own policy and explains itself without scripts', async () => {
    covers('INV-B.4');
    const response = await fetch(`${service.url}/app`);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'");
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${service.url}/app/sessions/x`);
    await eventually(() => page.getByRole('main').innerText()).toContain('needs JavaScript');
    await page.close();
    const again = await fetch(`${service.url}/app`, {
      headers: { 'if-none-match': response.headers.get('etag')!, 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
    for (const name of ['content-security-policy', 'cache-control', 'vary', 'etag'])
      expect([name, again.headers.get(name)]).toEqual([name, response.headers.get(name)]);
    // A browser shows the page it has by the policy of that response.
    const tab = await openPage();
    await tab.goto(`${service.url}/app`);
    await tab.goto('about:blank');
    await tab.goto(`${service.url}/app`);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    expect(said).toEqual([]);
    await tab.close();
  });
});
