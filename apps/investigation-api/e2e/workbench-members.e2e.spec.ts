import { describe, expect, it } from '@jest/globals';
import { axeViolations, migratedDatabase, startChromium, startPostgres } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { forSuite } from '@platform/testing/for-suite';
import type { Page } from 'playwright-core';
import { addMember, createTenant, startAuthz, type Member } from './authz.fixture.ts';
import { startBuilt } from './built-service.fixture.ts';
import { client, demoInvestigation } from './client.fixture.ts';
import { overflowOf } from './desk.fixture.ts';

const made = forSuite(
  async () => {
    const [postgres, browser] = await Promise.all([startPostgres(), startChromium()]);
    const authz = await startAuthz(await postgres.createDatabase());
    const service = await startBuilt({
      DATABASE_URL: await migratedDatabase(postgres, 'investigation-api'),
      INVESTIGATION_AUTHZ_URL: `dns:///${authz.target}`,
      INVESTIGATION_JWT_PUBLIC_KEY: '',
    });
    const tenant = await createTenant(authz);
    const call = client(service.url, tenant.owner.token);
    const session = { name: 'Bridge', session_id: 'bridge', payload: demoInvestigation() };
    await call('POST', '/api/v1/sessions', session);
    await call('POST', '/api/v1/sessions/bridge/judge', {});
    const colleague = await addMember(authz, tenant);
    return { postgres, browser, authz, service, tenant, owner: tenant.owner, colleague };
  },
  async ({ postgres, browser, authz, service }) => {
    await browser.close();
    await service.stop();
    await authz.kill();
    await postgres.stop();
  },
);

