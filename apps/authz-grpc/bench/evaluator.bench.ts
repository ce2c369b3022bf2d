import type { BenchRow } from '@platform/testing';
import { compilePolicySet } from '../src/policy/compile.ts';
import type { CompiledPolicySet, Policy, RequestContext } from '../src/policy/types.ts';
import {
  allowing,
  makeGrants,
  makeRequests,
  medianMicros,
  medianMicrosOfBatches,
  toContext,
  toPolicy,
  type Request,
} from './evaluator-fixtures.ts';
import { loadCasbin, loadCasl, loadCedar, type Rival } from './evaluator-rivals.ts';

const SIZES = [10, 100, 1_000, 10_000, 100_000];
/** Parsing 100,000 policies takes cedar-wasm minutes. */
const CEDAR_SIZE_MAX = 10_000;
const REQUESTS = 400;
const FLAT_MAX = 3;
const FASTER_MIN = 1_000;

/** Median of one decision, by number of policies, next to other engines; and the cost of regexes. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of SIZES) {
    const grants = makeGrants(size);
    const requests = makeRequests(grants, REQUESTS);
    const set = compilePolicySet([{ domainId: 'bench', version: 1, policies: grants.map(toPolicy) }]);
    const micros = measureOwn(set, requests.map(toContext));
    rows.push({
      ...figure(`decision at ${size.toLocaleString('en-US')} FIXED and PREFIX policies`, micros, 'µs'),
      detail: `p50 of ${REQUESTS} different requests in turn`,
    });
    for (const load of [loadCasbin, loadCedar, loadCasl]) {
      if (load === loadCedar && size > CEDAR_SIZE_MAX) continue;
      const rival = await load(grants);
      await expectSameDecisions(set, rival, requests);
      rows.push(await measureRival(rival, requests, size, micros));
    }
    set.free();
  }
  rows.push(measureFlatness());
  return [...rows, ...measureMany(), ...measureRegexes()];
}

/** Both sizes in turn, so that whatever else the machine does meets both alike. */
function measureFlatness(): BenchRow {
  const [small, large] = [10, 100_000].map((size) => {
    const grants = makeGrants(size);
    const set = compilePolicySet([{ domainId: 'bench', version: 1, policies: grants.map(toPolicy) }]);
    const contexts = makeRequests(grants, REQUESTS).map(toContext);
    return () => measureOwn(set, contexts);
  }) as [() => number, () => number];
  const ratios = Array.from({ length: 7 }, () => [small(), large()] as const)
    .map(([few, many]) => ({ few, many, ratio: many / few }))
    .sort((a, b) => a.ratio - b.ratio);
  const { few, many, ratio } = ratios[3] as (typeof ratios)[number];
  return {
    name: 'decision at 100,000 ÷ at 10 policies',
    value: ratio,
    unit: '×',
    target: `≤ ${FLAT_MAX}`,
    pass: ratio <= FLAT_MAX,
    detail: `median of 7 ratios measured in turn; ${many.toFixed(2)} µs against ${few.toFixed(2)} µs`,
  };
}

function figure(name: string, value: number, unit: string): Omit<BenchRow, 'detail'> {
  return { name, value, unit, target: '', pass: true };
}

/** In batches so short that few of them are interrupted, however dear the single call. */
function measureOwn(set: CompiledPolicySet, contexts: readonly RequestContext[]): number {
  let at = 0;
  const call = () => set.evaluate(contexts[at++ % contexts.length] as RequestContext);
  medianMicrosOfBatches(1_000, 40, call);
  return medianMicrosOfBatches(4_000, 40, call);
}

