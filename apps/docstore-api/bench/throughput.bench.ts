import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type BenchRow } from '@platform/testing';
import { perSecond, send, startBareServer, startBenchService } from './bench-service.ts';

const IN_FLIGHT = 32;
const SECONDS = 3;
const ROUNDS = 5;

/** 4 KiB of text as people write it: words of a vocabulary of 2,000. */
function prose(bytes: number): string {
  let text = '';
  for (let state = 1; text.length < bytes;) {
    state = (state * 48271) % 2147483647;
    text += `${(state % 2000).toString(36)}word `;
  }
  return text.slice(0, bytes);
}

/**
 * PUT and GET through the service against their statements, one a request, through pg from a bare node:http
 * server.
 */
export async function run(): Promise<BenchRow[]> {
  const service = await startBenchService();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const contents = prose(4096);
  writeFileSync(join(folder, 'contents'), contents);
  const bare = await startBareServer(service.databaseUrl, join(folder, 'contents'));
  const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
  try {
    const files = await Promise.all(
      Array.from({ length: IN_FLIGHT }, async (_, n) => {
        const made = await send(
          `${service.url}/v1/file`,
          'POST',
          headers,
          JSON.stringify({ filename: `f${n}`, contents }),
        );
        if (made.status !== 201) throw new Error(made.body);
        return {
          id: (JSON.parse(made.body) as { id: string }).id,
          etag: made.headers.etag!,
          filename: `f${n}`,
        };
      }),
    );
    const put = (base: string) => async (loop: number) => {
      const file = files[loop]!;
      const body = JSON.stringify({ filename: file.filename, contents });
      const response = await send(
        `${base}/v1/file/${file.id}`,
        'PUT',
        { ...headers, 'If-Match': file.etag },
        body,
      );
      if (response.status !== 200) throw new Error(`PUT ${response.status} ${response.body}`);
      file.etag = response.headers.etag!;
    };
    const get = (base: string, status: number) => async (loop: number) => {
      const file = files[loop]!;
      const condition: Record<string, string> = status === 304 ? { 'If-None-Match': file.etag } : {};
      const response = await send(`${base}/v1/file/${file.id}`, 'GET', { ...headers, ...condition });
      if (response.status !== status) throw new Error(`GET ${response.status}`);
    };
    /** Rates of rounds in which all take turns, so that whatever else the machine does meets all alike. */
    const measured = async (works: readonly ((loop: number) => Promise<void>)[]) => {
      for (const work of works) await perSecond(IN_FLIGHT, SECONDS, work);
      const rounds: number[][] = works.map(() => []);
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, work] of works.entries())
          rounds[index]!.push(await perSecond(IN_FLIGHT, SECONDS, work));
      }
      return rounds;
    };
    const [ourPut, barePut] = (await measured([put(service.url), put(bare.url)])) as [number[], number[]];
    const [ourGet, bareGet, notModified] = (await measured([
      get(service.url, 200),
      get(bare.url, 200),
      get(service.url, 304),
    ])) as [number[], number[], number[]];
    /** The median of the ratios of the rounds. */
    const row = (name: string, ours: number[], theirs: number[], least: number): BenchRow => {
      const value = median(ours.map((rate, round) => rate / theirs[round]!));
      const detail =
        `${Math.round(median(ours))}/s ÷ ${Math.round(median(theirs))}/s, ${IN_FLIGHT} in flight, ` +
        `median of ${ROUNDS} rounds of ${SECONDS} s`;
      return { name, value, unit: '×', target: `≥ ${least}`, pass: value >= least, detail };
    };
    return [
      row('PUT 4 KiB with If-Match ÷ the same statement from a bare server', ourPut, barePut, 0.6),
      row('GET 4 KiB by id ÷ one statement a request from a bare server', ourGet, bareGet, 0.5),
      row('conditional GET (304) ÷ GET', notModified, ourGet, 1),
    ];
  } finally {
    bare.stop();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}
