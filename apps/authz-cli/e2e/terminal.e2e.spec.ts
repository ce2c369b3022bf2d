import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT_PASSWORD } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { startCommandLine } from './command-line.fixture.ts';
import { PLATFORM } from './guard.fixture.ts';

const ANN = 'correct horse battery staple';
const EVE = 'another horse in the stable';
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

let line: Awaited<ReturnType<typeof startCommandLine>>;

beforeAll(async () => {
  line = await startCommandLine();
  await line.platform(['users', 'create', 'ann', 'ann@example.org']);
  await line.platform(['login', 'ann']);
  await line.platform(['tenants', 'create', 'acme']);
  await line.platform(['use', '--tenant', 'acme']);
  const root = { PLATFORM_PASSWORD: ROOT_PASSWORD };
  await line.platform(['login', 'root', '--save-as', 'root'], root);
  await line.platform(['use', 'default']);
});
afterAll(() => line?.stop());

/** Environment of a command that has no password. */
function environment(more: Readonly<Record<string, string>>) {
  const { PLATFORM_PASSWORD: _password, ...env } = { ...process.env, ...line.env };
  return { ...env, ...more };
}

const shellWords = (args: readonly string[]) => args.map((one) => `'${one}'`).join(' ');

/** A user's part: the question that they wait for, and the keys that they press then. */
type Turn = readonly [question: string, keys: string];

/** Runs a command in a pseudo-terminal of util-linux's `script`; answers its exit code and the screen. */
async function inTerminal(args: readonly string[], turns: readonly Turn[], more = {}) {
  const command = shellWords([process.execPath, PLATFORM, ...args]);
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: environment(more) });
  let screen = '';
  let seen = 0;
  const left = [...turns];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    screen += part;
    const [question, keys] = left[0] ?? [];
    const at = question === undefined ? -1 : screen.indexOf(question, seen);
    if (at === -1) return;
    seen = at + question!.length;
    left.shift();
    child.stdin.write(keys!);
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, screen: stripVTControlCharacters(screen).replaceAll('\r', ''), left };
}

/** Every command that takes a password, with what a terminal asks and a user types. */
const COMMANDS: readonly (readonly [args: readonly string[], turns: readonly Turn[]])[] = [
  [
    ['users', 'create', 'eve', 'eve@example.org'],
    [
      ['New password: ', `${EVE}\r`],
      ['New password again: ', `${EVE}\r`],
    ],
  ],
  [
    ['--context', 'root', 'users', 'set-password', 'eve'],
    [
      ['New password: ', `${ANN}\r`],
      ['New password again: ', `${ANN}\r`],
    ],
  ],
  [['login', 'eve', '--save-as', 'eve'], [['Password: ', `${ANN}\r`]]],
  [
    ['--context', 'eve', 'users', 'set-password'],
    [
      ['Current password: ', `${ANN}\r`],
      ['New password: ', `${EVE}\r`],
      ['New password again: ', `${EVE}\r`],
    ],
  ],
];

it('a terminal is asked for each password that a command needs, and shows none of them', async () => {
  covers('AUTHZ-CLI.41');
  for (const [args, turns] of COMMANDS) {
    const { code, screen, left } = await inTerminal(args, turns);
    expect([args, code, left, screen]).toEqual([args, 0, [], expect.not.stringContaining('horse')]);
  }
});

it('a password that is not given is an error that names its variable and the pipe', async () => {
  covers('AUTHZ-CLI.41');
  for (const [args, [first]] of COMMANDS) {
    const [question] = first!;
    for (const keys of ['\r', CTRL_D])
      expect([args, await inTerminal(args, [[question, keys]])]).toEqual([
        args,
        {
          code: 2,
          left: [],
          screen: expect.stringMatching(
            new RegExp(`${question}\nplatform: no password .*\\bPLATFORM_(NEW_)?PASSWORD\\b`),
          ),
        },
      ]);
  }
});

it('new passwords that differ are refused', async () => {
  covers('AUTHZ-CLI.41');
  const turns: Turn[] = [
    ['New password: ', `${EVE}\r`],
    ['New password again: ', `${ANN}\r`],
  ];
  const { code, screen } = await inTerminal(['users', 'create', 'tom', 'tom@example.org'], turns);
  expect([code, screen]).toEqual([2, expect.stringContaining('platform: the two passwords differ')]);
});

it('Ctrl-C at a question ends every command with exit code 130', async () => {
  covers('AUTHZ-CLI.42');
  const empty = join(line.folder, 'empty.yaml');
  writeFileSync(empty, 'policies: []');
  const put = ['--context', 'default', 'policies', 'put', empty, '--allow-lockout'];
  const question = 'Write it? [y/N] ';
  const all = [...COMMANDS.map(([args, [first]]) => [args, first![0]] as const), [put, question] as const];
  for (const [args, asked] of all) {
    const { code, screen } = await inTerminal(args, [[asked, CTRL_C]]);
    expect([args, code, screen]).toEqual([
      args,
      130,
      expect.stringContaining(`${asked}\nplatform: interrupted`),
    ]);
  }
  const no = await inTerminal(put, [[question, CTRL_D]]);
  expect([no.code, no.screen]).toEqual([2, expect.stringContaining('nothing was written')]);
  const yes = await inTerminal(put, [[question, 'y\r']]);
  expect([yes.code, yes.screen]).toEqual([0, expect.stringContaining('0 policies written')]);
});

it('a password that comes late through a pipe is waited for', async () => {
  covers('AUTHZ-CLI.41');
  const child = spawn(process.execPath, [PLATFORM, 'login', 'ann'], {
    env: environment({ NODE_DEBUG: 'stream' }),
  });
  let error = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    // Standard input is open, and nothing is in it yet.
    if (error === '') setImmediate(() => child.stdin.end(`${ANN}\r\n`));
    error += part;
  });
  const [code] = (await once(child, 'close')) as [number];
  expect([code, error]).toEqual([0, expect.not.stringContaining('EAGAIN')]);
});

it('a tenant is deleted after a yes in a terminal, and with --yes without a question', async () => {
  covers('AUTHZ-CLI.46');
  const command = ['--context', 'root', 'tenants', 'delete', 'doomed'];
  const question = 'delete the tenant `doomed` with everything in it? [y/N] ';
  const create = async () => line.platform(['--context', 'default', 'tenants', 'create', 'doomed']);
  expect(await create()).toMatchObject({ code: 0 });
  const no = await inTerminal(command, [[question, '\r']]);
  expect(no).toMatchObject({
    code: 2,
    screen: expect.stringMatching(/platform: nothing was deleted; add --yes to delete without a question\n$/),
  });
  expect(await inTerminal(command, [[question, 'y\r']])).toMatchObject({ code: 0, left: [] });
  for (const run of [() => inTerminal([...command, '--yes'], []), () => line.platform(command)]) {
    expect(await create()).toMatchObject({ code: 0 });
    expect(await run()).toMatchObject({ code: 0 });
  }
});
