import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createInterchange } from '../interchange/interchange.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';
import { connectClient } from './connected-client.fixture.ts';
import { TOOLS as ALL_TOOLS } from './tools.ts';

fc.configureGlobal({ seed: SEED });

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const fileWorker = bundleWorker(new URL('../interchange/interchange-worker.ts', import.meta.url));
const SESSION = { session_id: 'dams' };
const QUESTIONS = 80;
/** Tools that give verdicts, with the member of their data that has the result. */
const GIVING = [
  ['judge_investigation_session', 'result'],
  ['get_investigation_session', 'last_result'],
  ['get_latest_session_judgement', 'result'],
  ['get_session_judgement', 'result'],
] as const;
const TOOLS = GIVING.map(([name]) => name);
let service: TestService;
let client: Client;
let judgementId: string;

beforeAll(async () => {
  const interchange = createInterchange({ memoryMiBMax: 512, file: fileWorker.file });
  service = await startTestService(worker.file, {}, { interchange });
  client = await connectClient(service.deps);
  const claims = Array.from({ length: QUESTIONS * 5 }, (_, index) => ({
    id: `c${index}`,
    actor_id: `paper-${index % 9}`,
    subject_id: `dam-${index % QUESTIONS}`,
    predicate: 'deaths',
    value: String(index % 7),
    content: `Statement ${index}, as it stood in the newspaper of that day.`,
  }));
  const payload = {
    research_question: 'What happened?',
    actors: Array.from({ length: 9 }, (_, index) => ({
      id: `paper-${index}`,
      name: `Paper ${index}`,
      source_type: 'Journalist',
    })),
    subjects: Array.from({ length: QUESTIONS }, (_, index) => ({
      id: `dam-${index}`,
      name: `Dam no. ${index}`,
      subject_type: 'event',
    })),
    claims,
  };
  await call('create_investigation_session', { ...SESSION, payload });
  await call('judge_investigation_session', SESSION);
  const { data } = await call('list_session_judgements', SESSION);
  judgementId = (data['judgements'] as { id: string }[])[0]!.id;
});
afterAll(async () => {
  await client?.close();
  await service?.close();
  worker.remove();
  fileWorker.remove();
});

