import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { randomFrom } from '@platform/argumentation/investigation-framework.fixture';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import type { ClaimInput, InvestigationInput } from '../contract/types.ts';
import { explainAll } from '../explain/explain.ts';
import { actor, claim, investigation, judge, NOW } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

const worlds = fc.record({
  seed: fc.nat(1_000_000),
  known: fc.array(fc.constantFrom('Journalist', 'Regulator', 'Institutional', 'Insider'), {
    minLength: 2,
    maxLength: 6,
  }),
  mimics: fc.array(fc.constantFrom('Anonymous', 'SocialMedia', 'Troll'), { minLength: 1, maxLength: 4 }),
  /** How often mimics of the first source repeat it. */
  copied: fc.constantFrom(1, 0.9),
  /** The second identified source repeats the first. */
  hasCopier: fc.boolean(),
  items: fc.constantFrom(6, 10, 20),
  /** When the mimics speak. */
  when: fc.constantFrom('unknown', 'earlier', 'later'),
  reliability: fc.constantFrom('declared' as const, 'estimated' as const),
});

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

const isMimic = (id: string) => id.startsWith('x');

/** Identified sources that are right in three answers of four, and mimics of the first one. */
function inputOf({ seed, known, mimics, copied, hasCopier, items, when, reliability }: World) {
  const random = randomFrom(seed);
  const answer = (right: number, item: number, source: string) =>
    random() < right ? `right ${item}` : `wrong ${item} of ${source}`;
  const actors = [...known, ...mimics].map((source_type, i) =>
    actor(i < known.length ? `k${i}` : `x${i}`, {
      source_type: source_type,
      base_reliability: null,
    }),
  );
  const subjects = Array.from({ length: items }, (_, i) => ({
    id: `s${i}`,
    name: `s${i}`,
    subject_type: 'thing',
  }));
  const claims = subjects.flatMap(({ id: subject_id }, item): ClaimInput[] => {
    const said = new Map<string, string>();
    for (const { id } of actors)
      said.set(
        id,
        isMimic(id)
          ? random() < copied
            ? said.get('k0')!
            : answer(0.2, item, id)
          : id === 'k1' && hasCopier
            ? said.get('k0')!
            : answer(0.75, item, id),
      );
    return actors.map(({ id }) =>
      claim(`${subject_id}-${id}`, id, said.get(id)!, {
        subject_id,
        ...(when !== 'unknown' && {
          assertion_time: !isMimic(id) ? '2025-12-10' : when === 'earlier' ? '2025-12-01' : '2025-12-20',
        }),
      }),
    );
  });
  return investigation(claims, { actors, subjects, reliability });
}

/** The same without the mimics. */
const amongKnown = (input: InvestigationInput): InvestigationInput => ({
  ...input,
  actors: input.actors.filter(({ id }) => !isMimic(id)),
  claims: input.claims.filter(({ actor_id: id }) => !isMimic(id)),
});

