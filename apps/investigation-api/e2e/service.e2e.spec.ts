import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyze as judge } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import { InvestigationResult } from '../src/wire/result-schema.ts';
import type { BuiltService } from './built-service.fixture.ts';
import { analyze, runBuilt, startBuilt } from './built-service.fixture.ts';

const folder = new URL('../../../examples/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const EXAMPLES = (JSON.parse(read('index.json')) as { file: string }[]).map(({ file }) => file);
/** The smallest investigation with a verdict. */
const SMALL = {
  research_question: 'Is it so?',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
  subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'yes', content: 'It is.' }],
};
const MiB = 1024 * 1024;

let service: BuiltService;
// The embedded database, which a service has that is started without settings.
beforeAll(async () => {
  service = await startBuilt({ DATABASE_URL: 'pglite:memory://' });
});
afterAll(() => service?.stop());

const refused = async (body: string | Uint8Array) => {
  const response = await analyze(service, body);
  const { error } = (await response.json()) as { error: string };
  return [response.status, error] as const;
};

describe('the main job', () => {
  it.each(EXAMPLES)('POST analyze judges %s exactly as the engine does', async (file) => {
    covers('INV-P.1');
    const response = await analyze(service, read(file));
    const result = InvestigationResult.parse(await response.json());
    expect(response.status).toBe(200);
    const expected = judge(JSON.parse(read(file)), { now: new Date(result.evaluated_at) });
    expect(JSON.parse(JSON.stringify(expected))).toEqual(result);
  });

  it('POST analyze returns the compact result in summary_mode', async () => {
    const result = await (await analyze(service, JSON.stringify({ ...SMALL, summary_mode: true }))).json();
    expect(result).toMatchObject({ summary_mode: true, synthesis: expect.any(String) });
  });

  it('POST analyze accepts numbers written as text, with a warning', async () => {
    const actors = [{ ...SMALL.actors[0], base_reliability: '0.9' }];
    const response = await analyze(service, JSON.stringify({ ...SMALL, actors }));
    const { warnings } = (await response.json()) as { warnings: string[] };
    expect(response.status).toBe(200);
    expect(warnings.join()).toContain('base_reliability');
  });
});

describe('bad input', () => {
  it('bad input gets every problem with its path', async () => {
    covers('INV-E.422');
    const claims = [{ ...SMALL.claims[0], actor_id: 'nobody', valence: 'perhaps' }, { id: '' }];
    const [status, error] = await refused(JSON.stringify({ ...SMALL, claims }));
    expect(status).toBe(422);
    for (const path of [
      'claims[0].actor_id: ',
      'claims[0].valence: ',
      'claims[1].id: ',
      'claims[1].value: ',
    ]) {
      expect(error).toContain(path);
    }
  });

  it.each([
    ['nothing', '', 'not valid JSON'],
    ['half a text', '{"claims": [', 'not valid JSON'],
    ['a list', '[]', ''],
    ['null', 'null', ''],
    [
      'a key twice',
      `{"research_question":"a",${JSON.stringify(SMALL).slice(1)}`,
      'research_question: key `research_question` stands twice',
    ],
    [
      'a claim with a key twice',
      JSON.stringify(SMALL).replace('"value"', '"value":"no","value"'),
      'claims[0].value: key `value` stands twice',
    ],
    ['a million levels', '['.repeat(1_000_000), 'nested deeper than 64 levels'],
    ['a byte order mark', `\uFEFF${JSON.stringify(SMALL)}`, 'byte order mark'],
  ])('%s is 422', async (_name, body, message) => {
    covers('INV-E.422');
    const [status, error] = await refused(body);
    expect(status).toBe(422);
    expect(error).toContain(message);
  });

  it('ill-formed UTF-8 is 422', async () => {
    covers('INV-E.422');
    expect(await refused(new Uint8Array([0x22, 0xff, 0x22]))).toEqual([422, 'the text is not valid UTF-8']);
  });

  it('a __proto__ key does nothing', async () => {
    const body = JSON.stringify(SMALL).replace('{', '{"__proto__":{"summary_mode":true},');
    const response = await analyze(service, body);
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
      200,
      expect.arrayContaining(['subject_results']),
    ]);
  });

  it.each([
    ['a lone surrogate', '"\\ud800"'],
    ['a NUL', '"\\u0000"'],
    ['a megabyte', JSON.stringify('x'.repeat(MiB))],
    ['right-to-left marks', '"\\u202e\\u2066abc"'],
  ])('%s as a value is judged like any other', async (_name, value) => {
    const response = await analyze(service, JSON.stringify(SMALL).replace('"yes"', value));
    const result = InvestigationResult.parse(await response.json());
    expect(result.subject_results[0]?.leading_value).toBe(JSON.parse(value));
  });
});

