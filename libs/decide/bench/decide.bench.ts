import type { BenchRow } from '@platform/testing';
import { buildForBrowsers } from '../src/browser-size.fixture.ts';
import { bundleOf, DOMAIN, KEY, policyOf, signed } from '../src/bundle.fixture.ts';
import type { Attributes } from '../src/bundle-policies.ts';
import { openDecider, type Decider } from '../src/decider.ts';
import type { Policy } from '../src/types.ts';

const POLICIES = 10_000;
const CHECK_MAX_MICROS = 2;
const SIZE_MAX_KB = 12;

/** A check by a bundle of 10,000 policies, what it takes to get there, and what a browser loads for it. */
export async function run(): Promise<BenchRow[]> {
  const body = signed(bundleOf(Math.floor(Date.now() / 1000) * 1000, makePolicies()));
  const open = (record: boolean) =>
    openDecider({
      url: 'https://authz.test',
      domainId: DOMAIN,
      token: () => 't',
      keys: [KEY],
      record,
      fetch: (url, init) => answer(String(url), init, body),
    });
  const from = performance.now();
  const plain = await open(false);
  const opened = performance.now() - from;
  const recording = await open(true);
  const asked = makeContexts();
  const rows = [
    check('a check by a bundle of 10,000 policies', await medianMicros(asked, plain)),
    check('the same, its decision kept to be recorded', await medianMicros(asked, recording)),
  ];
  await plain.close();
  await recording.close();
  const { compressed } = await buildForBrowsers(['openDecider', 'verifyBundle', 'compileBundle']);
  return [
    ...rows,
    {
      name: 'a bundle of 10,000 policies verified and compiled',
      value: opened,
      unit: 'ms',
      target: '',
      pass: true,
      detail: `${(body.length / 1_000_000).toFixed(1)} MB of JSON`,
    },
    {
      name: 'verifying, deciding and following in a browser',
      value: compressed / 1_000,
      unit: 'kB',
      target: `≤ ${SIZE_MAX_KB}`,
      pass: compressed <= SIZE_MAX_KB * 1_000,
      detail: 'esbuild, minified, gzip; without regexes',
    },
  ];
}

function check(name: string, micros: number): BenchRow {
  return {
    name,
    value: micros,
    unit: 'µs',
    target: `≤ ${CHECK_MAX_MICROS}`,
    pass: micros <= CHECK_MAX_MICROS,
    detail: 'p50; the context, its limits and the spelling of the object are checked too',
  };
}

/** The service, as far as its responses are: one bundle, and every decision recorded. */
async function answer(url: string, init: RequestInit | undefined, body: string): Promise<Response> {
  if (url.endsWith('/decisions')) {
    const { decisions } = JSON.parse(init?.body as string) as { decisions: unknown[] };
    return Response.json({ recorded: decisions.length, refused: [] });
  }
  if (!url.endsWith('wait=0'))
    await new Promise((resolve) => init?.signal?.addEventListener('abort', resolve));
  return new Response(body, { headers: { ETag: '"1"' } });
}

const name = (n: number) => String(n).padStart(6, '0');

/** Each subject has ten, half of them FIXED, half PREFIX; one denies. */
function makePolicies(): Policy[] {
  return Array.from({ length: POLICIES }, (_, n) => {
    const object = `svc://${DOMAIN}/projects/${name(n)}/${n % 2 === 0 ? 'plan' : ''}`;
    const rules = {
      subject: `user-${name(Math.floor(n / 10))}`,
      action: n % 3 === 0 ? 'read' : 'write',
      object,
    };
    return policyOf(`p${n}`, rules, { engine: n % 2 === 0 ? 'fixed' : 'prefix', deny: n % 10 === 9 });
  });
}

/** Half of them are granted. */
function makeContexts(): Attributes[] {
  return Array.from({ length: 400 }, (_, n) => ({
    subject: `user-${name((n * 79) % (POLICIES / 10))}`,
    action: 'read',
    object: `svc://${DOMAIN}/projects/${name(((n * 79) % (POLICIES / 10)) * 10 + (n % 2))}/plan`,
  }));
}

/** Median over batches of the time of one, in µs. Decisions are handed in between the batches. */
async function medianMicros(asked: readonly Attributes[], decider: Decider): Promise<number> {
  const times: number[] = [];
  for (let batch = 0; batch < 800; batch += 1) {
    const from = performance.now();
    for (let n = 0; n < 80; n += 1) decider.check(asked[(batch * 80 + n) % asked.length] as Attributes);
    times.push(((performance.now() - from) * 1_000) / 80);
    if (batch % 100 === 99) await decider.flush();
  }
  // The first half is for the compiler.
  const warm = times.slice(400).sort((a, b) => a - b);
  return warm[warm.length >> 1] as number;
}
