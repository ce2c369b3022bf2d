import { afterEach, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleOf, DOMAIN, KEY, signed, SUPERIOR } from './bundle.fixture.ts';
import type { Bundle } from './bundle.ts';
import { ask, eventually, NOW, OtherEnd, READERS, recordedAll } from './decider.fixture.ts';
import { openDecider, type Decider, type DeciderOptions } from './decider.ts';
import { openRegexes } from './regex/index.ts';
import type { RegexEngine } from './regexes.ts';

const deciders: Decider[] = [];
afterEach(async () => {
  for (const decider of deciders.splice(0)) await decider.close().catch(() => undefined);
});

async function open(end: OtherEnd, more: Partial<DeciderOptions> = {}): Promise<Decider> {
  const decider = await openDecider({ ...end.options, ...more });
  deciders.push(decider);
  return decider;
}

describe('a decider', () => {
  it('a decider decides until its bundle expires, and no longer', async () => {
    covers('AUTHZ-BUNDLE.8');
    const end = new OtherEnd();
    const decider = await open(end);
    end.now = NOW + 99_999;
    expect(decider.check(ask).allowed).toBe(true);
    expect(decider.status.error).toBe(null);
    end.now = NOW + 100_000;
    const message = 'the bundle has expired: check the clock';
    expect(decider.check(ask)).toMatchObject({ allowed: false, refused: { code: 'no_bundle', message } });
    expect(decider.status.error).toBe(message);
  });

  it('a decider refuses after the life of its bundle even when the clock was set back', async () => {
    covers('AUTHZ-BUNDLE.8');
    const end = new OtherEnd();
    const decider = await open(end);
    end.now = NOW - 1_000_000;
    end.elapsed = 99_999;
    expect(decider.check(ask).allowed).toBe(true);
    end.elapsed = 100_000;
    expect(decider.check(ask).refused?.code).toBe('no_bundle');
  });

  it.each<[string, Bundle | string, string]>([
    [
      'rolled back',
      bundleOf(NOW, [], { domains: [{ id: DOMAIN, version: 4, policies: [] }] }),
      'higher version than 4',
    ],
    [
      'with a superior rolled back',
      bundleOf(NOW, [], {
        domains: [
          { id: DOMAIN, version: 6, policies: [] },
          { id: SUPERIOR, version: 2, policies: [] },
        ],
      }),
      'higher version than 2',
    ],
    ['of another domain', bundleOf(NOW, [], { domain_id: SUPERIOR }), 'domain'],
    ['expired', bundleOf(NOW - 200_000, []), 'it has expired: check the clock'],
    ['from the future', bundleOf(NOW + 61_000, []), 'future'],
    ['that was changed', signed(bundleOf(NOW, [])).replace('"version":5', '"version":6'), 'signature'],
  ])('a bundle %s does not take the place of the one there is', async (_, bundle, message) => {
    covers('AUTHZ-BUNDLE.7');
    const end = new OtherEnd();
    const decider = await open(end);
    end.give(bundle);
    await eventually(() => decider.status.error?.includes(message) === true);
    expect(decider.check(ask).allowed).toBe(true);
    const domains = [{ id: DOMAIN, version: 6, policies: [] }];
    end.give(bundleOf(NOW, [], { domains }));
    await eventually(() => !decider.check(ask).allowed);
    expect(decider.status).toMatchObject({ error: null, versions: new Map([[DOMAIN, 6]]) });
  });

  it('a decider is opened by the address of a service with a slash behind it', async () => {
    covers('AUTHZ-BUNDLE.22');
    const end = new OtherEnd();
    const asked: string[] = [];
    const { fetch: send } = end.options;
    await open(end, {
      url: 'https://authz.test/',
      fetch: (url, init) => {
        asked.push(String(url));
        return send!(url, init);
      },
    });
    expect(asked[0]).toBe(`https://authz.test/v1/domains/${DOMAIN}/bundle?wait=0`);
  });

  it('a decider is not opened by a response that says that nothing is new', async () => {
    covers('AUTHZ-BUNDLE.16');
    const end = new OtherEnd();
    const options = { ...end.options, fetch: async () => new Response(null, { status: 304 }) };
    await expect(openDecider(options)).rejects.toThrow('the service gives no bundle (304)');
  });

  it.each<[string, () => Promise<RegexEngine>, string]>([
    ['do not load', () => Promise.reject(new Error('status 404')), 'status 404'],
    ['do not load for as long as they like', () => new Promise(() => undefined), 'being loaded'],
  ])('a decider refuses when a newer bundle needs regexes that %s', async (_, regexes, message) => {
    covers('AUTHZ-BUNDLE.18');
    const end = new OtherEnd();
    const decider = await open(end, { regexes });
    expect(decider.check(ask).allowed).toBe(true);
    const bundle = bundleOf(NOW, [{ ...READERS, engine: 'regex' }]);
    end.give({ ...bundle, domains: bundle.domains.map((domain) => ({ ...domain, version: 6 })) });
    await eventually(() => !decider.check(ask).allowed);
    expect(decider.check(ask).refused).toMatchObject({
      code: 'no_bundle',
      message: expect.stringContaining(message),
    });
  });

  it('a decider decides again once the regexes of its bundle have loaded', async () => {
    covers('AUTHZ-BUNDLE.18');
    const end = new OtherEnd();
    let tries = 0;
    const load = async () => {
      if ((tries += 1) < 3) throw new Error('the file is not there yet');
      return openRegexes();
    };
    const decider = await open(end, { regexes: load });
    const bundle = bundleOf(NOW, [{ ...READERS, engine: 'regex' }]);
    end.give({ ...bundle, domains: bundle.domains.map((domain) => ({ ...domain, version: 6 })) });
    await eventually(() => !decider.check(ask).allowed);
    await eventually(() => decider.check(ask).allowed);
    expect(tries).toBe(3);
    expect(decider.status.error).toBeNull();
  });

  it('a bundle that is rolled back to before a superior left is refused', async () => {
    covers('AUTHZ-BUNDLE.7');
    const end = new OtherEnd();
    const decider = await open(end);
    end.give(bundleOf(NOW, [], { domains: [{ id: DOMAIN, version: 6, policies: [] }] }));
    await eventually(() => !decider.check(ask).allowed);
    end.give(bundleOf(NOW, [READERS]));
    await eventually(() => decider.status.error?.includes('higher version than 5') === true);
    expect(decider.check(ask).allowed).toBe(false);
  });

  it('a decider refuses every check once its caller is refused, and asks again with another token before that', async () => {
    covers('AUTHZ-BUNDLE.5');
    const end = new OtherEnd();
    const decider = await open(end);
    end.give('', 401);
    await eventually(() => decider.check(ask).refused !== null);
    // Bundle, keys, the request that waited, and the one with another token.
    expect(end.tokens).toBeGreaterThanOrEqual(4);
    expect(decider.check(ask)).toMatchObject({
      allowed: false,
      refused: { code: 'no_bundle', message: expect.stringContaining('401') },
    });
  });

  it('a decider keeps deciding by its bundle while the service is in trouble', async () => {
    const end = new OtherEnd();
    const decider = await open(end);
    end.give('', 503);
    await eventually(() => decider.status.error?.includes('503') === true);
    expect(decider.check(ask).allowed).toBe(true);
  });

  it('a decider is not opened by a bundle that is not signed by a pinned key', async () => {
    covers('AUTHZ-BUNDLE.7');
    const end = new OtherEnd();
    await expect(open(end, { keys: [] })).rejects.toMatchObject({ code: 'unknown_key' });
    const x = KEY.x.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    await expect(open(end, { keys: [{ ...KEY, x }] })).rejects.toMatchObject({ code: 'bad_signature' });
  });
});