describe('size', () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify(SMALL);
    return text + ' '.repeat(bytes - text.length);
  };

  it('a body may have exactly 16 MiB and not a byte more', async () => {
    covers('INV-E.413', 'INV-L.1');
    expect((await analyze(service, padded(16 * MiB))).status).toBe(200);
    expect(await refused(padded(16 * MiB + 1))).toEqual([413, 'the body is larger than 16777216 bytes']);
  });

  it('an investigation of a million attacks is judged: a thousand sources for, a thousand against', async () => {
    const actors = Array.from({ length: 2000 }, (_, i) => ({
      id: `a${i}`,
      name: '',
      source_type: 'Analyst',
    }));
    const claims = actors.map(({ id }, i) => ({
      ...SMALL.claims[0],
      id: `c${i}`,
      actor_id: id,
      value: i % 2 ? 'yes' : 'no',
    }));
    const response = await analyze(service, JSON.stringify({ ...SMALL, actors, claims }));
    const result = InvestigationResult.parse(await response.json());
    expect(result.subject_results[0]?.truth_status).toBe('Both');
  });

  it('other requests are served while a large body is analyzed', async () => {
    covers('INV-P.5');
    const large = analyze(service, padded(16 * MiB));
    expect((await fetch(`${service.url}/openapi.json`)).status).toBe(200);
    expect((await large).status).toBe(200);
  });
});

describe('what is taken with a warning', () => {
  const [claim] = SMALL.claims;
  const claims = (...more: object[]) => ({ claims: more.map((one) => ({ ...claim, ...one })) });
  const times = { assertion_time: '2020-01-01T00:00:00Z' };
  const by = (actor_id: string, time: string) => ({ actor_id, time });
  const related = (...targets: string[]) => ({
    relationships: targets.map((target_claim_id) => ({ relationship_type: 'complements', target_claim_id })),
  });

  it.each<[string, object, RegExp]>([
    [
      'an out-of-range half-life',
      claims({ decay_half_life_days: 365_001 }),
      /half-life.*`c`|`c`.*half-life/i,
    ],
    ['law on a predictive claim', claims({ epistemic_status: 'law', claim_type: 'Predictive' }), /law/],
    [
      'too many corroborations',
      claims({
        ...times,
        corroboration_events: new Array<object>(101).fill(by('b', '2021-01-01T00:00:00Z')),
      }),
      /101.*100/,
    ],
    [
      'a corroboration by the author',
      claims({ ...times, corroboration_events: [by('a', '2021-01-01T00:00:00Z')] }),
      /author/,
    ],
    [
      'a corroboration before the assertion',
      claims({ ...times, corroboration_events: [by('b', '2019-01-01T00:00:00Z')] }),
      /before/,
    ],
    ['a missing supersession target', claims({ supersedes_claim_id: 'gone' }), /`gone`/],
    ['a missing relationship target', claims(related('gone')), /`gone`/],
    [
      'too many relationships',
      claims(related(...new Array<string>(51).fill('d')), { id: 'd', value: 'no' }),
      /51.*50/,
    ],
    [
      'a dropped inference',
      {
        inferences: [
          {
            id: 'i',
            subject_id: 's',
            predicate: 'p',
            premise_claim_ids: [],
            rule_type: 'default',
            rule_param: 'x',
          },
        ],
      },
      /`i` was dropped/,
    ],
    [
      'a dropped distinction',
      {
        distinctions: [
          { id: 'd', argument_a: 'c', argument_b: 'c', feature: '', condition_a: '', condition_b: '' },
        ],
      },
      /`d`.*dropped/,
    ],
    [
      'a claim below the credibility floor',
      { actors: [{ id: 'a', name: 'A', source_type: 'Troll', base_reliability: 0.1 }] },
      /`c`.*credibility floor/,
    ],
    [
      'an out-of-range scalar',
      { actors: [{ id: 'a', name: 'A', source_type: 'Expert', base_reliability: 2 }] },
      /base_reliability.*`a`|`a`.*base_reliability/,
    ],
  ])('%s is judged all the same', async (_name, more, warning) => {
    covers(
      'INV-W.1',
      'INV-W.2',
      'INV-W.3',
      'INV-W.4',
      'INV-W.5',
      'INV-W.6',
      'INV-W.7',
      'INV-W.8',
      'INV-W.9',
      'INV-W.10',
      'INV-W.11',
    );
    const actors = ['a', 'b'].map((id) => ({ id, name: id, source_type: 'Expert' }));
    const response = await analyze(service, JSON.stringify({ ...SMALL, actors, ...more }));
    const { warnings } = InvestigationResult.parse(await response.json());
    expect([response.status, warnings]).toEqual([
      200,
      expect.arrayContaining([expect.stringMatching(warning)]),
    ]);
  });
});

