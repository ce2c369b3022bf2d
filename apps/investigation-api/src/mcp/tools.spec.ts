import type { Client } from '@modelcontextprotocol/client';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';
import { analyze, OBJECTS, SOURCES } from '@platform/opinion-fusion';
import { pino } from 'pino';
import { covers } from '@platform/testing/covers';
import { SESSION_OPERATIONS } from '../session-api.ts';
import { createPermissions } from '../access/permissions.ts';
import type { SessionStore } from '../store/session-store.ts';
import { connectClient } from './connected-client.fixture.ts';
import { documentTool } from './docs.ts';
import { DEFAULT_TOOLSETS, parseToolSelection } from './tool-selection.ts';
import type { Tool, ToolDeps } from './tool.ts';
import { SERVICE_TOOLSETS, TOOLSETS } from './tool.ts';
import { selectTools, TOOLS } from './tools.ts';

/** What a client that asks for nothing special puts into its model's context. */
const LIST_BYTES_MAX = 24_000;
const LIST_TOOLS_MAX = 20;
const DEFAULT = selectTools(parseToolSelection(null, null));

const PUBLISHING = ['share_investigation_session', 'update_investigation_session_share'];

/** Calls counted, tool and outcome. */
const counted: string[] = [];

/** Nothing here analyzes or stores; examples.spec.ts and the end-to-end specs do, with the real parts. */
const deps = {
  analysis: { analyze: () => Promise.reject(new Error('secret detail')) },
  sessions: { list: async () => [] } as unknown as SessionStore,
  permissions: createPermissions(null),
  now: () => new Date(0),
  config: { analysisTimeoutMs: 1000, bodyBytesMax: 1000 },
  logger: pino({ level: 'silent' }),
  countCall: (tool: string, outcome: string) => counted.push(`${tool} ${outcome}`),
} as unknown as ToolDeps;
const connect = (tools: readonly Tool[] = TOOLS) => connectClient(deps, { tools });

interface Nested {
  readonly type: unknown;
  readonly items: { readonly properties: Readonly<Record<string, { readonly type: unknown }>> };
}

/** The objects of an investigation, by the list that holds them. */
const LISTED = [
  [null, 'InvestigationInput'],
  ['actors', 'ActorInput'],
  ['subjects', 'SubjectInput'],
  ['claims', 'ClaimInput'],
  ['evidence', 'EvidenceInput'],
  ['inferences', 'InferenceInput'],
  ['distinctions', 'DistinctionInput'],
] as const;

const namesOf = (toolsets: string | null, readOnly: string | null = null) =>
  selectTools(parseToolSelection(toolsets, readOnly)).map((tool) => tool.name);
const textOf = (result: { content: unknown }) => (result.content as { text: string }[])[0]!.text;

describe('arguments of tools', () => {
  it('arguments of tools hold no number beyond the largest, which would be stored as null', async () => {
    covers('INV-E.422');
    const client = await connect();
    const claims = [{ id: 'c' }, { id: 'd', decay_half_life_days: Infinity }];
    const answer = await client.callTool({
      name: 'update_investigation_session',
      arguments: { session_id: 's', claims },
    });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('claims[1].decay_half_life_days: must be a number up to');
  });
});

