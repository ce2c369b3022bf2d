import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { overflowOf, useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

interface Stored {
  readonly payload: {
    readonly actors: readonly { id: string; depends_on?: readonly string[] }[];
    readonly claims: readonly { id: string }[];
  };
}

const claim = (id: string, actor: string, value: string, day: number, more: object = {}) => ({
  id,
  actor_id: actor,
  subject_id: 's1',
  predicate: 'open',
  value,
  content: `The bridge: ${value}, said on day ${day}`,
  assertion_time: `2025-05-0${day}T00:00:00Z`,
  ...more,
});

const PAYLOAD = {
  research_question: 'Is the bridge open?',
  decay_half_life_days: 3650,
  actors: [
    { id: 'a1', name: 'The Herald', source_type: 'Journalist' },
    { id: 'a2', name: 'City Council', source_type: 'Institutional' },
    { id: 'a3', name: 'Morning Post', source_type: 'Journalist' },
  ],
  subjects: [{ id: 's1', name: 'North bridge', subject_type: 'structure' }],
  claims: [
    claim('k1', 'a1', 'true', 1, { quote: 'It opens at noon.' }),
    claim('k2', 'a1', 'true', 2),
    claim('k3', 'a1', 'true', 3),
    claim('k4', 'a1', 'true', 4),
    claim('k5', 'a2', 'false', 5),
    claim('k6', 'a3', 'true', 6, { quote: 'It opens at noon.' }),
  ],
};

const stored = async () => (await api<Stored>('GET', '/sessions/doubles')).payload;
const claimIds = async () => (await stored()).claims.map(({ id }) => id);

describe('warnings of what is said more than once', () => {
  it('warnings of repeats name source and statement, and a button mends one or all of them, which Undo takes back', async () => {
    covers('INV-B.42');
    await api('POST', '/sessions', { name: 'Doubles', session_id: 'doubles', payload: PAYLOAD });
    await api('POST', '/sessions/doubles/judge', {});
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(`${service.url}/app/sessions/doubles#audit`);
    await page.getByLabel('Token or API key').fill(service.token);
    await page.keyboard.press('Enter');
    const warnings = page.getByRole('region', { name: 'Warnings' });
    const repeats = warnings.getByText('3\u00a0claims repeat what the same source said already.');
    await repeats.click();

    // Every row in words: who, what, and which of the two counts.
    const row = warnings.getByRole('listitem').filter({ hasText: 'says more than once' }).last();
    await eventually(() => row.innerText()).toMatch(
      /The Herald says more than once: The north bridge is open\.\s+Counts: The bridge: true, said on day 1.*Does not count again: The bridge: true, said on day 4/s,
    );
    await eventually(() => warnings.innerText()).toMatch(
      /The Herald and Morning Post give the same quote for: The north bridge is open/,
    );
    await eventually(() => warnings.innerText()).not.toMatch(/\bk[1-6]\b|depends_on/);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
    }

    // One row, and back.
    await row.getByRole('button', { name: 'Remove the repeat' }).click();
    await page.getByText('1\u00a0repeat removed.').waitFor();
    await eventually(claimIds).toEqual(['k1', 'k2', 'k3', 'k5', 'k6']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(claimIds).toEqual(['k1', 'k2', 'k3', 'k4', 'k5', 'k6']);

    // All of a kind, by keyboard, and judged from the message about it.
    await warnings.getByRole('button', { name: 'Keep one of each, remove 3\u00a0repeats' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('3\u00a0repeats removed.').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement!.id)).toBe('audit-warnings');
    await eventually(claimIds).toEqual(['k1', 'k5', 'k6']);
    await warnings.getByRole('button', { name: 'Count once: “Morning Post” repeats “The Herald”' }).click();
    await page.getByText('Noted that “Morning Post” repeats “The Herald”.').waitFor();
    await eventually(async () => (await stored()).actors[2]!.depends_on).toEqual(['a1']);
    await page.locator('.toast').getByRole('button', { name: 'Judge' }).click();
    await eventually(() => warnings.innerText()).not.toMatch(/more than once|the same quote/);
    expect(said.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    await page.close();
  });

  it('warnings of sources that changed what they say are one group, and a button notes that the last replaces the earlier', async () => {
    covers('INV-B.80');
    const dead = (id: string, actor: string, value: string, day: number) =>
      claim(id, actor, value, day, { predicate: 'deaths' });
    const claims = [
      dead('k1', 'a1', '12', 1),
      dead('k2', 'a1', '40', 3),
      dead('k3', 'a2', '12', 1),
      dead('k4', 'a2', '19', 2),
      dead('k5', 'a2', '40', 3),
      dead('k6', 'a3', '7', 1),
      dead('k7', 'a3', '40', 2),
    ];
    await api('POST', '/sessions', {
      name: 'Changes',
      session_id: 'changes',
      payload: { ...PAYLOAD, claims },
    });
    await api('POST', '/sessions/changes/judge', {});
    const replaced = async () =>
      (
        await api<{ payload: { claims: { supersedes_claim_id?: string }[] } }>('GET', '/sessions/changes')
      ).payload.claims.map(({ supersedes_claim_id: id }) => id ?? null);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
    await page.goto(`${service.url}/app/sessions/changes#audit`);
    const warnings = page.getByRole('region', { name: 'Warnings' });
    await warnings.getByText('3 times a source says something else later than before.').click();
    const row = warnings.getByRole('listitem').filter({ hasText: 'The Herald says different things' }).last();
    await eventually(() => warnings.innerText()).not.toMatch(/\bk[1-7]\b|supersedes/);
    expect(await axeViolations(page)).toEqual([]);
    await row
      .getByRole('button', { name: 'Update: what “The Herald” said last replaces what it said before' })
      .click();
    await eventually(replaced).toEqual([null, 'k1', null, null, null, null, null]);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await eventually(replaced).toEqual(claims.map(() => null));
    await warnings
      .getByRole('button', { name: 'Update: what 3\u00a0sources said last replaces what they said before' })
      .click();
    await eventually(replaced).toEqual([null, 'k1', null, null, 'k4', null, 'k6']);
    await page.locator('.toast').getByRole('button', { name: 'Judge' }).click();
    await eventually(() => warnings.innerText()).not.toMatch(/says something else later|different things/);
    await page.close();
  });
});
