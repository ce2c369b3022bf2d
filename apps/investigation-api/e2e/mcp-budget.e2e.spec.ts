import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../src/engine/bundle-worker.fixture.ts';
import type { TestService } from '../src/test-service.fixture.ts';
import { startTestService } from '../src/test-service.fixture.ts';
import { connectOverHttp, data, DEMO, ERAS } from './mcp-clients.ts';

/** What either half of a response, text or data, may take of a model's context, 4 bytes to a token. */
const BUDGET_BYTES = 2_000 * 4;

const worker = bundleWorker(new URL('../src/engine/analysis-worker.ts', import.meta.url));
let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService(worker.file);
  const token = await service.sign({ tenant_id: 'tenant' }, 'at+jwt');
  client = await connectOverHttp(service, { era: ERAS[0][1], path: '/mcp', token });
});
afterAll(async () => {
  await client?.close();
  await service?.close();
  worker.remove();
});

const actors = Array.from({ length: 40 }, (_, index) => ({
  id: `newspaper-${index}`,
  name: `The Daily Courier No. ${index}`,
  source_type: 'Journalist',
}));
const subjects = Array.from({ length: 20 }, (_, index) => ({
  id: `incident-${index}`,
  name: `Incident ${index} at the dam`,
  subject_type: 'event',
}));
const claims = Array.from({ length: 400 }, (_, index) => ({
  id: `claim-${index}`,
  actor_id: `newspaper-${index % 40}`,
  subject_id: `incident-${index % 20}`,
  predicate: ['deaths', 'cause', 'inspected_in', 'warned_by'][Math.floor(index / 20) % 4]!,
  value: `reported value ${Math.floor(index / 80)}`,
  content: `Statement ${index}, as it stood in the newspaper of that day.`,
}));

async function sizeOf(name: string, args: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  expect([name, isError ?? false]).toEqual([name, false]);
  // Clients show a model the one or the other.
  const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
  return Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(structuredContent ?? null)));
}

