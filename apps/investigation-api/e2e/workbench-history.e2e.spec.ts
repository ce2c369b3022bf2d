import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { EXAMPLE, overflowOf, useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();

describe('the history of an investigation', () => {
  it('the history shows two judgements side by side, what changed, and parts that sum to each move', async () => {
    covers('INV-B.18', 'INV-B.81');
    await api('POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
    await api('POST', '/sessions/flight/judge', {});
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${service.url}/app/sessions/flight`);
    await page.getByLabel('Token or API key').fill(service.token);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('There is one judgement so far.').waitFor();

    const removed = 'gibbs-smith-first';
    await api('PATCH', '/sessions/flight', { remove_claim_ids: [removed], decay_half_life_days: 3650 });
    await api('POST', '/sessions/flight/judge', {});
    await page.reload();
    await page.getByRole('tabpanel', { name: 'History' }).getByText('judgements, numbered').waitFor();
    await page.getByText('Changed settings: decay half life days.').waitFor();
    const items = page.locator('.changed-items');
    await eventually(() => items.innerText()).toMatch(
      /Removed claim: Charles H. Gibbs-Smith, historian of aviation: .* Wilbur and Orville Wright/,
    );
    const rows = await page.locator('.move-table tbody tr').evaluateAll((all) =>
      all.map((row) => {
        const text = (title: string) => row.querySelector(`[data-title="${title}"]`)!.textContent;
        const tenths = (words: string) =>
          [...words.matchAll(/([+−]?)(\d+(?:\.\d)?)\u00a0points/g)].map(
            ([, sign, size]) => Math.round(Number(size) * 10) * (sign === '−' ? -1 : 1),
          );
        return { move: tenths(text('Move')), parts: tenths(text('Because of')) };
      }),
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { move, parts } of rows)
      if (move.length === 1) expect(parts.reduce((sum, part) => sum + part, 0)).toBe(move[0]);

    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect([colorScheme, width, await axeViolations(page)]).toEqual([colorScheme, width, []]);
        await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
      }

    // Whichever is chosen first, the earlier one is compared with the later, and what changed says from what.
    const [first] = EXAMPLE.claims;
    await api('PUT', `/sessions/flight/claims/${first!.id}`, { ...first, value: 'Clément Ader' });
    await api('POST', '/sessions/flight/judge', {});
    await page.reload();
    await page.getByText('From judgement 2 to judgement 3: 1\u00a0item changed').waitFor();
    const changed = `Changed claim: .* Clément Ader \\(on .*\\), was ${first!.value} \\(on .*\\)$`;
    await eventually(() => items.innerText()).toMatch(new RegExp(changed));
    await page.getByLabel('Judgement', { exact: true }).selectOption({ index: 0 });
    await page.getByLabel('compared with').selectOption({ index: 1 });
    await page.getByText('From judgement 2 to judgement 3: 1\u00a0item changed').waitFor();
    await eventually(() => items.innerText()).toMatch(new RegExp(changed));

    // By keyboard: a judgement compared with itself says so.
    await page.getByLabel('Judgement', { exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('This is one judgement.').waitFor();
    await page.getByRole('tab', { name: 'History' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Publish', selected: true }).waitFor();

    // Ctrl-K opens what finds everything, on every pane.
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find or do' }).getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(said.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    await page.close();
  });
});
