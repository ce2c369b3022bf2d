import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createInterchange } from '../interchange/interchange.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';
import { connectClient } from './connected-client.fixture.ts';
import { TOOLS } from './tools.ts';

/** What either half of a response takes of a model's context unless more is asked for, 4 bytes to a token. */
const BUDGET_BYTES = 2_000 * 4;
/** Claims of one question: their pairs make a result of 36 MB of 3,000 claims. */
const EACH = 200;
const CLAIMS = 3_000;
const QUESTIONS = CLAIMS / EACH;
const SESSION = { session_id: 'bridges' };
const IDS = Array.from({ length: CLAIMS }, (_, index) => index);
const PAYLOAD = {
  research_question: 'Which bridges are open?',
  actors: IDS.slice(0, EACH).map((id) => ({
    id: `a${id}`,
    name: `Paper ${id}`,
    source_type: 'Journalist',
  })),
  subjects: IDS.slice(0, QUESTIONS).map((id) => ({
    id: `s${id}`,
    name: `Bridge ${id}`,
    subject_type: 'bridge',
  })),
  claims: IDS.map((id) => ({
    id: `c${id}`,
    actor_id: `a${id % EACH}`,
    subject_id: `s${Math.floor(id / EACH)}`,
    predicate: 'open',
    value: String(id % 5 > 0),
    content: `It is so, as statement ${id} says.`,
  })),
};
const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const fileWorker = bundleWorker(new URL('../interchange/interchange-worker.ts', import.meta.url));
let service: TestService;
let client: Client;
let judgementId: string;

beforeAll(async () => {
  const interchange = createInterchange({ memoryMiBMax: 512, file: fileWorker.file });
  service = await startTestService(worker.file, {}, { interchange });
  client = await connectClient(service.deps);
  await call('create_investigation_session', { ...SESSION, payload: PAYLOAD });
  await call('judge_investigation_session', SESSION);
  await call('share_investigation_session', { ...SESSION, public: false });
  const { data } = await call('list_session_judgements', SESSION);
  judgementId = (data['judgements'] as { id: string }[])[0]!.id;
});
afterAll(async () => {
  await client?.close();
  await service?.close();
  worker.remove();
  fileWorker.remove();
});

