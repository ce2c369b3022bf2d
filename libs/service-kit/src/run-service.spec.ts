import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { parseArgs } from 'node:util';
import { covers } from '@platform/testing/covers';
import { defineConfig, listen, portSetting, runService, UsageError, type Program } from './index.ts';

let status = { pending: [] as string[], edited: [] as string[], failed: [] as string[] };
const settled: [string, string][] = [];
const CONFIG = defineConfig({
  prefix: 'T',
  settings: { T_PROBE_PORT: portSetting().default(1) },
  contradictions: ({ probePort }) => (probePort === 9 ? ['T_PROBE_PORT: must not be 9'] : []),
});

const FAULT = { dependency: 'postgres', setting: 'DATABASE_URL' };
const PROGRAM: Program<{ readonly probePort: number }> = {
  name: 'sample',
  version: '1.2.3',
  config: CONFIG,
  start: () => {
    return Promise.reject(Object.assign(new Error('the store is unavailable'), FAULT));
  },
  revision: () => 'abc',
  migrations: () => ({
    apply: () => Promise.resolve(['1_init', '2_more']),
    status: () => Promise.resolve(status),
    resolve: async (name, outcome) => void settled.push([name, outcome]),
  }),
  probe: ({ probePort }) => ({ host: '0.0.0.0', port: probePort }),
  commands: {
    fail: { help: 'fail', run: () => Promise.reject(new Error('the work failed')) },
    reach: { help: 'reach', run: () => Promise.reject(Object.assign(new Error('refused'), FAULT)) },
    count: { help: 'count', run: ({ probePort }) => Promise.resolve(probePort) },
    greet: {
      usage: '--name <text>',
      help: 'greet',
      async run(_config, args) {
        const { values } = parseArgs({ args, options: { name: { type: 'string' } } });
        if (values.name === undefined) throw new UsageError('--name: must be given');
      },
    },
  },
};

interface Ended {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

/** What a command line prints, and the exit code it ends with. */
async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const ended = { code: undefined as unknown, out: '', err: '' };
  await runService(PROGRAM, {
    argv: ['node', 'main.js', ...args],
    env,
    stdout: { write: (text) => (ended.out += text), on: () => undefined },
    stderr: { write: (text) => (ended.err += text), on: () => undefined },
    set exitCode(code: number | string | null | undefined) {
      ended.code = code;
    },
    exit: ((code: number) => (ended.code = code)) as (code: number) => never,
  });
  return ended;
}

describe('the command line of a service', () => {
  covers('PLAT-C.3');
  it.each([['version'], ['--version'], ['serve', '--version']])(
    '`%s` prints the version without reading settings',
    async (...args) => {
      expect(await run(args, { T_PROBE_PORT: 'x' })).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    },
  );

  it('--help lists every command', async () => {
    const { code, out } = await run(['--help']);
    expect([code, out.split('\n')[0]]).toEqual([0, 'usage: sample [command] [--print-config]']);
    for (const name of [
      'serve',
      'migrate [--distributed',
      'healthcheck',
      'version',
      'count',
      'greet --name <text>',
    ])
      expect(out).toContain(`\n  ${name}`);
  });

  it('--print-config prints the settings, whatever the command', async () => {
    expect(await run(['migrate', '--print-config'])).toEqual({ code: 0, out: 'T_PROBE_PORT=1\n', err: '' });
  });

  it.each([
    [['serve', '--port=1'], '`serve` takes no `--port=1`'],
    [['count', '--fix', '--print-config'], '`count` takes no `--fix`'],
    [['--nonsense'], 'unknown command `--nonsense`'],
    [['toString'], 'unknown command `toString`'],
  ])('the command line refuses %j with exit code 2 and the usage', async (args, message) => {
    const { code, out, err } = await run(args);
    const [first, usage] = err.split('\n');
    expect([code, out, first, usage]).toEqual([2, '', message, 'usage: sample [command] [--print-config]']);
  });

  it.each([
    [['greet'], '--name: must be given\n'],
    [['greet', '--nam=x'], expect.stringContaining("Unknown option '--nam'")],
  ])('a command that refuses its arguments exits with 2: %j', async (args, err) => {
    expect(await run(args)).toMatchObject({ code: 2, err });
  });

  it('bad settings exit with 2 and any other failure with 1', async () => {
    expect(await run([], { T_PROBE_PORT: 'x' })).toMatchObject({
      code: 2,
      err: 'T_PROBE_PORT: must be a whole number\n',
    });
    expect(await run(['fail'])).toMatchObject({ code: 1, err: 'the work failed\n' });
    expect(await run(['reach'])).toMatchObject({ code: 1, err: 'DATABASE_URL: refused\n' });
  });

  it('what ends a start is one JSON line that names the dependency and the setting at fault', async () => {
    covers('PLAT-O.14');
    const { code, err } = await run(['serve']);
    expect([code, err.split('\n').length]).toEqual([1, 2]);
    expect(JSON.parse(err)).toMatchObject({
      level: 'fatal',
      service: 'sample',
      dependency: 'postgres',
      setting: 'DATABASE_URL',
      msg: 'the store is unavailable',
      err: { message: 'the store is unavailable' },
    });
  });

  it('settings are checked against one another for `serve` alone', async () => {
    expect(await run(['serve'], { T_PROBE_PORT: '9' })).toMatchObject({ code: 2 });
    expect(await run(['migrate'], { T_PROBE_PORT: '9' })).toMatchObject({ code: 0 });
  });

  it('`migrate` names the migrations it applied', async () => {
    expect(await run(['migrate'])).toEqual({ code: 0, out: 'applied 1_init, 2_more\n', err: '' });
  });

  it.each([
    [{}, 0, 'up to date\n'],
    [{ pending: ['3_next'] }, 3, 'pending 3_next\n'],
    [{ pending: ['3_next'], failed: ['2_cut'] }, 1, 'pending 3_next\nunfinished 2_cut\n'],
    [{ edited: ['1_init'] }, 1, 'edited 1_init\n'],
  ])('`migrate --status` reports %j with exit code %i', async (found, code, out) => {
    covers('PLAT-O.8');
    status = { pending: [], edited: [], failed: [], ...found };
    expect(await run(['migrate', '--status'])).toEqual({ code, out, err: '' });
  });

  it('the command line settles an unfinished migration with `migrate --applied` and `--rolled-back`', async () => {
    status = { pending: [], edited: [], failed: [] };
    await run(['migrate', '--applied', '1_cut']);
    await run(['migrate', '--rolled-back', '2_cut']);
    expect(settled).toEqual([
      ['1_cut', 'applied'],
      ['2_cut', 'rolled-back'],
    ]);
    expect(await run(['migrate', '--status', '--applied', 'x'])).toMatchObject({ code: 2 });
    expect(await run(['migrate', 'now'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/'now'.*\nusage: sample \[command\]/),
    });
  });

  it("a command's exit code is the exit code of the process", async () => {
    expect(await run(['count'], { T_PROBE_PORT: '7' })).toMatchObject({ code: 7 });
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('`healthcheck` of a service whose readiness is %i exits with %i', async (status, code) => {
    const server = createServer((_req, res) => res.writeHead(status).end());
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'none' });
    expect(await run(['healthcheck'], { T_PROBE_PORT: String(port) })).toMatchObject({ code });
    server.closeAllConnections();
    server.close();
  });
});