describe('tool table', () => {
  it('the tool table keeps names, titles and descriptions within the limits of clients', () => {
    for (const tool of TOOLS) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
      expect(tool.title.length).toBeGreaterThan(0);
      expect(tool.description.length).toBeLessThanOrEqual(300);
      expect([tool.name, tool.annotations.openWorldHint]).toEqual([
        tool.name,
        PUBLISHING.includes(tool.name),
      ]);
    }
  });

  it(`the tool table lists the default tools, at most ${LIST_TOOLS_MAX}, in the table's order and in at most ${LIST_BYTES_MAX} bytes`, async () => {
    covers('INV-T.20');
    const client = await connect(DEFAULT);
    const list = await client.listTools();
    expect(list.tools.map((tool) => tool.name)).toEqual(DEFAULT.map((tool) => tool.name));
    expect(list.tools.length).toBeLessThanOrEqual(LIST_TOOLS_MAX);
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(LIST_BYTES_MAX);
  });

  it('the tool table has a tool for every operation on sessions, except two that others include', () => {
    covers('INV-T.15');
    const included = ['get_session_interpretation', /^list_investigation_(?!session)/];
    const expected = SESSION_OPERATIONS.filter(({ isRestOnly }) => !isRestOnly)
      .map(({ operationId }) => operationId)
      .filter((id) => !included.some((other) => (other instanceof RegExp ? other.test(id) : other === id)));
    const others = ['submit_investigation', 'get_docs', 'import_file', 'export_session', 'invite_to_session'];
    expect(TOOLS.map(({ name }) => name).toSorted()).toEqual([...expected, ...others].toSorted());
    for (const entity of ['actor', 'claim', 'subject', 'evidence', 'inference', 'distinction'])
      expect(namesOf('entities')).toEqual(
        expect.arrayContaining(['get', 'upsert', 'delete'].map((verb) => `${verb}_investigation_${entity}`)),
      );
  });

  it('the tool table states for every tool what it may change', () => {
    const hintsOf = (match: RegExp) =>
      TOOLS.filter(({ name }) => match.test(name)).map(
        ({ annotations: { readOnlyHint = false, destructiveHint = false, idempotentHint = false } }) =>
          [readOnlyHint, destructiveHint, idempotentHint].join(),
      );
    expect(new Set(hintsOf(/^(get|list|find|explain|export|compare|preview|submit|validate)_/))).toEqual(
      new Set(['true,false,false']),
    );
    expect(new Set(hintsOf(/^(upsert|update|set|record|apply|import)_/))).toEqual(
      new Set(['false,false,true']),
    );
    expect(new Set(hintsOf(/^(delete|invite)_/))).toEqual(new Set(['false,true,true']));
    expect(new Set(hintsOf(/^(create|add|judge|share)_/))).toEqual(new Set(['false,false,false']));
    const all = hintsOf(
      /^(get|list|find|explain|compare|preview|submit|validate|upsert|update|set|record|apply|import|export|delete|invite|create|add|judge|share|replay)_/,
    );
    expect(all.length).toBe(TOOLS.length);
  });

  it('the tool table advertises every field of the input, nested ones inline', async () => {
    covers('INV-T.1');
    const { tools } = await (await connect()).listTools();
    const schema = JSON.stringify(tools[0]!.inputSchema);
    for (const [object, fields] of Object.entries(OBJECTS)) {
      // find_quote and apply_source_records make these; lists of tools say only that they are there.
      if (['PinnedSource', 'TextSelector', 'ReliabilityRecord'].includes(object)) continue;
      for (const name of Object.keys(fields)) expect(schema).toContain(`"${name}":`);
    }
    expect(schema).not.toContain('$ref');
  });

  it('the tool table allows null wherever the contract does, and states the range of a page', async () => {
    covers('INV-T.1', 'INV-T.6', 'INV-T.8', 'INV-T.13');
    const { tools } = await (await connect()).listTools();
    const field = (tool: string, name: string) =>
      (tools.find((one) => one.name === tool)!.inputSchema.properties as Record<string, { type: unknown }>)[
        name
      ]!;
    for (const [tool, name] of [
      ['create_investigation_session', 'name'],
      ['create_investigation_session', 'payload'],
      ['create_investigation_session', 'session_id'],
      ['judge_investigation_session', 'summary_mode'],
      ['set_session_interpretation', 'interpretation'],
      ['update_investigation_session', 'name'],
    ] as const)
      expect([tool, name, field(tool, name).type]).toEqual([tool, name, [expect.any(String), 'null']]);
    const ofInput = (name: string) => field('submit_investigation', name) as unknown as Nested;
    for (const [list, object] of LISTED) {
      for (const [name, { nullable }] of Object.entries(OBJECTS[object])) {
        const { type } = list === null ? ofInput(name) : ofInput(list).items.properties[name]!;
        expect([object, name, [type].flat().includes('null')]).toEqual([object, name, nullable]);
      }
    }
    expect(field('list_investigation_sessions', 'limit')).toMatchObject({ minimum: 1, maximum: 200 });
    for (const name of ['limit', 'offset', 'updated_after', 'updated_before'])
      expect(field('list_investigation_sessions', name)).toHaveProperty('description');
  });

  it('the README has every toolset, whether it is shown unless asked, over stdio, and about how long its list is', async () => {
    covers('INV-T.16', 'INV-T.28');
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = [...readme.matchAll(/^\| `([a-z]+)` +\| (.+?) +\| (yes|no) +\| ([\d,]+) +\|$/gm)];
    const told = rows.map(([, toolset, tools, shown]) => [
      toolset,
      shown,
      tools!.endsWith('; over HTTP alone'),
    ]);
    const order = (list: unknown[][]) => list.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    const real = TOOLSETS.map((one) => [
      one,
      DEFAULT_TOOLSETS.includes(one) ? 'yes' : 'no',
      SERVICE_TOOLSETS.has(one),
    ]);
    expect(order(told)).toEqual(order(real));
    const lengths = await Promise.all(
      rows.map(async ([, toolset]) => {
        const client = await connect(TOOLS.filter((tool) => tool.toolset === toolset));
        return [toolset, Buffer.byteLength(JSON.stringify(await client.listTools()))] as const;
      }),
    );
    const stated = new Map(rows.map(([, toolset, , , bytes]) => [toolset, Number(bytes!.replace(',', ''))]));
    expect(lengths.filter(([one, length]) => Math.abs(stated.get(one)! - length) > 0.1 * length)).toEqual([]);
  });

  it('the tool table narrows the tools to a selection', () => {
    covers('INV-T.16');
    expect(namesOf('docs')).toEqual(['get_docs']);
    expect(namesOf('all')).toEqual(TOOLS.map(({ name }) => name));
    expect(namesOf(TOOLSETS.join())).toEqual(namesOf('all'));
    expect(namesOf('shares,docs', 'true')).toEqual([
      'preview_investigation_session_share',
      'get_investigation_session_share',
      'list_investigation_session_shares',
      'get_docs',
    ]);
    expect(
      namesOf('all', 'true').filter(
        (name) => !/^(get|list|find|explain|export|compare|preview|submit|validate)_/.test(name),
      ),
    ).toEqual([]);
    expect(
      namesOf(null).filter((name) => /_(actor|claim|subject|evidence|inference|distinction)$/.test(name)),
    ).toEqual([]);
    expect(() => parseToolSelection('docs,nope', null)).toThrow(DomainError);
    expect(() => parseToolSelection(null, 'yes')).toThrow(DomainError);
  });

  it('prompts and resources follow the selected tools', async () => {
    const all = await connect();
    expect((await all.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'structure_sources',
      'red_team_verdict',
      'explain_for_reader',
    ]);
    const docs = await connect(selectTools(parseToolSelection('docs', null)));
    expect((await docs.listPrompts()).prompts).toEqual([]);
    const templates = async (client: Client) =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(await templates(docs)).toEqual(['docs://{tool}']);
    expect(await templates(all)).toEqual([
      'docs://{tool}',
      'investigation://{session_id}',
      'investigation://{session_id}/result',
      'investigation://{session_id}/judgements/{judgement_id}',
    ]);
  });
});

