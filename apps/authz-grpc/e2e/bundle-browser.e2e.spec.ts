import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { requestContext } from '@platform/authz-client';
import { EvaluationEngine } from '@platform/proto/authz/v1/policy';
import { startChromium } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { createTenancy, policy, startFleet, type Fleet, type Tenancy } from './service.fixture.ts';

let fleet: Fleet;
let tenancy: Tenancy;
let browser: Browser;
/** Serves an application of an origin that the service allows; and one of an origin that it does not. */
let allowed: Server;
let stranger: Server;
let application: string;
const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const serve = async (): Promise<Server> => {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(application),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};
beforeAll(async () => {
  [allowed, stranger, application] = await Promise.all([serve(), serve(), buildApplication()]);
  [fleet, browser] = await Promise.all([
    startFleet('postgres', { env: { AUTHZ_CORS_ORIGINS: originOf(allowed) } }),
    startChromium(),
  ]);
  tenancy = await createTenancy(fleet.clients);
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  allowed?.close();
  stranger?.close();
});

/** An application: a page that has the library and nothing else. */
async function buildApplication(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { openDecider } from '@platform/decide';
        import { loadRegexes } from '@platform/decide/regex';
        Object.assign(globalThis, { openDecider, loadRegexes });`,
      resolveDir: fileURLToPath(new URL('./', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return `<!doctype html><script type="module">${outputFiles[0]?.text ?? ''}</script>`;
}

async function openApplication(origin = fleet.httpUrl): Promise<Page> {
  const page = await browser.newPage();
  // Beside the service only: a browser takes a page that was put in place of another for one of the internet,
  // which may not call this machine.
  await page.route(`${fleet.httpUrl}/application`, (route) =>
    route.fulfill({ contentType: 'text/html', body: application }),
  );
  await page.route('**/rregex.wasm', (route) => route.fulfill({ path: WASM }));
  await page.goto(`${origin}/application`);
  return page;
}

const WASM = join(createRequire(import.meta.url).resolve('rregex'), '../rregex.wasm');

const put = (domainId: string, subject: string) =>
  fleet.clients.domains.putDomainPolicies(
    {
      tenantId: tenancy.tenantId,
      domainId,
      policies: [policy('readers', { subject, action: 'read' })],
    },
    { token: tenancy.token },
  );

it('a page decides by a bundle, follows a change of the policies and hands its decisions in', async () => {
  covers('AUTHZ-BUNDLE.9', 'AUTHZ-BUNDLE.5', 'AUTHZ-BUNDLE.6');
  const { tenantId, token } = tenancy;
  const { id: domainId } = await fleet.clients.domains.createDomain(
    { tenantId, name: 'page', superiorDomainIds: [], detached: true },
    { token },
  );
  await put(domainId, 'alice');
  const page = await openApplication();
  await page.evaluate(
    `openDecider({ url: location.origin, domainId: ${JSON.stringify(domainId)}, token: () => ${JSON.stringify(token)} })
       .then((decider) => { globalThis.decider = decider; })`,
  );
  const ask = (subject: string) =>
    `decider.check({ subject: '${subject}', action: 'read', object: 'svc://${domainId}/a' }).allowed`;
  await eventually(() => page.evaluate(`[${ask('alice')}, ${ask('bob')}]`)).toEqual([true, false]);
  await page.evaluate('decider.flush()');
  await put(domainId, 'bob');
  await page.waitForFunction(ask('bob'));
  await eventually(() => page.evaluate(ask('alice'))).toBe(false);
  await page.evaluate('decider.close()');
  const { events } = await fleet.clients.authorization.listAuditEvents(
    { tenantId, domainId, limit: 100, cursor: '' },
    { token },
  );
  const rows = events.map(({ subject, decision, policyVersion, detail }) => [
    subject,
    decision,
    Number(policyVersion),
    detail.includes('"elsewhere"') && !detail.includes('disputed'),
  ]);
  expect(rows.slice(-2)).toEqual([
    ['bob', false, 2, true],
    ['alice', true, 2, true],
  ]);
  expect(rows[0]).toEqual(['alice', false, 3, true]);
});

it('a page decides by policies with regexes as the service does, and refuses until it has loaded them', async () => {
  covers('AUTHZ-BUNDLE.11');
  const { tenantId, token } = tenancy;
  const { id: domainId } = await fleet.clients.domains.createDomain(
    { tenantId, name: 'regexes', superiorDomainIds: [], detached: true },
    { token },
  );
  const objects = ['a/1', 'a/12', 'ä/7', 'ä/x', 'b/$current_user()', 'a/1/2'].map(
    (path) => `svc://${domainId}/${path.replace('$current_user()', 'bob.x')}`,
  );
  await fleet.clients.domains.putDomainPolicies(
    {
      tenantId,
      domainId,
      policies: [
        policy(
          'read',
          { subject: '^(alice|bob.x)$', action: '^re(ad)?$', object: '^svc://[^/]+/\\w/\\d+$' },
          { engine: EvaluationEngine.REGEX },
        ),
        policy('own', { object: '/b/$current_user()$' }, { engine: EvaluationEngine.REGEX }),
      ],
    },
    { token },
  );
  const contexts = ['alice', 'bob.x', 'bobbx'].flatMap((subject) =>
    ['read', 'reread'].flatMap((action) => objects.map((object) => ({ subject, action, object }))),
  );
  const { results } = await fleet.clients.authorization.batchCheckAuthorization(
    { checks: contexts.map((context) => ({ context: requestContext(context) })) },
    { token },
  );
  const decided = results.map(({ authorized }) => authorized);
  expect(new Set(decided)).toEqual(new Set([true, false]));

  const page = await openApplication();
  const open = (regexes: string) =>
    page.evaluate(
      `openDecider({ url: location.origin, domainId: ${JSON.stringify(domainId)}, token: () => ${JSON.stringify(token)}, record: false${regexes} })
         .then((decider) => { globalThis.decider = decider; })`,
    );
  const ask = (what: string) =>
    `${JSON.stringify(contexts)}.map((context) => decider.check(context).${what})`;
  await open('');
  await eventually(() => page.evaluate(ask('allowed'))).toEqual(contexts.map(() => false));
  await eventually(() => page.evaluate(ask('refused !== null'))).toEqual(contexts.map(() => true));
  await page.evaluate('decider.close()');
  await open(`, regexes: () => loadRegexes(fetch('/rregex.wasm'))`);
  await eventually(() => page.evaluate(ask('allowed'))).toEqual(decided);
  await page.evaluate('decider.close()');
  const absent = page.evaluate(`loadRegexes(fetch('/absent.wasm'))`);
  await expect(absent).rejects.toThrow('the regexes are not loaded: status 404');
});

