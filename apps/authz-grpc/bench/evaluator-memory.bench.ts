import type { BenchRow } from '@platform/testing';
import { compileDomain } from '../src/policy/compile.ts';
import { RegexMemory } from '@platform/decide/regex';
import type { Policy } from '../src/policy/types.ts';
import { allowing, makeGrants, toPolicy } from './evaluator-fixtures.ts';

const DOMAINS = 1_000;
const RSS_MAX_MB = 400;
const REGEX_BYTES_MAX = 96 * 1_024 * 1_024;

/** Memory of the process with 1,000 domains of 100 policies compiled, each domain asked once. */
export async function run(): Promise<BenchRow[]> {
  const before = residentMb();
  const memory = new RegexMemory(REGEX_BYTES_MAX);
  const domains = Array.from({ length: DOMAINS }, (_, d) =>
    compileDomain({ domainId: `domain-${d}`, version: 1, policies: makeMixture(d) }, { regexMemory: memory }),
  );
  const compiled = residentMb();
  const times: number[] = [];
  for (const [d, domain] of domains.entries()) {
    const from = performance.now();
    const { allowed } = domain.evaluate(
      new Map([
        ['subject', 'user-000001'],
        ['action', 'read'],
        ['object', `svc://d${d}/reports/25/x`],
      ]),
    );
    times.push(performance.now() - from);
    if (!allowed) throw new Error(`domain ${d} must allow the request`);
  }
  const asked = residentMb();
  const estimate = domains.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20;
  return [
    {
      name: '1,000 domains × 100 policies compiled and asked once, whole process',
      value: asked,
      unit: 'MB',
      target: `≤ ${RSS_MAX_MB}`,
      pass: asked <= RSS_MAX_MB,
      detail: `resident: ${before.toFixed(0)} MB before, ${compiled.toFixed(0)} MB compiled; own estimate ${estimate.toFixed(0)} MB and ${(memory.bytesHeld / 2 ** 20).toFixed(0)} MB of regexes; 70 FIXED and PREFIX, 20 GLOB, 10 REGEX a domain`,
    },
    {
      name: 'first check of a domain, its regexes compiled on the way',
      value: times.sort((a, b) => a - b)[times.length >> 1] as number,
      unit: 'ms',
      target: '',
      pass: true,
      detail: `p50 of ${DOMAINS} domains; largest ${(times.at(-1) as number).toFixed(1)} ms`,
    },
  ];
}

function makeMixture(d: number): Policy[] {
  return [
    ...makeGrants(70).map(toPolicy),
    ...Array.from({ length: 20 }, (_, i) =>
      allowing('glob', `glob-${i}`, { object: `svc://d${d}/*/${i}/**` }),
    ),
    ...Array.from({ length: 10 }, (_, i) =>
      allowing('regex', `regex-${i}`, { object: `^svc://d${d}/reports/${i + 20}/[^/]+$` }),
    ),
  ];
}

function residentMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}
