import { createRequire } from 'node:module';
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
beforeAll(async () => {
  [fleet, browser] = await Promise.all([startFleet('postgres'), startChromium()]);
  tenancy = await createTenancy(fleet.clients);
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
});

/** An application beside the service: a page of its origin that has the library and nothing else. */
async function openApplication(): Promise<Page> {
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
  const page = await browser.newPage();
  await page.route('**/application', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><script type="module">${outputFiles[0]?.text ?? ''}</script>`,
    }),
  );
  await page.route('**/rregex.wasm', (route) => route.fulfill({ path: WASM }));
  await page.goto(`${fleet.httpUrl}/application`);
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
