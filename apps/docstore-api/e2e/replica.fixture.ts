import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { leash } from '@platform/testing';

export const MAIN = fileURLToPath(new URL('../../../dist/apps/docstore-api/main.js', import.meta.url));

/** A replica of the built service, as a process of its own. */
export interface Replica {
  readonly url: string;
  readonly probeUrl: string;
  readonly process: ChildProcess;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Ends it by SIGTERM and gives its exit code. */
  stop(): Promise<number | null>;
}

/** Runs a command of the service to its end. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } });
  leash(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** What a command writes that goes well, trimmed. Errors: its exit code and what it wrote instead. */
export async function outputOf(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  if (code !== 0) throw new Error(`\`${args.join(' ')}\` ended with ${code}: ${stderr}${stdout}`);
  return stdout.trim();
}

/** Starts `serve` on free deps and waits until it listens. Errors: what it wrote last, when it ends early. */
export async function startReplica(env: Record<string, string>): Promise<Replica> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...process.env, DOCSTORE_PORT: '0', DOCSTORE_PROBE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  leash(child);
  let tail = '';
  child.stderr.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-2000)));
  const { port, probePort } = await new Promise<{ port: number; probePort: number }>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the replica ended with ${code}: ${tail}`)));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; port: number; probe_port: number };
      if (entry.msg !== 'listening') return;
      lines.close();
      child.stdout.resume();
      resolve({ port: entry.port, probePort: entry.probe_port });
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await gone)[0];
  };
  return {
    url: `http://127.0.0.1:${port}`,
    probeUrl: `http://127.0.0.1:${probePort}`,
    process: child,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
