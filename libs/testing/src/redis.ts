import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CertificateFiles } from './certificates.ts';
import { startContainer } from './docker.ts';
import { aptInstall, findProgram, freePort, startProgram, temporaryFolder } from './program.ts';
import { takeFirst } from './tier.ts';

/** A real Redis. `stop` ends it if it was started here; one named by TEST_REDIS_URL is left running. */
export interface Redis {
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const HOW_TO = 'set TEST_REDIS_URL=redis://…, or install it: apt-get install redis-server';

/**
 * A real Redis: `TEST_REDIS_URL`; a container, if a Docker engine responds; the machine's own `redis-server`
 * on a free port in a temporary folder; `apt-get install` as root on Debian. npm ships no Redis. Prints which
 * it took. Errors: PartUnavailable, saying how to get one.
 */
export function startRedis(
  env: Record<string, string | undefined> = process.env,
  /** PEM files of a server that takes connections over TLS alone; it is started on this machine then. */
  tls?: CertificateFiles,
): Promise<Redis> {
  return takeFirst<Redis>(
    'redis',
    [
      ...(tls === undefined
        ? [
            { name: 'TEST_REDIS_URL', get: () => fromUrl(env['TEST_REDIS_URL']) },
            { name: 'testcontainers', get: fromContainer },
          ]
        : []),
      { name: 'program on this machine', get: () => fromProgram(tls) },
      {
        name: 'apt-get install redis-server',
        get: async () => ((await aptInstall('redis-server')) ? fromProgram(tls) : null),
      },
    ],
    HOW_TO,
  );
}

async function fromUrl(url: string | undefined): Promise<Redis | null> {
  if (!url) return null;
  const { hostname, port } = new URL(url);
  const reached = { host: hostname, port: Number(port || 6379) };
  await reachRedis(reached);
  return { url, port: reached.port, stop: async () => undefined };
}

async function fromContainer(): Promise<Redis | null> {
  const container = await startContainer({ image: 'redis:7-alpine', port: 6379 });
  if (!container) return null;
  return { url: `redis://${container.host}:${container.port}`, port: container.port, stop: container.stop };
}

async function fromProgram(tls?: CertificateFiles): Promise<Redis | null> {
  const command = findProgram(['redis-server']);
  if (command === null) return null;
  const folder = await temporaryFolder('redis-');
  const port = await freePort();
  const started = await startProgram({
    command,
    args: [
      ...redisArguments(port, folder),
      ...(tls === undefined
        ? []
        : ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no']
            .concat('--tls-cert-file', tls.cert, '--tls-key-file', tls.key)
            .concat('--tls-ca-cert-file', tls.cert)),
    ],
    folder,
    stopSignal: 'SIGTERM',
    probe: () => reachRedis({ host: '127.0.0.1', port }, tls !== undefined),
  });
  const scheme = tls === undefined ? 'redis' : 'rediss';
  return { url: `${scheme}://127.0.0.1:${port}`, port, stop: started.stop };
}

/**
 * Arguments of a Redis on `port` of this machine that keeps nothing on disk; whatever it might write goes to
 * `folder`.
 */
export function redisArguments(port: number, folder: string): string[] {
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/**
 * Resolves once something that speaks the Redis protocol replies to PING, a refusal for lack of a password
 * included.
 */
export function reachRedis(address: { host: string; port: number }, overTls = false): Promise<void> {
  return new Promise((resolve, reject) => {
    // Who is reached is for the test to verify.
    const socket = overTls
      ? connectTls({ ...address, timeout: 5_000, rejectUnauthorized: false })
      : connect({ ...address, timeout: 5_000 });
    socket.once(overTls ? 'secureConnect' : 'connect', () => socket.write('PING\r\n'));
    socket.once('data', (chunk) => {
      socket.destroy();
      if (/^(\+PONG|-NOAUTH)/.test(chunk.toString())) resolve();
      else reject(new Error(`\`${address.host}:${address.port}\` is no Redis`));
    });
    socket.once('timeout', () => socket.destroy(new Error('no response within 5 s')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('connection closed')));
  });
}