async function expectSameDecisions(
  set: CompiledPolicySet,
  rival: Rival,
  requests: readonly Request[],
): Promise<void> {
  const counts = { allowed: 0, refused: 0 };
  for (const request of requests.slice(0, 12)) {
    const ours = set.evaluate(toContext(request)).allowed;
    const theirs = await rival.prepare(request)();
    if (ours !== theirs) throw new Error(`${rival.name} says ${theirs} to ${JSON.stringify(request)}`);
    counts[ours ? 'allowed' : 'refused'] += 1;
  }
  if (counts.allowed === 0 || counts.refused === 0) throw new Error('the requests must meet both decisions');
}

async function measureRival(
  rival: Rival,
  requests: readonly Request[],
  size: number,
  ownMicros: number,
): Promise<BenchRow> {
  const samples = size >= 10_000 ? 60 : 600;
  const ask = (i: number) => rival.prepare(requests[i % requests.length] as Request);
  for (let i = 0; i < 20; i += 1) await ask(i)();
  const micros = await medianMicros(samples, ask);
  const ratio = micros / ownMicros;
  const isJudged = size === 10_000 && rival.name !== 'casl';
  return {
    name: `${rival.name} ÷ ours at ${size.toLocaleString('en-US')} policies`,
    value: ratio,
    unit: '×',
    target: isJudged ? `≥ ${FASTER_MIN.toLocaleString('en-US')}` : '',
    pass: !isJudged || ratio >= FASTER_MIN,
    detail: `${micros.toFixed(1)} µs against ${ownMicros.toFixed(2)} µs, same decisions`,
  };
}

/** Cases whose cost grows: policies that all match, and a user with very many policies. */
function measureMany(): BenchRow[] {
  const size = 10_000;
  const request = toContext({ subject: 'user-1', action: 'read', object: 'svc://d/x' });
  const all: Policy[] = Array.from({ length: size }, (_, i) =>
    allowing('fixed', `p${i}`, { subject: 'user-1', action: 'read' }),
  );
  const inverted = all.map((policy) => ({ ...policy, invert: true }));
  return (
    [
      ['10,000 policies that all match', all],
      ['10,000 inverted policies whose statements all match', inverted],
    ] as const
  ).map(([name, policies]) => {
    const set = compilePolicySet([{ domainId: 'bench', version: 1, policies }]);
    return {
      ...figure(`decision at ${name}`, measureOwn(set, [request]), 'µs'),
      detail: 'p50; the cost grows with what matches',
    };
  });
}

/** All REGEX: what the literal text in a pattern saves, and what is left without any. */
function measureRegexes(): BenchRow[] {
  const kinds: readonly (readonly [string, (i: number) => string, string])[] = [
    [
      'with a literal prefix each',
      (i) => `^svc://d/projects/${i}/[a-z]+(/.*)?$`,
      'svc://d/projects/77/docs/7',
    ],
    ['only literal text inside', (i) => `^[^/]+//d/projects/${i}/.*$`, 'svc://d/projects/77/docs/7'],
    [
      'without any literal text, ASCII',
      (i) => `^[a-z]{${1 + (i % 30)}}[0-9]{${1 + Math.floor(i / 30)}}$`,
      'abcdefgh1234',
    ],
  ];
  return kinds.flatMap(([name, pattern, value]) =>
    [100, 1_000].map((size): BenchRow => {
      const policies = Array.from({ length: size }, (_, i) =>
        allowing('regex', `p${i}`, { object: pattern(i) }),
      );
      const context: RequestContext = new Map([['object', value]]);
      const from = performance.now();
      const set = compilePolicySet([{ domainId: 'bench', version: 1, policies }]);
      const compiled = performance.now();
      set.evaluate(context);
      const first = performance.now() - compiled;
      const contexts = Array.from({ length: 50 }, (_, i) => new Map([['object', `${value}${i}`]]));
      const micros = measureOwn(set, contexts);
      set.free();
      return {
        ...figure(`decision at ${size.toLocaleString('en-US')} REGEX policies ${name}`, micros, 'µs'),
        detail: `p50 warm; loading ${(compiled - from).toFixed(0)} ms, first check ${first.toFixed(0)} ms`,
      };
    }),
  );
}
