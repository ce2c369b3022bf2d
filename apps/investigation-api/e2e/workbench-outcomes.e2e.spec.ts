import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations, STEP_MS_MAX } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import type { Page } from 'playwright-core';
import { EXAMPLE, useDesk } from './desk.fixture.ts';

const WHITEHEAD = 'Whitehead No. 22, January 1902';
const QUESTION = `${WHITEHEAD}: flew under power`;

/** A receiver that refuses what it gets. */
const receiver = createServer((_, res) => res.writeHead(500).end());
const { service, browser, api } = useDesk({
  INVESTIGATION_WEBHOOK_HOSTS: '127.0.0.1',
  INVESTIGATION_WEBHOOK_RETRY_SECONDS: '1',
});
const said: string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await api('POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
  await api('POST', '/sessions/flight/judge', {});
});
afterAll(() => void receiver.close());

async function open(tab: string, id = 'flight'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(STEP_MS_MAX);
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${service.url}/app/sessions/${id}#${tab}`);
  await page.getByLabel('Token or API key').fill(service.token);
  await page.keyboard.press('Enter');
  return page;
}

/** In both colors, at both widths. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect([colorScheme, width, await axeViolations(page)]).toEqual([colorScheme, width, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([width, overflow <= 0]).toEqual([width, true]);
    }
}

describe('after the judgement, in the workbench', () => {
  it('an outcome is recorded, compared with the judgement before it, counted, and removed', async () => {
    covers('INV-B.38');
    const page = await open('history-outcomes');
    await page.getByText('No outcome of this investigation is recorded yet.').waitFor();
    await page.getByRole('button', { name: 'Record outcome' }).click();
    await page.getByLabel('What turned out to be true').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Question', { exact: true }).selectOption({ label: QUESTION });
    await page.getByLabel('What turned out to be true').fill('false');
    await page.getByLabel('Where it can be read').fill('no address');
    await page.getByRole('button', { name: 'Record outcome' }).click();
    await page.getByText('must be an http or https address').waitFor();
    await page.getByLabel('Where it can be read').fill('https://archive.example/inquiry');
    await page.getByLabel('How it became known').fill('Inquiry of 2027');
    // Today is after the judgement of today.
    await page.getByLabel('Known since').fill(await page.evaluate(() => new Date().toLocaleDateString('sv')));
    await page.getByRole('button', { name: 'Record outcome' }).click();
    const row = page.getByRole('table', { name: 'Recorded outcomes' }).getByRole('row', { name: WHITEHEAD });
    await row.getByText('Right', { exact: true }).waitFor();
    await row.getByText('Inquiry of 2027').waitFor();
    await page.getByText(/Of 1\soutcome with a judgement before it/).waitFor();
    await expectAccessible(page);
    const [kept] = await api<{ value: string; predicate: string }[]>('GET', '/sessions/flight/outcomes');
    expect(kept).toMatchObject({ value: 'false', note: 'Inquiry of 2027' });

    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('No outcome of this investigation is recorded yet.').waitFor();
    await page.getByText('No outcome is recorded yet.', { exact: true }).waitFor();
    await page.close();
  });

  it('an outcome that was scored with a caution shows it, and the report counts those that are not scored', async () => {
    covers('INV-B.38', 'INV-O.4');
    const claim = { id: 'c1', actor_id: 'a', subject_id: 's', content: 'In Zurich.' };
    const payload = {
      research_question: 'Where was it?',
      actors: [{ id: 'a', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's', name: 'The meeting', subject_type: 'event' }],
      claims: [{ ...claim, predicate: 'place', value: 'Zurich' }],
    };
    await api('POST', '/sessions', { name: 'Place', session_id: 'place', payload });
    const question = { subject_id: 's', predicate: 'place' };
    await api('POST', '/sessions/place/judge', {});
    await api('POST', '/sessions/place/outcomes', { ...question, value: 'Zürich' });
    await api('POST', '/sessions', { name: 'Early', session_id: 'early', payload });
    await api('POST', '/sessions/early/judge', {});
    await api('POST', '/sessions/early/outcomes', { ...question, value: 'Bern', known_at: '2000-01-01' });
    const [{ caution }] = await api<[{ caution: string }]>('GET', '/sessions/place/outcomes');
    expect(caution).toContain('Zurich');
    const page = await open('history-outcomes', 'place');
    const row = page
      .getByRole('table', { name: 'Recorded outcomes' })
      .getByRole('row', { name: 'The meeting' });
    await row.getByText(caution).waitFor();
    await page.getByText(/1\soutcome more had none and counts nowhere/).waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it('an outcome is recorded of the scope that is chosen, where claims on its question have several', async () => {
    covers('INV-O.26');
    const claim = { actor_id: 'a', subject_id: 's', predicate: 'open', content: '' };
    const payload = {
      research_question: 'Is it open?',
      actors: [{ id: 'a', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's', name: 'The pass', subject_type: 'place' }],
      claims: [
        { ...claim, id: 'c1', value: 'no' },
        { ...claim, id: 'c2', value: 'yes', scope: 'in summer' },
      ],
    };
    await api('POST', '/sessions', { name: 'Pass', session_id: 'pass', payload });
    await api('POST', '/sessions/pass/judge', {});
    const page = await open('history-outcomes', 'pass');
    await page.getByLabel('Scope or time').selectOption('in summer');
    await page.getByLabel('What turned out to be true').fill('true');
    await page.getByRole('button', { name: 'Record outcome' }).click();
    const row = page.getByRole('table', { name: 'Recorded outcomes' }).getByRole('row', { name: 'The pass' });
    await row.getByText('Right', { exact: true }).waitFor();
    await row.getByText('(in summer)').first().waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it('a watch is started, reports what moved and a delivery that failed, and is ended', async () => {
    covers('INV-B.39');
    const page = await open('history-watch');
    await page.getByText('Nothing is watched yet.').waitFor();
    const webhook = page.getByLabel('Webhook');
    await webhook.fill('https://elsewhere.example/hook');
    await page.getByRole('button', { name: 'Start watch' }).click();
    await page.getByLabel('Webhook').and(page.locator('[aria-invalid=true]')).waitFor();
    const { port } = receiver.address() as AddressInfo;
    await webhook.fill(`http://127.0.0.1:${port}/hook`);
    await page.getByLabel('Step of a chance').fill('0.001');
    await page.getByRole('button', { name: 'Start watch' }).click();
    await page.getByLabel('Signing secret').waitFor();
    await page.getByText('Nothing has moved so far.').waitFor();

    await api('PATCH', '/sessions/flight', { remove_claim_ids: ['gibbs-smith-first'] });
    await api('POST', '/sessions/flight/judge', {});
    await page.getByText('delivery failed').first().waitFor();
    await page
      .getByText(/A chance moves, /)
      .first()
      .waitFor();
    await page
      .getByText(/ before, .* now$/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('not delivered yet').or(page.getByText('delivery failed')).first().waitFor();

    await page.getByRole('button', { name: 'End this watch' }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await page.getByText('Nothing is watched yet.').waitFor();
    expect(await api('GET', '/sessions/flight/subscriptions')).toEqual([]);
    await page.close();
  });
});
