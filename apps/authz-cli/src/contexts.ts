import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { UsageError } from './exit-codes.ts';

const Context = z.object({
  address: z.string(),
  /** PEM files: CAs of the server, and the client's certificate and key. */
  tls_ca: z.string().optional(),
  tls_cert: z.string().optional(),
  tls_key: z.string().optional(),
  token: z.string().optional(),
  user_id: z.string().optional(),
  username: z.string().optional(),
  tenant_id: z.string().optional(),
  /** Domain that commands work on unless they name another. */
  domain_id: z.string().optional(),
});
const File = z.object({ current: z.string(), contexts: z.record(z.string(), Context) });

/** The address of a server and the login to it. */
export type Context = z.output<typeof Context>;
export type ContextsFile = z.output<typeof File>;

export const DEFAULT_ADDRESS = '127.0.0.1:50051';

/** `PLATFORM_CONFIG`, else `$XDG_CONFIG_HOME/platform/config.json`. */
export function contextsPath(env: NodeJS.ProcessEnv): string {
  return (
    env['PLATFORM_CONFIG'] ??
    join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'platform', 'config.json')
  );
}

/**
 * The contexts kept in the file; a `default` one when there is no file. Throws UsageError for a file that is
 * broken.
 */
export async function readContexts(path: string): Promise<ContextsFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { current: 'default', contexts: { default: { address: DEFAULT_ADDRESS } } };
  }
  try {
    return File.parse(JSON.parse(text));
  } catch {
    throw new UsageError(
      `${path} is not a contexts file: name another with PLATFORM_CONFIG, or remove it if it was one, and log in again`,
    );
  }
}

/** Names that a context may get. */
export const CONTEXT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The context of this name; undefined for none. */
export function keptContext({ contexts }: ContextsFile, name: string): Context | undefined {
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined;
}

/** Replaces the file as a whole. It holds tokens, so nobody but its owner reads it. */
export async function writeContexts(path: string, file: ContextsFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await chmod(next, 0o600);
  await rename(next, path);
}
