import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import type { InvestigationInput, InvestigationResult } from '@platform/opinion-fusion';
import { analyze, OBJECTS } from '@platform/opinion-fusion';
import { pino } from 'pino';
import type { AnalysisPool } from '../engine/analysis-pool.ts';
import { buildServer } from './server.ts';
import { parseToolSelection } from './tool-selection.ts';
import type { Tool, ToolDeps } from './tools.ts';
import { selectTools, TOOLS } from './tools.ts';

const LIST_BYTES_MAX = 20_000;

/** Nothing here analyses; the end-to-end specs do, with real workers. */
const analysis: Pick<AnalysisPool, 'analyze'> = {
  analyze: () => Promise.reject(new Error('secret detail')),
};
const deps: ToolDeps = {
  analysis,
  clock: { now: () => new Date(0) },
  config: { analysisTimeoutMs: 1000, bodyBytesMax: 1000 },
  logger: pino({ level: 'silent' }),
};

async function connect(tools: readonly Tool[] = TOOLS): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await buildServer(deps, { tools, caller: null, requestId: 'request-1' }).connect(serverSide);
  const client = new Client({ name: 'spec', version: '1' });
  await client.connect(clientSide);
  return client;
}

const textOf = (result: { content: unknown }) => (result.content as { text: string }[])[0]!.text;

describe('tool table', () => {
  it('keeps names, titles and descriptions within what clients take', () => {
    for (const tool of TOOLS) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
      expect(tool.title.length).toBeGreaterThan(0);
      expect(tool.description.length).toBeLessThanOrEqual(300);
      expect(tool.annotations.openWorldHint).toBe(false);
    }
  });

  it(`lists all tools in the table's order, in at most ${LIST_BYTES_MAX} bytes`, async () => {
    const client = await connect();
    const list = await client.listTools();
    expect(list.tools.map((tool) => tool.name)).toEqual(TOOLS.map((tool) => tool.name));
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(LIST_BYTES_MAX);
  });

  it('advertises every field of the input, nested ones inline (INV-T.1)', async () => {
    const { tools } = await (await connect()).listTools();
    const schema = JSON.stringify(tools[0]!.inputSchema);
    for (const fields of Object.values(OBJECTS)) {
      for (const name of Object.keys(fields)) expect(schema).toContain(`"${name}":`);
    }
    expect(schema).not.toContain('$ref');
  });

  it('narrows the tools to a selection (INV-T.16)', () => {
    expect(selectTools(parseToolSelection('docs', null)).map((tool) => tool.name)).toEqual(['get_docs']);
    expect(selectTools(parseToolSelection('all', 'true'))).toEqual(TOOLS);
    expect(() => parseToolSelection('docs,nope', null)).toThrow(DomainError);
    expect(() => parseToolSelection(null, 'yes')).toThrow(DomainError);
  });
});

describe('get_docs', () => {
  it('lists every tool with one line when no tool is named (INV-T.2)', async () => {
    const text = textOf(await (await connect()).callTool({ name: 'get_docs', arguments: {} }));
    for (const { name } of TOOLS) expect(text).toMatch(new RegExp(`^- \`${name}\`: .+$`, 'm'));
  });

  it('documents every input field, an example and the answer of a tool (INV-T.3)', async () => {
    const call = { name: 'get_docs', arguments: { tool: 'submit_investigation' } };
    const text = textOf(await (await connect()).callTool(call));
    for (const fields of Object.values(OBJECTS)) {
      for (const [name, field] of Object.entries(fields)) {
        expect(text).toContain(`| \`${name}\` |`);
        expect(text).toContain(field.description);
      }
    }
    expect(text).toContain('"research_question"');
    expect(text).toContain('`truth_status`');
  });

  it('gives an example that is valid and says something', () => {
    const example = TOOLS[0]!.example as InvestigationInput;
    const result = analyze(example, { now: new Date('2026-01-01T00:00:00Z') }) as InvestigationResult;
    expect(result.warnings).toEqual([]);
    expect(result.subject_results).toMatchObject([{ leading_value: 'true', truth_status: 'True' }]);
  });

  it('names the tools there are when asked for another', async () => {
    const result = await (await connect()).callTool({ name: 'get_docs', arguments: { tool: 'x' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'not_found (404): tool: no such tool, there are: submit_investigation, get_docs',
    );
  });

  it('offers the same as resources, with completion', async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toEqual(TOOLS.map((tool) => `docs://${tool.name}`));
    const { contents } = await client.readResource({ uri: 'docs://submit_investigation' });
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown' });
    await expect(client.readResource({ uri: 'docs://nope' })).rejects.toMatchObject({ code: -32602 });
    const completion = await client.complete({
      ref: { type: 'ref/resource', uri: 'docs://{tool}' },
      argument: { name: 'tool', value: 'get' },
    });
    expect(completion.completion.values).toEqual(['get_docs']);
  });
});

describe('errors', () => {
  it('shows code, status and remedy, and nothing of the inside', async () => {
    const result = await (await connect()).callTool({ name: 'submit_investigation', arguments: {} });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toBe(
      'internal (500): internal error, request id request-1\n' +
        'Remedy: call again; if it stays, give the request id to whoever runs the service.',
    );
  });

  it('refuses an input larger than the limit', async () => {
    const call = { name: 'submit_investigation', arguments: { research_question: 'x'.repeat(1001) } };
    expect(textOf(await (await connect()).callTool(call))).toMatch(/^payload_too_large \(413\): /);
  });
});
