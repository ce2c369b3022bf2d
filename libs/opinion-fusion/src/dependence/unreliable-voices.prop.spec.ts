import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

const camps = fc.record({
  /** Journalists of either camp; the first is at least as large. */
  sizes: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })).filter(([a, b]) => a >= b),
  agreed: fc.nat(8),
  disputed: fc.integer({ min: 1, max: 12 }),
  isClosed: fc.boolean(),
  joining: fc.array(fc.constantFrom('Anonymous', 'SocialMedia', 'Troll', 'Institutional'), {
    minLength: 1,
    maxLength: 4,
  }),
});

type Camps = typeof camps extends fc.Arbitrary<infer T> ? T : never;

/** By disputed question, whether the first camp leads or ties, with and without those who join it. */
function leads({ sizes, agreed, disputed, isClosed }: Camps, joining: readonly string[]) {
  const actors = [
    ...sizes.flatMap((size, camp) =>
      Array.from({ length: size }, (_, i) => actor(`${'ab'[camp]}${i}`, { source_type: 'Journalist' })),
    ),
    ...joining.map((source_type, i) => actor(`x${i}`, { source_type: source_type })),
  ].map((one) => ({ ...one, base_reliability: null }));
  const subjects = Array.from({ length: agreed + disputed }, (_, i) => ({
    id: `s${i}`,
    name: `s${i}`,
    subject_type: 'thing',
  }));
  const claims = subjects.flatMap(({ id }, i) =>
    actors.map((one) => {
      const isAgainst = one.id.startsWith('b') && i >= agreed;
      const value = isClosed ? String(!isAgainst) : `${isAgainst ? 'other' : 'value'} ${i}`;
      return claim(`${id}-${one.id}`, one.id, value, { subject_id: id });
    }),
  );
  const { subject_results: verdicts } = judge(
    investigation(claims, { actors, subjects, reliability: 'estimated' }),
  );
  return verdicts
    .filter(({ subject_id: id }) => Number(id.slice(1)) >= agreed)
    .every(({ leading_value: leading, tied }) => tied || leading === 'true' || leading?.startsWith('value'));
}

it('sources of low declared reliability never turn a verdict against the side that they agree with', () => {
  covers('RM-11.205');
  fc.assert(
    fc.property(camps, (found) => {
      fc.pre(leads(found, []));
      expect(leads(found, found.joining)).toBe(true);
    }),
    { numRuns: 150 },
  );
});