describe('records of a decider', () => {
  it('decisions are sent in batches of one bundle, as they were asked', async () => {
    covers('AUTHZ-BUNDLE.6');
    const end = new OtherEnd();
    const decider = await open(end);
    const context: Record<string, string> = { ...ask };
    decider.check(context);
    context['action'] = 'delete';
    decider.check(ask, { team: 'red' });
    end.give(bundleOf(NOW, [], { domains: [{ id: DOMAIN, version: 6, policies: [] }] }));
    await eventually(() => decider.status.versions?.get(DOMAIN) === 6);
    for (let n = 0; n < 1_001; n += 1) decider.check(ask);
    await decider.flush();
    expect(end.recorded.map(({ bundle, decisions }) => [bundle.versions[DOMAIN], decisions.length])).toEqual([
      [5, 2],
      [6, 1_000],
      [6, 1],
    ]);
    expect(end.recorded[0]?.decisions).toMatchObject([
      { context: ask, allowed: true, policy: 'readers' },
      { context: ask, attributes: { team: 'red' } },
    ]);
    expect(decider.status.unrecorded).toBe(0);
  });

  it('a decision whose batch failed is sent again with the id it had', async () => {
    covers('AUTHZ-BUNDLE.6');
    const end = new OtherEnd();
    const decider = await open(end);
    decider.check(ask);
    end.recording = 503;
    await expect(decider.flush()).rejects.toThrow('503');
    expect(decider.status).toMatchObject({ unrecorded: 1, error: expect.stringContaining('503') });
    decider.check(ask);
    end.recording = 200;
    await decider.flush();
    const [failed, again] = end.recorded;
    expect(again?.decisions[0]).toEqual(failed?.decisions[0]);
    expect(decider.status).toMatchObject({ unrecorded: 0, error: null });
  });

  it('a decision that makes the service refuse its batch is counted, and holds up none of the others', async () => {
    covers('AUTHZ-BUNDLE.15');
    const end = new OtherEnd();
    end.judge = (sent) => (sent.decisions.some(({ allowed }) => !allowed) ? null : recordedAll(sent));
    const decider = await open(end);
    for (let n = 0; n < 1_500; n += 1) decider.check(n % 700 === 300 ? { ...ask, subject: 'bob' } : ask);
    await decider.flush();
    expect(end.recorded.flatMap(({ decisions }) => decisions)).toHaveLength(1_498);
    expect(new Set(end.recorded.flatMap(({ decisions }) => decisions.map(({ id }) => id))).size).toBe(1_498);
    expect(decider.status).toMatchObject({
      unrecorded: 0,
      refused: { count: 2, last: expect.stringContaining('400') },
      error: null,
    });
  });

  it('decisions that the service refuses one by one are counted in the status with the last reason', async () => {
    covers('AUTHZ-BUNDLE.15');
    const end = new OtherEnd();
    end.judge = () => ({ recorded: 0, refused: [{ index: 0, reason: 'INVALID_CONTEXT', message: 'why' }] });
    const decider = await open(end);
    expect(decider.status.refused).toEqual({ count: 0, last: null });
    for (let n = 0; n < 2; n += 1) {
      decider.check(ask);
      await decider.flush();
    }
    expect(decider.status.refused).toEqual({ count: 2, last: 'INVALID_CONTEXT: why' });
  });

  it.each([
    {},
    [],
    true,
    'ok',
    { ok: true },
    { recorded: 0, refused: [] },
    { recorded: 3, refused: [] },
    { recorded: 1 },
  ])(
    'decisions are kept where a response 200 is %j, which does not account for all of them',
    async (impostor) => {
      covers('AUTHZ-BUNDLE.15');
      const end = new OtherEnd();
      end.judge = () => impostor;
      const decider = await open(end);
      for (let n = 0; n < 2; n += 1) decider.check(ask);
      await expect(decider.flush()).rejects.toThrow('does not say what became of all decisions');
      expect(decider.status).toMatchObject({ unrecorded: 2, error: expect.stringContaining('is it from') });
      end.judge = recordedAll;
      await decider.flush();
      expect(decider.status).toMatchObject({ unrecorded: 0, refused: { count: 0 }, error: null });
    },
  );

  it('a decision is recorded as it was decided, though its lists change before it is sent', async () => {
    covers('AUTHZ-BUNDLE.6');
    const end = new OtherEnd();
    const decider = await open(end);
    const [tags, team] = [['a'], ['red']];
    decider.check({ ...ask, tags }, { team });
    tags.pop();
    team[0] = 'blue';
    await decider.flush();
    expect(end.recorded[0]?.decisions).toMatchObject([
      { context: { ...ask, tags: ['a'] }, attributes: { team: ['red'] } },
    ]);
  });

  it('a decider refuses checks rather than decide more than it can keep until they are recorded', async () => {
    covers('AUTHZ-BUNDLE.8');
    const end = new OtherEnd();
    end.recording = 503;
    const decider = await open(end);
    for (let n = 0; n < 20_000; n += 1) decider.check(ask);
    expect(decider.check(ask)).toMatchObject({ allowed: false, refused: { code: 'unrecorded' } });
    end.recording = 200;
    await decider.flush();
    expect(decider.check(ask).allowed).toBe(true);
  });
});
