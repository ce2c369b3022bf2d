import { fileURLToPath } from 'node:url';
import { runBuiltService, startBuiltService, type BuiltProcess } from '@platform/testing';

export const MAIN = fileURLToPath(new URL('../../../dist/apps/docstore-api/main.js', import.meta.url));

/** A replica of the built service, as a process of its own. */
export interface Replica extends BuiltProcess {
  readonly url: string;
  readonly probeUrl: string;
}

/** Runs a command of the service to its end. */
export const runCommand = (args: readonly string[], env: Record<string, string>) =>
  runBuiltService('docstore-api', args, env);

/** What a command writes that goes well, trimmed. Errors: its exit code and what it wrote instead. */
export async function outputOf(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  if (code !== 0) throw new Error(`\`${args.join(' ')}\` ended with ${code}: ${stderr}${stdout}`);
  return stdout.trim();
}

/**
 * Starts `serve` on free ports and waits until it listens. Errors: what it wrote last, when it ends early.
 */
export async function startReplica(env: Record<string, string>): Promise<Replica> {
  const service = await startBuiltService('docstore-api', env);
  const { port, probe_port: probePort } = service.ports;
  return { ...service, url: `http://127.0.0.1:${port}`, probeUrl: `http://127.0.0.1:${probePort}` };
}
