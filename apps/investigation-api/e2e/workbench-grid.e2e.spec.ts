import { describe, expect, it } from '@jest/globals';
import { axeViolations } from '@platform/testing';
import type { Page } from 'playwright-core';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { overflowOf, paste, useDesk } from './desk.fixture.ts';

const { service, browser, api } = useDesk();
const said: string[] = [];

interface Stored {
  readonly payload: Record<'actors' | 'subjects' | 'claims', Record<string, string>[]>;
}

const claim = (id: string, value: string) => ({
  id,
  actor_id: 'a1',
  subject_id: 's1',
  predicate: 'open',
  value,
  content: `open: ${value}`,
});

const payload = (...claims: readonly object[]) => ({
  research_question: 'Is it open?',
  actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
  subjects: [{ id: 's1', name: 'North bridge', subject_type: 'structure' }],
  claims,
});

/** Makes an investigation and opens its claims. */
async function openClaims(id: string, claims: readonly object[], script?: () => void): Promise<Page> {
  await api('POST', '/sessions', { name: id, session_id: id, payload: payload(...claims) });
  return openSession(id, script);
}

/** Opens the claims of an investigation. */
async function openSession(id: string, script?: () => void): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  if (script) await page.addInitScript(script);
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  await page.goto(`${service.url}/app/sessions/${id}#claims`);
  await page.getByLabel('Token or API key').fill(service.token);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Claims' }).waitFor();
  return page;
}

const cell = (page: Page, row: number, column: number) =>
  page.locator(`.claims-grid [aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`);
const state = (page: Page) => page.locator('.claims-state');
const saved = (page: Page) =>
  state(page)
    .getByText(/^Saved\./)
    .waitFor();
const stored = async (id: string) => (await api<Stored>('GET', `/sessions/${id}`)).payload;
const NEW_ID = /^c-\w{5}$/;
/** Claims by id and value; those that were made at the desk are new. */
const values = async (id: string) =>
  (await stored(id)).claims.map((one) => `${String(one['id']).replace(NEW_ID, 'new')}=${one['value']}`);

/** Lets what waits for the next frame wait until `letGo()`, from the moment at which the grid is there. */
function holdFrames(): void {
  const later = globalThis.setTimeout;
  const held: (() => void)[] = [];
  Object.assign(globalThis, {
    hold() {
      Object.assign(globalThis, {
        setTimeout: (run: () => void, ms?: number) => (ms === undefined ? held.push(run) : later(run, ms)),
      });
    },
    letGo() {
      Object.assign(globalThis, { setTimeout: later });
      for (const run of held.splice(0)) run();
    },
  });
  const seen = new MutationObserver(() => {
    if (document.querySelector('.claims-grid') === null) return;
    seen.disconnect();
    hold();
  });
  seen.observe(document, { childList: true, subtree: true });
}

declare function hold(): void;
declare function letGo(): void;

