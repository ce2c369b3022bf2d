import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { median, type BenchRow, type RunBench } from '@platform/testing';
import { callApi, startBuilt, type BuiltService } from '../e2e/built-service.fixture.ts';

const MAIN = new URL('../../../dist/apps/investigation-api/main.js', import.meta.url);
const CLAIMS = 2_500;
const ROUNDS = 5;
const RATIO_MAX = 2;
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

/** Milliseconds by the clock, and of processor time over all threads of the service. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/** Claims of a hundred sources on `subjects` subjects, some with evidence, dealt by a fixed sequence. */
function investigation(subjects: number, size = CLAIMS) {
  let state = 12_345;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    research_question: 'Which value is right?',
    actors: Array.from({ length: 100 }, (_, n) => ({
      id: `actor-${n}`,
      name: `Actor ${n}`,
      source_type: ['Expert', 'Journalist', 'Analyst', 'Insider'][n % 4],
    })),
    subjects: Array.from({ length: subjects }, (_, n) => ({
      id: `subject-${n}`,
      name: `Subject ${n}`,
      subject_type: 'thing',
    })),
    claims: Array.from({ length: size }, (_, n) => ({
      id: `claim-${n}`,
      actor_id: `actor-${next(100)}`,
      subject_id: `subject-${n % subjects}`,
      predicate: 'value',
      value: ['alpha', 'beta', 'gamma'][next(3)],
      content: `Claim ${n} in the words of its source.`,
      assertion_time: new Date(NOW_MS - next(300) * DAY_MS).toISOString(),
    })),
    evidence: Array.from({ length: size / 5 }, (_, n) => ({
      id: `evidence-${n}`,
      claim_id: `claim-${n * 5}`,
      content: `Document ${n} says so.`,
      valence: n % 3 === 0 ? 'Refutes' : 'Supports',
    })),
  };
}

/** Seconds of processor time that the service has used. */
async function cpuSeconds({ probeUrl }: BuiltService): Promise<number> {
  const text = await (await fetch(`${probeUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]);
}

async function measure(service: BuiltService, work: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = await cpuSeconds(service);
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  return { wall, cpu: ((await cpuSeconds(service)) - cpuBefore) * 1000 };
}

/**
 * Judging and publishing a stored session beside analyzing the same claims, on one built service with its
 * embedded database.
 */
export const run: RunBench = async () => {
  if (!existsSync(MAIN)) throw new Error('build investigation-api first');
  const service = await startBuilt({ NODE_ENV: 'production' });
  try {
    return [
      ...(await benchShape(service, 500)),
      ...(await benchShape(service, 50)),
      ...(await benchAgain(service)),
    ];
  } finally {
    await service.stop();
  }
};

const AGAIN_MS_MAX = 100;

/**
 * One of 10,000 undated claims changed, and the session judged again: by the clock of the client, who reads
 * the bytes of the response and does not parse them.
 */
async function benchAgain(service: BuiltService): Promise<BenchRow[]> {
  const { claims, ...rest } = investigation(500, 10_000);
  const undated = claims.map((claim) => ({ ...claim, assertion_time: undefined }));
  const payload = { ...rest, claims: undated };
  await callApi(service, 'POST', '/sessions', { name: 'Again', session_id: 'again', payload });
  const judge = async (summary_mode: boolean) => {
    const response = await fetch(`${service.url}/api/v1/sessions/again/judge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ summary_mode }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const edits = {
    value: (round: number) => ({ value: ['alpha', 'beta', 'gamma'][round % 3]! }),
    content: (round: number) => ({ content: `In other words, ${round}.` }),
  };
  const first = await measure(service, () => judge(true));
  const rows: BenchRow[] = [];
  for (const [what, edit] of Object.entries(edits)) {
    for (const form of ['compact', 'full'] as const) {
      const costs: Cost[] = [];
      for (let round = -1; round < 2 * ROUNDS; round++) {
        const changed = { ...undated[(37 * (round + 1)) % undated.length]!, ...edit(round + 1) };
        await callApi(service, 'PATCH', '/sessions/again', { claims: [changed] });
        const cost = await measure(service, () => judge(form === 'compact'));
        if (round >= 0) costs.push(cost);
      }
      const wall = median(costs.map((cost) => cost.wall));
      rows.push({
        name: `${what} of one of 10,000 claims changed, judged again, response ${form}`,
        value: wall,
        unit: 'ms',
        target: `≤ ${AGAIN_MS_MAX}`,
        pass: wall <= AGAIN_MS_MAX,
        detail:
          `medians of ${costs.length}; processor time of all threads ${median(costs.map(({ cpu }) => cpu)).toFixed(0)} ms; ` +
          `judged for the first time ${first.wall.toFixed(0)} and ${first.cpu.toFixed(0)} ms`,
      });
    }
  }
  return rows;
}

async function benchShape(service: BuiltService, subjects: number): Promise<BenchRow[]> {
  const payload = investigation(subjects);
  const session_id = `bench-${subjects}`;
  await callApi(service, 'POST', '/sessions', { name: 'Bench', session_id, payload });
  const costs: Record<'analyze' | 'judge' | 'publish', Cost[]> = { analyze: [], judge: [], publish: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const analyze = await measure(service, () =>
      callApi(service, 'POST', '/investigations/analyze', payload),
    );
    const judge = await measure(service, () => callApi(service, 'POST', `/sessions/${session_id}/judge`, {}));
    const publish = await measure(service, () =>
      callApi(service, 'PUT', `/sessions/${session_id}/share`, { public: true }),
    );
    if (round < 0) continue;
    costs.analyze.push(analyze);
    costs.judge.push(judge);
    costs.publish.push(publish);
  }
  const of = (what: keyof typeof costs, cost: keyof Cost) => median(costs[what].map((one) => one[cost]));
  return (['judge', 'publish'] as const).map((what) => {
    const ratio = of(what, 'cpu') / of('analyze', 'cpu');
    return {
      name: `${what} a session of ${CLAIMS.toLocaleString('en-US')} claims on ${subjects} subjects ÷ analyze the same`,
      value: ratio,
      unit: '×',
      target: `≤ ${RATIO_MAX}`,
      pass: ratio <= RATIO_MAX,
      detail:
        `processor time of the service, ${of(what, 'cpu').toFixed(0)} against ${of('analyze', 'cpu').toFixed(0)} ms, ` +
        `wall ${of(what, 'wall').toFixed(0)} against ${of('analyze', 'wall').toFixed(0)} ms; medians of ${ROUNDS} in turns`,
    };
  });
}