async function openAs({ token }: Member, path: string): Promise<Page> {
  const page = await made.browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${made.service.url}/app${path}`);
  await page.getByText('Advanced: sign in with a token', { exact: true }).click();
  await page.getByLabel('Token or API key').fill(token);
  await page.keyboard.press('Enter');
  return page;
}

describe('colleagues in the workbench', () => {
  it('an owner invites a colleague by keyboard, and the colleague reads, then edits, what was shared', async () => {
    covers('INV-MEMBER.9');
    const { owner, colleague } = made;
    const page = await openAs(owner, '/sessions/bridge');
    await page.getByRole('button', { name: 'Invite colleagues' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite colleagues' });
    await dialog.getByText('Nobody is invited yet.').waitFor();
    const username = dialog.getByLabel('Username', { exact: true });
    await username.focus();
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await dialog
      .getByText('no active user of your organization is called "nobody"', { exact: false })
      .waitFor();
    await eventually(() => username.getAttribute('aria-invalid')).toBe('true');
    await username.fill(colleague.username);
    await page.keyboard.press('Enter');
    await dialog.getByText(`${colleague.username} can read.`).waitFor();
    await dialog.getByLabel(`Role of ${colleague.username}`).waitFor();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
      const linesOfRemove = await dialog
        .getByRole('button', { name: `Remove ${colleague.username}` })
        .evaluate(({ firstChild }) => {
          const label = document.createRange();
          label.selectNodeContents(firstChild!);
          return label.getClientRects().length;
        });
      expect([width, linesOfRemove]).toEqual([width, 1]);
    }

    const reader = await openAs(colleague, '');
    await reader.getByText(`of ${owner.username}, you can read`, { exact: false }).waitFor();
    await reader.getByRole('link', { name: 'Bridge' }).click();
    await reader.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await reader.getByText(`of ${owner.username}, you can read`, { exact: false }).waitFor();
    for (const name of ['Edit', 'Claims'])
      await eventually(() => reader.getByRole('tab', { name, exact: true }).count()).toBe(0);
    for (const name of ['Judge', 'Judge again', 'Invite colleagues'])
      await eventually(() => reader.getByRole('button', { name, exact: true }).count()).toBe(0);
    await reader.getByRole('tab', { name: 'History' }).click();
    await reader.getByRole('heading', { name: 'Outcomes' }).waitFor();
    await eventually(() => reader.getByRole('button', { name: 'Record', exact: false }).count()).toBe(0);
    await reader.getByRole('tab', { name: 'Publish' }).click();
    await reader.getByText('colleagues invited to publish, can publish', { exact: false }).waitFor();
    await eventually(() => reader.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    expect(await axeViolations(reader)).toEqual([]);

    await dialog.getByLabel(`Role of ${colleague.username}`).selectOption('publish');
    await dialog.getByText(`${colleague.username} can edit, judge and publish.`).waitFor();
    const complaints: string[] = [];
    reader.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await reader.reload();
    await reader.getByRole('tab', { name: 'Edit', exact: true }).waitFor();
    await reader.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    // There is no share yet, and none is asked for.
    expect(complaints).toEqual([]);
    await eventually(() => reader.getByRole('button', { name: 'Invite colleagues' }).count()).toBe(0);

    await dialog.getByLabel('Username').fill('..');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText('invite_to_session', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: `Remove ${colleague.username}` }).click();
    await dialog.getByText(`${colleague.username} is no longer invited.`).waitFor();
    await dialog.getByText('Nobody is invited yet.').waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('dialog').count()).toBe(0);
    await reader.reload();
    await reader.getByText('no such session', { exact: false }).first().waitFor();
    await reader.close();
    await page.close();
  });

  it.each(['owner', 'publish', 'edit', 'read'] as const)(
    'the %s of an investigation reads the sentences and the answer of its author at the desk',
    async (role) => {
      covers('INV-MEMBER.11');
      const { authz, service, tenant, owner } = made;
      const call = client(service.url, owner.token);
      const member = role === 'owner' ? owner : await addMember(authz, tenant);
      if (role !== 'owner') await call('PUT', `/api/v1/sessions/bridge/members/${member.username}`, { role });
      const words = `as the author tells ${role}`;
      const { subject_id, predicate } = demoInvestigation().claims[0] as Record<string, string>;
      const shared = await call('PUT', '/api/v1/sessions/bridge/share', {
        public: false,
        answer_finding: { subject_id, predicate },
        patterns: { [predicate!]: `{subject} ${words} {value}` },
        byline: 'Ada',
      });
      expect(shared.status).toBe(200);
      const as = client(service.url, member.token);
      const { json } = await as('GET', '/api/v1/sessions/bridge');
      const { answer_finding, patterns, byline, publisher, contact } = shared.json;
      expect(json.has_share).toBe(true);
      expect(json.presentation).toEqual({ answer_finding, patterns, byline, publisher, contact });
      // The link of a hidden share is for those who may publish.
      expect(JSON.stringify(json)).not.toContain(shared.json.share_uuid);
      const maySeeShare = role === 'owner' || role === 'publish';
      expect((await as('GET', '/api/v1/sessions/bridge/share')).status).toBe(maySeeShare ? 200 : 403);
      const page = await openAs(member, '/sessions/bridge#overview');
      await page.getByRole('tabpanel').getByText(words, { exact: false }).first().waitFor();
      await page.close();
    },
  );

  it('the buttons over an investigation are equally high, and a mark below a long name begins where the name does', async () => {
    covers('INV-MEMBER.9');
    const call = client(made.service.url, made.owner.token);
    const name = 'Who made the first powered and sustained flight in ' + 'x'.repeat(30);
    await call('POST', '/api/v1/sessions', { name, session_id: 'long', payload: demoInvestigation() });
    await call('POST', '/api/v1/sessions/long/judge', {});
    await call('PUT', '/api/v1/sessions/long/share', { public: true });
    const page = await openAs(made.owner, '/sessions/long');
    await page.getByRole('button', { name: 'Judge again' }).waitFor();
    const heights = await page
      .locator('.screen-head button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
    expect(heights).toEqual([44, 44, 44]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${made.service.url}/app`);
    const row = page.getByRole('row').filter({ hasText: 'sustained' });
    const leftOf = async (selector: string) => (await row.locator(selector).first().boundingBox())!.x;
    await row.getByText('published', { exact: true }).waitFor();
    expect(await leftOf('.published')).toBe(await leftOf('th a'));
    await page.close();
  });
});