const domainOf = async (name: string): Promise<string> => {
  const { id } = await fleet.clients.domains.createDomain(
    { tenantId: tenancy.tenantId, name, superiorDomainIds: [], detached: true },
    { token: tenancy.token },
  );
  await put(id, 'alice');
  return id;
};
const openDecider = (page: Page, domainId: string) =>
  page.evaluate(
    `openDecider({ url: ${JSON.stringify(fleet.httpUrl)}, domainId: ${JSON.stringify(domainId)}, token: () => ${JSON.stringify(tenancy.token)} })
       .then((decider) => { globalThis.decider = decider; })`,
  );
const rowsOf = async (domainId: string): Promise<number> => {
  const { events } = await fleet.clients.authorization.listAuditEvents(
    { tenantId: tenancy.tenantId, domainId, limit: 100, cursor: '' },
    { token: tenancy.token },
  );
  return events.filter(({ detail }) => detail.includes('"elsewhere"')).length;
};

it('a page of an allowed origin decides by a bundle, follows a change and hands its decisions in', async () => {
  covers('AUTHZ-BUNDLE.20');
  const domainId = await domainOf('elsewhere');
  const page = await openApplication(originOf(allowed));
  await openDecider(page, domainId);
  const ask = (subject: string) =>
    `decider.check({ subject: '${subject}', action: 'read', object: 'svc://${domainId}/a' }).allowed`;
  await eventually(() => page.evaluate(ask('alice'))).toBe(true);
  await put(domainId, 'bob');
  await page.waitForFunction(ask('bob'));
  await page.evaluate('decider.flush()');
  expect(await rowsOf(domainId)).toBeGreaterThan(1);
  await page.close();
});

it('a page of another origin gets no bundle', async () => {
  covers('AUTHZ-BUNDLE.20');
  const page = await openApplication(originOf(stranger));
  await expect(openDecider(page, await domainOf('stranger'))).rejects.toThrow('no response from');
  await page.close();
});

it.each<[string, (page: Page) => Promise<unknown>]>([
  ['reloaded', (page) => page.reload()],
  ['left', (page) => page.goto('about:blank')],
])('what a page decided just before it is %s becomes rows of the audit', async (how, leave) => {
  covers('AUTHZ-BUNDLE.19');
  for (const origin of [fleet.httpUrl, originOf(allowed)]) {
    const domainId = await domainOf(`${how} ${origin === fleet.httpUrl}`);
    const page = await openApplication(origin);
    await openDecider(page, domainId);
    const check = (path: string) =>
      page.evaluate(
        `decider.check({ subject: 'alice', action: 'read', object: 'svc://${domainId}/${path}' }).allowed`,
      );
    // A browser asks once whether the other origin may hand decisions in, and not while it leaves a page.
    await check('first');
    await page.evaluate('decider.flush()');
    await check('a');
    await check('b');
    await leave(page);
    await eventually(() => rowsOf(domainId)).toBe(3);
    await page.close();
  }
});
