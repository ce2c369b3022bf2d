import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { bundleOf, DOMAIN, KEY, policyOf, signed, SUPERIOR } from './bundle.fixture.ts';
import { compileBundle, type Verdict } from './bundle-policies.ts';
import { BundleError, verifyBundle, type Bundle } from './bundle.ts';
import { canonicalJson } from './canonical-json.ts';

fc.configureGlobal({ seed: SEED });

const NOW = Date.UTC(2030, 0, 1);
const bundle = bundleOf(NOW, [policyOf('readers', { subject: 'alice', action: 'read' })]);

const verify = (body: string, now = NOW, domainId = DOMAIN) =>
  verifyBundle(body, { keys: [{ kid: 'another', x: KEY.x.replace(/^./, 'A') }, KEY], domainId, now });

async function refusalOf(body: string, now = NOW, domainId = DOMAIN): Promise<string> {
  const error: unknown = await verify(body, now, domainId).then(
    () => null,
    (caught: unknown) => caught,
  );
  return error instanceof BundleError ? error.code : `not refused: ${String(error)}`;
}

/** The signed body with another bundle in it. */
const replaced = (change: Partial<Bundle>) =>
  signed(bundle).replace(canonicalJson(bundle), () => canonicalJson({ ...bundle, ...change }));

