import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { covers } from '@platform/testing/covers';
import {
  COMMAND,
  data,
  DEFAULT_TOOLS,
  DEMO,
  ERAS,
  largeInvestigation,
  run,
  SMALL,
  textOf,
} from './mcp-clients.ts';
import type { Era } from './mcp-clients.ts';
import { SERVICE_TOOLSETS } from '../src/mcp/tool.ts';
import { TOOLS } from '../src/mcp/tools.ts';

const IN_MEMORY = { DATABASE_URL: 'pglite:memory://' };

async function connect(
  era: Era,
  args: string[] = [],
  env: Record<string, string> = IN_MEMORY,
): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, ...args], env, stderr: 'ignore' }),
  );
  return client;
}

describe.each(ERAS)('MCP over stdio, protocol %s', (version, era) => {
  it('MCP over stdio lists the tools and judges the demo', async () => {
    covers('INV-T.5');
    const client = await connect(era);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(DEFAULT_TOOLS);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const result = await client.callTool({ name: 'submit_investigation', arguments: DEMO });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ research_question: DEMO['research_question'] });
    await client.close();
  });

  it('MCP over stdio does not respond to a cancelled call, and responds to the next one', async () => {
    const client = await connect(era);
    const cancel = new AbortController();
    // Its response comes long after its first progress: two lines that are read at once would be answered
    // before the cancelling.
    const call = client.callTool(
      { name: 'submit_investigation', arguments: largeInvestigation(20_000) },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(call).rejects.toThrow();
    const next = await client.callTool({ name: 'submit_investigation', arguments: SMALL });
    expect(textOf(next)).toContain('S: p: True');
    await client.close();
  });

  it('MCP over stdio accepts arguments as large as a body may be', async () => {
    covers('INV-L.1');
    const client = await connect(era);
    const research_question = 'q'.repeat(12 * 1024 * 1024);
    const response = await client.callTool({
      name: 'submit_investigation',
      arguments: { ...SMALL, research_question, summary_mode: true },
    });
    expect(textOf(response).length).toBeGreaterThan(0);
    await client.close();
  });

  it('MCP over stdio takes the toolsets by flag or by environment', async () => {
    for (const [args, env] of [
      [['--toolsets', 'docs', '--read-only'], {}],
      [[], { INVESTIGATION_MCP_TOOLSETS: 'docs', INVESTIGATION_MCP_READ_ONLY: 'true' }],
    ] as const) {
      const client = await connect(era, [...args], { ...env });
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['get_docs']);
      await client.close();
    }
  });
});

