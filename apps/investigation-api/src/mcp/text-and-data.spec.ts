import { createHash } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pdfOf } from '@platform/testing/pdf';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createInterchange } from '../interchange/interchange.ts';
import type { DocumentStore } from '../quotes/document-store.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';
import { CONNECTION, connectClient } from './connected-client.fixture.ts';
import { EXAMPLE_INVESTIGATION } from './examples.ts';
import { TOOLS } from './tools.ts';

/** What either half of a response takes of a model's context unless more is asked for, 4 bytes to a token. */
const BUDGET_BYTES = 2_000 * 4;

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const fileWorker = bundleWorker(new URL('../interchange/interchange-worker.ts', import.meta.url));
let service: TestService;
let client: Client;

const LINE = 'Notice 12/2024: closed all day – “for repairs”.\n';
const CONTENTS = LINE.repeat(1_000);
const stored = {
  document: 'file_1',
  version: 3,
  sha256: createHash('sha256').update(CONTENTS).digest('hex'),
  filename: 'notices.txt',
  contents: CONTENTS,
  url: 'https://example.org/notices',
  addedAt: '2026-05-01T00:00:00.000Z',
  pdfSha256: 'e'.repeat(64),
};
const source = {
  document: 'file_1',
  version: 3,
  sha256: stored.sha256,
  selector: { start: 16, end: 30, exact: 'closed all day', prefix: 'Notice 12/2024: ', suffix: ' – “for' },
};
const documents = {
  add: () => Promise.resolve({ ...stored, isNew: false }),
  list: () => Promise.resolve([stored]),
  read: () => Promise.resolve(stored),
  find: ({ selector: { exact } }: { selector: { exact: string } }) =>
    Promise.resolve(
      exact === 'closed all day'
        ? { state: 'verified', source, occurrences: 1 }
        : {
            state: exact === 'Closed' ? 'similar' : 'moved',
            occurrences: 2,
            candidates: [
              { start: 401, end: 415, agreement: 0.75, source },
              { start: 4010, end: 4024, agreement: 0.25, source },
            ],
          },
    ),
  check: (quotes: readonly { kind: string; id: string }[]) =>
    Promise.resolve({
      checks: quotes.map(({ kind, id }) => ({ kind, id, document: 'file_1', state: 'gone', version: 3 })),
      filenames: [],
    }),
  excerpts: () => Promise.resolve([]),
  close: () => Promise.resolve(),
} as unknown as DocumentStore;

beforeAll(async () => {
  service = await startTestService(
    worker.file,
    {},
    { documents, interchange: createInterchange({ memoryMiBMax: 512, file: fileWorker.file }) },
  );
  client = await connectClient(service.deps, { caller: { ...CONNECTION.caller, scopes: ['documents'] } });
  await client.listTools();
});
afterAll(async () => {
  await client?.close();
  await service?.close();
  worker.remove();
  fileWorker.remove();
});

interface Answer {
  readonly text: string;
  readonly data: Record<string, unknown>;
}
const called = new Set<string>();
async function call(name: string, args: object = {}): Promise<Answer> {
  called.add(name);
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const text = (result.content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
  if (result.isError) throw new Error(`${name}: ${text}`);
  return { text, data: (result.structuredContent ?? {}) as Record<string, unknown> };
}

/** Texts and numbers anywhere in the data. */
function leavesOf(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** Leaves of the data that the text does not have, as they are or as JSON writes them. */
function missing({ text, data }: Answer): (string | number)[] {
  return leavesOf(data).filter(
    (leaf) => !text.includes(String(leaf)) && !text.includes(JSON.stringify(leaf).slice(1, -1)),
  );
}

function expectTold(name: string, answer: Answer): void {
  expect([name, missing(answer)]).toEqual([name, []]);
}

function expectBounded(name: string, { text, data }: Answer): void {
  const longest = Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(data)));
  expect([name, Math.max(longest, BUDGET_BYTES)]).toEqual([name, BUDGET_BYTES]);
}

/** Arguments of every tool for a session, `answers` being what earlier ones returned. */
type Arguments = (answers: ReadonlyMap<string, Answer>) => object;
const ofSession =
  (session_id: string, more: object = {}) =>
  () => ({ session_id, ...more });

