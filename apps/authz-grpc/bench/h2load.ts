import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { Round } from './load.ts';
import { processorMicros } from './processor-time.ts';

const run = promisify(execFile);

/** One gRPC call, again and again. */
export interface Shot {
  /** Host and port, with a colon between them. */
  readonly address: string;
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly message: Uint8Array;
  readonly token?: string;
}

/** A round of load, with the processor time that it cost. */
export interface PricedRound extends Round {
  /** Microseconds a call, by program. */
  readonly micros: ReadonlyMap<string, number>;
}

/** Makes the call once and returns the message of the response. Errors: those of the call. */
export function callOnce({ address, path, message, token }: Shot): Promise<Buffer> {
  const client = new Client(address, credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  const asIs = (bytes: Buffer) => bytes;
  return new Promise<Buffer>((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, Buffer.from(message), metadata, {}, (error, answer) =>
      error === null ? resolve(answer as Buffer) : reject(error),
    );
  }).finally(() => client.close());
}

/**
 * Fires each shot over a connection of its own, `streams` calls in flight on each, `calls` in all. h2load
 * counts a refusal as a success, so a round fails unless every response holds the `bytes` of a good one.
 */
export async function fire(
  h2load: string,
  shots: readonly Shot[],
  { calls, streams, bytes }: { readonly calls: number; readonly streams: number; readonly bytes: number },
): Promise<PricedRound> {
  const folder = await mkdtemp(join(tmpdir(), 'h2load-'));
  try {
    const each = Math.ceil(calls / shots.length);
    const before = processorMicros();
    const startedAt = performance.now();
    const logs = await Promise.all(
      shots.map(async ({ address, path, message, token }, at) => {
        const [body, log] = [join(folder, `${at}.bin`), join(folder, `${at}.log`)];
        await writeFile(body, framed(message));
        const { stdout } = await run(h2load, [
          `--requests=${each}`,
          '--clients=1',
          '--threads=1',
          `--max-concurrent-streams=${streams}`,
          `--data=${body}`,
          `--log-file=${log}`,
          '--header=content-type: application/grpc',
          '--header=te: trailers',
          ...(token === undefined ? [] : [`--header=authorization: Bearer ${token}`]),
          `http://${address}${path}`,
        ]);
        const octets = Number(/traffic: .*\((\d+)\) data$/m.exec(stdout)?.[1]);
        if (octets !== each * (bytes + FRAME_BYTES) || !stdout.includes(`${each} succeeded, 0 failed`))
          throw new Error(`responses are not those of a good call: ${octets} octets of data\n${stdout}`);
        return readFile(log, 'utf8');
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const after = processorMicros();
    const times = logs
      .flatMap((log) => log.trim().split('\n'))
      .map((line) => Number(line.split('\t')[2]) / 1000)
      .sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * (times.length - 1))] as number;
    const fired = each * shots.length;
    const micros = new Map(
      [...after].map(([program, spent]) => [program, (spent - (before.get(program) ?? 0)) / fired]),
    );
    return { perSecond: fired / seconds, p50: at(0.5), p99: at(0.99), micros };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const FRAME_BYTES = 5;

/** A message as gRPC frames it: not compressed, its length in four octets. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, FRAME_BYTES);
  return frame;
}
