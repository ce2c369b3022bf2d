import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { axeViolations, STEP_MS_MAX } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import type { Locator, Page } from 'playwright-core';
import { EXAMPLE, overflowOf, useDesk } from './desk.fixture.ts';

const CSV = 'source,subject,predicate,value,statement\nHerald,The fire,cause,arson,Arson!';

const { service, browser, api } = useDesk();

beforeAll(async () => {
  await api('POST', '/sessions', { name: 'Flight', session_id: 'flight', payload: EXAMPLE });
  await api('POST', '/sessions/flight/judge', {});
});

interface Case {
  /** Tab of the session that has it; null for the list of sessions. */
  readonly tab: string | null;
  /** Fields with a control of their own, each of which shows what is wrong with it. */
  readonly fields?: readonly string[];
  /** Fills the form and sends it; returns what the errors are looked for in. */
  readonly send: (page: Page) => Promise<Locator>;
}

const press = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true }).first().click();
const dialogOf = (page: Page) => page.getByRole('dialog').last();

async function editClaim(page: Page): Promise<Locator> {
  await page.locator('[data-item="gibbs-smith-first"]').click();
  return dialogOf(page);
}

async function importFile(page: Page): Promise<Locator> {
  await press(page, 'Import another file');
  const file = { name: 'own.json', mimeType: 'application/json', buffer: Buffer.from('{"actors": 1}') };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  return dialogOf(page);
}

async function dialogWith(page: Page, opener: string, act: (dialog: Locator) => Promise<void>) {
  await press(page, opener);
  await act(dialogOf(page));
  return dialogOf(page);
}

/** Everything in the workbench that sends what somebody typed or chose, by what it is called. */
const CASES: Readonly<Record<string, Case>> = {
  'New investigation': {
    tab: null,
    fields: ['name', 'payload.research_question'],
    send: (page) =>
      dialogWith(page, 'New investigation', async (dialog) => {
        await dialog.getByLabel(/^Name/).fill('Another');
        await dialog.getByLabel('Research question').fill('Why?');
        await press(dialog, 'Create investigation');
      }),
  },
  'the settings of an investigation': {
    tab: 'edit',
    fields: ['name', 'research_question', 'decay_half_life_days', 'as_of', 'reliability'],
    send: async (page) => {
      const form = page.locator('form.settings');
      await form.getByLabel('Name of the investigation').fill('Renamed');
      await press(form, 'Save');
      return form;
    },
  },
  'the editor of a claim': {
    tab: 'edit',
    fields: ['value', 'id', 'relationships', 'relationships[7].relationship_type', 'corroborating_actor_ids'],
    send: async (page) => {
      const dialog = await editClaim(page);
      await dialog.getByLabel(/^Value/).fill('false');
      await press(dialog, 'Save');
      return dialog;
    },
  },
  'the editor of a source': {
    tab: 'edit',
    fields: ['competence', 'competence["flew under power"]', 'base_reliability.low'],
    send: async (page) => {
      await page.locator('#edit [data-item]').first().click();
      await dialogOf(page).getByLabel(/^Name/).fill('Renamed');
      await press(dialogOf(page), 'Save');
      return dialogOf(page);
    },
  },
  'a claim as JSON': {
    tab: 'edit',
    send: async (page) => {
      const dialog = await editClaim(page);
      await press(dialog, 'As JSON');
      const text = dialog.getByLabel('The item as JSON');
      await text.fill((await text.inputValue()).replace('"predicate": "', '"predicate": "not '));
      await press(dialog, 'Save');
      return dialog;
    },
  },
  'deleting a claim': {
    tab: 'edit',
    fields: ['value'],
    send: async (page) => {
      const dialog = await editClaim(page);
      await press(dialog, 'Delete');
      const anyway = dialog.getByRole('button', { name: 'Delete it anyway' });
      if (await anyway.isVisible()) await anyway.click();
      return dialog;
    },
  },
  'the whole investigation as JSON': {
    tab: 'edit',
    send: (page) =>
      dialogWith(page, 'Edit everything as JSON', async (dialog) => {
        const text = dialog.getByLabel('As JSON');
        const typed = JSON.parse(await text.inputValue()) as object;
        await text.fill(JSON.stringify({ ...typed, research_question: 'Why?' }));
        await press(dialog, 'Save');
      }),
  },
  'an import from CSV': {
    tab: 'edit',
    send: (page) =>
      dialogWith(page, 'Import CSV', async (dialog) => {
        await dialog.getByLabel('or paste it').fill(CSV);
        await press(dialog, /^Import 1.claim$/);
      }),
  },
  'an import of a file': { tab: 'edit', send: importFile },
  'adding a document': {
    tab: 'edit',
    fields: ['filename', 'contents', 'url'],
    send: async (page) => {
      const dialog = await editClaim(page);
      await dialog.getByText('Advanced').first().click();
      await dialog.getByText('Choose or add a document').first().click();
      await dialog.getByLabel('Or paste its text').fill('Words.');
      await dialog.getByLabel('Name', { exact: true }).fill('words.txt');
      await press(dialog, 'Store it and select the passage');
      return dialog;
    },
  },
  'deleting an investigation': {
    tab: 'edit',
    send: (page) =>
      dialogWith(page, 'Delete investigation', async (dialog) => await press(dialog, 'Delete it')),
  },
  'inviting a colleague': {
    tab: 'edit',
    fields: ['username', 'role'],
    send: (page) =>
      dialogWith(page, 'Invite colleagues', async (dialog) => {
        await dialog.getByLabel('Username').fill('maria');
        await press(dialog, 'Invite');
      }),
  },
  judging: {
    tab: 'edit',
    fields: ['claims[0].value'],
    send: async (page) => {
      await press(page, 'Judge again');
      return page.locator('main');
    },
  },
  'recording an outcome': {
    tab: 'history-outcomes',
    fields: ['subject_id', 'predicate', 'value', 'known_at', 'url', 'note'],
    send: async (page) => {
      const form = page.locator('form', { hasText: 'Record an outcome' });
      await form.getByLabel('What turned out to be true').fill('true');
      await press(form, 'Record outcome');
      return form;
    },
  },
  'starting a watch': {
    tab: 'history-watch',
    fields: ['rules', 'rules[0]', 'chance_step', 'subject_id', 'predicate', 'webhook_url'],
    send: async (page) => {
      const form = page.locator('form', { hasText: 'New watch' });
      await press(form, 'Start watch');
      return form;
    },
  },
  publishing: {
    tab: 'publish',
    fields: [
      'slug',
      'preferred_pane',
      'answer_finding.subject_id',
      'byline',
      'publisher',
      'contact',
      'patterns.flew_under_power',
    ],
    send: async (page) => {
      const form = page.locator('form', { hasText: 'Public page' });
      await press(form, 'Publish');
      return form;
    },
  },
  'an interpretation': {
    tab: 'publish',
    fields: ['interpretation'],
    send: async (page) => {
      const form = page.locator('form.interpretation-form');
      await form.getByLabel('What you make of it').fill('It flew.');
      await press(form, 'Save interpretation');
      return form;
    },
  },
};