describe('a bundle', () => {
  it('a bundle that nobody touched is verified, whatever the spelling of its JSON', async () => {
    covers('AUTHZ-BUNDLE.1');
    expect(await verify(signed(bundle))).toEqual(bundle);
    expect(await verify(JSON.stringify(JSON.parse(signed(bundle)), null, 2))).toEqual(bundle);
  });

  it.each<[string, Partial<Bundle>, string]>([
    ['policies', { domains: [{ id: DOMAIN, version: 5, policies: [] }] }, 'bad_signature'],
    ['version', { domains: bundle.domains.map((each) => ({ ...each, version: 9 })) }, 'bad_signature'],
    ['expiry', { expires_at: bundle.expires_at + 1 }, 'bad_signature'],
    ['time of issue', { issued_at: bundle.issued_at - 1 }, 'bad_signature'],
    ['domain', { domain_id: SUPERIOR }, 'bad_signature'],
    ['tenant', { tenant_id: SUPERIOR }, 'bad_signature'],
    ['issuer', { issuer: 'another' }, 'bad_signature'],
    ['format', { format: 2 as 1 }, 'malformed'],
    ['key', { key_id: 'nobody' }, 'unknown_key'],
    ['key, for another published one', { key_id: 'another' }, 'bad_signature'],
  ])('a bundle is refused after a change of its %s', async (_, change, code) => {
    covers('AUTHZ-BUNDLE.7');
    expect(await refusalOf(replaced(change))).toBe(code);
  });

  it('each of 500 bundles is refused of which one character, or one of the signature, was changed', async () => {
    covers('AUTHZ-BUNDLE.7');
    const body = signed(bundle);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(body.length - 1),
        fc.constantFrom(...'aZ09_-,:"{}[]\\ '),
        async (at, character) => {
          fc.pre(body[at] !== character);
          const changed = body.slice(0, at) + character + body.slice(at + 1);
          expect([changed, await refusalOf(changed)]).not.toEqual([changed, 'not refused: null']);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('a signature in a second spelling of its bytes is refused', async () => {
    covers('AUTHZ-BUNDLE.7');
    const { signature } = JSON.parse(signed(bundle)) as { signature: string };
    for (const other of [`${signature}==`, signature.slice(0, -1) + (signature.endsWith('B') ? 'C' : 'B')])
      expect(await refusalOf(signed(bundle).replace(signature, other))).toBe('bad_signature');
  });

  it('a bundle is refused once it has expired, before it was issued, and for another domain', async () => {
    covers('AUTHZ-BUNDLE.7');
    expect(await refusalOf(signed(bundle), NOW + 99_999)).toContain('not refused');
    expect(await refusalOf(signed(bundle), NOW + 100_000)).toBe('expired');
    expect(await refusalOf(signed(bundle), NOW - 60_000)).toContain('not refused');
    expect(await refusalOf(signed(bundle), NOW - 60_001)).toBe('not_yet_issued');
    expect(await refusalOf(signed(bundle), NOW, SUPERIOR)).toBe('other_domain');
  });

  it('the refusals for a clock that is ahead and for a key that is not known say what to look at', async () => {
    covers('AUTHZ-BUNDLE.21');
    await expect(verify(signed(bundle), NOW + 100_000)).rejects.toThrow('it has expired: check the clock');
    await expect(verify(replaced({ key_id: 'nobody' }))).rejects.toThrow(
      'the key nobody that signed it is none of the keys known here',
    );
  });

  it.each(['', 'null', '[]', '{}', '{"bundle":null,"signature":""}', '{"bundle":{},"signature":"AA"}'])(
    'a body that is not a bundle is refused: %s',
    async (body) => {
      expect(await refusalOf(body)).toBe('malformed');
    },
  );
});

describe('checks by a bundle', () => {
  const ask = { subject: 'alice', action: 'read', object: `svc://${DOMAIN}/a` };

  it('a check by a bundle is allowed, denied or refused with a reason', () => {
    covers('AUTHZ-BUNDLE.8');
    const policies = compileBundle(bundle);
    expect(policies.check(ask)).toEqual({
      allowed: true,
      matched: { domainId: DOMAIN, domainVersion: 5, policy: 'readers' },
      refused: null,
    });
    expect(policies.check({ ...ask, action: 'write' })).toEqual({
      allowed: false,
      matched: null,
      refused: null,
    });
    const refusals = [
      { ...ask, object: `svc://${SUPERIOR}/a` },
      { ...ask, object: `svc://${DOMAIN}/a/../b` },
      { ...ask, subject: '' },
      { ...ask, subject: SUPERIOR.toUpperCase() },
      { ...ask, 'user.team': 'red' },
      { ...ask, group: [] },
      { ...ask, level: 7 as unknown as string },
    ].map((context) => policies.check(context));
    expect(refusals.map(({ allowed, refused }) => [allowed, refused?.code])).toEqual([
      [false, 'other_domain'],
      ...Array.from({ length: 6 }, () => [false, 'invalid_context']),
    ]);
    policies.free();
    expect(policies.check(ask).refused?.code).toBe('problem');
  });

  it('a check is refused where policies name attributes of subjects and none are given', () => {
    covers('AUTHZ-BUNDLE.8');
    const deny = policyOf('suspended', { 'user.state': 'suspended' }, { deny: true });
    const policies = compileBundle(bundleOf(NOW, [policyOf('all', { action: 'read' }), deny]));
    expect(policies.check(ask).refused?.code).toBe('attributes_missing');
    expect(policies.check(ask, {}).allowed).toBe(true);
    expect(policies.check(ask, { state: 'suspended' }).allowed).toBe(false);
    expect(policies.check(ask, { state: ['new', 'suspended'] }).matched?.policy).toBe('suspended');
  });

  it('a check of anything at all has a result and never throws', () => {
    covers('AUTHZ-BUNDLE.8');
    const policies = compileBundle(
      bundleOf(NOW, [policyOf('all', { action: 'read' }), policyOf('red', { 'user.team': 'red' })]),
    );
    const check = policies.check as (context: unknown, attributes?: unknown) => Verdict;
    for (const nothing of [null, undefined, 7, 'x', []])
      expect(check(nothing).refused?.code).toBe('invalid_context');
    for (const attributes of [null, 7, { team: 7 }, { team: ['red', null] }, { team: '\ud800' }])
      expect(check(ask, attributes)).toMatchObject({ allowed: false, refused: { code: 'invalid_context' } });
    const values = fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()));
    fc.assert(
      fc.property(values, values, (more, attributes) => {
        check(more, attributes);
        const { allowed, refused } = check({ ...ask, ...(more as object) }, attributes);
        if (refused !== null) expect(allowed).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('a bundle with a REGEX refuses every check where regexes are not loaded', () => {
    covers('AUTHZ-BUNDLE.8');
    const regex = policyOf('r', { subject: '^bob$' }, { engine: 'regex' });
    expect(
      compileBundle(bundleOf(NOW, [policyOf('all', { action: 'read' }), regex])).check(ask),
    ).toMatchObject({
      allowed: false,
      refused: { code: 'problem' },
    });
  });
});

describe('canonical JSON', () => {
  it('canonical JSON writes what RFC 8785 shows', () => {
    covers('AUTHZ-BUNDLE.1');
    // RFC 8785 §3.2.2 and §3.2.3.
    const shown: unknown = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(shown)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = JSON.parse(canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))) as object;
    expect(Object.keys(sorted)).toEqual(['1', '\r', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33']);
  });

  it('a value without canonical JSON is refused', () => {
    for (const value of [Infinity, NaN, '\ud800', { '\udc00': 1 }])
      expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