/** Every tool once, in an order in which each finds something; deletions last. */
function callsOn(
  session_id: string,
  payload: object,
  changed: object,
): readonly (readonly [string, Arguments])[] {
  const question = { subject_id: 'bridge', predicate: 'closed' };
  const subscription = (answers: ReadonlyMap<string, Answer>) => ({
    session_id,
    subscription_id: answers.get('create_subscription')!.data['id'],
  });
  const item = {
    actors: { id: 'ferry', name: 'Ferry company', source_type: 'Institutional' },
    subjects: { id: 'line', name: 'Ferry line', subject_type: 'service' },
    evidence: { id: 'e9', claim_id: 'c1', content: 'Queue in the picture.', valence: 'Supports' },
    claims: { id: 'c9', actor_id: 'paper', ...question, value: 'true', content: 'Queues all day.' },
    inferences: {
      id: 'i9',
      subject_id: 'bridge',
      predicate: 'passable',
      premise_claim_ids: ['c1'],
      rule_type: 'default',
      rule_param: 'true',
      description: 'A closed bridge.',
    },
    distinctions: {
      id: 'd9',
      argument_a: 'c1',
      argument_b: 'c2',
      feature: 'lane',
      condition_a: 'for cars',
      condition_b: 'for bicycles',
    },
  };
  const names = {
    actors: 'actor',
    subjects: 'subject',
    claims: 'claim',
    evidence: 'evidence',
    inferences: 'inference',
    distinctions: 'distinction',
  } as const;
  const kinds = Object.keys(item) as (keyof typeof item)[];
  return [
    ['submit_investigation', () => payload],
    ['create_investigation_session', ofSession(session_id, { name: 'Harbour bridge', payload })],
    ['judge_investigation_session', ofSession(session_id)],
    [
      'create_subscription',
      ofSession(session_id, {
        rules: ['leading_changed', 'chance_moved', 'became_contested'],
        chance_step: 0.01,
      }),
    ],
    ['update_investigation_session', ofSession(session_id, changed)],
    ['judge_investigation_session', ofSession(session_id)],
    ['list_subscriptions', ofSession(session_id)],
    ['list_subscription_events', subscription],
    ['validate_investigation_session', ofSession(session_id)],
    ['get_investigation_session', ofSession(session_id)],
    ['list_investigation_sessions', () => ({})],
    ['explain_verdict', ofSession(session_id, question)],
    ['set_session_interpretation', ofSession(session_id, { interpretation: 'It was closed.' })],
    ['list_session_judgements', ofSession(session_id)],
    ['compare_judgements', ofSession(session_id)],
    ['get_latest_session_judgement', ofSession(session_id)],
    [
      'get_session_judgement',
      (answers) => ({
        session_id,
        judgement_id: (answers.get('list_session_judgements')!.data['judgements'] as { id: string }[])[0]!.id,
      }),
    ],
    ['preview_investigation_session_share', ofSession(session_id)],
    ['share_investigation_session', ofSession(session_id, { public: true })],
    ['update_investigation_session_share', ofSession(session_id, { snapshot: true })],
    ['get_investigation_session_share', ofSession(session_id)],
    ['list_investigation_session_shares', () => ({})],
    ['invite_to_session', ofSession(session_id)],
    [
      'record_outcome',
      ofSession(session_id, {
        ...question,
        value: 'false',
        note: 'As the log says.',
        known_at: new Date().toISOString(),
      }),
    ],
    ['list_outcomes', ofSession(session_id)],
    ['get_calibration', () => ({})],
    ['list_source_records', () => ({})],
    ['apply_source_records', ofSession(session_id, { statements_min: 1, replace: true })],
    ['update_subscription', (answers) => ({ ...subscription(answers), paused: true })],
    ['replay_deliveries', subscription],
    ['add_document', () => ({ filename: 'notices.txt', contents: 'x' })],
    ['list_documents', () => ({ name_filter: 'notices' })],
    ['find_quote', () => ({ document: 'file_1', exact: 'closed all day' })],
    ['find_quote', () => ({ document: 'file_1', exact: 'closed' })],
    ['get_document', () => ({ document: 'file_1' })],
    ['list_judgement_quotes', ofSession(session_id)],
    ['import_file', () => ({ format: 'json', text: JSON.stringify(payload) })],
    ['export_session', ofSession(session_id, { format: 'json' })],
    ['export_session', ofSession(session_id)],
    ['get_docs', () => ({})],
    ...kinds.flatMap((kind) => [
      [`upsert_investigation_${names[kind]}`, ofSession(session_id, { [names[kind]]: item[kind] })] as const,
      [
        `get_investigation_${names[kind]}`,
        ofSession(session_id, { [`${names[kind]}_id`]: item[kind].id }),
      ] as const,
      [
        `delete_investigation_${names[kind]}`,
        ofSession(session_id, { [`${names[kind]}_id`]: item[kind].id }),
      ] as const,
    ]),
    ['delete_outcome', (answers) => ({ session_id, outcome_id: answers.get('record_outcome')!.data['id'] })],
    ['delete_subscription', subscription],
    ['delete_investigation_session', ofSession(session_id)],
  ];
}

