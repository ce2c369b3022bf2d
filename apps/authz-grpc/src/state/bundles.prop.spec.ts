import { afterAll, describe, expect, it } from '@jest/globals';
import { compileBundle, verifyBundle, type BundleKey } from '@platform/decide';
import { openRegexes } from '@platform/decide/regex';
import { generateSigningKey, publicJwks, verificationKeyOf } from '@platform/jwt';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { bundleSigner } from '../identity/bundle-signer.ts';
import { combineDomains, compileDomain } from '../policy/compile.ts';
import { objects, policyDomains, searchContexts } from '../policy/policies.fixture.ts';
import { createBundles } from './bundles.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '3d0e1a2b-0000-4000-8000-0000000000ab';
const NOW = Date.UTC(2030, 0, 1);
const rename = (text: string) => text.replaceAll('svc://d/', `svc://${DOMAIN}/`);

const key = await generateSigningKey();
const keys = publicJwks([verificationKeyOf(key)]).keys as unknown as BundleKey[];
const regexes = openRegexes();

function bundlesAt(now: () => number, seconds = 300) {
  return createBundles({ issuer: 'i', seconds, signer: () => bundleSigner(key), now: () => new Date(now()) });
}

describe('bundles', () => {
  const seen = { allowed: 0, denied: 0, refused: 0 };
  afterAll(() => console.log(JSON.stringify(seen)));

  it('a bundle that was signed, sent and compiled decides as the policies it was made of', async () => {
    covers('AUTHZ-BUNDLE.4');
    const bundles = bundlesAt(() => NOW);
    await fc.assert(
      fc.asyncProperty(policyDomains, searchContexts, async (lists, contexts) => {
        const domains = lists.map(({ policies, version }, index) =>
          compileDomain({
            domainId: index === 0 ? DOMAIN : `${DOMAIN.slice(0, -1)}${index}`,
            version: version + index,
            policies: policies.map((policy) => ({
              ...policy,
              statements: policy.statements.map(({ rules }) => ({
                rules: Object.fromEntries(Object.entries(rules).map(([name, text]) => [name, rename(text)])),
              })),
            })),
          }),
        );
        const service = combineDomains(domains);
        // A name of its own for each set, for versions name the content.
        const text = await bundles.issue({ tenantId: crypto.randomUUID(), domains });
        const bundle = await verifyBundle(text, { keys, domainId: DOMAIN, now: NOW });
        const holder = compileBundle(bundle, { regexes });
        for (const each of contexts) {
          const own = [...each].filter(([name]) => !name.startsWith('user.'));
          const attributes = [...each].filter(([name]) => name.startsWith('user.'));
          for (const object of objects) {
            const asked = new Map([...own, ...object]).set('object', rename(String(object.get('object'))));
            const decision = service.evaluate(new Map([...asked, ...attributes]));
            const verdict = holder.check(
              Object.fromEntries(asked),
              Object.fromEntries(attributes.map(([name, values]) => [name.slice('user.'.length), values])),
            );
            if (verdict.allowed !== decision.allowed || verdict.matched?.policy !== decision.matched?.policy)
              expect([asked, verdict]).toEqual([asked, decision]);
            seen[decision.problems.length > 0 ? 'refused' : decision.allowed ? 'allowed' : 'denied'] += 1;
          }
        }
        holder.free();
        for (const domain of domains) domain.free();
      }),
      { numRuns: soak(2_500, 100), endOnFailure: true },
    );
    expect(Math.min(seen.allowed, seen.denied)).toBeGreaterThan(1_000);
  });

  it('a bundle is the same bytes on every replica, and another one halfway to its expiry', async () => {
    covers('AUTHZ-BUNDLE.2');
    let now = NOW;
    const [one, other] = [bundlesAt(() => now), bundlesAt(() => now)];
    const policies = {
      tenantId: 't',
      domains: [compileDomain({ domainId: DOMAIN, version: 1, policies: [] })],
    };
    const first = await one.issue(policies);
    const tag = one.tagOf(policies);
    now = NOW + 149_999;
    expect([await other.issue(policies), other.tagOf(policies)]).toEqual([first, tag]);
    now = NOW + 150_000;
    expect(one.tagOf(policies)).not.toBe(tag);
    expect(await one.issue(policies)).not.toBe(first);
    const next = { ...policies, domains: [compileDomain({ domainId: DOMAIN, version: 2, policies: [] })] };
    expect(one.tagOf(next)).not.toBe(one.tagOf(policies));
  });
});
