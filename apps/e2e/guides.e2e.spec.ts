import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations, startChromium } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { late } from '@platform/testing/for-suite';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ServiceName } from './platform/index.ts';
import { suitePlatform } from './platform-suite.fixture.ts';

const NAMES: readonly ServiceName[] = ['authz-grpc', 'docstore-api', 'investigation-api'];

let browser: Browser;
const platform = suitePlatform();
const services = late(() => platform.services);
const tenant = late(() => platform.tenant);

beforeAll(async () => {
  browser = await startChromium();
});
afterAll(() => browser?.close());

/** The guide of a service, and what its page says on its console and loads from elsewhere. */
async function openGuide(name: ServiceName, options: BrowserContextOptions = {}, hash = '') {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  const objections: string[] = [];
  page.on('console', (message) => objections.push(message.text()));
  page.on('pageerror', (error) => objections.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(services[name].url)) objections.push(request.url());
  });
  await page.goto(`${services[name].url}/docs${hash}`);
  return { page, objections };
}

/** The names of all operations of the document that a service publishes. */
async function operationsOf(name: ServiceName): Promise<string[]> {
  const response = await fetch(`${services[name].url}/openapi.json`);
  const { paths } = (await response.json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
}

/** Runs the example of an operation, with the page's own form, and returns the status and the body. */
async function run(page: Page, operation: string): Promise<{ status: number; text: string }> {
  const entry = page.locator(`[id="${operation}"]`);
  if ((await entry.getAttribute('open')) === null) await entry.locator(':scope > summary').click();
  await entry.locator('form.run button').click();
  const said = entry.locator('.said');
  // What it says in place of a status, such as what to fill in first, is no number.
  await said.filter({ hasText: /^(\d{3} |Fill in|The service)/ }).waitFor();
  const status = Number((await said.textContent())!.slice(0, 3));
  expect(status).toBeGreaterThan(0);
  // The page marks the row of the reference that tells about this status.
  await eventually(() => entry.locator('dd.met').getAttribute('data-status')).toBe(String(status));
  return { status, text: (await entry.locator('.output').textContent())! };
}

describe('guides', () => {
  it.each(NAMES)(
    'each operation of %s stands in its guide once, in a group, readable without scripts',
    async (name) => {
      covers('PLAT-G.1', 'PLAT-G.2', 'PLAT-G.3');
      const { page, objections } = await openGuide(name, { javaScriptEnabled: false });
      const operations = await operationsOf(name);
      const listed = await page
        .locator('#operations .group [data-operation]')
        .evaluateAll((entries) => entries.map((entry) => entry.getAttribute('data-operation')!));
      expect(listed.sort()).toEqual(operations.sort());
      expect(new Set(listed).size).toBe(listed.length);
      // What only a script can do is not offered.
      await eventually(() => page.locator('.scripted-only:visible').count()).toBe(0);
      const [first] = await page.locator('.operation').all();
      await first!.locator(':scope > summary').click();
      await eventually(() => first!.locator('pre:visible').allTextContents()).toEqual([
        expect.stringMatching(/^curl /),
        expect.stringMatching(/^const response = await fetch/),
      ]);
      expect(objections).toEqual([]);
      await page.context().close();
    },
  );

  it.each(NAMES)(
    'the guide of %s has nothing that axe objects to, light and dark, wide and narrow',
    async (name) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, objections } = await openGuide(name, { colorScheme });
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 844 });
          // One entry with all its parts: they are drawn alike, and axe looks at each for long.
          await page.evaluate('document.querySelector(".operation").open = true');
          expect(await axeViolations(page)).toEqual([]);
          await eventually(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        }
        expect(objections).toEqual([]);
        await page.context().close();
      }
    },
  );

  it.each(NAMES)('the address of %s leads to a page, and its guide begins with a token', async (name) => {
    covers('DOC-D.65');
    const { url } = services[name];
    const root = await fetch(url);
    expect([root.redirected, root.status, root.headers.get('content-type')]).toEqual([
      true,
      200,
      'text/html; charset=utf-8',
    ]);
    const { page } = await openGuide(name, { javaScriptEnabled: false });
    // A command that needs the embedded database of a service would be refused while that serves.
    await eventually(() => page.locator('.steps pre[aria-label="Command"]').textContent()).toBe(
      'platform login alice --tenant acme && platform token',
    );
    await eventually(() => page.locator('.steps').textContent()).toContain('npm start prints one');
    await page.context().close();
  });

  it('examples of investigation-api run from its guide with a token, which no storage holds', async () => {
    covers('PLAT-G.4');
    const { page, objections } = await openGuide('investigation-api');
    expect((await run(page, 'list_investigation_sessions')).status).toBe(401);
    await page.getByLabel('Your token').fill(tenant.token);
    const expected = {
      submit_investigation: 200,
      create_investigation_session: 201,
      get_investigation_session: 200,
      judge_investigation_session: 200,
      explain_verdict: 200,
      upsert_investigation_claim: 200,
      share_investigation_session: 200,
      export_session: 200,
      import_file: 200,
      delete_investigation_session: 204,
    };
    const met: Record<string, number> = {};
    for (const operation of Object.keys(expected)) met[operation] = (await run(page, operation)).status;
    expect(met).toEqual(expected);
    const kept =
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])';
    await eventually(() => page.evaluate(kept)).not.toContain(tenant.token);
    // The browser says on the console that a response was 401.
    expect(objections.filter((text) => !text.includes('status of 401'))).toEqual([]);
    await page.context().close();
  });

  it('an event stream is shown as it comes, and a second run ends the first', async () => {
    covers('PLAT-G.4');
    const { page, objections } = await openGuide('investigation-api');
    await page.getByLabel('Your token').fill(tenant.token);
    expect((await run(page, 'create_investigation_session')).status).toBe(201);
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname));
    expect((await run(page, 'stream_session_events')).status).toBe(200);
    await page.locator('[id="stream_session_events"] .output', { hasText: 'retry: ' }).waitFor();
    expect(ended).toEqual([]);
    expect((await run(page, 'stream_session_events')).status).toBe(200);
    await eventually(() => ended).toEqual([expect.stringMatching(/\/events$/)]);
    expect(objections).toEqual([]);
    await page.context().close();
  });

  it('the guide of docstore-api carries ids and ETags of responses over to the next examples', async () => {
    covers('PLAT-G.4');
    const { page, objections } = await openGuide('docstore-api');
    await page.getByLabel('Your token').fill(tenant.token);
    const key = JSON.parse((await run(page, 'mintKey')).text.split('\n\n')[1]!) as { id: string };
    const created = await run(page, 'createFile');
    const { id } = JSON.parse(created.text.split('\n\n')[1]!) as { id: string };
    expect(created.status).toBe(201);
    expect((await run(page, 'getFile')).text).toContain(id);
    await eventually(() => page.locator('[id="getKey"] input[name="id"]').inputValue()).toBe(key.id);
    expect((await run(page, 'replaceFile')).status).toBe(200);
    expect((await run(page, 'editFile')).status).toBe(200);
    expect((await run(page, 'putPath')).status).toBe(201);
    expect((await run(page, 'listErrors')).status).toBe(200);
    const curl = page.locator('[id="replaceFile"] pre[aria-label="curl"]');
    await eventually(() => curl.textContent()).toContain(`/v1/file/${id}`);
    expect(objections).toEqual([]);
    await page.context().close();
  });

  it('examples of authz-grpc run from its guide with a token', async () => {
    covers('PLAT-G.4');
    const { page } = await openGuide('authz-grpc', {}, '#checkAuthorization');
    await page.getByLabel('Your token').fill(tenant.token);
    const body = page.locator('[id="checkAuthorization"] textarea');
    const object = `svc://${tenant.rootDomainId}/docs/plan`;
    await body.fill(JSON.stringify({ context: { subject: tenant.userId, action: 'read', object } }));
    expect(await run(page, 'checkAuthorization')).toEqual({
      status: 200,
      text: expect.stringContaining('"allowed": true'),
    });
    const domain = page.locator('[id="getDomainBundle"] input[name="id"]');
    await page.locator('[id="getDomainBundle"] > summary').click();
    await domain.fill(tenant.rootDomainId);
    const met: Record<string, number> = {};
    const operations = [
      'batchCheckAuthorization',
      'evaluateAccess',
      'evaluateAccesses',
      'searchSubjects',
      'searchResources',
      'searchActions',
      'getDomainBundle',
      'getKeySet',
      'getAuthzenConfiguration',
    ];
    for (const operation of operations) met[operation] = (await run(page, operation)).status;
    expect(met).toEqual(Object.fromEntries(operations.map((operation) => [operation, 200])));
    expect((await run(page, 'exchangeServiceAccountToken')).status).toBe(401);
    await page.context().close();
  });

  it('a reader finds and opens an operation by the keyboard alone', async () => {
    const { page } = await openGuide('docstore-api');
    await page.keyboard.press('/');
    await page.keyboard.type('merge three');
    await eventually(() => page.locator('#search-count').textContent()).toBe('1 operation');
    await eventually(() => page.locator('.operation:visible').count()).toBe(1);
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('[id="mergeFile"]').getAttribute('open')).not.toBeNull();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('.operation:visible').count()).toBeGreaterThan(10);
    await page.context().close();
  });
});