describe('sessions over stdio', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-stdio-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const env = { INVESTIGATION_DATA_DIR: join(folder, 'data') };
  const session = { session_id: 'Brücke / 1' };

  it('sessions over stdio go from creation to share, and are kept over a restart', async () => {
    covers('INV-T.5');
    const client = await connect({ pin: '2026-07-28' }, ['--toolsets', 'all'], env);
    await client.listTools();
    await data(client, 'create_investigation_session', { ...session, payload: SMALL });
    const claim = { id: 'c2', actor_id: 'a', subject_id: 's', predicate: 'q', value: '7', content: '' };
    await data(client, 'upsert_investigation_claim', { ...session, claim });
    await data(client, 'judge_investigation_session', session);
    const explained = await data(client, 'explain_verdict', { ...session, subject_id: 's', predicate: 'q' });
    expect(explained).toMatchObject({ explanation: { leading_value: '7', leading_claim_id: 'c2' } });
    await data(client, 'set_session_interpretation', { ...session, interpretation: 'seven' });
    const share = await data(client, 'share_investigation_session', { ...session, public: true });
    expect(share.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/share\/[0-9a-f-]{36}\/untitled$/);
    await client.close();

    const again = await connect({ pin: '2026-07-28' }, [], env);
    expect(await data(again, 'get_investigation_session', { ...session, detail: 'full' })).toMatchObject({
      name: 'Untitled',
      interpretation: 'seven',
      payload: { claims: [{ id: 'c' }, claim] },
    });
    const { shares } = await data(again, 'list_investigation_session_shares');
    expect(shares).toEqual([expect.objectContaining({ ...session, is_public: true })]);
    await again.close();
  });

  it('no tool that is listed over stdio responds to its example with what cannot be had there', async () => {
    covers('INV-T.28');
    const client = await connect({ pin: '2026-07-28' }, ['--toolsets', 'all'], IN_MEMORY);
    const { tools } = await client.listTools();
    const responses: Record<string, string> = {};
    for (const { name } of tools) {
      const { example } = TOOLS.find((tool) => tool.name === name)!;
      const response = await client.callTool({ name, arguments: example as Record<string, unknown> });
      if (response.isError === true) responses[name] = textOf(response);
    }
    // In the order of the list some examples come before what they need, or after it is deleted.
    for (const [name, text] of Object.entries(responses))
      expect([name, /^(internal|unavailable) /.test(text)]).toEqual([name, false]);
    expect(Object.values(responses).join('\n')).not.toMatch(
      /INVESTIGATION_|toolset|needs the running service/,
    );
    const listed = new Set(tools.map(({ name }) => name));
    for (const { name, toolset } of TOOLS.filter((tool) => !listed.has(tool.name)))
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(
        `${name} is not loaded. It belongs to the toolset ${toolset}, which needs the running service`,
      );
    await client.close();
  });

  it('the link of a share over stdio opens while the server runs, and says that it opens on this computer alone', async () => {
    covers('INV-T.26');
    const client = await connect({ pin: '2026-07-28' }, [], IN_MEMORY);
    const payload = { ...SMALL, research_question: 'Is the old bridge open?' };
    await data(client, 'create_investigation_session', { ...session, payload });
    await data(client, 'judge_investigation_session', session);
    const shared = await client.callTool({
      name: 'share_investigation_session',
      arguments: { ...session, public: true },
    });
    const { url, warnings } = shared.structuredContent as { url: string; warnings: string[] };
    expect(warnings).toEqual([expect.stringContaining('opens on this computer alone')]);
    expect(textOf(shared)).toContain(warnings[0]);

    const page = await fetch(url);
    const html = await page.text();
    expect([page.status, page.headers.get('content-security-policy') === null]).toEqual([200, false]);
    expect(html).toContain('<title>Is the old bridge open?</title>');
    const loaded = [...html.matchAll(/(?:src|href)="(\/[^"#?]+\.(?:css|js))"/g)].map(([, path]) => path!);
    expect(loaded.length).toBeGreaterThan(1);
    for (const path of [...loaded, `${new URL(url).pathname}.json`, `${new URL(url).pathname}/data.json`])
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200]);
    for (const path of [
      '/',
      '/app',
      '/api/v1/sessions',
      '/mcp',
      '/share/00000000-0000-4000-8000-000000000000/x',
    ])
      expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 404]);

    await data(client, 'share_investigation_session', { ...session, public: false });
    expect((await fetch(url)).status).toBe(404);
    await client.close();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('a server over stdio gives the links of the service that INVESTIGATION_PUBLIC_URL names', async () => {
    covers('INV-T.26');
    const client = await connect({ pin: '2026-07-28' }, [], {
      ...IN_MEMORY,
      INVESTIGATION_PUBLIC_URL: 'https://investigations.example.org',
    });
    await data(client, 'create_investigation_session', { ...session, payload: SMALL });
    await data(client, 'judge_investigation_session', session);
    const share = await data(client, 'share_investigation_session', { ...session, public: true });
    expect(share.url).toMatch(/^https:\/\/investigations\.example\.org\/share\//);
    expect(share).not.toHaveProperty('warnings');
    await client.close();
  });

  it('sessions over stdio in a folder that another process holds are refused, naming the settings, until that process ends', async () => {
    const first = await connect({ pin: '2026-07-28' }, [], env);
    const second = await connect({ pin: '2026-07-28' }, [], env);
    await data(first, 'list_investigation_sessions');
    await expect(data(second, 'list_investigation_sessions')).rejects.toThrow(
      /^unavailable \(503\): .* is open in process \d+.*INVESTIGATION_DATA_DIR.*DATABASE_URL/,
    );
    await data(second, 'submit_investigation', SMALL);
    await first.close();
    const { sessions } = await data<{ sessions: object[] }>(second, 'list_investigation_sessions');
    expect(sessions).toEqual([expect.objectContaining({ id: session.session_id })]);
    await second.close();
  });
});