/** Files of the workbench with a form or dialog: those above, and those that send nothing by themselves. */
const WITH_FORMS = [
  'app.tsx',
  'components/confirm.tsx',
  'components/editor-dialog.tsx',
  'csv/csv-import.tsx',
  'csv/file-import.tsx',
  'edit/entity-editor.tsx',
  'edit/payload-json.tsx',
  'edit/settings-form.tsx',
  'members/invite-colleagues.tsx',
  'outcomes/outcome-form.tsx',
  'palette/command-palette.tsx',
  'publish/interpretation-form.tsx',
  'publish/publish-tab.tsx',
  'session/new-session.tsx',
  'session/sign-in.tsx',
  'watch/watch-form.tsx',
];

const messageOf = (field: string) => `must not be as it is in ${field.replace(/\W+/g, '-')}`;

async function open(tab: string | null, refusal: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(STEP_MS_MAX);
  await page.addInitScript((token) => sessionStorage.setItem('credential', token), service.token);
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 422, json: { error: refusal } }),
  );
  await page.goto(`${service.url}/app${tab === null ? '' : `/sessions/flight#${tab}`}`);
  return page;
}

describe('a 422 in the workbench', () => {
  it.each(Object.entries(CASES))(
    'every problem of a 422 can be read where it was sent from: %s',
    async (_, { tab, fields = [], send }) => {
      covers('INV-B.6');
      const unknown = ['not_a_field', 'claims[3].not_a_field', '$'];
      const lines = [...fields, ...unknown].map((field) => `${field}: ${messageOf(field)}`);
      const page = await open(tab, [...lines, 'and 3 more'].join('\n'));
      const place = await send(page);
      for (const field of [...fields, ...unknown])
        await place
          .getByText(new RegExp(`${messageOf(field)}(?![\\w-])`, 'i'))
          .filter({ visible: true })
          .first()
          .waitFor();
      await place.getByText('and 3 more').filter({ visible: true }).first().waitFor();
      await eventually(() => place.getByText('see below').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflowOf(page)).toBe(0);
      await page.close();
    },
  );

  it('every form and dialog of the workbench is known to the test of its errors', () => {
    const cwd = new URL('../../../libs/workbench/src/', import.meta.url);
    const found = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.tsx') &&
        /<(EditorDialog|Dialog|form)\b/.test(readFileSync(new URL(file, cwd), 'utf8')),
    );
    expect(found.sort()).toEqual(WITH_FORMS);
  });
});
