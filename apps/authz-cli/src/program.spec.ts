import { expect, it } from '@jest/globals';
import packageFile from '../package.json' with { type: 'json' };
import { buildProgram } from './program.ts';

it('prints its version with --version', async () => {
  const printed: string[] = [];
  const terminal = { env: {}, out: () => undefined, setExitCode: () => undefined };
  const program = buildProgram(terminal).configureOutput({ writeOut: (text) => void printed.push(text) });
  const parsed = program.parseAsync(['--version'], { from: 'user' });
  await expect(parsed).rejects.toMatchObject({ exitCode: 0 });
  expect(printed.join('')).toBe(`${packageFile.version}\n`);
});
