import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { findZsh } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import packageFile from '../package.json' with { type: 'json' };
import { completionScript } from './completion.ts';
import { buildProgram } from './program.ts';

const build = (out: string[] = []) =>
  buildProgram({ env: {}, out: (text) => void out.push(text), setExitCode: () => undefined });
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

it('platform prints its version with --version', async () => {
  const written: string[] = [];
  const program = build().configureOutput({ writeOut: (text) => void written.push(text) });
  await expect(program.parseAsync(['--version'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  expect(written).toEqual([`${packageFile.version}\n`]);
});

it('every command and option of platform has a description', () => {
  const program = build();
  const commands = allOf(program).filter((command) => command.description() === '');
  const options = allOf(program).flatMap((command) =>
    command.options.filter((option) => !option.description),
  );
  expect([commands.map((command) => command.name()), options.map(({ long }) => long)]).toEqual([[], []]);
});

it('a mistyped option is answered in two lines', async () => {
  const written: string[] = [];
  const program = build();
  for (const command of allOf(program))
    command.configureOutput({ writeErr: (text) => void written.push(text) });
  await program.parseAsync(['whoami', '--nope'], { from: 'user' }).catch(() => undefined);
  expect(written.join('').trimEnd().split('\n')).toEqual([
    "error: unknown option '--nope'",
    'Add --help for the options and arguments.',
  ]);
});

/** How each shell lists what it completes; zsh keeps those that begin with the word afterwards. */
const LISTS = {
  bash: `_platform; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: 'compgen -F _platform -- "$COMP_WORDS[-1]" | grep -e "^$COMP_WORDS[-1]"',
} as const;

it.each(
  [
    ['platform pol', 'policies'],
    ['platform policies pu', 'put'],
    ['platform policies put some-file --dr', '--dry-run'],
    ['platform --json users act', 'activate'],
    ['platform completion ', 'bash zsh fish --help'],
    ['platform completion z', 'zsh'],
  ].flatMap(([line = '', words = '']) => [['bash', line, words] as const, ['zsh', line, words] as const]),
)('the %s completion of `%s` is %s', async (shell, line, completed) => {
  covers('AUTHZ-CLI.70');
  const words = line.split(' ');
  const script = `${completionScript(build(), shell)}
COMP_WORDS=(${words.map((one) => `'${one}'`).join(' ')}); COMP_CWORD=${words.length - 1}
${LISTS[shell]}`;
  const [program, flags] = shell === 'zsh' ? [await findZsh(), '-fc'] : ['bash', '-c'];
  const ran = spawnSync(program, [flags, script], { encoding: 'utf8' });
  expect([ran.stderr, ran.stdout.trim().split(/\s+/)]).toEqual(['', completed.split(' ')]);
});

it('completion scripts exist for bash, zsh and fish', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const out: string[] = [];
    await build(out).parseAsync(['completion', shell], { from: 'user' });
    expect(out.join('\n')).toContain('platform');
  }
});

it.each(['apps/authz-cli/README.md', 'apps/authz-grpc/README.md'])(
  'every command line of platform in %s names commands and options that exist',
  (readme) => {
    const program = build();
    const text = readFileSync(join(import.meta.dirname, '../../..', readme), 'utf8');
    const lines = [...text.matchAll(/^(?:PLATFORM_\w+=\S+ )?platform (.*?)(?: #.*)?$/gm)].map(
      ([, line]) => line ?? '',
    );
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      let command: Command = program;
      for (const word of line.split(' ')) {
        const next = command.commands.find((one) => one.name() === word);
        if (next === undefined) break;
        command = next;
      }
      const options = line.match(/--[a-z-]+/g) ?? [];
      const known = [...command.options, ...program.options].map(({ long }) => long);
      expect([line, command === program, options.filter((option) => !known.includes(option))]).toEqual([
        line,
        false,
        [],
      ]);
    }
  },
);