describe('the program', () => {
  it('the service serves its OpenAPI document and a page that loads nothing from elsewhere', async () => {
    covers('INV-P.3', 'INV-P.4', 'INV-P.9');
    const document = await fetch(`${service.url}/openapi.json`);
    expect([document.status, await document.json()]).toEqual([
      200,
      expect.objectContaining({
        openapi: expect.stringMatching(/^3\.1\./),
        paths: expect.objectContaining({ '/api/v1/investigations/analyze': expect.anything() }),
      }),
    ]);
    const page = await fetch(`${service.url}/docs`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toMatch(/src="\//);
    expect(html).not.toMatch(/(src|href)="(?!\/(?!\/)|#|data:)/);
  });

  it('the service serves liveness, readiness and metrics on a port of their own', async () => {
    covers('INV-P.8');
    const statuses = (url: string) =>
      Promise.all(
        ['/livez', '/readyz', '/metrics'].map((path) => fetch(url + path).then(({ status }) => status)),
      );
    expect(await statuses(service.probeUrl)).toEqual([200, 200, 200]);
    expect(await statuses(service.url)).toEqual([404, 404, 404]);
  });

  it('the service logs each request with its id and serves metrics per route', async () => {
    await analyze(service, JSON.stringify(SMALL), { 'x-request-id': 'e2e-1' });
    const lineOfRequest = () => service.log.find((entry) => entry.request_id === 'e2e-1');
    await eventually(lineOfRequest).toMatchObject({ msg: 'request', response: { status: 200 } });
    const metrics = await (await fetch(`${service.probeUrl}/metrics`)).text();
    expect(metrics).toContain('route="/api/v1/investigations/analyze",code="200"');
    expect(metrics).toContain('investigation_analyses_waiting');
    expect(JSON.stringify(service.log)).not.toContain(service.token);
  });

  it('the service prints its settings', async () => {
    const env = { INVESTIGATION_JWT_PUBLIC_KEY_FILE: '/nowhere', INVESTIGATION_PORT: '1234' };
    expect((await runBuilt(env, ['--print-config'])).code).toBe(2);
    const key = {
      INVESTIGATION_JWT_PUBLIC_KEY:
        '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
    };
    const { code, out } = await runBuilt({ ...key, INVESTIGATION_PORT: '1234' }, ['--print-config']);
    expect(code).toBe(0);
    expect(out).toContain('INVESTIGATION_PORT=1234\nINVESTIGATION_PROBE_PORT=9080\n');
  });

  it('the service names every bad setting and exits with 2', async () => {
    const { code, err } = await runBuilt({ INVESTIGATION_PORT: 'x', INVESTIGATION_QUEUE_MAX: '-1' });
    expect([code, err]).toEqual([
      2,
      'INVESTIGATION_PORT: must be a whole number\nINVESTIGATION_QUEUE_MAX: must be a whole number\n' +
        'INVESTIGATION_AUTHZ_URL: set it, INVESTIGATION_JWT_PUBLIC_KEY or INVESTIGATION_JWT_PUBLIC_KEY_FILE\n',
    ]);
  });

  it('the service names a taken port and its setting', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as AddressInfo;
    await expect(startBuilt({ INVESTIGATION_PORT: String(port) })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is taken; choose another with INVESTIGATION_PORT`,
    );
    squatter.close();
  });

  it('the service finishes requests in progress on SIGTERM and exits with 0', async () => {
    covers('INV-P.7');
    const own = await startBuilt({ INVESTIGATION_DRAIN_DELAY_MS: '100' });
    const body = JSON.stringify(SMALL);
    const askAll = () => Array.from({ length: 20 }, () => analyze(own, body).then(({ status }) => status));
    // Their connections are open from then on: what is sent on them has begun.
    await Promise.all(askAll());
    const responses = askAll();
    await responses[0];
    const code = own.stop();
    expect(new Set(await Promise.all(responses))).toEqual(new Set([200]));
    expect(await code).toBe(0);
  });
});