/** The documentation of a tool, put together from its parts. */
async function wholeDocs(client: Client, asked: object): Promise<string> {
  let whole = '';
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const text = textOf(await client.callTool({ name: 'get_docs', arguments: { ...asked, offset } }));
    expect(Buffer.byteLength(text)).toBeLessThan(6_300);
    const next: RegExpExecArray | null = /\nThis is not all .*: ask again with offset (\d+)\.$/.exec(text);
    whole += text.slice(0, next?.index);
    offset = next === null ? undefined : Number(next[1]);
  }
  return whole;
}

describe('get_docs', () => {
  it('get_docs lists every tool with one line when no tool is named', async () => {
    covers('INV-T.2');
    const text = textOf(await (await connect()).callTool({ name: 'get_docs', arguments: {} }));
    for (const { name } of TOOLS) expect(text).toMatch(new RegExp(`^- \`${name}\`: .+$`, 'm'));
  });

  it('get_docs lists tools that the connection has not loaded, with how to load them', async () => {
    covers('INV-T.2');
    const client = await connect(DEFAULT);
    const text = textOf(await client.callTool({ name: 'get_docs', arguments: {} }));
    for (const { name } of TOOLS) expect(text).toMatch(new RegExp(`^- \`${name}\`: .+$`, 'm'));
    expect(text.indexOf('toolsets=all')).toBeLessThan(text.indexOf('upsert_investigation_claim'));
    expect(text.indexOf('get_docs')).toBeLessThan(text.indexOf('toolsets=all'));
    const one = await client.callTool({
      name: 'get_docs',
      arguments: { tool: 'upsert_investigation_claim' },
    });
    expect(textOf(one)).toContain('# upsert_investigation_claim');
  });

  it('a call of a tool that is not loaded is refused with its toolset and the setting that loads it', async () => {
    covers('INV-T.25');
    const client = await connect(DEFAULT);
    const call = { name: 'upsert_investigation_claim', arguments: {} };
    await expect(client.callTool(call)).rejects.toThrow(
      'upsert_investigation_claim is not loaded. It belongs to the toolset entities: connect to /mcp?toolsets=analysis,sessions,shares,docs,entities, or start the stdio command with --toolsets',
    );
    const reading = await connect(selectTools(parseToolSelection(null, 'true')));
    await expect(reading.callTool({ name: 'create_investigation_session', arguments: {} })).rejects.toThrow(
      'connect without read_only, or start the stdio command without --read-only',
    );
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow('not found');
  });

  it('get_docs documents every input field, an example and the response of a tool', async () => {
    covers('INV-T.3');
    const text = await wholeDocs(await connect(), { tool: 'submit_investigation' });
    for (const fields of Object.values(OBJECTS)) {
      for (const [name, field] of Object.entries(fields)) {
        expect(text).toContain(`| \`${name}\` |`);
        expect(text).toContain(field.description);
      }
    }
    expect(text).toContain('"research_question"');
    expect(text).toContain('`truth_status`');
  });

  it('get_docs gives the documentation of every tool in parts of at most 2,000 tokens, which add up to all of it', async () => {
    covers('INV-T.43');
    const client = await connect(TOOLS);
    for (const tool of TOOLS)
      expect(await wholeDocs(client, { tool: tool.name, part: 'all' })).toBe(documentTool(tool));
  });

  it('get_docs says who belongs to each type of source, and how far it is trusted', async () => {
    covers('INV-T.3');
    const client = await connect(TOOLS);
    const docsOf = (tool: string) => wholeDocs(client, { tool });
    for (const [type, { base }] of Object.entries(SOURCES))
      expect(await docsOf('submit_investigation')).toContain(`- ${type}, ${base}: `);
    expect(await docsOf('get_investigation_session')).not.toContain('Choosing a source type');
  });

  it('an address of a resource that there is not gets an error with those there are', async () => {
    const client = await connect();
    const messageOf = (uri: string) =>
      client.readResource({ uri }).then(
        () => 'read',
        (error: Error) => error.message,
      );
    expect(await messageOf('docs://nope')).toContain('docs://submit_investigation');
  });

  it('instructions and the prompt that structures sources say that age takes weight from dated claims', async () => {
    const client = await connect();
    const { messages } = await client.getPrompt({
      name: 'structure_sources',
      arguments: { sources: 'A says so.' },
    });
    for (const text of [client.getInstructions(), JSON.stringify(messages)])
      expect(text).toMatch(/lose weight with age.*set as_of to the time that the question is about/);
  });

  it('get_docs gives an example that is valid and non-trivial', () => {
    const example = TOOLS[0]!.example as InvestigationInput;
    const result = analyze(example, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
    expect(result.warnings).toEqual([]);
    expect(result.subject_results).toMatchObject([{ leading_value: 'true', truth_status: 'True' }]);
  });

  it('get_docs names the existing tools when asked about another', async () => {
    const result = await (await connect()).callTool({ name: 'get_docs', arguments: { tool: 'x' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      `not_found (404): tool: no such tool, there are: ${TOOLS.map(({ name }) => name).join(', ')}`,
    );
  });

  it('documentation is read and completed as a resource and stands in no list that users choose from', async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('docs://'))).toEqual([]);
    const { contents } = await client.readResource({ uri: 'docs://submit_investigation' });
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown' });
    await expect(client.readResource({ uri: 'docs://nope' })).rejects.toMatchObject({ code: -32602 });
    const completion = await client.complete({
      ref: { type: 'ref/resource', uri: 'docs://{tool}' },
      argument: { name: 'tool', value: 'get_d' },
    });
    expect(completion.completion.values).toEqual(['get_document', 'get_docs']);
  });
});