/** Waits for an event of the subscription: the watcher may be at it already. */
async function fired(subscription: object): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    await service.deps.watcher.runOnce();
    const { data } = await call('list_subscription_events', subscription);
    if ((data['events'] as unknown[]).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function callAll(
  calls: readonly (readonly [string, Arguments])[],
  check: (name: string, answer: Answer) => void,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const [name, args] of calls) {
    if (name === 'list_subscription_events') await fired(args(answers));
    const answer = await call(name, args(answers));
    answers.set(name, answer);
    check(name, answer);
  }
  return answers;
}

const BRIDGE = {
  ...EXAMPLE_INVESTIGATION,
  claims: EXAMPLE_INVESTIGATION.claims.map((claim) => (claim.id === 'c1' ? { ...claim, source } : claim)),
};
const REVERSED = {
  claims: ['x', 'y', 'z'].map((id) => ({
    id,
    actor_id: `new-${id}`,
    subject_id: 'bridge',
    predicate: 'closed',
    value: 'false',
    content: 'Open.',
  })),
  actors: ['x', 'y', 'z'].map((id) => ({ id: `new-${id}`, name: `Camera ${id}`, source_type: 'Regulator' })),
};

/** 200 claims of long texts by 200 sources on 20 questions, beside the bridge. */
const ids = Array.from({ length: 200 }, (_, index) => index);
const LARGE = {
  ...BRIDGE,
  actors: [
    ...BRIDGE.actors,
    ...ids.map((id) => ({
      id: `courier-${id}`,
      name: `The Daily Courier of the town No. ${id}`,
      source_type: 'Journalist',
    })),
  ],
  subjects: [
    ...BRIDGE.subjects,
    ...ids
      .slice(0, 20)
      .map((id) => ({ id: `incident-${id}`, name: `Incident ${id} at the dam`, subject_type: 'event' })),
  ],
  claims: [
    ...BRIDGE.claims,
    ...ids.map((id) => ({
      id: `claim-${id}`,
      actor_id: `courier-${id}`,
      subject_id: id % 2 === 0 ? 'bridge' : `incident-${id % 20}`,
      predicate: id % 2 === 0 ? 'closed' : 'deaths',
      value: id % 2 === 0 ? 'true' : `reported value ${Math.floor(id / 80)}`,
      content: `Statement ${id}, as it stood in the newspaper of that day. `.repeat(20),
      source,
    })),
  ],
};