describe('the grid of claims', () => {
  it('claims are typed by keyboard alone, with a source made where it is named, and saved by themselves', async () => {
    covers('INV-B.30', 'INV-B.32', 'INV-B.34');
    const page = await openClaims('typed', [claim('c1', 'true')]);
    await cell(page, 1, 0).click();
    for (const text of ['City Council', 'north b', 'op', 'false']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await saved(page);
    const { actors, subjects, claims } = await stored('typed');
    expect(actors[1]).toEqual({ id: 'city-council', name: 'City Council', source_type: 'Institutional' });
    expect(subjects).toHaveLength(1);
    expect(claims[1]).toEqual({
      id: expect.stringMatching(NEW_ID),
      actor_id: 'city-council',
      subject_id: 's1',
      predicate: 'open',
      value: 'false',
      content: 'open: false',
    });
    // The verdicts follow without a judgement, and nothing was judged.
    await page.locator('.live-own').getByText('North bridge').waitFor();
    const before = await page.locator('.live-own').innerText();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('true');
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('.live-list').innerText()).not.toBe(before);
    await eventually(() => api('GET', '/sessions/typed')).toMatchObject({ judged_at: null });

    // Escape leaves a cell as it was; Escape and Tab leave the grid.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await eventually(() => page.evaluate(() => document.activeElement!.closest('.claims-grid'))).toBeNull();
    await saved(page);
    await eventually(() => values('typed')).toEqual(['c1=true', 'new=true']);
    await eventually(() => page.locator('body').innerText()).not.toContain('city-council');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
    }
    await page.close();
    expect(said).toEqual([]);
  });

  it('on a busy machine keys reach the cell that was clicked and the dialog that was asked for', async () => {
    covers('INV-B.79');
    const page = await openClaims('busy', [claim('c1', 'true')], holdFrames);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await cell(page, 0, 3).click();
    await page.evaluate(() => letGo());
    await page.keyboard.type('false');
    await page.keyboard.press('Enter');
    await saved(page);
    await eventually(() => values('busy')).toEqual(['c1=false']);
    await page.evaluate(() => hold());
    await page.keyboard.press('Control+k');
    await page.keyboard.type('herald');
    await page.evaluate(() => letGo());
    await eventually(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('herald');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await cell(page, 0, 3).click();
    await page.keyboard.type('true');
    await page.keyboard.press('Enter');
    await page.evaluate(() => hold());
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await eventually(
      async () => (await api<{ judged_at: string | null }>('GET', '/sessions/busy')).judged_at,
    ).toBeTruthy();
    await page.evaluate(() => letGo());
    expect(asked).toEqual([]);
    await eventually(() => values('busy')).toEqual(['c1=true']);
    await page.close();
  });

  it('Enter behind a row that was typed with Tab leads to where the next row begins, and else opens the cell', async () => {
    covers('INV-B.76');
    const page = await openClaims('rows', [claim('c1', 'true')]);
    await cell(page, 1, 0).click();
    for (const source of ['City Council', 'The Herald']) {
      for (const text of [source, 'North bridge', 'open', 'false']) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    }
    await saved(page);
    await eventually(() => values('rows')).toEqual(['c1=true', 'new=false', 'new=false']);
    // Where no row is being typed, Enter opens the cell.
    await cell(page, 0, 3).click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('false');
    await page.keyboard.press('Enter');
    await saved(page);
    await eventually(() => values('rows')).toEqual(['c1=false', 'new=false', 'new=false']);
    await page.close();
  });

  it('a source that the grid makes has the type that an import would guess, shown with a field to change it', async () => {
    covers('INV-B.43');
    const page = await openClaims('kinds', [claim('c1', 'true')]);
    await cell(page, 1, 0).click();
    const types = page.getByRole('region', { name: 'Types of new sources' });
    for (const text of ['Press agency', 'North bridge', 'open', 'false']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await eventually(() => types.getByLabel('“Press agency”').inputValue()).toBe('Journalist');
    await cell(page, 2, 0).click();
    await page.keyboard.type('Maria');
    await page.keyboard.press('Tab');
    const maria = types.getByLabel('“Maria”, which its name does not tell');
    await eventually(() => maria.inputValue()).toBe('Anonymous');
    await maria.selectOption('Insider');
    await state(page).getByText('“Maria” is of the type Insider.').waitFor();
    await eventually(async () => (await stored('kinds')).actors.map((one) => one['source_type'])).toEqual([
      'Journalist',
      'Journalist',
      'Insider',
    ]);
    await state(page).getByRole('button', { name: 'Undo' }).click();
    await eventually(() => maria.inputValue()).toBe('Anonymous');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await axeViolations(page)]).toEqual([width, []]);
      await eventually(async () => [width, await overflowOf(page)]).toEqual([width, 0]);
    }

    // Many stand in the table that an import has.
    await cell(page, 3, 0).click();
    await paste(
      page,
      ['Reuters', 'City Council', 'Ben'].map((name) => `${name}\tTunnel\topen\ttrue`).join('\r\n'),
    );
    await types.getByText('Check the types of 5\u00a0new sources').click();
    await eventually(() => types.getByLabel('Type of Reuters').inputValue()).toBe('Journalist');
    await types.getByLabel('Type of Ben').selectOption('Expert');
    await eventually(async () => (await stored('kinds')).actors.at(-1)).toMatchObject({
      name: 'Ben',
      source_type: 'Expert',
    });
    await types.getByRole('button', { name: 'Types are right' }).click();
    await types.waitFor({ state: 'detached' });
    await page.close();
    expect(said).toEqual([]);
  });

  it('dated claims that are pasted are asked how they age, once, with what it changes', async () => {
    covers('INV-B.97');
    const page = await openClaims('dated', []);
    await cell(page, 0, 0).click();
    const question = page.getByRole('region', { name: 'How claims age' });
    await eventually(() => question.count()).toBe(0);
    const rows = ['Fire department\tarson', 'Forensic institute\tarson', 'The Daily\telectrical fault'];
    await paste(
      page,
      rows
        .map((row, index) => row.replace('\t', '\tMill fire\tcause\t') + `\t\tSaid.\t${index + 5} May 2025`)
        .join('\r\n'),
    );
    await saved(page);
    await question.getByText(/3.of.3.claims would be faded/).waitFor();
    await eventually(() => axeViolations(page)).toEqual([]);
    const past = question.getByLabel('No: these are facts of the past');
    await eventually(() => past.locator('..').textContent()).toContain('0 of 3');
    await past.check();
    await question.getByRole('button', { name: 'Save the answer' }).click();
    await question.waitFor({ state: 'detached' });
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('tab-claims');
    await eventually(() => stored('dated')).toMatchObject({ decay_half_life_days: 73_000 });
    await page.reload();
    await page.getByText('Verdicts as it stands').waitFor();
    await eventually(() => question.count()).toBe(0);
    await page.close();
  });

  it('rows that are pasted with the heading of the grid bring their claims and no claim of the heading', async () => {
    covers('INV-B.92');
    const page = await openClaims('headed', [claim('c1', 'true')]);
    await cell(page, 1, 0).click();
    const heading = 'Source\tSubject\tProperty\tValue\tDenies it\tIn words';
    await paste(page, `${heading}\r\nCity Council\tNorth bridge\topen\tfalse\t\tIt is shut.\r\n`);
    await saved(page);
    await eventually(() => values('headed')).toEqual(['c1=true', 'new=false']);
    await page.close();
  });

  it('an investigation whose edits were all taken back is not said to be edited since it was judged', async () => {
    covers('INV-B.90');
    const page = await openClaims('back', [claim('c1', 'true')]);
    await page.getByRole('button', { name: 'Judge', exact: true }).click();
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Claims' }).click();
    const flag = page.getByText('edited since', { exact: true });
    for (let round = 0; round < 2; round++) {
      await cell(page, 0, 3).click();
      await page.keyboard.type('false');
      await page.keyboard.press('Enter');
      await flag.waitFor();
      await eventually(() => values('back')).toEqual(['c1=false']);
      await page.keyboard.press('Control+z');
      await flag.waitFor({ state: 'detached' });
      await eventually(() => values('back')).toEqual(['c1=true']);
      // Neither is it once it is loaded again.
      await page.reload();
      await page.getByText('Verdicts as it stands').waitFor();
      await eventually(() => flag.count()).toBe(0);
    }
    await page.close();
  });

  it('a property typed in another case is named with a button that makes one of both, or keeps them apart', async () => {
    covers('INV-V.256');
    const page = await openClaims('spelled', [claim('c1', 'true'), claim('c2', 'false')]);
    const words = page.getByText(
      /^2 spellings of one property, “open”, “Open” \(row 2\), are judged apart\./,
    );
    await cell(page, 1, 2).click();
    await page.keyboard.type('Open');
    await page.keyboard.press('Enter');
    await words.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use “open” for all' }).click();
    await words.waitFor({ state: 'detached' });
    await eventually(async () => (await stored('spelled')).claims.map((one) => one['predicate'])).toEqual([
      'open',
      'open',
    ]);
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await words.waitFor();
    await page.getByRole('button', { name: 'Keep them apart' }).click();
    await words.waitFor({ state: 'detached' });
    await page.close();
  });

  it('ranges are pasted from a spreadsheet, copied, cleared, deleted and taken back', async () => {
    covers('INV-B.30', 'INV-B.32');
    const page = await openClaims('pasted', [claim('c1', 'true')]);
    await cell(page, 1, 0).click();
    const rows = Array.from({ length: 40 }, (_, index) => `Source ${index % 3}\tTunnel\tlength\t${index} m`);
    await paste(page, `${rows.join('\r\n')}\r\n`);
    await state(page).getByText('Pasted; 40 claims added; new source “Source 0”').waitFor();
    await saved(page);
    await eventually(async () => (await stored('pasted')).claims).toHaveLength(41);
    await eventually(async () => (await stored('pasted')).actors).toHaveLength(4);

    const copied = await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(event);
      return clipboardData.getData('text/plain');
    });
    expect(copied.split('\r\n')).toEqual(rows);

    await page.getByRole('button', { name: 'Delete 40 rows' }).click();
    await saved(page);
    await eventually(() => values('pasted')).toEqual(['c1=true']);
    await state(page).getByRole('button', { name: 'Undo' }).click();
    await saved(page);
    await eventually(async () => (await stored('pasted')).claims).toHaveLength(41);
    await cell(page, 0, 3).click();
    await page.keyboard.press('Delete');
    await state(page).getByText('1 row marked ▲').waitFor();
    // What is not complete is not stored, and the claim stays as it was.
    expect((await values('pasted'))[0]).toBe('c1=true');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await saved(page);
    await eventually(() => values('pasted')).toEqual(['c1=true']);
    await eventually(async () => (await stored('pasted')).actors).toHaveLength(1);
    await page.close();
    expect(said).toEqual([]);
  });

  it('a first row that is deleted and taken back is stored first again, and so after a reload', async () => {
    covers('INV-B.32');
    const page = await openClaims('first', [claim('c1', '1'), claim('c2', '2'), claim('c3', '3')]);
    const before = JSON.stringify(await stored('first'));
    await cell(page, 0, 0).click();
    await page.getByRole('button', { name: 'Delete row' }).click();
    await saved(page);
    await eventually(() => values('first')).toEqual(['c2=2', 'c3=3']);
    await state(page).getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => JSON.stringify(await stored('first'))).toBe(before);
    await page.reload();
    await cell(page, 0, 0).waitFor();
    expect(JSON.stringify(await stored('first'))).toBe(before);
    await page.close();
    expect(said).toEqual([]);
  });

  it('what a colleague changed meanwhile is taken over, and a field that both changed is chosen by the user', async () => {
    covers('INV-B.33', 'INV-S.72');
    const page = await openClaims('shared', [claim('c1', 'true'), claim('c2', 'true')]);
    await api('PATCH', '/sessions/shared', {
      actors: [{ id: 'a2', name: 'The Gazette', source_type: 'Journalist' }],
      claims: [{ ...claim('c1', 'theirs'), actor_id: 'a2' }, claim('c3', 'added')],
    });
    await cell(page, 0, 0).click();
    await page.keyboard.type('Pilot');
    await cell(page, 0, 3).click();
    await page.keyboard.type('mine');
    await page.keyboard.press('Enter');
    await page.keyboard.type('alone');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Somebody else changed the same' }).waitFor();
    await page.getByText('yours is “mine”, theirs is “theirs”').waitFor();
    await page.getByText('yours is “Pilot”, theirs is “The Gazette”').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await eventually(() => cell(page, 0, 3).innerText()).toContain('mine');
    await eventually(() => values('shared')).toEqual(['c1=theirs', 'c2=alone', 'c3=added']);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await saved(page);
    await eventually(() => values('shared')).toEqual(['c1=mine', 'c2=alone', 'c3=added']);
    await page.close();
    expect(said).toEqual([]);
  });

  it('two people who each add a row both keep it, also the one who is typing, and are asked about nothing', async () => {
    covers('INV-S.67', 'INV-S.71');
    const page = await openClaims('beside', [claim('c1', 'true')]);
    const other = await openSession('beside');
    const typed = async (on: Page, texts: readonly string[]) => {
      for (const text of texts) {
        await on.keyboard.type(text);
        await on.keyboard.press('Tab');
      }
    };
    await cell(other, 1, 0).click();
    await typed(other, ['Pilot', 'north b', 'op', 'false']);
    await saved(other);
    await cell(page, 1, 0).click();
    await typed(page, ['Harbor master', 'north b', 'op', 'true', '']);
    // In the middle of a word, while the row of the other one is taken over.
    await page.keyboard.type('It is ');
    await eventually(() => cell(page, 1, 0).innerText()).toContain('Pilot');
    await page.keyboard.type('open.');
    await page.keyboard.press('Tab');
    await saved(page);
    await eventually(async () => (await stored('beside')).claims.slice(1)).toEqual([
      { ...claim('c', 'false'), id: expect.stringMatching(NEW_ID), actor_id: 'pilot' },
      {
        ...claim('c', 'true'),
        id: expect.stringMatching(NEW_ID),
        actor_id: 'harbor-master',
        content: 'It is open.',
      },
    ]);
    await eventually(() => page.locator('.conflicts').count()).toBe(0);
    await eventually(() => page.locator('[aria-rowindex="4"] [data-focus]').count()).toBe(1);
    // Undo takes the row back that was typed here, and not the one that has its first id.
    for (let times = 0; times < 5; times += 1) await page.keyboard.press('Control+z');
    await eventually(() => values('beside')).toEqual(['c1=true', 'new=false']);
    await Promise.all([page.close(), other.close()]);
    expect(said).toEqual([]);
  });

  it('a desk that is looked at again shows what others have stored, and keeps the word that is being typed', async () => {
    covers('INV-Q.98');
    const page = await openClaims('looked-at', [claim('c1', 'true')]);
    await cell(page, 1, 0).click();
    await page.keyboard.type('Har');
    await api('PATCH', '/sessions/looked-at', { claims: [claim('c2', 'theirs')] });
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await eventually(() => cell(page, 1, 3).innerText()).toBe('theirs');
    await page.keyboard.type('bor');
    await page.keyboard.press('Tab');
    await eventually(() => cell(page, 2, 0).innerText()).toBe('Harbor');
    await page.close();
    expect(said).toEqual([]);
  });

  it('a row whose source was removed says so, and another source is chosen for it', async () => {
    covers('INV-Q.99');
    const page = await openClaims('gone', [claim('c1', 'true')]);
    const looked = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await api('PATCH', '/sessions/gone', {
      actors: [{ id: 'a2', name: 'Mail', source_type: 'Journalist' }],
      claims: [{ ...claim('c2', 'false'), actor_id: 'a2' }],
    });
    await looked();
    await eventually(() => cell(page, 1, 0).innerText()).toBe('Mail');
    await eventually(() => page.locator('.claims-grid [aria-invalid]').count()).toBe(0);
    await api('PATCH', '/sessions/gone', { remove_actor_ids: ['a2'] });
    await looked();
    const notice = page.getByLabel('There is no source “a2” any more, and claims name it (row 2)');
    await notice.waitFor();
    await eventually(() => page.locator('.claims-grid [aria-invalid]').getAttribute('title')).toBe(
      '“a2” is a source that is not there any more',
    );
    expect(await axeViolations(page)).toEqual([]);
    await notice.selectOption({ index: 1 });
    await saved(page);
    await eventually(async () => (await stored('gone')).claims[1]).toMatchObject({ actor_id: 'a1' });
    await notice.waitFor({ state: 'detached' });
    await page.close();
    expect(said).toEqual([]);
  });

  it('10,000 claims are filtered, sorted and edited with only the rows on view in the document', async () => {
    covers('INV-B.31', 'INV-B.35');
    const many = Array.from({ length: 10_000 }, (_, index) => claim(`c${index}`, `value ${index % 500}`));
    const page = await openClaims('many', many);
    const grid = page.getByRole('grid', { name: 'Claims' });
    await eventually(() => grid.getAttribute('aria-rowcount')).toBe('10002');
    await cell(page, 0, 3).click();
    await page.keyboard.press('Control+End');
    await page.locator('[aria-rowindex="10002"]').waitFor();
    await eventually(() => grid.locator('tbody tr').count()).toBeLessThan(100);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Filter').fill('value 499');
    await state(page)
      .getByText(/^Saved\. 20 of 10.000.claims shown\.$/)
      .waitFor();
    await eventually(() => grid.getAttribute('aria-rowcount')).toBe('22');
    await page.getByLabel('Filter').fill('');
    await page.getByRole('columnheader', { name: 'Value' }).getByRole('button').click();
    await grid.locator('[aria-sort=ascending]').waitFor();
    await cell(page, 0, 3).click();
    await page.keyboard.type('last');
    await page.keyboard.press('Enter');
    await saved(page);
    // A row stays where it is while it is edited.
    await eventually(() => cell(page, 0, 3).innerText()).toBe('last');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('value 7');
    await page.getByRole('option').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('combobox').fill('herald');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => page.getByLabel('Filter').inputValue()).toBe('The Herald');

    covers('INV-B.77');
    for (const [words, isDone] of [
      ['go publish', () => page.locator('#tab-publish:focus').count()],
      ['invite', () => page.getByRole('dialog', { name: 'Invite colleagues' }).count()],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(words);
      await page.keyboard.press('Enter');
      await eventually(isDone).toBe(1);
    }
    await page.close();
    expect(said).toEqual([]);
  });
});