async function call(name: string, args: object) {
  const reference = name === 'get_session_judgement' ? { judgement_id: judgementId } : {};
  const result = await client.callTool({ name, arguments: { ...reference, ...args } });
  const text = (result.content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
  expect([name, result.isError ?? false, result.isError ? text : '']).toEqual([name, false, '']);
  return { text, data: result.structuredContent as Record<string, unknown> };
}

interface Part {
  readonly verdicts: readonly { readonly subject_id: string; readonly subject_name: string }[];
  readonly verdict_count: number;
  readonly next_offset: number | null;
}

describe('the verdicts of a judgement with many', () => {
  it.each(GIVING)(
    '%s gives every verdict once, part by part, in text and data alike',
    async (name, member) => {
      covers('INV-T.35');
      const { text } = await call(name, SESSION);
      const [, tool, from] = /^For further verdicts call (\w+) with offset (\d+)\.$/m.exec(text)!;
      const found = [...text.matchAll(/^- (Dam no\. \d+): deaths/gm)].map(([, subject]) => subject!);
      expect(found).toHaveLength(Number(from));
      for (let offset: number | null = Number(from); offset !== null;) {
        const part = await call(tool!, { ...SESSION, offset, limit: 30 });
        const data = part.data[tool === name ? member : 'result'] as Part;
        const told = [...part.text.matchAll(/^- (Dam no\. \d+): deaths/gm)].map(([, subject]) => subject!);
        expect(data.verdicts.map(({ subject_name: subject }) => subject)).toEqual(told);
        expect(data.verdict_count).toBe(QUESTIONS);
        expect(part.text.includes(`with offset ${data.next_offset}.`)).toBe(data.next_offset !== null);
        found.push(...told);
        offset = data.next_offset;
      }
      expect([found.length, new Set(found).size]).toEqual([QUESTIONS, QUESTIONS]);
    },
  );

  it.each(TOOLS)(
    '%s in full names the call that gives a part where the data are too long for the text',
    async (name) => {
      covers('INV-T.35');
      const { text } = await call(name, { ...SESSION, detail: 'full' });
      expect(text).not.toContain('"subject_results"');
      const [, tool, limit] = /bytes that a text repeats: call (\w+) with limit (\d+)/.exec(text)!;
      const part = await call(tool!, { ...SESSION, detail: 'full', limit: Number(limit) });
      expect(part.text).toContain('"verdicts":');
      expect(part.text.match(/"rival_values":/g)).toHaveLength(Number(limit));
    },
  );

  it('the text of a session that is cut names the call that gives every claim in text alone', async () => {
    covers('INV-Q.102');
    const { text } = await call('get_investigation_session', { ...SESSION, detail: 'full' });
    expect(text).not.toContain('Statement 399');
    const [, tool, toolset, format] = /call (\w+) \(toolset (\w+)\) with format (\w+) for the claims/.exec(
      text,
    )!;
    expect(ALL_TOOLS.find(({ name }) => name === tool)!.toolset).toBe(toolset);
    const told = new Set<string>();
    for (let offset: string | undefined = '0'; offset !== undefined;) {
      const part = await call(tool!, { ...SESSION, format, offset: Number(offset) });
      for (const [, claim] of part.text.matchAll(/Statement (\d+),/g)) told.add(claim!);
      offset = /offset (\d+)/.exec(part.text.split('\n').at(-1)!)?.[1];
    }
    expect(told.size).toBe(QUESTIONS * 5);
  });

  it.each(TOOLS)(
    '%s refuses a limit and an offset that are none and says so of a part behind the last',
    async (name) => {
      covers('INV-T.35');
      const bad = await client.callTool({
        name,
        arguments: { ...SESSION, judgement_id: judgementId, limit: 0 },
      });
      expect(bad.isError).toBe(true);
      expect(JSON.stringify(bad.content)).toContain('limit: must be');
      const { text } = await call(name, { ...SESSION, offset: 500 });
      expect(text).toContain('There are 80 verdicts, so none begins at this offset.');
    },
  );
});

describe('a part of the verdicts tells each as the whole does', () => {
  /** Questions of which each has a session's claims: a value of each source. */
  const questions = fc.array(
    fc.array(
      fc.record({
        value: fc.integer({ min: 1, max: 9 }).map((of) => String(50 * of)),
        denies: fc.constantFrom(false, false, false, true),
        scope: fc.constantFrom(undefined, undefined, undefined, 'north', 'south'),
      }),
      { minLength: 1, maxLength: 9 },
    ),
    { minLength: 5, maxLength: 5 },
  );
  const lines = (text: string) => text.split('\n').filter((line) => /^- (?:Mine|“)/.test(line));

  it.each(fc.sample(questions, 12))('case %#', async (...asked) => {
    covers('INV-T.71');
    const payload = {
      research_question: 'What happened?',
      actors: Array.from({ length: 9 }, (_, i) => ({
        id: `a${i}`,
        name: `Paper ${i}`,
        source_type: 'Journalist',
      })),
      subjects: asked.map((_, i) => ({ id: `m${i}`, name: `Mine no. ${i}`, subject_type: 'event' })),
      claims: asked.flatMap((said, q) =>
        said.map(({ value, scope, denies }, i) => ({
          id: `c${q}-${i}`,
          actor_id: `a${i}`,
          subject_id: `m${q}`,
          predicate: 'deaths',
          value,
          content: '',
          ...(scope && { scope }),
          ...(denies && { valence: 'Refutes' }),
        })),
      ),
    };
    const { data } = await call('create_investigation_session', { payload });
    const session = { session_id: data['session_id'] };
    const whole = lines((await call('judge_investigation_session', session)).text);
    expect(whole).toHaveLength(5);
    const latest = { ...session, limit: 3 };
    const parts = [
      await call('get_latest_session_judgement', latest),
      await call('get_latest_session_judgement', { ...latest, offset: 3 }),
    ];
    expect(parts.flatMap(({ text }) => lines(text))).toEqual(whole);
  });
});
