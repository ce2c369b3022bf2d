import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IMPORT_FORMATS } from '@platform/interchange/formats';
import { axeViolations } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { workbook } from '@platform/testing/workbook';
import type { Page } from 'playwright-core';
import { overflowOf, useDesk } from './desk.fixture.ts';

const PAYLOAD = { research_question: 'What started the fire?', actors: [], subjects: [], claims: [] };
const CSV = `Outlet,Topic,Property,Value,Quote,Published
Fire Department,The fire,cause,electrical,"A cable, we think.",03/04/2025
The Daily Herald,The fire,cause,arson,Arson!,05/06/2025
Maria,The fire,cause,arson,I saw it lit.,07/08/2025
`;

const { service, browser, api } = useDesk({});

async function openSession(id: string, payload: object): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.goto(`${service.url}/app/sessions/${id}#edit`);
  await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor();
  return page;
}

const dialog = (page: Page) => page.getByRole('dialog');
const toast = (page: Page) => page.locator('.toast');

describe('a CSV import', () => {
  let page: Page;
  const importButton = () => dialog(page).getByRole('button', { name: /^Import 3/ });

  beforeAll(async () => {
    page = await openSession('fire', PAYLOAD);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByLabel('or paste it').fill(CSV);
  });
  afterAll(() => page?.close());

  it('a CSV import shows each new source with a guessed type, and waits for the types that it cannot guess', async () => {
    covers('INV-B.10');
    const typeOf = (name: string) => page.getByLabel(`Type of ${name}`).inputValue();
    await eventually(() => typeOf('Fire Department')).toBe('Institutional');
    await eventually(() => typeOf('The Daily Herald')).toBe('Journalist');
    await eventually(() => typeOf('Maria')).toBe('');
    await eventually(() => importButton().isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Type of Maria').selectOption('Insider');
  });

  it('a CSV import asks once whether the day or the month comes first', async () => {
    covers('INV-B.9');
    await eventually(() => importButton().isDisabled()).toBe(true);
    const order = page.getByText('Required: the dates could be read either way.');
    await eventually(() => order.count()).toBe(1);
    await page.getByLabel(/^Said at: is 03\/04\/2025/).selectOption('day-first');
    await eventually(() => order.count()).toBe(0);
  });

  it('a CSV import shows how many claims each way of ageing would fade, and keeps the one chosen', async () => {
    covers('INV-B.10');
    const choices = page.locator('fieldset', { hasText: 'Does this get out of date?' });
    await eventually(() => choices.innerText()).toMatch(/facts of the past[^]*0 of 3.claims would be faded/);
    await eventually(() => choices.innerText()).toMatch(/Within days[^]*3 of 3.claims would be faded/);
    const choice = page.getByLabel('No: these are facts of the past');
    // A field as wide as the form would push its words to a line of their own.
    await eventually(async () => (await choice.boundingBox())!.width).toBeLessThan(30);
    await page.getByText('Required: the chances depend on it.').waitFor();
    await eventually(() => importButton().isDisabled()).toBe(true);
    await choice.check();
    await importButton().click();
    await dialog(page).waitFor({ state: 'detached' });
    const stored = await api<{ payload: Record<string, unknown> }>('GET', '/sessions/fire');
    expect(stored.payload['decay_half_life_days']).toBe(73_000);
    expect(stored.payload['claims']).toMatchObject([
      { assertion_time: '2025-04-03T00:00:00Z' },
      { assertion_time: '2025-06-05T00:00:00Z' },
      { assertion_time: '2025-08-07T00:00:00Z' },
    ]);
    expect(stored.payload['actors']).toMatchObject([
      { source_type: 'Institutional' },
      { source_type: 'Journalist' },
      { source_type: 'Insider' },
    ]);
  });

  it('a European CSV of 300 rows shows its decimal commas, waits where they are not clear, and is stored as read', async () => {
    covers('INV-B.98', 'INV-B.99', 'INV-B.100');
    const page = await openSession('european', PAYLOAD);
    const cells = ['12,50 mg/l', '€ 1.250,75', '5.6.1994', '5. Juni 1994', '1.250 m'];
    const rows = (values: readonly string[]) =>
      Array.from(
        { length: 300 },
        (_, i) => `Umweltamt;Institutional;Messstelle ${i};Wert;${values[i % values.length]};15.06.2026`,
      );
    const choose = async (values: readonly string[]) => {
      const csv = ['\ufeffSource;Source type;Subject;Property;Value;Date', ...rows(values)].join('\r\n');
      const file = { name: 'werte.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await page.getByLabel('CSV file').setInputFiles(file);
    };
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const button = dialog(page).getByRole('button', { name: 'Import 300 claims' });
    await choose(['1.250 m', '1300 m']);
    await page.getByLabel('No: these are facts of the past').check();
    await page.getByText('Required: the numbers could be read either way.').waitFor();
    await eventually(() => button.isDisabled()).toBe(true);
    await page.getByLabel(/^Value: decimal comma or thousands, as in 1\.250 m/).selectOption('comma');
    await eventually(() => button.isDisabled()).toBe(false);
    const english = ['Source,Source type,Subject,Property,Value', 'Herald,Journalist,Dam,length,"1,250 m"'];
    await page.getByLabel('CSV file').setInputFiles({
      name: 'lengths.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(english.join('\r\n')),
    });
    await page.getByText('Taken as decimal point, for the columns of the file are').waitFor();
    await eventually(() => dialog(page).getByRole('button', { name: 'Import 1 claim' }).isDisabled()).toBe(
      false,
    );
    await choose(cells);
    const mark = page.getByLabel(/^Value: decimal comma or thousands/);
    await eventually(() => mark.inputValue()).toBe('comma');
    await eventually(() => mark.innerText()).toContain('1.250 m is 1250 m');
    expect(await axeViolations(page)).toEqual([]);
    await button.click();
    await dialog(page).waitFor({ state: 'detached' });
    const { payload } = await api<{ payload: { claims: { value: string }[] } }>('GET', '/sessions/european');
    expect(payload.claims).toHaveLength(300);
    expect(payload.claims.slice(0, 5).map(({ value }) => value)).toEqual([
      '12.50 mg/l',
      '€ 1250.75',
      '1994-06-05',
      '1994-06-05',
      '1250 m',
    ]);
    await page.close();
  });

  it('a CSV import shows for each half-life as many faded claims as judging finds stale, whatever the types of the sources', async () => {
    covers('INV-B.85');
    const page = await openSession('faded', PAYLOAD);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const rows = [
      `@a,social media,Fire,cause,arson,${daysAgo(200)}`,
      `@b,social media,Fire,cause,arson,${daysAgo(199)}`,
      `Reuters,journalist,Fire,cause,gas leak,${daysAgo(200)}`,
      `Prof. Li,expert,Fire,cost,1,${daysAgo(30)}`,
    ];
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const heading = 'Source,Source type,Subject,Property,Value,Date';
    await page.getByLabel('or paste it').fill([heading, ...rows].join('\n'));
    const choices = page.locator('fieldset', { hasText: 'Does this get out of date?' });
    await eventually(() => choices.innerText()).toMatch(/Over months[^;]*; 2 of 4.claims would be faded/);
    await eventually(() => choices.innerText()).toMatch(/Within days[^;]*; 4 of 4.claims would be faded/);
    await page.getByLabel('Type of @a').selectOption('Journalist');
    await eventually(() => choices.innerText()).toMatch(/Over months[^;]*; 1 of 4.claims would be faded/);
    await page.getByLabel('Over months').check();
    await dialog(page).getByRole('button', { name: 'Import 4 claims' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await api('POST', '/sessions/faded/judge', {});
    const { result } = await api<{ result: { claim_analyses: { temporal_decay_factor: number }[] } }>(
      'GET',
      '/sessions/faded/judgements/latest',
    );
    const stale = result.claim_analyses.filter((one) => one.temporal_decay_factor < 0.25);
    expect(stale).toHaveLength(1);
    await page.close();
  });

  it('a CSV import says what it added, and takes it out again', async () => {
    covers('INV-B.11');
    await eventually(() => toast(page).innerText()).toMatch(/^3.claims added/);
    expect(await axeViolations(page)).toEqual([]);
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await toast(page).waitFor({ state: 'detached' });
    for (const list of ['claims', 'actors', 'subjects'])
      await eventually(() => api('GET', `/sessions/fire/${list}`)).toEqual([]);
  });
});

describe('the message after an import', () => {
  it('an import is judged by the button of its message', async () => {
    covers('INV-B.11');
    const page = await openSession('imported', PAYLOAD);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const row = 'The Daily Herald,The fire,cause,arson,Arson!';
    await page.getByLabel('or paste it').fill(`source,subject,predicate,value,statement\n${row}\n`);
    await dialog(page)
      .getByRole('button', { name: /^Import 1/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => toast(page).innerText()).toMatch(/^1.claim added/);
    await toast(page).getByRole('button', { name: 'Judge' }).click();
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await eventually(() => toast(page).count()).toBe(0);
    await eventually(() => api('GET', '/sessions?name_filter=imported')).toMatchObject([
      { claim_count: 1, judged_at: expect.any(String) },
    ]);

    await page.getByRole('link', { name: 'Investigations', exact: true }).click();
    const listed = page.getByRole('row', { name: /imported/ });
    await eventually(() => listed.innerText()).toMatch(/\(chance \d+.%\) · 1.claim · judged \d/);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });
});

describe('deleting an item', () => {
  it('deleting an item names what refers to it first, and can be undone', async () => {
    covers('INV-B.11');
    const page = await openSession('delete', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Herald', source_type: 'Journalist' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [
        { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'x', content: 'It was x.' },
      ],
    });
    await page.locator('[data-item="a1"]').click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByText('Claims: It was x.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await eventually(() => api('GET', '/sessions/delete/actors')).toHaveLength(1);
    await dialog(page).getByRole('button', { name: 'Keep it' }).click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Delete it anyway' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/delete/actors')).toEqual([]);
    await eventually(() => toast(page).innerText()).toContain('Deleted “Herald”.');
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await page.locator('[data-item="a1"]').waitFor();
    await eventually(() => api('GET', '/sessions/delete/actors')).toEqual([
      { id: 'a1', name: 'Herald', source_type: 'Journalist' },
    ]);
    await page.close();
  });
});

describe('an import of a file of another tool', () => {
  const REVIEW = {
    '@type': 'ClaimReview',
    claimReviewed: 'Arson started the fire.',
    datePublished: '2025-07-01',
    author: { name: 'Example Fact Desk' },
    itemReviewed: { author: { name: 'The Mayor' } },
    reviewRating: { alternateName: 'False' },
  };
  const choose = (page: Page, name: string, content: string | Uint8Array) =>
    page.getByLabel('File', { exact: true }).setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    });

  it('fact checks are shown with guessed types and what was left out, imported, and undone', async () => {
    covers('INV-B.37');
    const page = await openSession('reviews', PAYLOAD);
    await page.getByRole('button', { name: 'Import another file' }).click();
    const reviews = [
      REVIEW,
      { ...REVIEW, claimReviewed: 'It rained.', reviewRating: { alternateName: 'Unproven' } },
    ];
    await choose(page, 'reviews.jsonld', JSON.stringify(reviews));
    await page.getByText(/Sources: 2, Subjects: \d, Claims: \d/).waitFor();
    await eventually(() => page.getByLabel('Format').inputValue()).toBe('claimreview');
    await page.getByText(/^Left out or assumed: \d/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const mayor = page.getByLabel('Type of The Mayor');
    await eventually(() => mayor.inputValue()).toBe('');
    await eventually(() =>
      dialog(page)
        .getByRole('button', { name: /^Import \d+ items/ })
        .isDisabled(),
    ).toBe(true);
    await mayor.selectOption('Institutional');
    await page.getByLabel('Over years').check();
    await dialog(page)
      .getByRole('button', { name: /^Import \d+ items/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    const { payload } = await api<{
      payload: typeof PAYLOAD & { actors: { name: string; source_type: string }[] };
    }>('GET', '/sessions/reviews');
    expect(payload.research_question).toBe(PAYLOAD.research_question);
    expect(payload.actors.find(({ name }) => name === 'The Mayor')).toMatchObject({
      source_type: 'Institutional',
    });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await toast(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/reviews')).toMatchObject({ payload: PAYLOAD });
    await page.close();
  });

  it('a STIX bundle and a MISP event are recognized, with the grade that they give their source', async () => {
    covers('INV-B.37', 'INV-GRADE.1');
    const page = await openSession('graded', PAYLOAD);
    await page.getByRole('button', { name: 'Import another file' }).click();
    const label = 'admiralty-scale:source-reliability="b"';
    const note = {
      type: 'note',
      id: 'note--1',
      spec_version: '2.1',
      content: 'A cable did.',
      labels: [label],
    };
    await choose(page, 'bundle.json', JSON.stringify({ type: 'bundle', objects: [note] }));
    await eventually(() => page.getByLabel('Format').inputValue()).toBe('stix');
    await page.getByText(/^Sources: 1, Subjects: 1, Claims: 1/).waitFor();
    const options = page.getByLabel('Format').locator('option');
    const formats = await options.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    expect(formats.filter((format) => format !== '').sort()).toEqual([...IMPORT_FORMATS].sort());
    const Event = {
      Orgc: { name: 'Fire Office' },
      Tag: [{ name: label }],
      Attribute: [{ type: 'text', value: 'A cable did.' }],
    };
    await choose(page, 'event.json', JSON.stringify({ Event }));
    await eventually(() => page.getByLabel('Format').inputValue()).toBe('misp');
    await page.getByText(/^Sources: 1, Subjects: 1, Claims: 1/).waitFor();
    await dialog(page)
      .getByRole('button', { name: /^Import \d+ items/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/graded/actors')).toMatchObject([
      { name: 'Fire Office', base_reliability: 0.7 },
    ]);
    await page.close();
  });

  it('a later version of a STIX object says in the preview what it supersedes, and undo brings all back', async () => {
    covers('INV-IMPORT.125', 'INV-IMPORT.127');
    const page = await openSession('versions', PAYLOAD);
    const version = (pattern: string, day: number, confidence?: number) => {
      const indicator = {
        type: 'indicator',
        id: 'indicator--1',
        modified: `2026-01-0${day}T00:00:00Z`,
        pattern,
        indicator_types: ['benign', 'anomalous-activity'].slice(0, 3 - day),
        confidence,
      };
      return JSON.stringify({ type: 'bundle', objects: [indicator] });
    };
    const importing = async (content: string, said: string) => {
      await page.getByRole('button', { name: 'Import another file' }).click();
      await choose(page, 'bundle.json', content);
      await page.getByText(said).waitFor();
      const type = page.getByLabel(/^Type of Producer/);
      if (await type.isVisible()) await type.selectOption('Analyst');
      const years = page.getByLabel('Over years');
      if (await years.isVisible()) await years.check();
      await dialog(page)
        .getByRole('button', { name: /^Import \d+ items?/ })
        .click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    await importing(version('P1', 1, 90), 'Claims: 2');
    const before = await api<{ payload: object }>('GET', '/sessions/versions');
    await importing(
      version('P2', 2),
      '2 claims of an earlier version of indicator--1 are superseded by the file and retracted: “P1 indicates benign.”, “P1 indicates anomalous-activity.”.',
    );
    await eventually(() => api('GET', '/sessions/versions/claims')).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ content: 'P1 indicates benign.', epistemic_status: 'retracted' }),
        expect.objectContaining({ content: 'P2 indicates benign.' }),
      ]),
    );
    const undo = async () => {
      await toast(page).getByRole('button', { name: 'Undo' }).click();
      await eventually(
        async () => (await api<{ payload: object }>('GET', '/sessions/versions')).payload,
      ).toEqual(before.payload);
    };
    await undo();
    await importing(
      version('P1', 2),
      '1 grade that the later version does not state is removed: “Credibility 1, confirmed by other sources (confidence 90 of…” on “P1 indicates benign.”.',
    );
    await undo();
    await page.close();
  });

  it('a workbook whose dates could be read either way asks which comes first, as a CSV does', async () => {
    covers('INV-IMPORT.23');
    const page = await openSession('dated', PAYLOAD);
    await page.getByRole('button', { name: 'Import another file' }).click();
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'date'],
      ['The Daily Herald', 'The fire', 'cause', 'arson', '05/06/2024'],
    ];
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'claims.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(workbook({ Claims: rows })),
    });
    await page.getByText(/"05\/06\/2024" in column date of sheet Claims/).waitFor();
    const order = page.getByLabel(/^Dates of the workbook: is 03\/04\/2025/);
    await eventually(() => order.inputValue()).toBe('');
    expect(await axeViolations(page)).toEqual([]);
    await order.selectOption('month-first');
    await page.getByLabel('Over years').check();
    await dialog(page).getByRole('button', { name: 'Import 3 items' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/dated/claims')).toMatchObject([
      { assertion_time: '2024-05-06T00:00:00Z' },
    ]);
    await page.close();
  });

  it('a workbook whose numbers could be read either way asks for their decimal mark, after its dates', async () => {
    covers('INV-B.101');
    const page = await openSession('numbers', PAYLOAD);
    await page.getByRole('button', { name: 'Import another file' }).click();
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'date'],
      ['The Daily Herald', 'The dam', 'length', '1.250 m', '05/06/2024'],
    ];
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'claims.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(workbook({ Claims: rows })),
    });
    await page.getByLabel(/^Dates of the workbook/).selectOption('day-first');
    await page.getByText(/"1\.250 m" in column value of sheet Claims could be 1250 m or 1\.250 m/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel(/^Numbers of the workbook/).selectOption('comma');
    await page.getByLabel('Over years').check();
    await dialog(page).getByRole('button', { name: 'Import 3 items' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/numbers/claims')).toMatchObject([
      { value: '1250 m', assertion_time: '2024-06-05T00:00:00Z' },
    ]);
    await page.close();
  });

  it('a file with dated claims asks whether they get out of date, as a CSV does, where neither it nor the investigation says so', async () => {
    covers('INV-B.86');
    const page = await openSession('ageing', PAYLOAD);
    const assertion_time = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'date'],
      ['The Daily Herald', 'The fire', 'cause', 'arson', assertion_time],
    ];
    const bytes = workbook({ Claims: rows });
    const choices = page.locator('fieldset', { hasText: 'Does this get out of date?' });
    const add = dialog(page).getByRole('button', { name: /^Import \d/ });
    const bring = async () => {
      await add.click();
      await dialog(page).waitFor({ state: 'detached' });
    };
    const stored = async () => {
      const { payload } = await api<{ payload: Record<string, unknown> }>('GET', '/sessions/ageing');
      return { halfLife: payload['decay_half_life_days'], claims: payload['claims'] };
    };
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'claims.xlsx', bytes);
    await eventually(() => choices.innerText()).toMatch(/Within days[^;]*; 1 of 1.claim would be faded/);
    await eventually(() => choices.innerText()).toMatch(/Over months[^;]*; 0 of 1.claim would be faded/);
    await eventually(() => add.isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Over months').check();
    await bring();
    await eventually(stored).toMatchObject({ halfLife: 180, claims: [{ predicate: 'cause' }] });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await eventually(stored).toMatchObject({ halfLife: null, claims: [] });

    // A file that says so itself is not asked about, and neither is a file that comes next.
    const [actor_id, subject_id] = ['a1', 's1'];
    const ours = {
      ...PAYLOAD,
      decay_half_life_days: 400,
      actors: [{ id: actor_id, name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: subject_id, name: 'The fire', subject_type: 'event' }],
      claims: [
        { id: 'c1', actor_id, subject_id, predicate: 'x', value: 'y', content: 'It was.', assertion_time },
      ],
    };
    for (const [name, content] of [
      ['ours.json', JSON.stringify(ours)],
      ['claims.xlsx', bytes],
    ] as const) {
      await page.getByRole('button', { name: 'Import another file' }).click();
      await choose(page, name, content);
      await add.waitFor();
      await eventually(() => choices.count()).toBe(0);
      await bring();
    }
    await eventually(stored).toMatchObject({ halfLife: 400, claims: { length: 2 } });
    await page.close();
  });

  it('a workbook that is chosen as a CSV is read as a workbook', async () => {
    covers('INV-B.87');
    const page = await openSession('workbook-as-csv', PAYLOAD);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const rows = [
      ['Source', 'Type', 'Subject', 'Property', 'Value'],
      ['Herald', 'journalist', 'The fire', 'cause', 'arson'],
      ['Maria', 'eyewitness', 'The fire', 'cause', 'a cable'],
    ];
    await page.getByLabel('CSV file').setInputFiles({
      name: 'claims.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(workbook({ Claims: rows })),
    });
    await dialog(page).getByText('Import a file of another tool').waitFor();
    await page.getByText('Sources: 2, Subjects: 1, Claims: 2.').waitFor();
    await eventually(() => page.getByLabel('Type of Herald').inputValue()).toBe('Journalist');
    await page
      .getByText('sheet Claims, row 3, source_type: "eyewitness" was read as Insider', { exact: false })
      .waitFor();
    await page.close();
  });

  it('items of a file that take the place of others name those before they are imported', async () => {
    covers('INV-B.37');
    const herald = { id: 'a1', name: 'Herald', source_type: 'Journalist' };
    const page = await openSession('replaced', { ...PAYLOAD, actors: [herald] });
    await page.getByRole('button', { name: 'Import another file' }).click();
    const file = { ...PAYLOAD, actors: [{ ...herald, name: 'Herald on Sunday' }] };
    await choose(page, 'own.json', JSON.stringify(file));
    await page.getByText(/1 in place of items with the same id: “Herald”\./).waitFor();
    await page.close();
  });

  it('a file and a CSV name the claims that they take the place of, and a CSV those that stay beside its own', async () => {
    covers('INV-IMPORT.27', 'INV-IMPORT.30');
    const page = await openSession('overlaps', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [
        { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'x', content: 'It was x.' },
      ],
    });
    const claim = { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cost', value: '1' };
    const { payload } = await api<{ payload: object }>('GET', '/sessions/overlaps');
    const file = {
      ...payload,
      claims: [{ ...claim, content: 'It cost 1.' }],
    };
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'own.json', JSON.stringify(file));
    await page.getByText(/^1 claim of the file .*: “It was x\.” becomes “It cost 1\.”\./).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const heading = 'source,subject,predicate,value,statement,id';
    await page.getByLabel('or paste it').fill(`${heading}\nMaria,The fire,cause,y,It was y.,`);
    await page
      .getByText(/^claims c1: stays in the session and counts beside “It was y\.” .*“It was x\.”/)
      .waitFor();
    await page.getByLabel('or paste it').fill(`${heading}\nMaria,The fire,cost,1,It cost 1.,c1`);
    await page.getByText(/^1 claim of the file .*: “It was x\.” becomes “It cost 1\.”\./).waitFor();
    await page.close();
  });

  it('a CSV that is imported again leaves out by one button the claims that are there', async () => {
    covers('INV-IMPORT.79');
    const claim = { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'x' };
    const page = await openSession('repeated', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [{ ...claim, content: 'It was x.' }],
    });
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const rows = ['source,subject,predicate,value', 'Maria,The fire,cause,x', 'Maria,The fire,cause,y'];
    await page.getByLabel('or paste it').fill(rows.join('\n'));
    await page.getByText(/^1\sclaim \(line 2\) is there already: /).waitFor();
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await page.getByText(/^1\sclaim left out\./).waitFor();
    await dialog(page)
      .getByRole('button', { name: /^Import 1\sclaim$/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/repeated/claims')).toMatchObject([
      { value: 'x' },
      { value: 'y' },
    ]);
    await page.close();
  });

  it('a file and a CSV that turn a claim round say so before and after the import, with the evidence on it', async () => {
    covers('INV-IMPORT.41', 'INV-IMPORT.42');
    const claim = { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'arson' };
    const payload = {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [{ ...claim, content: 'It was arson.' }],
      evidence: [{ id: 'e1', claim_id: 'c1', content: 'A can of petrol', valence: 'Supports' }],
    };
    const page = await openSession('turned', payload);
    const words = (change: string) =>
      page.getByText(
        new RegExp(`The file changes 1 item .*: “It was arson\\.”: ${change}\\. .*: “A can of petrol”\\.`),
      );
    const bring = async (change: string) => {
      await dialog(page).locator('.notice').and(words(change)).waitFor();
      await dialog(page)
        .getByRole('button', { name: /^Import 1/ })
        .click();
      await dialog(page).waitFor({ state: 'detached' });
      await toast(page)
        .and(words(change))
        .or(toast(page).locator(words(change)))
        .first()
        .waitFor();
    };
    await page.getByRole('button', { name: 'Import another file' }).click();
    const denied = { ...payload, claims: [{ ...payload.claims[0]!, valence: 'Refutes' }], evidence: [] };
    await choose(page, 'own.json', JSON.stringify(denied));
    await bring('valence from “Neutral” to “Refutes”');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const heading = 'source,subject,predicate,value,statement,valence,id';
    await page
      .getByLabel('or paste it')
      .fill(`${heading}\nMaria,The fire,cause,arson,It was arson.,Supports,c1`);
    await bring('valence from “Refutes” to “Supports”');
    await page.close();
  });

  it('a workbook and a CSV that withdraw a claim by a row without id say so each time, until it is withdrawn', async () => {
    covers('INV-IMPORT.45');
    const claim = { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'arson' };
    const page = await openSession('withdrawn', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [{ ...claim, content: 'It was arson.' }],
    });
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'statement', 'epistemic_status'],
      ['Maria', 'The fire', 'cause', 'arson', 'It was arson.', 'retracted'],
    ];
    const bytes = workbook({ Claims: rows });
    const words = dialog(page).getByText(
      /^claims c1: is withdrawn in the file, .*: set its epistemic_status to retracted there/,
    );
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'claims.xlsx', bytes);
    await words.waitFor();
    await dialog(page).getByRole('button', { name: 'Import 1 item' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'claims.xlsx', bytes);
    await page.getByText('Everything in the file is there already.').waitFor();
    await words.waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByLabel('or paste it').fill(rows.map((cells) => cells.join(',')).join('\n'));
    await words.waitFor();
    await page.close();
  });

  it('a CSV and a workbook name the spellings of one property and scope, and a button makes them one', async () => {
    covers('INV-IMPORT.98');
    const claim = { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'injured', value: '9' };
    const there = {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [{ ...claim, content: 'Nine.' }],
    };
    const rows = [
      ['source', 'source type', 'subject', 'predicate', 'value', 'scope'],
      ['Daily', 'Journalist', 'The fire', 'Injured', '14', 'adults'],
      ['Post', 'Journalist', 'The fire', 'INJURED', '14', 'Adults'],
      ['Radio', 'Journalist', 'The fire', 'number of injured', '14', ''],
    ];
    const page = await openSession('spelled-csv', there);
    const property = dialog(page).getByText(/^3 spellings of one property, “injured”, “Injured”, “INJURED”/);
    const useInjured = () => dialog(page).getByRole('button', { name: 'Use “injured” for all' }).click();
    const useAdults = () => dialog(page).getByRole('button', { name: 'Use “adults” for all' }).click();
    const mended = [
      { predicate: 'injured' },
      { predicate: 'injured', scope: 'adults' },
      { predicate: 'injured', scope: 'adults' },
      { predicate: 'number of injured' },
    ];
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await page.getByLabel('or paste it').fill(rows.map((cells) => cells.join(',')).join('\n'));
    await page.getByText(/\(lines 2, 3\), are judged apart\./).waitFor();
    await useInjured();
    await property.waitFor({ state: 'detached' });
    await page.getByText(/^“injured” for all: 2.cells of Property\./).waitFor();
    await dialog(page).getByRole('button', { name: 'Take it back' }).click();
    await property.waitFor();
    await useInjured();
    await useAdults();
    expect(await axeViolations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Import 3 claims' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/spelled-csv/claims')).toMatchObject(mended);
    await page.close();

    const other = await openSession('spelled-xlsx', there);
    const inOther = dialog(other);
    await other.getByRole('button', { name: 'Import another file' }).click();
    await choose(other, 'claims.xlsx', workbook({ Claims: rows }));
    await inOther.getByText(/^3 spellings of one property, .* \(“Injured: 14”, “INJURED: 14”\)/).waitFor();
    await inOther.getByRole('button', { name: 'Use “injured” for all' }).click();
    await inOther.getByText(/^“injured” for all: 2.items\./).waitFor();
    await inOther.getByRole('button', { name: 'Take it back' }).click();
    await inOther.getByRole('button', { name: 'Use “injured” for all' }).click();
    await inOther.getByRole('button', { name: 'Use “adults” for all' }).click();
    await eventually(() => inOther.getByText(/spellings of one/).count()).toBe(0);
    expect(await axeViolations(other)).toEqual([]);
    await inOther.getByRole('button', { name: /^Import \d items/ }).click();
    await inOther.waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/spelled-xlsx/claims')).toMatchObject(mended);
    await other.close();
  });

  it('a workbook names claims that are there already, as a CSV does, and a button leaves them out', async () => {
    covers('INV-IMPORT.90');
    const claim = { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'arson' };
    const page = await openSession('said-twice', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [{ ...claim, content: 'It was arson.' }],
    });
    const rows = [
      ['source', 'subject', 'predicate', 'value', 'statement'],
      ['Maria', 'The fire', 'cause', 'arson', 'Somebody lit it.'],
      ['Maria', 'The fire', 'damage', 'high', 'All is gone.'],
      ['Maria', 'The fire', 'damage', 'high', 'Nothing is left.'],
    ];
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'claims.xlsx', workbook({ Claims: rows }));
    await page
      .getByText(
        /^2.claims \(“Somebody lit it.”, “Nothing is left.”\) are there already: .* would count twice/,
      )
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Import 3 items' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Leave them out' }).click();
    await page.getByText(/^2.claims left out\./).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Take it back' }).click();
    await dialog(page).getByRole('button', { name: 'Import 3 items' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Leave them out' }).click();
    await dialog(page).getByRole('button', { name: 'Import 1 item' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/said-twice/claims')).toMatchObject([
      { value: 'arson' },
      { content: 'All is gone.' },
    ]);
    await page.close();
  });

  it('a workbook says in one line what is wrong in many cells, and which rows and sources are left out', async () => {
    covers('INV-IMPORT.91', 'INV-IMPORT.92');
    const page = await openSession('grouped', PAYLOAD);
    const rows = [
      ['source', 'source type', 'subject', 'predicate', 'value', 'date'],
      ...Array.from({ length: 25 }, (_, row) => ['Herald', 'barge', 'The fire', `step ${row}`, 'yes', '']),
      ['Blog', 'Expert', 'The fire', 'cause', 'arson', '2025-02-31'],
    ];
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'claims.xlsx', workbook({ Claims: rows }));
    await page
      .getByText(/^25.times: "barge" is none of .*: the cell was left out \(.*row 4.* and 22 more\)$/)
      .waitFor();
    await page.getByText(/^sheet Claims, row 27, assertion_time: .*: the row was left out$/).waitFor();
    await page.getByText(/^source Blog: stands only in rows that were left out/).waitFor();
    await eventually(() => dialog(page).locator('.problems li').count()).toBeLessThan(6);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  });

  it('the preview of a workbook knows the claims and sources of the investigation', async () => {
    covers('INV-B.37', 'INV-IMPORT.18');
    const page = await openSession('known', {
      ...PAYLOAD,
      actors: [{ id: 'a1', name: 'Maria', source_type: 'Insider' }],
      subjects: [{ id: 's1', name: 'The fire', subject_type: 'event' }],
      claims: [
        { id: 'c1', actor_id: 'a1', subject_id: 's1', predicate: 'cause', value: 'x', content: 'It was x.' },
      ],
    });
    const rows = [
      ['source', 'target', 'predicate', 'value', 'statement'],
      ['Maria', 'c1', 'is true', 'no', 'I was wrong.'],
    ];
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'claims.xlsx', workbook({ Claims: rows }));
    await page.getByText('Claims: 1.', { exact: true }).waitFor();
    await eventually(() => dialog(page).innerText()).not.toMatch(/Left out|Type of/);
    await dialog(page)
      .getByRole('button', { name: /^Import 1/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(() => api('GET', '/sessions/known/claims')).toMatchObject([
      { id: 'c1' },
      { actor_id: 'a1', target_claim_id: 'c1' },
    ]);
    await page.close();
  });

  it('a source that has the name of one that is there is named before the import, and taken as that one by a click', async () => {
    covers('INV-IMPORT.16', 'INV-IMPORT.44');
    const herald = { id: 'a1', name: 'Herald', source_type: 'Journalist' };
    const page = await openSession('namesakes', { ...PAYLOAD, actors: [herald] });
    await page.getByRole('button', { name: 'Import another file' }).click();
    const claim = {
      id: 'c9',
      actor_id: 'a9',
      subject_id: 's9',
      predicate: 'cause',
      value: 'x',
      content: 'It was x.',
    };
    const file = {
      ...PAYLOAD,
      actors: [{ ...herald, id: 'a9', name: 'HERALD', base_reliability: 0.9 }],
      subjects: [{ id: 's9', name: 'The fire', subject_type: 'event' }],
      claims: [claim],
    };
    await choose(page, 'own.json', JSON.stringify(file));
    await page.getByText('The same name stands for two: “Herald” and “HERALD”.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await eventually(() => overflowOf(page)).toBe(0);
    }
    await dialog(page).getByRole('button', { name: 'Import 3 items' }).waitFor();
    await page.getByLabel('Take those of one name as one').check();
    const dropped =
      /actors a1: stays .*: base_reliability is 0\.9 in the file and unset in the session; set it there/;
    await dialog(page).getByText(dropped).waitFor();
    await dialog(page).getByRole('button', { name: 'Import 2 items' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await toast(page).getByText(dropped).waitFor();
    await eventually(() => api('GET', '/sessions/namesakes/actors')).toEqual([herald]);
    await eventually(() => api('GET', '/sessions/namesakes/claims')).toMatchObject([{ actor_id: 'a1' }]);
    await page.close();
  });

  it.each([
    ['Import another file', 'File', 'review.jsonld', JSON.stringify(REVIEW), 'Format'],
    ['Import CSV', 'CSV file', 'claims.csv', CSV, 'or paste it'],
  ])(
    'the dialog of %s closes by Escape after a file was chosen, and asks after a change',
    async (...named) => {
      covers('INV-B.37');
      const [button, label, name, text, below] = named;
      const page = await openSession(`escape-${label.replace(' ', '-')}`, PAYLOAD);
      const asked: string[] = [];
      page.on('dialog', (question) => {
        asked.push(question.message());
        void question.dismiss();
      });
      const open = async () => {
        await page.getByRole('button', { name: button }).click();
        const field = page.getByLabel(label, { exact: true });
        // As browsers say that no file was chosen.
        await field.dispatchEvent('cancel', { bubbles: true });
        const mimeType = 'application/octet-stream';
        await field.setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
        await page.getByLabel('Type of The Mayor').or(page.getByLabel('Type of Maria')).waitFor();
      };
      await open();
      await page.getByLabel(below).focus();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      expect(asked).toEqual([]);

      await open();
      await page.getByLabel('Type of The Mayor').or(page.getByLabel('Type of Maria')).selectOption('Insider');
      await page.keyboard.press('Escape');
      await eventually(() => asked).toEqual([expect.stringContaining('not saved')]);
      await dialog(page).waitFor();
      await page.close();
    },
  );

  it('an empty investigation takes the settings of our own file, shows them before, and gives them back on undo', async () => {
    covers('INV-IMPORT.24');
    const page = await openSession('bare', { ...PAYLOAD, research_question: '' });
    await page.getByRole('button', { name: 'Import another file' }).click();
    const subjects = [{ id: 's', name: 'The fire', subject_type: 'event' }];
    await choose(page, 'ours.json', JSON.stringify({ ...PAYLOAD, subjects, domain: 'News' }));
    await page
      .getByText('takes from the file: Research question What started the fire?, Domain News.')
      .waitFor();
    await dialog(page)
      .getByRole('button', { name: /^Import 1/ })
      .click();
    await dialog(page).waitFor({ state: 'detached' });
    const stored = async () => (await api<{ payload: object }>('GET', '/sessions/bare')).payload;
    expect(await stored()).toMatchObject({ research_question: PAYLOAD.research_question, domain: 'News' });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await eventually(stored).toMatchObject({ research_question: '', domain: null, subjects: [] });
    await page.close();
  });

  it('the dialog for files names every format that is read', async () => {
    covers('INV-B.37');
    const page = await openSession('formats', PAYLOAD);
    await page.getByRole('button', { name: 'Import another file' }).click();
    const words = await dialog(page).innerText();
    for (const format of ['XLSX', 'ClaimReview', 'Hypothesis', 'Wikidata', 'STIX', 'MISP', 'AIF', 'JSON'])
      expect(words).toContain(format);
    await page.close();
  });

  it('a file that cannot be read says why, and another format can be chosen', async () => {
    covers('INV-B.37');
    const page = await openSession('unreadable', PAYLOAD);
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'broken.json', '{"research_question": 1');
    await dialog(page).getByRole('alert').waitFor();
    await eventually(() =>
      dialog(page).getByRole('button', { name: 'Import', exact: true }).isDisabled(),
    ).toBe(true);
    await choose(page, 'picture.png', '\u0089PNG');
    await dialog(page).getByText('looks like no format that is read here').waitFor();
    await eventually(() => page.getByLabel('Format').inputValue()).toBe('');
    await choose(page, 'review.json', JSON.stringify(REVIEW));
    await page.getByLabel('Format').selectOption('wikidata');
    await dialog(page).getByRole('alert').waitFor();
    await page.getByLabel('Format').selectOption('claimreview');
    await page.getByText(/^Sources: 2/).waitFor();
    await page.close();
  });
});
