import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainError } from '@platform/error-contracts';
import { soak } from '@platform/testing/soak';
import { createAnalysisPool } from '../src/engine/analysis-pool.ts';
import { InvestigationResult, InvestigationSummary } from '../src/wire/result-schema.ts';
import { createDocumentStore } from '../src/quotes/document-store.ts';
import { submitInvestigation } from '../src/operations/submit-investigation.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { analyze, startBuilt } from './built-service.fixture.ts';
import { EVERYTHING, mutate, seededRandom } from './mutate.fixture.ts';

/**
 * Spoilt investigations, 20,000 in a whole soak: each gets a verdict in the published shape or 422, never a
 * failure, never a hang. To repeat a failure take its seed and its number.
 */
const IN_FLIGHT = 8;

let service: BuiltService;
const analysis = createAnalysisPool({
  threads: 2,
  queueMax: IN_FLIGHT,
  memoryMiBMax: 512,
  file: new URL('../../../dist/apps/investigation-api/worker.js', import.meta.url),
});
const deps = {
  analysis,
  documents: createDocumentStore({ baseUrl: null, timeoutMs: 1, memoryMiBMax: 64 }),
  now: () => new Date('2026-06-01T12:00:00Z'),
  config: { analysisTimeoutMs: 30_000, bodyBytesMax: 16 * 1024 * 1024, subscriptionsMax: 0, jobsMax: 0 },
} as Parameters<typeof submitInvestigation>[0];

beforeAll(async () => {
  service = await startBuilt({ INVESTIGATION_LOG_LEVEL: 'info' });
});
afterAll(async () => {
  await service?.stop();
  await analysis.close();
});

type Outcome = { status: number; text: string };

async function overHttp(bytes: Uint8Array): Promise<Outcome> {
  const response = await analyze(service, bytes);
  return { status: response.status, text: await response.text() };
}

async function inProcess(bytes: Uint8Array): Promise<Outcome> {
  try {
    const json = await submitInvestigation(deps, bytes, {
      owner: 'fuzz',
      credential: '',
      signal: new AbortController().signal,
    });
    return { status: 200, text: new TextDecoder().decode(json as Uint8Array) };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'unprocessable') {
      return { status: 422, text: JSON.stringify({ error: error.message }) };
    }
    throw error;
  }
}

/**
 * What is wrong with an outcome; null when nothing is. JSON has no NaN: it would stand as null and break the
 * shape.
 */
function faultOf({ status, text }: Outcome): string | null {
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status === 422) return typeof body.error === 'string' && body.error !== '' ? null : 'an empty error';
  if (status !== 200) return `status ${status}`;
  const shape = 'summary_mode' in body ? InvestigationSummary : InvestigationResult;
  const parsed = shape.safeParse(body);
  if (!parsed.success) return parsed.error.message;
  return opinionFault(body);
}

/** The path of the first opinion in `value` whose parts do not sum to 1. */
function opinionFault(value: unknown, path = ''): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { support, opposition, belief, disbelief, uncertainty } = value as Record<string, number>;
  const positive = support ?? belief;
  const negative = opposition ?? disbelief;
  if (positive !== undefined && negative !== undefined && uncertainty !== undefined) {
    const sum = positive + negative + uncertainty;
    if (!(Math.abs(sum - 1) < 1e-9)) return `opinion at ${path} sums to ${sum}`;
  }
  for (const [key, child] of Object.entries(value)) {
    const fault = opinionFault(child, `${path}/${key}`);
    if (fault) return fault;
  }
  return null;
}

async function fuzz(seed: number, count: number, send: (bytes: Uint8Array) => Promise<Outcome>) {
  const random = seededRandom(seed);
  const statuses: Record<number, number> = {};
  let number = 0;
  const lane = async () => {
    while (number < count) {
      const own = number++;
      const bytes = mutate(random);
      const sent = bytes.slice();
      const outcome = await send(bytes);
      const fault = faultOf(outcome);
      if (fault) {
        throw new Error(
          `seed ${seed}, number ${own}: ${fault}\n${new TextDecoder().decode(sent).slice(0, 5_000)}`,
        );
      }
      statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return statuses;
}

const OVER_HTTP = soak(3_000);
const IN_PROCESS = soak(7_000);

describe('the analysis under spoilt investigations', () => {
  it('the analysis accepts the unspoiled investigation that the fuzz starts from', async () => {
    expect((await overHttp(new TextEncoder().encode(JSON.stringify(EVERYTHING)))).status).toBe(200);
  });

  it.each([1, 2])(
    'the analysis of a spoiled investigation returns a verdict or 422 over HTTP (seed %i)',
    async (seed) => {
      const statuses = await fuzz(seed, OVER_HTTP, overHttp);
      // Were nearly all refused, or none, the mutations would test little.
      expect(statuses[200]).toBeGreaterThan(OVER_HTTP / 6);
      expect(statuses[422]).toBeGreaterThan(OVER_HTTP / 6);
      expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  it.each([11, 12])(
    'the analysis of a spoiled investigation returns a verdict or 422 in process (seed %i)',
    async (seed) => {
      const statuses = await fuzz(seed, IN_PROCESS, inProcess);
      expect(statuses[200]).toBeGreaterThan(IN_PROCESS / 6);
      expect(statuses[422]).toBeGreaterThan(IN_PROCESS / 6);
    },
  );
});