describe('text and data of tools', () => {
  it('the text of every tool tells every value of its data, or how to get the rest', async () => {
    covers('INV-T.27');
    await callAll(callsOn('small', BRIDGE, REVERSED), expectTold);
    expect([...called].toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
  });

  it('text and data of every tool take at most 2,000 tokens each unless more is asked for', async () => {
    covers('INV-T.27');
    for (const id of ids.slice(0, 30)) {
      const other = { session_id: `other-${id}`, name: `Session ${id}`, payload: EXAMPLE_INVESTIGATION };
      await call('create_investigation_session', other);
    }
    await callAll(callsOn('large', LARGE, REVERSED), (name, answer) => {
      expectTold(name, answer);
      // The list of tools is the table of contents of the documentation, which is read once.
      if (name !== 'get_docs') expectBounded(name, answer);
    });
  });

  it('an event tells in its text the question, what led before and what leads now', async () => {
    const answers = await callAll(callsOn('told', BRIDGE, REVERSED).slice(1, 8), () => {});
    expect(answers.get('list_subscription_events')!.text).toMatch(
      /1: leading_changed, .*bridge closed: true \(\d+ %\) to false \(\d+ %\)/,
    );
  });

  it('the text of find_quote tells version, positions and, of words in several places, each of them', async () => {
    const { text } = await call('find_quote', { document: 'file_1', exact: 'closed all day' });
    expect(text).toContain('at 16 to 30 of version 3');
    const moved = await call('find_quote', { document: 'file_1', exact: 'closed' });
    expect(moved.text).toContain('401 to 415, 4010 to 4024');
    const similar = await call('find_quote', { document: 'file_1', exact: 'Closed' });
    expect(similar.text).toContain('does not hold these very words');
    expect(similar.text).toContain('401 to 415 ("closed all day")');
    expect(similar.data['candidates']).toMatchObject([{ source }, { source }]);
  });

  it.each([
    ['export_session', 'text'],
    ['get_document', 'contents'],
  ])('the parts of %s, each asked for as the one before says, are the whole', async (tool, field) => {
    await call('create_investigation_session', { session_id: tool, payload: LARGE });
    await call('judge_investigation_session', { session_id: tool });
    const args = tool === 'get_document' ? { document: 'file_1' } : { session_id: tool };
    const whole = (await call(tool, { ...args, limit: 1_000_000 })).data;
    expect(whole).toMatchObject({ offset: 0, next_offset: null });
    let read = '';
    for (let offset: number | null = 0; offset !== null;) {
      const { text, data } = await call(tool, { ...args, offset });
      read += data[field] as string;
      offset = data['next_offset'] as number | null;
      expect(text.includes(data[field] as string)).toBe(true);
      if (offset !== null) expect(text).toContain(`ask again with offset ${offset}`);
    }
    expect(read.length).toBeGreaterThan(BUDGET_BYTES);
    expect(read).toBe(whole[field]);
  });

  it('what was cut to fit is whole with detail full, in the text, too', async () => {
    await call('create_investigation_session', { session_id: 'whole', payload: LARGE });
    await call('judge_investigation_session', { session_id: 'whole' });
    const brief = await call('preview_investigation_session_share', { session_id: 'whole' });
    expect(brief.data['cut']).toContain('detail full');
    expect(brief.text).toContain('detail full');
    const full = await call('preview_investigation_session_share', { session_id: 'whole', detail: 'full' });
    expect(full.data).not.toHaveProperty('cut');
    expect((full.data['statements'] as unknown[]).length).toBeGreaterThan(200);
  });

  it('a list for which an unknown argument was ignored says so first, and which argument is meant', async () => {
    covers('INV-Q.44');
    const { text, data } = await call('list_documents', { query: 'gates' });
    const warning = 'Unknown field `query` was ignored: name it `name_filter`.';
    expect(data['warnings']).toEqual([warning]);
    expect(text.startsWith(`Warning: ${warning}\nnotices.txt (file_1)`)).toBe(true);
  });

  it('import_file takes the session as session_id, which it documents, and as session, which it did before', async () => {
    covers('INV-Q.43');
    const { tools } = await client.listTools();
    const { properties } = tools.find(({ name }) => name === 'import_file')!.inputSchema;
    expect(Object.keys(properties!)).toContain('session_id');
    expect(Object.keys(properties!)).not.toContain('session');
    await call('create_investigation_session', { session_id: 'merged' });
    const file = { format: 'json', text: JSON.stringify(BRIDGE) };
    for (const name of ['session_id', 'session']) {
      const { data } = await call('import_file', { ...file, [name]: 'merged' });
      expect([name, data['session']]).toEqual([name, expect.objectContaining({ session_id: 'merged' })]);
    }
  });

  it('an address that a stored document does not get is named, in data and text, and the one that it has', async () => {
    covers('INV-Q.47');
    const add = (url?: string) =>
      call('add_document', { filename: 'notices.txt', contents: CONTENTS, ...(url && { url }) });
    const other = 'https://mirror.example/notices';
    const { data, text } = await add(other);
    expect(data).toMatchObject({ url: stored.url, warnings: [expect.stringContaining(other)] });
    expect(text).toContain((data['warnings'] as string[])[0]!);
    for (const same of [stored.url, undefined]) expect((await add(same)).data['warnings']).toEqual([]);
  });

  it('contents that are the code of a web page are stored with a warning, and no other text', async () => {
    covers('INV-Q.66');
    const warnings = async (contents: string) =>
      (await call('add_document', { filename: 'notices.txt', contents })).data['warnings'];
    for (const code of ['<!DOCTYPE html><p>Closed.', '\n<html lang="en">', '\ufeff<HTML>'])
      expect(await warnings(code)).toEqual([expect.stringContaining('the code of a web page')]);
    for (const text of [CONTENTS, 'Write <html> first.', '<htmlish>'])
      expect(await warnings(text)).toEqual([]);
  });

  it('a PDF file whose text is stored already gets the digest of the file that is stored', async () => {
    covers('INV-Q.41', 'INV-Q.42');
    const pdf = Buffer.from(await pdfOf(['Notice', ''])).toString('base64');
    const { data } = await call('add_document', { filename: 'notices.txt', pdf });
    expect(data).toMatchObject({
      is_new: false,
      pdf_sha256: stored.pdfSha256,
      pdf: { sha256: stored.pdfSha256, pages: 2, pages_without_text: [2] },
    });
    const read = await call('get_document', { document: 'file_1' });
    expect(read.data['pdf_sha256']).toBe(stored.pdfSha256);
  });
});
