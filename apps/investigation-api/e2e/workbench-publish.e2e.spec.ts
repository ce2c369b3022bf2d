import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EXPORT_FORMATS, EXPORT_TYPES } from '@platform/interchange/formats';
import { axeViolations } from '@platform/testing';
import { unzipSync } from 'fflate';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { overflowOf, useDesk } from './desk.fixture.ts';

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../../examples/first-flight.json', import.meta.url), 'utf8'),
) as object;

const { service, browser, api } = useDesk();
const published = async (url: string) => (await fetch(url)).text();

beforeAll(async () => {
  await api('POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
  await api('POST', '/sessions/flight/judge', {});
});

describe('publishing in the workbench', () => {
  it('an interpretation from before the last judgement is said to hold still by one button', async () => {
    covers('INV-B.40');
    await api('PUT', '/sessions/flight/interpretation', { interpretation: 'Most likely.' });
    const older = await api<{ interpretation_updated_at: string }>('GET', '/sessions/flight/interpretation');
    await api('POST', '/sessions/flight/judge', {});
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${service.url}/app/sessions/flight#publish`);
    await page.getByLabel('Token or API key').fill(service.token);
    await page.keyboard.press('Enter');
    await page.getByText('Written before the last judgement; readers are told so.').waitFor();
    await page.getByRole('button', { name: 'It still holds' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Save interpretation' }).isDisabled()).toBe(true);
    const newer = await api<typeof older>('GET', '/sessions/flight/interpretation');
    expect(newer).toMatchObject({ interpretation: 'Most likely.' });
    expect(Date.parse(newer.interpretation_updated_at)).toBeGreaterThan(
      Date.parse(older.interpretation_updated_at),
    );
    await api('PUT', '/sessions/flight/interpretation', { interpretation: null });
    await page.close({ runBeforeUnload: false });
  });

  it('publishing takes author, publisher, contact, the answer and a sentence for each property, and keeps what is not changed', async () => {
    covers('INV-B.29');
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${service.url}/app/sessions/flight#publish`);
    await page.getByLabel('Token or API key').fill(service.token);
    await page.keyboard.press('Enter');
    await page.getByLabel('Author', { exact: true }).fill('Ana Reyes');
    await page.getByLabel('Publisher', { exact: true }).fill('x'.repeat(201));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await eventually(() => page.getByLabel('Publisher', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    );
    await page.getByLabel('Publisher', { exact: true }).fill('The Ledger');
    covers('INV-B.47');
    // Nothing is marked yet: the finding is named, and the question asked.
    const answer = page.getByLabel('The answer');
    const unmarked = answer.locator('option').first();
    await eventually(() => unmarked.textContent()).toMatch(/^Not chosen: First powered.*: achieved by$/);
    const asked = page.getByText('Which finding answers “', { exact: false });
    await asked.waitFor();
    await answer.selectOption({
      label: 'Wright Flyer, Kill Devil Hills, 17 December 1903: flew under power',
    });
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const url = await page.getByLabel('Link', { exact: true }).inputValue();
    await eventually(() => page.getByLabel('To show it in another site').inputValue()).toContain(
      `src="${url}/embed"`,
    );
    const html = await published(url);
    expect(html).toContain('Ana Reyes, The Ledger');
    expect(html).toMatch(/Wright Flyer, Kill Devil Hills, 17 December 1903(<[^>]*>)* flew under power/);

    await page.getByText('How findings are worded').click();
    const sentence = page.getByLabel('Sentence for “flew under power”');
    await sentence.fill('flew');
    await page.getByRole('button', { name: 'Publish again' }).click();
    await page.getByText('Must contain {subject}', { exact: false }).waitFor();
    await sentence.fill('{subject} left the ground by its own power');
    await page.getByText('left the ground by its own power', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Publish again' }).click();
    await eventually(() => published(url)).toContain('left the ground');
    // The workbench words its findings as the page does.
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.locator('.answer, .finding').getByText('left the ground by its own power').first().waitFor();
    await page.getByRole('tab', { name: 'Publish' }).click();

    await page.getByLabel('Author', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Publish again' }).click();
    await eventually(() => published(url)).not.toContain('Ana Reyes');
    expect(await published(url)).toContain('The Ledger');
    await eventually(() => page.getByLabel('Publisher', { exact: true }).inputValue()).toBe('The Ledger');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
    }
    await page.close();
  });

  it('the last judgement is downloaded from the workbench as a file that holds it, with a pasted token', async () => {
    covers('INV-B.36');
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${service.url}/app/sessions/flight#publish`);
    await page.getByLabel('Token or API key').fill(service.token);
    await page.keyboard.press('Enter');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Everything, with digests (ZIP)' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('flight.zip');
    const files = unzipSync(readFileSync(await file.path()));
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['investigation.json', 'result.json', 'SHA256SUMS']),
    );
    const [map] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Argument map (Argdown)' }).click(),
    ]);
    expect(readFileSync(await map.path(), 'utf8')).toContain('title: "Flight"');
    expect(await axeViolations(page)).toEqual([]);
    // Every format of the service, each under its ending.
    const buttons = page.getByRole('region', { name: 'Download' }).getByRole('button');
    const endings: string[] = [];
    for (const button of await buttons.all()) {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      endings.push(download.suggestedFilename().replace(/^flight\./, ''));
    }
    expect(endings.sort()).toEqual(EXPORT_FORMATS.map((format) => EXPORT_TYPES[format].extension).sort());
    await page.close();
  });
});