describe('errors', () => {
  it('tool errors show code, status and remedy, and no internals', async () => {
    covers('INV-T.21');
    const result = await (await connect()).callTool({ name: 'submit_investigation', arguments: {} });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toBe(
      'internal (500): internal error, request id r\n' +
        'Remedy: call again; if the error persists, give the request id to the operator of the service.',
    );
  });

  it('tool errors are counted per tool and kind, as successes are', async () => {
    covers('INV-T.21');
    const client = await connect();
    counted.length = 0;
    await client.callTool({ name: 'submit_investigation', arguments: {} });
    await client.callTool({ name: 'get_docs', arguments: { tool: 'nope' } });
    await client.callTool({ name: 'get_docs', arguments: {} });
    expect(counted).toEqual(['submit_investigation internal', 'get_docs not_found', 'get_docs ok']);
  });

  it('a tool call refuses a number beyond the largest there is, by its path', async () => {
    covers('INV-T.21');
    const call = { name: 'submit_investigation', arguments: { claims: [{ reliability: Infinity }] } };
    expect(textOf(await (await connect()).callTool(call))).toMatch(
      /^unprocessable \(422\): claims\[0\]\.reliability: must be a number up to/,
    );
  });

  it('a tool call refuses an input larger than the limit', async () => {
    const call = { name: 'submit_investigation', arguments: { research_question: 'x'.repeat(1001) } };
    expect(textOf(await (await connect()).callTool(call))).toMatch(/^payload_too_large \(413\): /);
  });
});
