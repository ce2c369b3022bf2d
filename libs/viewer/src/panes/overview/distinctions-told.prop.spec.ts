import { describe, expect, it } from '@jest/globals';
import { textOf, type InvestigationResult } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { createModel } from '../../model.ts';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';
import { sidesOf } from './sides.ts';

fc.configureGlobal({ seed: SEED });

interface Said {
  readonly value: string;
  readonly type: string;
}
interface Case {
  readonly said: readonly Said[];
  /** Positions of the claims that distinctions part. */
  readonly parted: readonly (readonly [number, number])[];
}

/** Ids of claims, in the order of the claims and against it. */
const NAMES = {
  forward: (index: number) => `c${index}`,
  backward: (index: number) => `c${9 - index}`,
};

function toldOf({ said, parted }: Case, id: (index: number) => string) {
  const snapshot = snapshotOf({
    research_question: 'Is the pool open?',
    actors: said.map(({ type }, index) => ({ id: `a${index}`, name: `Desk ${index}`, source_type: type })),
    subjects: [{ id: 's', name: 'The pool', subject_type: 'place' }],
    claims: said.map(({ value }, index) => ({
      id: id(index),
      actor_id: `a${index}`,
      subject_id: 's',
      predicate: 'open',
      value,
      content: `statement ${index}`,
    })),
    distinctions: parted.map(([a, b], index) => ({
      id: `d${index}`,
      argument_a: id(a),
      argument_b: id(b),
      feature: `feature ${index}`,
      condition_a: 'in summer',
      condition_b: 'in winter',
    })),
  });
  const { headline, chance, sources, verdict } = answerOf(createModel(snapshot))!;
  const {
    supporting_source_count: ours,
    opposing_source_count: theirs,
    leading_value: value,
  } = (snapshot.result as InvestigationResult).subject_results[0]!;
  const sides = sidesOf(verdict)!;
  return {
    headline: textOf(headline),
    chance,
    sources: textOf(sources),
    counts: [ours, theirs],
    badges: [sides.for, sides.against].map(({ independent, copies }) => independent + copies),
    value,
  };
}

const TYPES = ['Expert', 'Institutional', 'Journalist', 'SocialMedia'];
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
const cases = fc
  .array(fc.record({ value: fc.constantFrom('true', 'false'), type: fc.constantFrom(...TYPES) }), {
    minLength: 2,
    maxLength: 5,
  })
  .chain((said) =>
    fc.record({
      said: fc.constant(said),
      parted: fc
        .array(fc.tuple(fc.nat({ max: said.length - 1 }), fc.nat({ max: said.length - 1 })), { maxLength: 4 })
        .map((pairs) => pairs.filter(([a, b]) => a !== b && said[a]!.value !== said[b]!.value)),
    }),
  );

describe('sources of claims that a distinction parts', () => {
  it.each([
    ['Institutional', 'Institutional'],
    ['SocialMedia', 'Institutional'],
    ['Institutional', 'SocialMedia'],
    ['Journalist', 'Expert'],
  ])('a %s that says yes and a %s that says no are both told and counted', (yes, no) => {
    covers('INV-V.160', 'RM-11.230');
    const said = [
      { value: 'true', type: yes },
      { value: 'false', type: no },
    ];
    for (const id of Object.values(NAMES)) {
      const told = toldOf({ said, parted: [[0, 1]] }, id);
      expect(told.sources).toMatch(
        /^One source says (so; Desk 1 says it is not so|it is not so; Desk 0 says it is)\.$/,
      );
      expect([told.counts, told.badges]).toEqual([
        [1, 1],
        [1, 1],
      ]);
    }
  });

  it('every source is told and counted on its side, whatever distinctions part and however claims are named', () => {
    covers('INV-V.160', 'RM-11.230');
    fc.assert(
      fc.property(cases, (one) => {
        const told = toldOf(one, NAMES.forward);
        const yes = one.said.filter(({ value }) => value === 'true').length;
        const no = one.said.length - yes;
        expect(told).toEqual(toldOf(one, NAMES.backward));
        expect([told.counts, told.badges]).toEqual([
          [yes, no],
          [yes, no],
        ]);
        expect([lineOf(false, yes, no), lineOf(true, no, yes)]).toContain(
          told.sources.replace(/Desk \d/, 'Desk'),
        );
      }),
      { numRuns: soak(400) },
    );
  });
});

/** The line that tells so many sources for what it says and against it. */
function lineOf(isNo: boolean, ours: number, theirs: number): string {
  const [so, not] = isNo ? ['it is not so', 'it is'] : ['so', 'it is not so'];
  const number = NUMBERS[ours]!;
  const first =
    ours === 0
      ? `No source says ${isNo ? `that ${so}` : `${so} directly`}`
      : ours === 1
        ? `One source says ${so}`
        : `${number.charAt(0).toUpperCase()}${number.slice(1)} independent sources say ${so}`;
  const others = `${NUMBERS[theirs - 1]} ${theirs === 2 ? 'other' : 'others'}`;
  const rest = theirs === 0 ? '' : theirs === 1 ? `; Desk says ${not}` : `; Desk and ${others} say ${not}`;
  return `${first}${rest}.`;
}
