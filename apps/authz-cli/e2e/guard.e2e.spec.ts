import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { killOnExit, openTcpProxy, ROOT_PASSWORD } from '@platform/testing';
import { UpdateTenantRequest } from '@platform/proto/authz/v1/tenant';
import { covers } from '@platform/testing/covers';
import { ATTACKS } from './guard-attacks.fixture.ts';
import {
  LENIENT_SERVER,
  PLATFORM,
  policy,
  startAuthority,
  startGuarded,
  type Authority,
  type Done,
  type GuardedServer,
  type Json,
} from './guard.fixture.ts';

const textOf = (response: Json): string => {
  const { result, error } = response as {
    result?: { content?: { text: string }[]; isError?: boolean };
    error?: { message: string };
  };
  return error?.message ?? `${result?.isError ? 'error: ' : ''}${result?.content?.[0]?.text ?? ''}`;
};
const SMALL = ['--message-bytes', '65536'];

describe('the guard on stdin and stdout', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await startAuthority();
    const { agent } = authority;
    const object = (path: string) => `svc://${authority.domainId}/mcp/${path}`;
    const subject = agent.id;
    await authority.put([
      policy('connects', 'GLOB', { subject, action: 'connect', object: object('*') }),
      policy('echoes', 'FIXED', {
        subject,
        action: 'call',
        object: object('files/tools/echo'),
      }),
      policy('reads below desk', 'GLOB', {
        subject,
        action: 'call',
        object: object('files/tools/read_file'),
        'mcp.arg.path': '/desk/**',
      }),
      policy('sees read_file', 'FIXED', {
        subject,
        action: 'list',
        object: object('files/tools/read_file'),
      }),
      policy('reads the plan', 'FIXED', {
        subject,
        action: 'read',
        object: object('files/resources/file~3A~2F~2F~2Fdesk~2Fplan'),
      }),
      policy('greets', 'FIXED', {
        subject,
        action: 'get',
        object: object('files/prompts/greet'),
      }),
      policy('all tools', 'GLOB', { subject, action: 'call', object: object('open/tools/*') }),
      policy('none that deletes', 'FIXED', { action: 'call', object: object('open/tools/delete_all') }, true),
      policy('no secrets', 'GLOB', { action: 'call', 'mcp.arg.path': '/etc/**' }, true),
    ]);
  });
  afterAll(() => authority?.stop());

  it('a permitted call reaches the server byte by byte, and its response the client', async () => {
    covers('AUTHZ-MCP.1');
    const guarded = startGuarded(authority, ['--name', 'files']);
    await guarded.request('initialize', {});
    const echoed = await guarded.request('tools/call', { name: 'echo', arguments: { a: 'b' } });
    const read = await guarded.request('tools/call', { name: 'read_file', arguments: { path: '/desk/a' } });
    expect([textOf(echoed), textOf(read)]).toEqual(['executed echo', 'executed read_file']);
    expect(await guarded.end()).toBe(0);
  });

  it('a refused call names the permission and reaches no server', async () => {
    covers('AUTHZ-MCP.1');
    const guarded = startGuarded(authority, ['--name', 'files']);
    const refused = await guarded.request('tools/call', { name: 'delete_all' });
    expect(textOf(refused)).toMatch(
      `error: not permitted: this needs \`call\` on \`svc://${authority.domainId}/mcp/files/tools/delete_all\` (check `,
    );
    expect(guarded.executed()).toEqual([]);
    await guarded.end();
  });

  it('lists show what the caller may use, as the server spelled it', async () => {
    covers('AUTHZ-MCP.2');
    const guarded = startGuarded(authority, ['--name', 'files']);
    const listed = async (method: string, key: string) =>
      ((await guarded.request(method))['result'] as Record<string, Json[]>)[key];
    expect(await listed('tools/list', 'tools')).toEqual([
      { name: 'echo', inputSchema: { type: 'object', maximum: 12 } },
      { name: 'read_file', inputSchema: { type: 'object', maximum: 12 } },
    ]);
    expect(await listed('resources/list', 'resources')).toEqual([
      { uri: 'file:///desk/plan', name: 'file:///desk/plan' },
    ]);
    expect(await listed('resources/templates/list', 'resourceTemplates')).toEqual([]);
    expect(await listed('prompts/list', 'prompts')).toEqual([{ name: 'greet' }]);
    await guarded.end();
    const passing = startGuarded(authority, ['--name', 'files', '--pass', 'resources', '--pass', 'prompts']);
    const names = async (method: string, key: string) =>
      (((await passing.request(method))['result'] as Record<string, Json[]>)[key] ?? []).length;
    expect([await names('resources/list', 'resources'), await names('prompts/list', 'prompts')]).toEqual([
      2, 2,
    ]);
    expect(await names('tools/list', 'tools')).toBe(2);
    await passing.end();
  });

  /** The attacks that make the server do what their sender may not. */
  async function through(guarded: GuardedServer, isBad: (done: Done) => boolean): Promise<string[]> {
    const found: string[] = [];
    let seen = 0;
    for (const { what, line } of ATTACKS) {
      await guarded.probe(line);
      const done = guarded.executed().slice(seen);
      seen += done.length;
      if (done.some(isBad)) found.push(what);
    }
    return found;
  }
  const isForbidden = ({ method, name, arguments: given }: Done) =>
    method !== 'tools/call' || name === 'delete_all' || JSON.stringify(given).includes('etc');

  it('most of the attacks get through to a lenient server without the guard', async () => {
    covers('AUTHZ-MCP.3');
    const bare = startGuarded(authority, [], { direct: true });
    expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
    expect((await through(bare, isForbidden)).length).toBeGreaterThanOrEqual(45);
    await bare.end();
  });

  it.each([
    ['files', () => true],
    ['open', isForbidden],
  ] as const)('none of the attacks on the server `%s` gets through the guard', async (name, isBad) => {
    covers('AUTHZ-MCP.3');
    const guarded = startGuarded(authority, ['--name', name, ...SMALL]);
    expect(await through(guarded, isBad)).toEqual([]);
    // The guard still works, and does so for the same tools.
    expect(textOf(await guarded.request('tools/call', { name: 'echo' }))).toBe('executed echo');
    await guarded.end();
  });

  it('a reused id is refused while its first request has no response', async () => {
    covers('AUTHZ-MCP.3');
    const guarded = startGuarded(authority, ['--name', 'open']);
    const params = { name: 'slow', arguments: { token: 1 } };
    guarded.send(JSON.stringify({ jsonrpc: '2.0', id: 'same', method: 'tools/call', params }));
    await guarded.nextOther();
    const [refused] = await guarded.probe('{"jsonrpc":"2.0","id":"same","method":"tools/list"}');
    expect(refused).toMatchObject({ id: null, error: { code: -32600 } });
    await guarded.end();
  });

  it('progress, cancellation and questions of the server to the client pass', async () => {
    covers('AUTHZ-MCP.4');
    const guarded = startGuarded(authority, ['--name', 'open']);
    const slow = guarded.request('tools/call', { name: 'slow', arguments: { token: 't' } }, 'slow-1');
    expect(await guarded.nextOther()).toMatchObject({ method: 'notifications/progress' });
    guarded.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow-1"}}');
    expect(textOf(await slow)).toBe('cancelled');
    const asked = guarded.request('tools/call', { name: 'ask' });
    const question = await guarded.nextOther();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'who?' } });
    guarded.send(JSON.stringify({ jsonrpc: '2.0', id: question['id'], result: { action: 'accept' } }));
    expect(textOf(await asked)).toBe('the client says {"action":"accept"}');
    await guarded.end();
  });

  it('the server has no credential of the guard in its environment', async () => {
    covers('AUTHZ-MCP.5');
    const guarded = startGuarded(authority, ['--name', 'open']);
    const environment = textOf(await guarded.request('tools/call', { name: 'environment' }));
    expect(environment).toContain('EXECUTED');
    expect([environment.includes('PLATFORM_'), environment.includes(authority.agent.token)]).toEqual([
      false,
      false,
    ]);
    await guarded.end();
  });

  it('each call is an audit row that names the request and the session', async () => {
    covers('AUTHZ-MCP.6');
    const guarded = startGuarded(authority, ['--name', 'files']);
    await guarded.request('tools/call', { name: 'echo', arguments: { a: 'b' } }, 'traced');
    const { events } = await authority.clients.authorization.listAuditEvents(
      { tenantId: authority.tenantId, subject: authority.agent.id, action: 'call', limit: 1, cursor: '' },
      authority.owner,
    );
    const { context } = JSON.parse(events[0]?.detail ?? '{}') as { context: Json };
    expect(context).toMatchObject({ 'mcp.request': 'traced', 'mcp.method': 'tools/call', 'mcp.arg.a': 'b' });
    expect(context['mcp.session']).toMatch(/^[0-9a-f-]{36}$/);
    await guarded.end();
  });

  it('a guard that is killed has passed on no call without a row', async () => {
    covers('AUTHZ-MCP.6');
    const guarded = startGuarded(authority, ['--name', 'files']);
    const calls = 400;
    for (let id = 0; id < calls; id++) {
      guarded.send(
        JSON.stringify({ jsonrpc: '2.0', id: `k${id}`, method: 'tools/call', params: { name: 'echo' } }),
      );
    }
    for (let seen = 0; seen < 20;) {
      await guarded.nextOther();
      seen = guarded.executed().length;
    }
    guarded.process.kill('SIGKILL');
    await guarded.end();
    const rows = new Set<unknown>();
    let cursor = '';
    do {
      const query = { tenantId: authority.tenantId, subject: authority.agent.id, limit: 1_000, cursor };
      const page = await authority.clients.authorization.listAuditEvents(query, authority.owner);
      for (const { detail } of page.events)
        rows.add((JSON.parse(detail) as { context?: Json }).context?.['mcp.request']);
      cursor = page.nextCursor;
    } while (cursor !== '');
    const done = guarded.executed().map(({ id }) => id);
    expect(done.length).toBeGreaterThanOrEqual(20);
    expect(done.filter((id) => !rows.has(id))).toEqual([]);
  });

  it('what cannot be decided is refused without a word of why', async () => {
    covers('AUTHZ-MCP.7');
    const [host = '', port] = authority.address.split(':');
    const proxy = await openTcpProxy({ host, port: Number(port) });
    const guarded = startGuarded(authority, ['--name', 'files', '--timeout-ms', '2000'], {
      env: { PLATFORM_ADDRESS: `127.0.0.1:${proxy.port}` },
    });
    expect(textOf(await guarded.request('tools/call', { name: 'echo' }))).toBe('executed echo');
    await guarded.request('initialize');
    const undecided = 'whether this is permitted could not be decided: try again later';
    for (const part of [async () => proxy.silence(), () => proxy.cut()]) {
      await part();
      expect(textOf(await guarded.request('tools/call', { name: 'echo' }))).toBe(`error: ${undecided}`);
      expect(textOf(await guarded.request('tools/list'))).toBe(undecided);
    }
    expect(guarded.executed().filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    await guarded.end();
  });

  it('the lines of the README put an assistant behind the guard', async () => {
    covers('AUTHZ-MCP.1', 'AUTHZ-MCP.2', 'AUTHZ-CLI.51');
    const { agent, owner, folder, tenantId, clients, address } = authority;
    const { id: domainId } = await clients.domains.createDomain(
      { tenantId, name: 'desk', superiorDomainIds: [] },
      owner,
    );
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, yaml = '', shell = ''] =
      /## Before an MCP server[\s\S]*?```yaml\n([\s\S]*?)```[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
    const fill = (text: string) =>
      text.replaceAll('DOMAIN', domainId).replaceAll('OWNER', owner.id).replaceAll('AGENT,', `${agent.id},`);
    writeFileSync(join(folder, 'guard.yaml'), fill(yaml));
    symlinkSync(LENIENT_SERVER, join(folder, 'server.mjs'));
    writeFileSync(join(folder, 'executed'), '');
    const [put = '', stdio = '', http = ''] = shell.trim().split('\n');
    const env = {
      PATH: process.env['PATH'],
      PLATFORM_CONFIG: join(folder, 'desk.json'),
      AGENT_KEY: agent.token,
      EXECUTED: join(folder, 'executed'),
    };
    const login = { address, token: owner.token, tenant_id: tenantId, domain_id: domainId };
    writeFileSync(env.PLATFORM_CONFIG, JSON.stringify({ current: 'desk', contexts: { desk: login } }));
    const type = (line: string, input?: string) =>
      spawnSync('bash', ['-c', `platform() { node ${PLATFORM} "$@"; }\n${fill(line)}`], {
        cwd: folder,
        env,
        encoding: 'utf8',
        input,
      });
    expect(type(put)).toMatchObject({ status: 0 });
    const calls = ['/desk/plan', '/etc/passwd'].map((path, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'read_file', arguments: { path } },
    }));
    const said = type(stdio, calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
    const texts = said.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json)
      .sort((a, b) => Number(a['id']) - Number(b['id']))
      .map(textOf);
    expect(texts).toEqual([
      'executed read_file',
      expect.stringContaining('error: not permitted: this needs `call` on `svc://'),
    ]);
    const line = fill(http).replace(':8090', ':0').replace('platform ', `exec node ${PLATFORM} `);
    const served = spawn('bash', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    killOnExit(served);
    const [listening] = (await once(served.stdout, 'data')) as [Buffer];
    expect(listening.toString()).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
    served.kill();
    await clients.domains.deleteDomain({ tenantId, domainId }, owner);
  });

  it.each([
    [['mcp-guard'], 'name the command of the server after --, or its address with --url'],
    [['mcp-guard', '--name', 'a/b', '--', 'true'], '--name must be letters, digits'],
    [['mcp-guard', '--pass', 'tools', '--', 'true'], '--pass must be `resources` or `prompts`'],
    [['mcp-guard', '--timeout-ms', 'soon', '--', 'true'], '--timeout-ms must be a whole number'],
    [['mcp-guard', '--timeout-ms', '0', '--', 'true'], '--timeout-ms must be at least 1'],
    [['mcp-guard', '--listen', '127.0.0.1:0', '--', 'true'], '--listen is for a server over HTTP'],
    [['mcp-guard', '--allowed-host', 'x', '--', 'true'], '--allowed-host is for a server over HTTP'],
    [['mcp-guard', '--pass-credential', '--', 'true'], '--pass-credential is for a server over HTTP'],
    [
      ['mcp-guard', '--url', 'ftp://x', '--', 'true'],
      'name either the command of the server after -- or its address with --url, not both',
    ],
    [['mcp-guard', '--url', 'ftp://x'], '--url must be an http or https address'],
    [['mcp-guard', '--url', 'http://x', '--listen', '0.0.0.0:1'], '--listen must be 127.0.0.1, localhost or'],
    [['mcp-guard', '--', '/nowhere/server'], '`/nowhere/server` cannot be started: there is no such command'],
  ])('bad input of %j is named', (args, why) => {
    covers('AUTHZ-MCP.8');
    const env = {
      PATH: process.env['PATH'],
      PLATFORM_ADDRESS: authority.address,
      PLATFORM_TOKEN: authority.agent.token,
      PLATFORM_CONFIG: join(authority.folder, 'config.json'),
    };
    const { status, stderr } = spawnSync(process.execPath, [PLATFORM, ...args], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('the guard keeps serving after the reader of its notes has ended', async () => {
    covers('AUTHZ-MCP.16');
    const guarded = startGuarded(authority, ['--name', 'open']);
    guarded.process.stderr!.destroy();
    for (let round = 0; round < 3; round += 1)
      expect(await guarded.probe('no JSON')).toMatchObject([{ id: null, error: { code: -32700 } }]);
    expect(textOf(await guarded.request('tools/call', { name: 'echo' }))).toBe('executed echo');
    expect(await guarded.end()).toBe(0);
  });

  it('a used-up quota refuses calls and says when it is over', async () => {
    covers('AUTHZ-MCP.7');
    const { clients, tenantId } = authority;
    const guarded = startGuarded(authority, ['--name', 'files']);
    const { token } = await clients.sessions.login({ username: 'root', password: ROOT_PASSWORD });
    const planeOf = (calls: bigint) => ({
      tenant: { id: tenantId, dataPlane: { maxTokens: calls, maxOverage: 0n } },
    });
    await clients.tenants.updateTenant(UpdateTenantRequest.fromPartial(planeOf(0n)), { token });
    expect(textOf(await guarded.request('tools/call', { name: 'echo' }))).toMatch(
      /^error: the rate or quota is used up: try again in \d+ s$/,
    );
    await clients.tenants.updateTenant(UpdateTenantRequest.fromPartial(planeOf(1_000_000n)), { token });
    await guarded.end();
  });
});
