import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHZ_SETTINGS, startBuiltService } from '@platform/testing';
import { exitCodeOf } from '../src/exit-codes.ts';
import { errorText } from '../src/output.ts';
import { buildProgram } from '../src/program.ts';

/** What a command printed, what it said on standard error, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command of the command line; with `columns`, as in a terminal of this width. */
export async function runPlatform(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  columns?: number,
): Promise<Ran> {
  const out: string[] = [];
  let code = 0;
  let error = '';
  const terminal = {
    env,
    out: (text: string) => void out.push(text),
    note: (text: string) => void (error += text),
    setExitCode: (value: number) => (code = value),
    ...(columns === undefined ? {} : { columns }),
  };
  await buildProgram(terminal)
    .configureOutput({ writeErr: () => undefined })
    .parseAsync([...args], { from: 'user' })
    .catch((reason: unknown) => {
      code = exitCodeOf(reason);
      error += errorText(reason, false);
    });
  return { code, out: out.join('\n'), error };
}

/** The service as a process of its own, and the command line with its own configuration. */
export async function startCommandLine() {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  const service = await startBuiltService('authz-grpc', {
    ...AUTHZ_SETTINGS,
  });
  const env: Record<string, string> = {
    PLATFORM_PASSWORD: 'correct horse battery staple',
    PLATFORM_ADDRESS: `127.0.0.1:${service.ports['grpc_port']}`,
    PLATFORM_CONFIG: join(folder, 'config.json'),
  };

  const platform = (args: readonly string[], more: Record<string, string> = {}, columns?: number) =>
    runPlatform({ ...env, ...more }, args, columns);

  return {
    folder,
    env,
    url: `http://127.0.0.1:${service.ports['http_port']}`,
    platform,
    json: async <T>(args: readonly string[]) => JSON.parse((await platform(['--json', ...args])).out) as T,
    stop: async () => {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
