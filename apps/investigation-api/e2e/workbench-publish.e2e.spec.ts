import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EXPORT_FORMATS, EXPORT_TYPES } from '@platform/interchange/formats';
import { axeViolations } from '@platform/testing';
import { unzipSync } from 'fflate';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Page } from 'playwright-core';
import { EXAMPLE, overflowOf, useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();
const published = async (url: string) => (await fetch(url)).text();

beforeAll(async () => {
  await api('POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
  await api('POST', '/sessions/flight/judge', {});
});

/** The tab of a session, signed in. */
async function openPublish(id: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#publish`);
  await page.getByRole('heading', { name: 'Public page' }).waitFor();
  await page.locator('select option').nth(1).waitFor({ state: 'attached' });
  return page;
}

const INTERPRETATION = 'What you make of it';
const ANSWER = 'Wright Flyer, Kill Devil Hills, 17 December 1903: flew under power';

/** Every field of the tab: how it is filled in, and where its value is found once it is published. */
const FIELDS: Readonly<
  Record<
    string,
    { fill: (page: Page, text: string) => Promise<unknown>; published: (text: string) => object }
  >
> = {
  [INTERPRETATION]: {
    fill: (page, text) => page.getByLabel(INTERPRETATION).fill(text),
    published: (text) => ({ interpretation: text }),
  },
  'Name in the link': {
    fill: (page, text) => page.getByLabel('Name in the link').fill(text),
    published: (text) => ({ slug: text }),
  },
  'Opens with': {
    fill: (page, text) => page.getByLabel('Opens with').selectOption(text === 'first' ? 'mesh' : 'audit'),
    published: (text) => ({ preferred_pane: text === 'first' ? 'mesh' : 'audit' }),
  },
  'The answer': {
    fill: (page, text) =>
      page.getByLabel('The answer').selectOption(text === 'first' ? { label: ANSWER } : { index: 0 }),
    published: (text) => ({ answer_finding: text === 'first' ? { predicate: 'flew_under_power' } : null }),
  },
  ...Object.fromEntries(
    ['Author', 'Publisher', 'Contact'].map((label) => [
      label,
      {
        fill: (page: Page, text: string) => page.getByLabel(label, { exact: true }).fill(text),
        published: (text: string) => ({ [label === 'Author' ? 'byline' : label.toLowerCase()]: text }),
      },
    ]),
  ),
  'Sentence for “flew under power”': {
    fill: async (page, text) => {
      const sentence = page.getByLabel('Sentence for “flew under power”');
      if (!(await sentence.isVisible())) await page.getByText('How findings are worded').click();
      await sentence.fill(`{subject} flew ${text}`);
    },
    published: (text) => ({ patterns: { flew_under_power: `{subject} flew ${text}` } }),
  },
};

/** What a session has published. */
const publishedOf = async (id: string) => {
  const [share, session] = await Promise.all([
    api<{ url: string; snapshot_taken_at: string }>('GET', `/sessions/${id}/share`),
    api<object>('GET', `/sessions/${id}/interpretation`),
  ]);
  return { ...share, ...session };
};

async function judged(id: string): Promise<void> {
  await api('POST', '/sessions', { name: id, session_id: id, payload: EXAMPLE });
  await api('POST', `/sessions/${id}/judge`, {});
}

describe('what is typed where an investigation is published', () => {
  it('Publish offers to show readers what changed once the page is older than the last judgement, for that publication alone', async () => {
    covers('INV-V.87');
    await api('POST', '/sessions', { name: 'Since', session_id: 'since', payload: EXAMPLE });
    await api('POST', '/sessions/since/judge', {});
    const { url } = await api<{ url: string }>('PUT', '/sessions/since/share', { public: true });
    const page = await openPublish('since');
    const offer = page.getByLabel(/^Show readers what changed/);
    await eventually(() => offer.count()).toBe(0);
    await page.close();
    const [claim] = (EXAMPLE as { claims: { id: string }[] }).claims;
    await api('PATCH', '/sessions/since', { remove_claim_ids: [claim!.id] });
    await api('POST', '/sessions/since/judge', {});
    const later = await openPublish('since');
    const ticked = later.getByLabel(/^Show readers what changed/);
    await ticked.check();
    await later.getByRole('button', { name: 'Publish again' }).click();
    await eventually(() => ticked.count()).toBe(0);
    expect(await published(`${url}/changes`)).toContain('What changed since');
    await later.getByRole('button', { name: 'Publish again' }).click();
    await later.getByRole('button', { name: 'Publish again' }).waitFor();
    await eventually(() => published(url)).toContain('What changed since');
    await later.close();
  });

  it('Publish and Publish again publish what each field holds at that moment, the interpretation included', async () => {
    covers('INV-B.88');
    await judged('typed');
    const page = await openPublish('typed');
    const publish = page.getByRole('button', { name: /^Publish( again)?$/ });
    for (const text of ['first', 'second']) {
      for (const { fill } of Object.values(FIELDS)) await fill(page, text);
      await publish.click();
      await page.getByLabel('Link', { exact: true }).waitFor();
      const all = Object.assign({}, ...Object.values(FIELDS).map(({ published: of }) => of(text))) as object;
      await eventually(() => publishedOf('typed')).toMatchObject(all);
      const { url } = await publishedOf('typed');
      await eventually(() => published(`${url}?pane=overview`)).toContain(`>${text}<`);
      await eventually(() => page.getByText('Not saved yet.').count()).toBe(0);
    }
    await page.close();
  });

  it('an interpretation that somebody else changed meanwhile is shown and not published over, until Publish is pressed again', async () => {
    covers('INV-B.88');
    await judged('both');
    const page = await openPublish('both');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByLabel('Link', { exact: true }).waitFor();
    const before = await publishedOf('both');
    await page.getByLabel(INTERPRETATION).fill('Mine.');
    await api('PUT', '/sessions/both/interpretation', { interpretation: 'Theirs.' });
    await page.getByRole('button', { name: 'Publish again' }).click();
    await page.getByText(/It was changed elsewhere .*“Theirs\.”/).waitFor();
    expect(await publishedOf('both')).toMatchObject({
      interpretation: 'Theirs.',
      snapshot_taken_at: before.snapshot_taken_at,
    });
    await eventually(() => page.getByLabel(INTERPRETATION).inputValue()).toBe('Mine.');
    await page.getByRole('button', { name: 'Publish again' }).click();
    await eventually(() => publishedOf('both')).toMatchObject({ interpretation: 'Mine.' });
    await eventually(() => published(before.url)).toContain('Mine.');
    await page.close();
  });

  it.each(Object.keys(FIELDS))(
    'leaving the tab with %s changed and not published asks first',
    async (label) => {
      covers('INV-B.89');
      const id = `leave-${Object.keys(FIELDS).indexOf(label)}`;
      await judged(id);
      const page = await openPublish(id);
      const asked: string[] = [];
      page.on('dialog', (question) => {
        asked.push(question.message());
        void question.dismiss();
      });
      await FIELDS[label]!.fill(page, 'first');
      await page.getByRole('link', { name: 'Investigations', exact: true }).click();
      await eventually(() => asked).toEqual([expect.stringContaining('not saved')]);
      await page.getByRole('heading', { name: 'Public page' }).waitFor();
      await page.close({ runBeforeUnload: false });
    },
  );

  it('the tab tells the author that a page is older than the last judgement, until it is published again', async () => {
    covers('INV-B.90');
    await judged('older');
    const page = await openPublish('older');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Everyone with the link can read it', { exact: false }).waitFor();
    const older = page.getByText('It was judged again since: readers still see the judgement before', {
      exact: false,
    });
    await eventually(() => older.count()).toBe(0);
    await page.getByRole('button', { name: 'Judge again' }).click();
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Publish' }).click();
    await older.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish again' }).click();
    await older.waitFor({ state: 'detached' });
    await page.close();
  });
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
    covers('INV-B.29', 'INV-B.74', 'INV-B.77');
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
    await eventually(() => page.evaluate(() => document.activeElement!.textContent)).toBe('Publish again');
    await eventually(() => page.getByLabel('To show it in another site').inputValue()).toContain(
      `src="${url}/embed"`,
    );
    const html = await published(url);
    expect(html).toContain('Ana Reyes, The Ledger');
    expect(html).toMatch(/Wright Flyer, Kill Devil Hills, 17 December 1903(<[^>]*>)* flew under power/);

    await page.getByText('How findings are worded').click();
    const sentence = page.getByLabel('Sentence for “flew under power”');
    await sentence.fill('flew');
    // It is refused where it is typed, and not counted.
    await page.getByText('Must contain {subject}', { exact: false }).waitFor();
    await eventually(() => sentence.getAttribute('aria-invalid')).toBe('true');
    await eventually(() => page.locator('summary', { hasText: 'How findings are worded' }).innerText()).toBe(
      'How findings are worded',
    );
    const valued = page.getByLabel('Sentence for “achieved by”');
    await valued.fill('{subject} was achieved');
    await page.getByText('Must contain {value}', { exact: false }).waitFor();
    await valued.fill('');
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
