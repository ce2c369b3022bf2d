import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median, type RunBench } from '@platform/testing';
import { startBuilt } from '../e2e/built-service.fixture.ts';

const CLAIMS = 20;
const EXAMPLE = new URL('../../../examples/lk-99.json', import.meta.url);
const MAIN = new URL('../../../dist/apps/investigation-api/main.js', import.meta.url);
/** Enough to keep every worker busy while responses are on their way. */
const CONNECTIONS = 16;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
/** Until then the compilers of two workers are still at it. */
const WARM_UP_REQUESTS = 4_000;
const RATIO_MIN = 0.5;

/** The first claims of a real example, with all that hangs on them. */
function investigation(): string {
  const example = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as {
    claims: { id: string; target_claim_id?: string }[];
    evidence: { claim_id: string }[];
  };
  const claims = example.claims.slice(0, CLAIMS);
  const kept = new Set(claims.map(({ id }) => id));
  return JSON.stringify({
    ...example,
    claims: claims.filter(({ target_claim_id: target }) => target === undefined || kept.has(target)),
    evidence: example.evidence.filter(({ claim_id: claim }) => kept.has(claim)),
    inferences: [],
  });
}

/** Requests a second, all with status 200. */
async function requestsPerSecond(
  url: string,
  body: string,
  headers: Record<string, string>,
  length: { duration: number } | { amount: number },
): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    connections: CONNECTIONS,
    ...length,
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors from ${url}`);
  return requests.average;
}

/**
 * Analyses a second of the built service and of a bare Express 5 echo of the same bodies, in turns:
 * each in a process of its own, the load from this one. Both share the machine's cores with the load.
 */
export const run: RunBench = async () => {
  if (!existsSync(MAIN)) throw new Error('build investigation-api first');
  const body = investigation();
  const echo = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('./echo-server.ts', import.meta.url))],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  const [port] = (await once(echo.stdout, 'data')) as [Buffer];
  const service = await startBuilt({ NODE_ENV: 'production' });
  try {
    const sides = {
      echo: [`http://127.0.0.1:${String(port).trim()}/`, {}],
      analysis: [
        `${service.url}/api/v1/investigations/analyze`,
        { authorization: `Bearer ${service.token}` },
      ],
    } as const;
    for (const [url, headers] of Object.values(sides)) {
      await requestsPerSecond(url, body, headers, { amount: WARM_UP_REQUESTS });
    }
    const rates = { echo: [] as number[], analysis: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of ['echo', 'analysis'] as const) {
        const [url, headers] = sides[side];
        rates[side].push(await requestsPerSecond(url, body, headers, { duration: ROUND_SECONDS }));
      }
    }
    const [echoRate, analysisRate] = [median(rates.echo), median(rates.analysis)];
    const ratio = analysisRate / echoRate;
    return [
      {
        name: `POST analyze, ${CLAIMS} claims ÷ bare Express 5 echo of the same bodies`,
        value: ratio,
        unit: '×',
        target: `≥ ${RATIO_MIN}`,
        pass: ratio >= RATIO_MIN,
        detail:
          `${Math.round(analysisRate)} and ${Math.round(echoRate)} requests/s, medians of ${ROUNDS} alternating rounds of ` +
          `${ROUND_SECONDS} s, ${CONNECTIONS} connections, body ${body.length} bytes`,
      },
    ];
  } finally {
    echo.kill();
    await service.stop();
  }
};
