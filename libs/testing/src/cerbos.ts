import { execFile } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder, unpackFromNpm } from './fetched-tool.ts';
import { findProgram, freePort, startProgram, temporaryFolder } from './program.ts';
import { takeFirst } from './tier.ts';

const PACKAGE = '@cerbos/cerbos-linux-x64';
const VERSION = '0.55.0';

/**
 * Path of Cerbos' server, to measure beside: `CERBOS_PATH`; a program on the machine; the one that an npm
 * package carries, fetched once into the temporary folder (96 MB), never a dependency of the project. Errors:
 * PartUnavailable, saying how to get one.
 */
function findCerbos(env: Record<string, string | undefined>): Promise<string> {
  return takeFirst<string>(
    'cerbos',
    [
      { name: 'CERBOS_PATH', get: async () => env['CERBOS_PATH'] || null },
      { name: 'program on this machine', get: async () => findProgram(['cerbos']) },
      { name: `npm ${PACKAGE}`, get: fromNpm },
    ],
    'set CERBOS_PATH to the server of Cerbos 0.55 or later',
  );
}

async function fromNpm(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = await cachedFolder(`cerbos-${VERSION}`, async (draft) => {
    const program = await unpackFromNpm(`${PACKAGE}@${VERSION}`, 'cerbos-linux-x64', draft);
    await rename(program, join(draft, 'cerbos'));
    await rm(join(draft, 'package'), { recursive: true });
  });
  return join(folder, 'cerbos');
}

/** A running server of Cerbos. */
interface Cerbos {
  /** Host and port of gRPC. */
  readonly grpc: string;
  readonly version: string;
  stop(): Promise<void>;
}

/**
 * Starts Cerbos over policies, file name → YAML, its decision log kept on disk and nothing sent home. Errors:
 * PartUnavailable; what the server wrote last, when it does not start.
 */
export async function startCerbos(
  policies: ReadonlyMap<string, string>,
  env: Record<string, string | undefined> = process.env,
): Promise<Cerbos> {
  const command = await findCerbos(env);
  const { stdout } = await promisify(execFile)(command, ['--version']);
  const folder = await temporaryFolder('cerbos-');
  await mkdir(join(folder, 'policies'));
  for (const [name, text] of policies) await writeFile(join(folder, 'policies', name), text);
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  await writeFile(
    join(folder, 'conf.yaml'),
    `server: { httpListenAddr: '127.0.0.1:${httpPort}', grpcListenAddr: '127.0.0.1:${grpcPort}', adminAPI: { enabled: false } }
storage: { driver: disk, disk: { directory: ./policies, watchForChanges: false } }
audit: { enabled: true, accessLogsEnabled: false, decisionLogsEnabled: true, backend: local, local: { storagePath: ./audit } }
telemetry: { disabled: true }
`,
  );
  const { stop } = await startProgram({
    command,
    args: ['server', '--config=conf.yaml', '--log-level=warn'],
    folder,
    stopSignal: 'SIGTERM',
    probe: () => reach(grpcPort),
  });
  return { grpc: `127.0.0.1:${grpcPort}`, version: stdout.trim().split(/\s+/)[0] as string, stop };
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
