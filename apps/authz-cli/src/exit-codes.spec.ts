import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { exitCodeOf } from './exit-codes.ts';
import { buildProgram } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'platform-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the command ends with where no service answers. */
async function run(args: string[], env: Record<string, string> = {}) {
  let code = 0;
  const terminal = {
    env: {
      PLATFORM_CONFIG: join(folder, 'none.json'),
      PLATFORM_ADDRESS: '127.0.0.1:1',
      PLATFORM_PASSWORD: 'x',
      ...env,
    },
    out: () => undefined,
    setExitCode: (value: number) => (code = value),
  };
  await buildProgram(terminal)
    .configureOutput({ writeErr: () => undefined })
    .parseAsync(args, { from: 'user' })
    .catch((error: unknown) => (code = exitCodeOf(error)));
  return code;
}

it('8 when no service answers', async () => {
  expect(await run(['login', 'alice'])).toBe(8);
});

it.each<[string, string[], Record<string, string>]>([
  ['the config file cannot be read', ['whoami'], { PLATFORM_CONFIG: folder }],
  ['the policy file is not there', ['policies', 'validate', join(folder, 'none.yaml')], {}],
  ['a number is larger than there may be', ['audit', 'tail', '--tenant', 'x', '--limit', '5000000000'], {}],
  ['a number is smaller than there may be', ['audit', 'tail', '--tenant', 'x', '--limit', '0'], {}],
  ['a duration is larger than there may be', ['login', 'alice', '--duration', '99999999999'], {}],
])('2 when %s', async (_what, args, env) => {
  expect(await run(args, env)).toBe(2);
});

it.each([
  ['one JSON object with --json', ['--json'], /^\{"error":\{"message":".+"\}\}\n$/],
  ['text without it', [], /^platform: .+\n$/],
])('an error of the program is %s, on standard error alone', (_what, option, expected) => {
  const program = fileURLToPath(new URL('platform.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', program, ...option, 'whoami'],
    { env: { PATH: process.env['PATH'], PLATFORM_CONFIG: folder }, encoding: 'utf8' },
  );
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(expected)]);
});