it('what unidentified sources say makes no identified source a suspect, a copier or a repeat of theirs', () => {
  covers('RM-11.40', 'RM-11.199');
  fc.assert(
    fc.property(worlds, fc.nat(), (world, retracted) => {
      const full = inputOf(world);
      const claims = full.claims.map((one) =>
        isMimic(one.actor_id) && one.subject_id === `s${retracted % world.items}`
          ? { ...one, epistemic_status: 'retracted' as const }
          : one,
      );
      const changed = { ...full, claims };
      const alone = judge(amongKnown(full));
      for (const input of [full, changed]) {
        const { source_dependence: groups, warnings } = judge(input);
        for (const { actor_ids: ids, resembles, direction } of groups) {
          const suspects = ids.filter((id) => !isMimic(id));
          if (suspects.length > 0) {
            expect(suspects).toEqual(ids);
            const isFoundAlone = alone.source_dependence.some(({ actor_ids: found }) =>
              ids.every((id) => found.includes(id)),
            );
            expect(isFoundAlone).toBe(true);
          }
          if (direction && isMimic(direction.to)) expect(isMimic(direction.from)).toBe(true);
          if (!resembles) continue;
          expect(world.when).not.toBe('earlier');
          expect(isMimic(resembles)).toBe(false);
          if (ids.length > 1) expect(direction).toBeUndefined();
          else if (direction || world.when === 'later')
            expect(direction).toEqual({ from: ids[0], to: resembles });
        }
        for (const warning of warnings)
          expect(warning).not.toMatch(/^Claim `s\d+-k\d` repeats `s\d+-x|^Actors? (?:.*, )?`k\d`.*`x\d`/);
      }
      // What an identified source's own claims weigh is what they weigh among identified sources alone.
      const counted = (given: InvestigationInput) =>
        explainAll(given, { now: NOW })
          .flatMap(({ contributions }) => contributions)
          .filter(({ actor_id: id }) => id && !isMimic(id));
      const now = counted(changed);
      for (const { counted_claim_id: ahead } of now) expect(ahead ?? '').not.toMatch(/-x/);
      if (world.reliability === 'estimated') return;
      const weights = new Map(now.map(({ claim_id: id, counted: weight }) => [id, weight]));
      for (const { claim_id: id, counted: weight } of counted(amongKnown(changed)))
        if (weights.has(id)) expect(weights.get(id)).toBeGreaterThanOrEqual(weight - 1e-9);
    }),
    { numRuns: soak(150) },
  );
});

/** The claims of an unidentified source on each subject: it repeats `k0` and `k1`, or says something else. */
function voiceOf(input: InvestigationInput, id: string, manner: string): ClaimInput[] {
  return input.subjects.map(({ id: subject_id }) => {
    const said = (source: string) =>
      input.claims.find(({ id: own }) => own === `${subject_id}-${source}`)!.value;
    const value = {
      repeats: said('k0'),
      'repeats another': said('k2'),
      scatters: `${id} on ${subject_id}`,
      agrees: `rumor on ${subject_id}`,
    }[manner]!;
    return claim(`${subject_id}-${id}`, id, value, { subject_id });
  });
}

it('unidentified sources change neither which identified sources are suspected nor how surely', () => {
  covers('RM-11.209');
  const manners = fc.constantFrom('repeats', 'repeats another', 'scatters', 'agrees');
  let suspected = 0;
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.integer({ min: 4, max: 7 }),
      fc.constantFrom(10, 20, 40),
      fc.array(manners, { minLength: 1, maxLength: 8 }),
      (seed, count, items, added) => {
        const known = Array.from({ length: count }, () => 'Journalist');
        const world = { seed, known, mimics: [], copied: 1, hasCopier: true, items, when: 'unknown' };
        const alone = inputOf({ ...world, reliability: 'declared' } as World);
        const voices = added.map((manner, i) => ({ id: `x${i}`, manner }));
        const crowded = {
          ...alone,
          actors: [
            ...alone.actors,
            ...voices.map(({ id }) => actor(id, { source_type: 'Anonymous', base_reliability: null })),
          ],
          claims: [...alone.claims, ...voices.flatMap(({ id, manner }) => voiceOf(alone, id, manner))],
        };
        const foundIn = (input: InvestigationInput) =>
          judge(input).source_dependence.filter(({ actor_ids: ids }) => !ids.some(isMimic));
        const found = foundIn(alone);
        suspected += found.length;
        expect(foundIn(crowded)).toEqual(found);
      },
    ),
    { numRuns: soak(100) },
  );
  expect(suspected).toBeGreaterThan(0);
});

it('an account that repeats a newspaper is suspected where it speaks later, and not where it speaks first', () => {
  covers('RM-11.199');
  const found = (when: World['when']) =>
    [1, 2, 3, 4, 5, 6].flatMap((seed) => {
      const world = { seed, copied: 1, hasCopier: false, items: 20, when, reliability: 'declared' } as const;
      const known: World['known'] = Array.from({ length: 5 }, () => 'Journalist' as const);
      return judge(inputOf({ ...world, known, mimics: ['Anonymous'] })).source_dependence;
    });
  expect(found('later').length).toBeGreaterThan(2);
  for (const group of found('later'))
    expect(group).toMatchObject({
      actor_ids: ['x5'],
      resembles: 'k0',
      applied: false,
      direction: { from: 'x5', to: 'k0' },
    });
  expect(found('earlier')).toEqual([]);
});
