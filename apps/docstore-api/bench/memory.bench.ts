import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { BenchRow } from '@platform/testing';
import { send, startBenchService } from './bench-service.ts';

const MiB = 1024 * 1024;
const UPLOADS = 32;

/** Largest resident set of a process so far, in MB (proc(5), VmHWM). */
function peakMegabytes(pid: number): number {
  return (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024) / 1e6;
}

/** What 32 uploads of 8 MiB at once take, and whether 100 MB are refused by their declaration. */
export async function run(): Promise<BenchRow[]> {
  const service = await startBenchService();
  const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
  try {
    // Each character is written as an escape of six, so a body of 8 MiB holds a seventh of it in contents.
    const body = (n: number) => {
      const frame = `{"filename":"f${n}","contents":"`;
      const escapes = Math.floor((8 * MiB - frame.length - 2) / 6);
      return `${frame}${'\\u0061'.repeat(escapes)}"}`.padEnd(8 * MiB, ' ');
    };
    const statuses = await Promise.all(
      Array.from(
        { length: UPLOADS },
        async (_, n) => (await send(`${service.url}/v1/file`, 'POST', headers, body(n))).status,
      ),
    );
    const large = 'x'.repeat(64 * 1024 - 1);
    const four = JSON.stringify({ contents: `${large}\n`.repeat(64) }).slice(1);
    const more = await Promise.all(
      Array.from(
        { length: UPLOADS },
        async (_, n) =>
          (await send(`${service.url}/v1/file`, 'POST', headers, `{"filename":"g${n}",${four}`)).status,
      ),
    );
    const all = [...statuses, ...more];
    const created = all.filter((status) => status === 201).length;
    const others = [...new Set(all)].filter((status) => status !== 201);
    const peak = peakMegabytes(service.pid);
    const declared = await new Promise<{ status: number; ms: number }>((resolve, reject) => {
      const start = performance.now();
      const sent = request(
        `${service.url}/v1/file`,
        { method: 'POST', headers: { ...headers, 'Content-Length': 100_000_000 } },
        (response) => {
          resolve({ status: response.statusCode!, ms: performance.now() - start });
          sent.destroy();
        },
      );
      sent.on('error', reject);
      sent.flushHeaders();
    });
    return [
      {
        name: `peak resident memory, ${UPLOADS} uploads of 8 MiB at once, then ${UPLOADS} of 4 MiB contents`,
        value: peak,
        unit: 'MB',
        target: '≤ 600',
        pass: peak <= 600 && created === 2 * UPLOADS,
        detail: `${created} of ${2 * UPLOADS} created${others.length === 0 ? '' : `, others refused with ${others.join(', ')}`}`,
      },
      {
        name: '100 MB declared: status, before a byte of the body was sent',
        value: declared.status,
        unit: '',
        target: '413',
        pass: declared.status === 413,
        detail: `${declared.ms.toFixed(0)} ms`,
      },
    ];
  } finally {
    await service.stop();
  }
}
