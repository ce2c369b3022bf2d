import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
      contents: `import { openDecider } from '@platform/decide'; globalThis.openDecider = openDecider;`,
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
  await page.goto(`${fleet.httpUrl}/application`);
  return page;
}

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