describe('the stdio command', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const lines = (...messages: unknown[]) =>
    messages
      .map((message) => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
      .join('');

  it('the stdio command writes nothing but JSON-RPC to stdout, whatever it reads', async () => {
    covers('INV-T.5');
    const hostile = [
      'no json',
      '[]',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"submit_investigation","arguments":{"__proto__":1}}}',
      '{"jsonrpc":"2.0","id":3,"method":"nope"}',
    ];
    const ended = await speak(lines(initialize, ...hostile), 3);
    expect(ended.code).toBe(0);
    for (const line of ended.stdout.trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    }
    const ids = ended.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
    expect(ids).toEqual(expect.arrayContaining([1, 2, 3]));
  });

  it('the configurations in the README start the stdio command', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf('## MCP'), readme.indexOf('## Where things are'));
    const configurations = [...section.matchAll(/```json\n(.*?)```/gs)].map(
      ([, json]) => JSON.parse(json!) as Record<string, Record<string, { args?: string[]; url?: string }>>,
    );
    const servers = configurations.map((c) => (c['mcpServers'] ?? c['servers'])!['investigation']!);
    expect(servers.map(({ args, url }) => args?.[0]?.split('/').slice(-3).join('/') ?? url)).toEqual([
      'apps/investigation-api/mcp.js',
      'apps/investigation-api/mcp.js',
      'http://127.0.0.1:8080/mcp',
    ]);
    expect(COMMAND).toMatch(/dist\/apps\/investigation-api\/mcp\.js$/);
  });

  it('the stdio command ends when stdin ends', async () => {
    expect((await run(COMMAND, [], { input: lines(initialize), env: IN_MEMORY })).code).toBe(0);
  });

  it('the stdio command responds to calls that arrived before stdin ended, then ends', async () => {
    const call = (id: number, name: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const input = lines(
      initialize,
      call(2, 'create_investigation_session', { session_id: 's', payload: SMALL }),
      call(3, 'submit_investigation', largeInvestigation(2000)),
    );
    const { code, stdout } = await run(COMMAND, [], { input, env: IN_MEMORY });
    const responses = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result?: { isError?: boolean } });
    expect(code).toBe(0);
    expect(responses.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    for (const { result } of responses) expect(result?.isError ?? false).toBe(false);
  });

  it('the stdio command waits for calls in progress no longer than its drain limit', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'submit_investigation', arguments: largeInvestigation(20_000) },
    };
    const env = { ...IN_MEMORY, INVESTIGATION_DRAIN_MAX_MS: '0' };
    const { code, stdout } = await run(COMMAND, [], { input: lines(initialize, call), env });
    expect(code).toBe(0);
    expect(stdout).not.toContain('"id":2');
  });

  it('the stdio command refuses bad settings with exit code 2, on stderr', async () => {
    const bad = await run(COMMAND, ['--toolsets', 'nope']);
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect(bad.stderr).toContain(
      'analysis, sessions, shares, colleagues, outcomes, watch, entities, documents, files, docs',
    );
    for (const [toolset, need] of SERVICE_TOOLSETS) {
      const { code, stderr } = await run(COMMAND, ['--toolsets', `docs,${toolset}`]);
      expect([code, stderr]).toEqual([
        2,
        `toolset \`${toolset}\` needs the running service (${need}); leave it out over stdio\n`,
      ]);
    }
    expect(await run(COMMAND, ['--toolset', 'docs'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `Unknown option '--toolset'\nusage: investigation-mcp [--toolsets <name,…>|all] [--read-only]\n`,
    });
    const env = { INVESTIGATION_ANALYSIS_TIMEOUT_MS: 'soon' };
    expect(await run(COMMAND, [], { env })).toMatchObject({ code: 2, stdout: '' });
  });

  it('the stdio command whose responses cannot be written ends: with a reason, or at once when the client is gone', async () => {
    covers('PLAT-D.10');
    const full = openSync('/dev/full', 'w');
    const start = (stdout: number | 'pipe', stderr: number | 'pipe') => {
      const child = spawn(process.execPath, [COMMAND], {
        stdio: ['pipe', stdout, stderr],
        env: { PATH: process.env['PATH'], ...IN_MEMORY },
      });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
      return { child, ended: once(child, 'close').then(([code]) => [code as unknown, said]) };
    };
    const refused = start(full, 'pipe');
    refused.child.stdin!.write(lines(initialize));
    const [code, said] = await refused.ended;
    expect([
      code,
      String(said)
        .split('\n')
        .filter((line) => !line.startsWith('{')),
    ]).toEqual([1, ['the responses could not be written: ENOSPC: no space left on device, write', '']]);
    const gone = start('pipe', 'pipe');
    gone.child.stdout!.destroy();
    gone.child.stdin!.write(lines(initialize));
    expect((await gone.ended)[0]).toBe(0);
    // An invalid line is a warning in the log.
    const silent = start('pipe', full);
    let responses = '';
    silent.child.stdout!.on('data', (chunk: Buffer) => (responses += String(chunk)));
    silent.child.stdin!.end(`nonsense\n${lines(initialize)}`);
    expect([(await silent.ended)[0], responses.match(/"id":\d/g)]).toEqual([0, ['"id":1']]);
    closeSync(full);
  });

  /** Sends `input`, waits for `answers` responses, then closes stdin. */
  function speak(input: string, responses: number): Promise<{ code: number | null; stdout: string }> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [COMMAND], {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: { PATH: process.env['PATH'], ...IN_MEMORY },
      });
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += String(chunk);
        if (stdout.match(/"id":\d/g)?.length === responses) child.stdin.end();
      });
      child.once('close', (code) => resolve({ code, stdout }));
      child.stdin.write(input);
    });
  }
});