describe('responses of tools about an investigation of 400 claims in 80 questions', () => {
  it('the comparison of judgements that 440 items set apart takes at most 2,000 tokens', async () => {
    covers('INV-X.7');
    const payload = { research_question: 'What happened?', actors: [], subjects, claims: [] };
    const session = await data<{ session_id: string }>(client, 'create_investigation_session', { payload });
    const { session_id } = session;
    await data(client, 'judge_investigation_session', { session_id });
    await data(client, 'update_investigation_session', { session_id, actors, claims });
    await data(client, 'judge_investigation_session', { session_id });
    const compared = await data(client, 'compare_judgements', { session_id });
    expect(compared).toMatchObject({ change_count: 440, changed_verdicts: 80 });
    expect(await sizeOf('compare_judgements', { session_id })).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it('the comparison of judgements whose every change moves the same verdicts takes at most 2,000 tokens', async () => {
    covers('INV-X.7');
    const payload = { research_question: 'What happened?', actors, subjects, claims };
    const { session_id } = await data<{ session_id: string }>(client, 'create_investigation_session', {
      payload,
    });
    await data(client, 'judge_investigation_session', { session_id });
    const value = 'more than the ministry had said '.repeat(100);
    const late = ['deaths', 'cause'].flatMap((predicate) =>
      actors
        .slice(0, 12)
        .map(({ id }) => ({ ...claims[0], id: `late-${predicate}-${id}`, actor_id: id, predicate, value })),
    );
    await data(client, 'update_investigation_session', { session_id, claims: late });
    await data(client, 'judge_investigation_session', { session_id });
    interface Moved {
      readonly move: number;
      readonly parts: readonly { readonly move: number }[];
      readonly other_parts?: { readonly count: number; readonly move: number };
    }
    const compared = await data<{ verdicts: readonly Moved[] }>(client, 'compare_judgements', { session_id });
    const [first] = compared.verdicts;
    expect(first!.other_parts!.count).toBeGreaterThanOrEqual(5);
    const parts = [...first!.parts, first!.other_parts!];
    expect(parts.reduce((sum, { move }) => sum + move, 0)).toBeCloseTo(first!.move, 9);
    expect(await sizeOf('compare_judgements', { session_id })).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it('the responses that read a session, its judgement and one verdict take at most 2,000 tokens each', async () => {
    covers('INV-X.7');
    const payload = { research_question: 'What happened?', actors, subjects, claims };
    const { session_id } = await data<{ session_id: string }>(client, 'create_investigation_session', {
      payload,
    });
    const calls: readonly (readonly [string, object])[] = [
      ['judge_investigation_session', {}],
      ['get_investigation_session', {}],
      ['get_latest_session_judgement', {}],
      ['explain_verdict', { subject_id: 'incident-0', predicate: 'deaths' }],
      ['list_session_judgements', {}],
    ];
    for (const [tool, args] of calls) {
      const bytes = await sizeOf(tool, { session_id, ...args });
      expect([tool, Math.max(bytes, BUDGET_BYTES)]).toEqual([tool, BUDGET_BYTES]);
    }
  });

  it('the digest of a judgement and an explanation have the conditions of distinctions within 2,000 tokens', async () => {
    covers('INV-T.46', 'INV-T.50', 'INV-X.7');
    const distinctions = [0, 1, 2, 3, 4, 5].map((index) => ({
      id: `d${index}`,
      argument_a: `claim-${index}`,
      argument_b: `claim-${80 + index}`,
      feature: 'what counts as a death',
      condition_a: `only those count who died on the day, ${'as registered '.repeat(30)}`,
      condition_b: 'those count who died later',
    }));
    const many = { research_question: 'What happened?', actors, subjects, claims, distinctions };
    for (const [payload, question, words] of [
      [DEMO, { subject_id: 'first-flight', predicate: 'achieved_by' }, /if .*Wright .*; if .*Dumont/],
      [many, { subject_id: 'incident-0', predicate: 'deaths' }, /if only those .*; if those count/],
    ] as const) {
      const { session_id } = await data<{ session_id: string }>(client, 'create_investigation_session', {
        payload,
      });
      await data(client, 'judge_investigation_session', { session_id });
      for (const [tool, more] of [
        ['judge_investigation_session', {}],
        ['explain_verdict', question],
      ] as const) {
        const args = { session_id, ...more };
        const { content, structuredContent } = await client.callTool({ name: tool, arguments: args });
        if (tool === 'explain_verdict' || payload !== many) {
          expect(JSON.stringify(content)).toMatch(words);
          // The data of a large judgement are cut to fit.
          expect(JSON.stringify(structuredContent)).toContain('"conditions":"if ');
          // Of the demo they fit whole.
          if (payload === DEMO)
            expect(JSON.stringify(structuredContent)).not.toMatch(/"conditions":"[^"]*…"/);
        }
        expect(await sizeOf(tool, args)).toBeLessThanOrEqual(BUDGET_BYTES);
      }
    }
  });

  it('a large investigation that is judged without a session comes as its summary, and whole with detail full', async () => {
    covers('INV-X.7');
    const payload = { research_question: 'What happened?', actors, subjects, claims };
    expect(await sizeOf('submit_investigation', payload)).toBeLessThanOrEqual(BUDGET_BYTES);
    const whole = { ...payload, detail: 'full' };
    expect(await data(client, 'submit_investigation', whole)).toHaveProperty('conflict_analysis');
    const asked = { ...payload, summary_mode: false };
    expect(await data(client, 'submit_investigation', asked)).toHaveProperty('conflict_analysis');
    const small = { ...payload, subjects: subjects.slice(0, 1), claims: claims.slice(0, 1) };
    expect(await data(client, 'submit_investigation', small)).toMatchObject({ warnings: [] });
    expect(await data(client, 'submit_investigation', small)).toHaveProperty('conflict_analysis');
  });

  it('an explanation names who says what, the chance that the judgement gives, and the rival values', async () => {
    covers('INV-X.7');
    const payload = { research_question: 'How many?', actors, subjects, claims: claims.slice(0, 120) };
    const { session_id } = await data<{ session_id: string }>(client, 'create_investigation_session', {
      payload,
    });
    await data(client, 'judge_investigation_session', { session_id });
    const { content, structuredContent } = await client.callTool({
      name: 'explain_verdict',
      arguments: { session_id, subject_id: 'incident-0', predicate: 'deaths' },
    });
    const [{ text }] = content as unknown as [{ text: string }];
    const { explanation } = structuredContent as {
      explanation: { calibrated_probability: number; contributions: { actor_name: string; value: string }[] };
    };
    const chance = `${Math.round(explanation.calibrated_probability * 100)} %`;
    expect(text).toContain(`chance that it is true ${chance}`);
    expect(text).toContain('The Daily Courier No. 0 says reported value 0 (claim-0)');
    expect(text).toContain('(tied: reported value 0 and reported value 1; no value leads): ');
    expect(explanation.contributions[0]).toMatchObject({
      actor_name: expect.stringContaining('The Daily Courier'),
      value: expect.stringContaining('reported value'),
    });
  });
});

describe('an investigation from its first claims to its share', () => {
  it('the story of a dam break of a year and a half ago takes at most 6,000 tokens in either kind of client', async () => {
    covers('INV-T.53');
    const act = (id: string, name: string, source_type: string) => ({ id, name, source_type });
    const dam = [
      act('ministry', 'Ministry of Emergencies', 'Regulator'),
      act('daily', 'Kurir', 'Journalist'),
      { ...act('tv', 'TV1', 'Journalist'), depends_on: ['ministry'] },
      act('mp', 'MP Petrov', 'Insider'),
      act('operator', 'Dam Operator Ltd', 'Institutional'),
      act('weather', 'Weather Institute', 'Institutional'),
    ];
    const day = 24 * 60 * 60 * 1000;
    const said = (id: string, on: string, value: string, content: string, age: number) => {
      const [actor_id, subject_id, predicate] = on.split(' ');
      const assertion_time = new Date(Date.now() - age * day).toISOString().slice(0, 10);
      return { id, actor_id, subject_id, predicate, value, content, assertion_time };
    };
    const statements = [
      said('c1', 'ministry break deaths', '14', '14 people died.', 568),
      said('c2', 'daily break deaths', '31', 'At least 31 dead.', 568),
      said('c3', 'tv break deaths', '14', 'The ministry says 14.', 568),
      said('c4', 'mp break deaths', '100', 'A hundred died.', 567),
      said('c5', 'mp damm inspected_since_2019', 'false', 'Not inspected since 2019.', 567),
      said('c6', 'operator damm inspected_since_2019', 'true', 'Inspected in March.', 567),
      said('c7', 'operator break caused_by_unprecedented_rain', 'true', 'Unprecedented rain.', 567),
      said('c8', 'weather break caused_by_unprecedented_rain', 'false', 'Rain was ordinary.', 567),
    ];
    const correction = said('c9', 'ministry break deaths', '29', 'We correct: 29.', 560);
    const session = { session_id: 'dam' };
    const question = { ...session, subject_id: 'break', predicate: 'deaths' };
    const story: readonly (readonly [string, Record<string, unknown>])[] = [
      [
        'create_investigation_session',
        {
          ...session,
          name: 'Dam break',
          payload: {
            research_question: 'How many died in the dam break and why?',
            domain: 'News',
            actors: dam,
            subjects: [
              { id: 'break', name: 'Dam break at Lesna', subject_type: 'event' },
              { id: 'damm', name: 'Lesna dam', subject_type: 'structure' },
            ],
            claims: statements,
          },
        },
      ],
      ['judge_investigation_session', session],
      ['explain_verdict', question],
      [
        'update_investigation_session',
        { ...session, claims: [{ ...correction, supersedes_claim_id: 'c1' }] },
      ],
      ['judge_investigation_session', session],
      ['compare_judgements', session],
      ['explain_verdict', question],
      ['set_session_interpretation', { ...session, interpretation: 'The correction to 29 stands.' }],
      ['share_investigation_session', { ...session, public: true }],
    ];
    const bytes = { text: 0, data: 0 };
    for (const [name, args] of story) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      expect([name, isError ?? false]).toEqual([name, false]);
      const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
      const sent = Buffer.byteLength(JSON.stringify(args));
      bytes.text += sent + Buffer.byteLength(text);
      bytes.data += sent + Buffer.byteLength(JSON.stringify(structuredContent));
    }
    expect(Math.max(bytes.text, bytes.data)).toBeLessThanOrEqual(6_000 * 4);
  });
});