async function send(name: string, args: object) {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const text = (result.content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
  const data = (result.structuredContent ?? {}) as Record<string, unknown>;
  return { isError: result.isError ?? false, text, data };
}

async function call(name: string, args: object) {
  const { isError, ...answer } = await send(name, args);
  if (isError) throw new Error(`${name} ${JSON.stringify(args)}: ${answer.text}`);
  return answer;
}

/** Tools that read a session, with the arguments that they need. */
const reading = () =>
  TOOLS.flatMap(({ name, input, annotations, toolset }) => {
    const fields = Object.keys(input['properties'] ?? {});
    if (!annotations.readOnlyHint || !fields.includes('session_id')) return [];
    // Of the running service alone.
    if (['watch', 'colleagues', 'documents'].includes(toolset)) return [];
    const known: Readonly<Record<string, string>> = {
      ...SESSION,
      judgement_id: judgementId,
      subject_id: 's3',
      predicate: 'open',
      claim_id: 'c2999',
      actor_id: 'a1',
    };
    const needed = (input['required'] as string[]).filter((field) => !(field in known));
    return needed.length > 0
      ? []
      : [
          [
            name,
            Object.fromEntries((input['required'] as string[]).map((one) => [one, known[one]])),
          ] as const,
        ];
  });

interface Part {
  readonly verdicts: readonly { readonly subject_id: string }[];
  readonly verdict_count: number;
}
const GIVING = [
  ['get_investigation_session', 'last_result'],
  ['get_latest_session_judgement', 'result'],
  ['get_session_judgement', 'result'],
  ['judge_investigation_session', 'result'],
] as const;
const argumentsOf = (name: string) =>
  name === 'get_session_judgement' ? { ...SESSION, judgement_id: judgementId } : SESSION;

describe('tools on a session of 3,000 claims', () => {
  it('every tool that reads a session answers within its budget', async () => {
    covers('INV-T.68', 'INV-T.27');
    await call('judge_investigation_session', SESSION);
    const tools = reading();
    expect(tools.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'compare_judgements',
        'preview_investigation_session_share',
        'explain_verdict',
      ]),
    );
    for (const [name, args] of tools) {
      const { text, data } = await call(name, args);
      const longest = Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(data)));
      expect([name, Math.max(longest, BUDGET_BYTES)]).toEqual([name, BUDGET_BYTES]);
    }
  });

  it.each(GIVING)('%s gives every verdict, part by part', async (name, member) => {
    covers('INV-T.68', 'INV-T.35');
    const found: string[] = [];
    for (const detail of ['compact', 'full']) {
      for (let offset = 0; offset < QUESTIONS; offset += 8) {
        const { data } = await call(name, { ...argumentsOf(name), offset, limit: 8, detail });
        const part = data[member] as Part;
        expect(part.verdict_count).toBe(QUESTIONS);
        found.push(...part.verdicts.map(({ subject_id }) => subject_id));
      }
    }
    expect([found.length, new Set(found).size]).toEqual([2 * QUESTIONS, QUESTIONS]);
  });

  it.each(GIVING.map(([name]) => name))(
    '%s refuses the whole and names what gives it part by part',
    async (name) => {
      covers('INV-T.69', 'INV-T.21');
      const { isError, text } = await send(name, { ...argumentsOf(name), detail: 'full' });
      expect([isError, text]).toEqual([
        true,
        expect.stringMatching(/^payload_too_large \(413\).*\nRemedy: .*limit and offset.*export_session/),
      ]);
      expect(text).not.toMatch(/summary_mode|send fewer/);
      const [, tool = name] = /: (\w+_\w+) with limit and offset/.exec(text) ?? [];
      await call(tool, { ...argumentsOf(tool), limit: 10, offset: 5, detail: 'full' });
    },
  );

  it('a verdict on more claims than a tool sends is explained within the budget', async () => {
    covers('INV-T.68', 'INV-T.17');
    const ids = Array.from({ length: 8_000 }, (_, index) => index);
    const question = { subject_id: 's0', predicate: 'open' };
    const payload = {
      research_question: 'Is the bridge open?',
      actors: ids.map((id) => ({ id: `a${id}`, name: `Paper ${id}`, source_type: 'Journalist' })),
      subjects: [{ id: 's0', name: 'Bridge', subject_type: 'bridge' }],
      claims: ids.map((id) => ({
        id: `c${id}`,
        actor_id: `a${id}`,
        ...question,
        value: 'true',
        content: 'It is so.',
      })),
    };
    await call('create_investigation_session', { session_id: 'one', payload });
    await call('judge_investigation_session', { session_id: 'one' });
    const { text } = await call('explain_verdict', { session_id: 'one', ...question });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET_BYTES);
    const full = await send('explain_verdict', { session_id: 'one', ...question, detail: 'full' });
    expect(full.text).toMatch(/^payload_too_large .*\nRemedy: ask with limit and offset for /);
    const part = { session_id: 'one', ...question, detail: 'full', limit: 10, offset: 4_000 };
    expect((await call('explain_verdict', part)).text.match(/^- \w+: Paper/gm)).toHaveLength(10);
  });

  it('text alone and data alone have every source of an explained verdict, part by part', async () => {
    covers('INV-T.73');
    const asked = { ...SESSION, subject_id: 's3', predicate: 'open' };
    const named = new Set<string>();
    const listed = new Set<string>();
    for (let offset: number | null = 0; offset !== null;) {
      const { text, data }: Awaited<ReturnType<typeof call>> = await call('explain_verdict', {
        ...asked,
        ...(offset > 0 && { offset }),
        // One part of the usual length behind the first is enough.
        ...(offset > 8 && { limit: 64 }),
      });
      for (const half of offset > 8 ? [] : [text, JSON.stringify(data)])
        expect(Buffer.byteLength(half)).toBeLessThanOrEqual(BUDGET_BYTES);
      const [lines] = text.split('\n{');
      for (const [, id] of lines!.matchAll(/^- .*\((c\d+)\)/gm)) named.add(id!);
      const { contributions } = data['explanation'] as { contributions: { claim_id: string }[] };
      for (const { claim_id } of contributions) listed.add(claim_id);
      expect(text).not.toContain('detail full');
      offset = data['next_offset'] as number | null;
      if (offset !== null) expect(text).toContain(`ask with offset ${offset}`);
    }
    expect([named.size, listed.size]).toEqual([EACH, EACH]);
    const { text } = await call('explain_verdict', { ...asked, offset: 500 });
    expect(text).toContain('There are 200 contributions, so none begins at this offset.');
    const full = await call('explain_verdict', { ...asked, detail: 'full', limit: 10, offset: 190 });
    expect(full.text.match(/"factors":/g)).toHaveLength(10);
    const whole = await call('explain_verdict', { ...asked, detail: 'full' });
    expect(whole.text).toMatch(/bytes that a text repeats: call explain_verdict with limit 10/);
  });

  it('submit_investigation leads to calls that give every verdict', async () => {
    covers('INV-T.72', 'INV-T.21');
    const short = await send('submit_investigation', PAYLOAD);
    const whole = await send('submit_investigation', { ...PAYLOAD, detail: 'full' });
    const both = await send('submit_investigation', { ...PAYLOAD, detail: 'full', summary_mode: true });
    expect([short.isError, whole.isError, both.isError]).toEqual([false, true, false]);
    expect(whole.text).toMatch(/^payload_too_large \(413\)/);
    const [steps, ...same] = [short, whole, both].map(({ text }) => /call create_.*(?=\.$)/m.exec(text)?.[0]);
    expect(same).toEqual([steps, steps]);
    const [create, judge, latest] = steps!.match(/\w+_\w+_\w+/g) as [string, string, string];
    const { data } = await call(create, { payload: PAYLOAD });
    const session = { session_id: data['session_id'] };
    await call(judge, session);
    const part = await call(latest, { ...session, limit: 10, offset: 10 });
    expect((part.data['result'] as Part).verdicts).toHaveLength(QUESTIONS - 10);
  });

  it('every resource of the session can be read, in short where the whole is too large', async () => {
    covers('INV-T.69', 'INV-T.18');
    for (const path of ['', '/result', `/judgements/${judgementId}`]) {
      const { contents } = await client.readResource({ uri: `investigation://bridges${path}` });
      const { cut, ...rest } = JSON.parse((contents[0] as { text: string }).text) as { cut?: string };
      expect([path, cut]).toEqual([path, expect.stringContaining('by limit and offset')]);
      expect(JSON.stringify(rest)).toContain('"top_findings"');
    }
  });

  it('a prompt about the judgement has its summary', async () => {
    covers('INV-T.68', 'INV-T.19');
    const { messages } = await client.getPrompt({ name: 'red_team_verdict', arguments: SESSION });
    expect(JSON.stringify(messages)).toContain('10 further verdicts');
  });
});
