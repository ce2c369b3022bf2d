import { text } from 'node:stream/consumers';
import { UsageError } from './exit-codes.ts';
import type { Terminal } from './shell.ts';

function given(password: string | null | undefined, ways: string): string {
  if (!password) throw new UsageError(`no password was given: ${ways}`);
  return password;
}

const waysOf = (name: string) => `type it in a terminal, pipe it to standard input, or set ${name}`;

/** The first line of standard input, where that is not a terminal. */
async function firstLine(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split('\n', 1);
  return line.replace(/\r$/, '');
}

/**
 * The password of a user who logs in: `PLATFORM_PASSWORD`, else what is typed in the terminal, else the first
 * line of standard input; on the command line other users would see it. Throws UsageError where it is empty.
 */
export async function readPassword({ env, askSecret }: Terminal): Promise<string> {
  const name = 'PLATFORM_PASSWORD';
  return given(
    env[name] ?? (askSecret === undefined ? await firstLine() : await askSecret('Password')),
    waysOf(name),
  );
}

/** A password to set, of the variable `name`; a terminal is asked twice. Throws as `readPassword`. */
export async function readNewPassword({ env, askSecret }: Terminal, name: string): Promise<string> {
  if (env[name] !== undefined || askSecret === undefined)
    return given(env[name] ?? (await firstLine()), waysOf(name));
  const password = given(await askSecret('New password'), waysOf(name));
  if ((await askSecret('New password again')) !== password)
    throw new UsageError('the two passwords differ: nothing was done');
  return password;
}

/** The password that a user has before they set another. Throws UsageError where it is not given. */
export async function readCurrentPassword({ env, askSecret }: Terminal): Promise<string> {
  return given(
    env['PLATFORM_PASSWORD'] ?? (await askSecret?.('Current password')),
    'set PLATFORM_PASSWORD to the current one, or type it in a terminal',
  );
}
