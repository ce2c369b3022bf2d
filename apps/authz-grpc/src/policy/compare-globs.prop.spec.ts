import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { compareSets } from './compare-sets.ts';
import type { Policy } from './types.ts';

fc.configureGlobal({ seed: SEED });

const DOMAIN = '11111111-1111-4111-8111-111111111111';
const BELOW = '3b9ac0de-3333-4333-8333-3f0e5d7c9a1b';

function glob(object: string, more: Partial<Policy> = {}): Policy {
  const statements = [{ rules: { action: 'read', object } }];
  return { name: 'p', description: '', invert: false, deny: false, engine: 'glob', statements, ...more };
}

/** What the two ways between a narrow and a wide glob call the wide one, as an allowance and as a denial. */
function outcomesOfWide(narrow: string, wide: string): (string | undefined)[] {
  const open = glob('**', { name: 'open' });
  const others = new Map([[BELOW, { domainId: BELOW, version: 1, policies: [] }]]);
  const toSet = (policies: Policy[]) => ({ domainId: DOMAIN, version: 1, policies });
  return [false, true].flatMap((deny) =>
    [false, true].map((isWidened) => {
      const sets = [narrow, wide].map((object) => [...(deny ? [open] : []), glob(object, { deny })]);
      const [before, after] = (isWidened ? sets : sets.toReversed()).map(toSet) as [never, never];
      const facts = compareSets({ before, after, others, scopes: [[DOMAIN], [BELOW, DOMAIN]] });
      return facts.find(({ words }) => words.endsWith(`\`${wide}\``))?.outcome;
    }),
  );
}

const WITNESSED = ['witnessed', 'witnessed', 'witnessed', 'witnessed'];

/** Places of a domain. */
const domains = fc.constantFrom(
  DOMAIN,
  BELOW,
  '*',
  `${DOMAIN.slice(0, 8)}*`,
  `${BELOW.slice(0, 3)}*`,
  '????????-*',
  '*-3f0e5d7c9a1b',
  '[0-9a-f]*',
);
const names = fc.constantFrom('docs', 'home', 'a', '*', '*.md', 'v?', '[a-c]*', '$current_user()', 'é-*');
const paths = fc.array(names, { maxLength: 3 });
/** A name, and a pattern that has more names than it. */
const edits = fc.constantFrom(
  ['*', '**'],
  ['?', '*'],
  ['v?', 'v*'],
  ['*.md', '*'],
  ['s-*', '*'],
  ['[ab]', '[a-c]'],
  ['v[0-9]', 'v*'],
  ['docs', '*'],
  ['docs', '**'],
  ['$current_user()', '*'],
  ['$current_user()-*', '*'],
);

describe('witnesses of globs', () => {
  it('each glob on objects that has more texts than another has a witness in the place of any domain', () => {
    covers('AUTHZ-C.17');
    fc.assert(
      fc.property(domains, paths, edits, paths, (domain, start, [narrow, wide], end) => {
        const written = (name: string) => `svc://${[domain, ...start, name, ...end].join('/')}`;
        const pair = [written(narrow), written(wide)] as const;
        expect([pair, outcomesOfWide(...pair)]).toEqual([pair, WITNESSED]);
      }),
      { numRuns: soak(1_000) },
    );
  });

  it.each([
    ['svc://*/docs/*', 'svc://*/docs/**'],
    ['svc://*/a/*/b/*', 'svc://*/a/**/b/*'],
    ['svc://*/docs/v?', 'svc://*/docs/v*'],
    ['svc://3b9ac0de*/docs/*', 'svc://3b9ac0de*/docs/**'],
    ['svc://*/home/$current_user()/*', 'svc://*/home/$current_user()/**'],
    ['svc://*/a/*/b', 'svc://*/a/**/b'],
    ['svc://*/**/a/?', 'svc://*/**/a/??'],
  ])('the glob %s has not all texts of %s', (narrow, wide) => {
    covers('AUTHZ-C.17');
    expect(outcomesOfWide(narrow, wide)).toEqual(WITNESSED);
  });
});
