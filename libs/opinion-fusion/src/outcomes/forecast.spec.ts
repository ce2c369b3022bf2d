import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import type {
  ClaimInput,
  InferenceInput,
  InvestigationInput,
  InvestigationResult,
} from '../contract/types.ts';
import {
  forecastOf,
  NEITHER_YES_NOR_NO,
  NO_CLAIM_THERE,
  NOTHING_TO_SCORE,
  type Forecast,
  type OutcomePlace,
} from './forecast.ts';

const NOW = new Date('2026-01-02T00:00:00Z');

const claim = (id: string, actor_id: string, value: string, more: Partial<ClaimInput> = {}): ClaimInput => ({
  id,
  actor_id,
  subject_id: 'deal',
  predicate: 'price',
  value,
  content: '',
  ...more,
});

function forecast(
  claims: ClaimInput[],
  value: string,
  predicate = 'price',
  inferences: InferenceInput[] = [],
  about: OutcomePlace = {},
) {
  const input: InvestigationInput = {
    research_question: 'What was paid?',
    actors: [
      { id: 'a', name: 'Registry', source_type: 'Regulator' },
      { id: 'b', name: 'Daily', source_type: 'Journalist' },
      { id: 'd', name: 'Second registry', source_type: 'Regulator' },
      { id: 'c', name: 'Blog', source_type: 'Anonymous', base_reliability: 0.4 },
    ],
    subjects: [{ id: 'deal', name: 'Deal', subject_type: 'event' }],
    claims,
    inferences,
  };
  const result = analyze(input, { now: NOW }) as InvestigationResult;
  return forecastOf({
    input,
    result,
    judgedAt: NOW,
    subject_id: 'deal',
    predicate,
    value,
    ...about,
  }) as Forecast | null;
}
const rightOf = (said: ReturnType<typeof forecast>) =>
  said!.statements.map(({ actor_id, was_right }) => `${actor_id} ${was_right ? 'right' : 'wrong'}`);

describe('forecastOf', () => {
  it('forecastOf follows the outcome through spellings, for the leading value and for every source', () => {
    covers('INV-O.3');
    const claims = [
      claim('1', 'a', '$5M'),
      claim('2', 'b', '7 million dollars'),
      claim('3', 'c', '5,000,000 USD'),
    ];
    const said = forecast(claims, '5 million USD');
    expect(said).toMatchObject({ leading_value: '$5M', was_right: true });
    expect(said!.chance_of_outcome).toBe(said!.chance);
    expect(rightOf(said)).toEqual(['a right', 'b wrong', 'c right']);
    expect(said!.statements.map(({ reliability }) => reliability)).toEqual([expect.any(Number), 0.7, 0.4]);
  });

  it('forecastOf gives the chance of a value that did not lead, and none to a value that nobody said', () => {
    covers('INV-O.3');
    const claims = [claim('1', 'a', 'red'), claim('2', 'b', 'blue')];
    const said = forecast(claims, 'blue');
    expect(said).toMatchObject({ leading_value: 'red', was_right: false });
    expect(said!.chance_of_outcome).toBeGreaterThan(0);
    expect(said!.chance_of_outcome).toBeLessThan(said!.chance);
    expect(forecast(claims, 'green')).toMatchObject({ was_right: false, chance_of_outcome: 0 });
  });

  it('forecastOf scores the answer that leads to a yes-or-no question, no where more speaks for no', () => {
    covers('INV-O.8');
    const no = [claim('1', 'a', 'no'), claim('2', 'b', 'false')];
    expect(forecast(no, 'false')).toMatchObject({ leading_value: 'false', was_right: true });
    const wrong = forecast(no, 'yes')!;
    expect(wrong).toMatchObject({ leading_value: 'false', was_right: false });
    expect(wrong.chance).toBeGreaterThan(0.5);
    expect(wrong.chance_of_outcome).toBeCloseTo(1 - wrong.chance, 12);
    expect(rightOf(wrong)).toEqual(['a wrong', 'b wrong']);
  });

  it('forecastOf scores yes as the answer to a yes-or-no question where more speaks for yes', () => {
    covers('INV-O.8');
    expect(forecast([claim('1', 'a', 'yes')], 'true')).toMatchObject({
      leading_value: 'true',
      was_right: true,
    });
  });

  it('forecastOf scores the sources of a tie, and no value of it, whatever the ids of its claims', () => {
    covers('INV-O.34');
    const ties = [
      ['Ann', 'Bob'],
      ['yes', 'no'],
    ] as const;
    for (const [one, other] of ties)
      for (const [first, second] of [
        ['1', '2'],
        ['2', '1'],
      ] as const) {
        const said = forecast([claim(first, 'a', one), claim(second, 'd', other)], one);
        expect(said).toMatchObject({ leading_value: null, tied: true, was_right: null });
        expect(said!.chance_of_outcome).toBeCloseTo(said!.chance, 12);
        expect(rightOf(said).toSorted()).toEqual(['a right', 'd wrong']);
      }
  });

  it('forecastOf gives a no that nobody said the chance that yes leaves to it', () => {
    covers('INV-O.8');
    const yes = [claim('1', 'a', 'yes')];
    const said = forecast(yes, 'no')!;
    expect(said).toMatchObject({ leading_value: 'true', was_right: false });
    expect(said.chance_of_outcome).toBeCloseTo(1 - said.chance, 12);
    expect(forecast(yes, 'yes')!.chance_of_outcome).toBe(said.chance);
  });

  it.each([
    [[claim('1', 'a', 'yes')]],
    [[claim('1', 'a', 'no')]],
    [[claim('1', 'a', 'yes'), claim('2', 'b', 'no')]],
    [[claim('1', 'a', 'true', { valence: 'Refutes' }), claim('2', 'c', 'yes')]],
    [[claim('1', 'a', 'yes'), claim('2', 'b', 'no'), claim('3', 'd', 'unclear')]],
  ])('forecastOf gives yes and no chances that sum to 1, however a question is answered (%#)', (claims) => {
    covers('INV-O.8');
    const [yes, no] = [forecast(claims, 'yes')!, forecast(claims, 'no')!];
    expect(yes.chance_of_outcome + no.chance_of_outcome).toBeCloseTo(1, 12);
    for (const said of [yes, no].filter(({ tied }) => !tied))
      expect(said.chance_of_outcome).toBeCloseTo(said.was_right ? said.chance : 1 - said.chance, 12);
  });

  it('forecastOf reads usual spellings of yes and no, and says where an outcome is neither', () => {
    covers('INV-O.9');
    const claims = [claim('1', 'a', 'no'), claim('2', 'b', 'yes', { scope: 'elsewhere' })];
    for (const no of ['Nope', '0', 'untrue', 'N', ' not  true. ', 'f', 'incorrect'])
      expect([no, forecast(claims, no)?.was_right, ...rightOf(forecast(claims, no))]).toEqual([
        no,
        true,
        'a right',
      ]);
    for (const yes of ['Yep', '1', 'y', 'TRUE', 'correct'])
      expect([yes, forecast(claims, yes)?.was_right]).toEqual([yes, false]);
    for (const neither of ['maybe', '2', 'red', 'not'])
      expect([neither, forecast(claims, neither)]).toEqual([neither, NEITHER_YES_NOR_NO]);
  });

  it('forecastOf takes what a claim says as the outcome of a yes-or-no question, where it is neither', () => {
    covers('INV-O.9');
    const claims = [claim('1', 'a', 'yes'), claim('2', 'b', 'yes'), claim('3', 'c', 'in part')];
    expect(forecast(claims, 'In part')).toMatchObject({ leading_value: 'true', was_right: false });
  });

  it('forecastOf reads a number as a number where the question is not answered by yes or no', () => {
    covers('INV-O.9');
    expect(forecast([claim('1', 'a', '1')], '1')).toMatchObject({ leading_value: '1', was_right: true });
    expect(forecast([claim('1', 'a', '1')], 'nope')).toMatchObject({ was_right: false });
  });

  it('forecastOf scores a conclusion that inferences alone reach by whether it holds, and by no value', () => {
    covers('INV-O.10');
    const concluded = (value: string) =>
      forecast([claim('1', 'a', 'yes')], value, 'approved', [
        {
          id: 'i',
          subject_id: 'deal',
          predicate: 'approved',
          premise_claim_ids: ['1'],
          rule_type: 'default',
          rule_param: 'usual',
        },
      ]);
    const [yes, no] = [concluded('Yes')!, concluded('no')!];
    expect(yes).toMatchObject({ leading_value: 'true', was_right: true, chance_of_outcome: yes.chance });
    expect(yes.chance).toBeGreaterThan(0.5);
    expect(no).toMatchObject({ leading_value: 'true', was_right: false, chance: yes.chance });
    expect(yes.chance_of_outcome + no.chance_of_outcome).toBeCloseTo(1, 12);
    expect(concluded('in part')).toBe(NOTHING_TO_SCORE);
  });

  it('forecastOf scores nothing where no claim on a question has weight', () => {
    covers('INV-O.10');
    const retracted = [claim('1', 'a', 'red', { epistemic_status: 'retracted' })];
    for (const value of ['red', 'blue', 'yes', 'no'])
      expect([value, forecast(retracted, value)]).toEqual([value, NOTHING_TO_SCORE]);
  });

  it('forecastOf counts a denial as right where what it denies is not the outcome, and leaves out what was taken back', () => {
    covers('INV-O.3');
    const claims = [
      claim('1', 'a', 'red'),
      claim('2', 'b', 'red', { valence: 'Refutes' }),
      claim('3', 'c', 'blue', { epistemic_status: 'retracted' }),
    ];
    expect(rightOf(forecast(claims, 'blue'))).toEqual(['a wrong', 'b right']);
    expect(rightOf(forecast(claims, 'red'))).toEqual(['a right', 'b wrong']);
  });

  it('forecastOf counts a source once for what was right and once for what was wrong', () => {
    covers('INV-O.3');
    const claims = ['red', 'red', 'blue', 'green'].map((value, index) =>
      claim(String(index), 'a', value, { content: String(index) }),
    );
    expect(rightOf(forecast(claims, 'red'))).toEqual(['a right', 'a wrong']);
  });

  it.each([
    ['yes', { scope: 'in summer' }, 'true', ['c right']],
    ['no', { scope: 'in summer' }, 'true', ['c wrong']],
    ['yes', { scope: 'in winter' }, 'false', ['a wrong', 'b wrong']],
    ['no', {}, 'false', ['a right', 'b right']],
  ] as const)(
    'forecastOf scores the answer %s about %j by the claims of that scope alone',
    (value, about, leading, sources) => {
      covers('INV-O.23', 'INV-O.24', 'INV-O.25');
      const claims = [
        claim('1', 'a', 'no', { scope: 'in winter' }),
        claim('2', 'b', 'no', { scope: 'in winter' }),
        claim('3', 'c', 'yes', { scope: 'in summer' }),
      ];
      const said = forecast(claims, value, 'price', [], about);
      expect(said).toMatchObject({
        leading_value: leading,
        scope: leading === 'true' ? 'in summer' : 'in winter',
        // What was asked for needs no caution.
        claims_elsewhere: 'scope' in about ? 0 : 1,
      });
      expect(rightOf(said)).toEqual(sources);
      expect(said!.was_right).toBe((value === 'yes') === (leading === 'true'));
      expect(said!.chance).toBeGreaterThanOrEqual(0.5);
    },
  );

  it('forecastOf scores the sources whose claims overlap the time of the outcome', () => {
    covers('INV-O.23', 'INV-O.24', 'INV-O.25');
    const claims = [
      claim('1', 'a', 'Ann', { event_start_time: '1990', event_end_time: '2000' }),
      claim('2', 'b', 'Bob', { event_start_time: '2010' }),
      claim('3', 'c', 'Ann', { event_end_time: '2012' }),
    ];
    const sourcesOf = (about: OutcomePlace) => rightOf(forecast(claims, 'Bob', 'price', [], about));
    expect(sourcesOf({ event_start_time: '2011', event_end_time: '2012' })).toEqual(['b right', 'c wrong']);
    expect(sourcesOf({ event_start_time: '2015' })).toEqual(['b right']);
    expect(forecast(claims, 'Bob')).toMatchObject({
      leading_value: 'Ann',
      event_start_time: '1990',
      event_end_time: '2000',
      claims_elsewhere: 1,
    });
    expect(sourcesOf({})).toEqual(['a wrong', 'c wrong']);
    const later = { event_start_time: '2015' };
    expect(forecast(claims, 'Bob', 'price', [], later)).toMatchObject({
      leading_value: 'Bob',
      scope: null,
      event_start_time: '2015',
      event_end_time: null,
      was_right: true,
    });
  });

  it('forecastOf says where no claim is of the scope of the outcome', () => {
    covers('INV-O.24');
    const claims = [claim('1', 'a', 'no', { scope: 'in winter' })];
    expect(forecast(claims, 'no', 'price', [], { scope: 'in spring' })).toBe(NO_CLAIM_THERE);
  });

  it.each([
    ['Lyon', true, ['a right', 'b right']],
    ['Paris', false, ['a wrong', 'b wrong']],
  ] as const)(
    'forecastOf scores the denial of a value that no claim affirms, where the outcome is %s',
    (value, wasRight, sources) => {
      covers('INV-O.30');
      const denials = ['a', 'b'].map((actor, index) =>
        claim(String(index), actor, 'Paris', { valence: 'Refutes' }),
      );
      // What was taken back affirms nothing.
      const retracted = claim('3', 'd', 'Paris', { epistemic_status: 'retracted' });
      const said = forecast([...denials, retracted], value)!;
      expect(said).toMatchObject({ leading_value: 'Paris', denied: true, was_right: wasRight });
      expect(said.chance).toBeGreaterThan(0.5);
      expect(said.chance_of_outcome).toBeCloseTo(wasRight ? said.chance : 1 - said.chance, 12);
      expect(rightOf(said)).toEqual(sources);
      const affirmed = forecast([...denials, claim('3', 'd', 'Paris')], value);
      expect(affirmed).not.toHaveProperty('denied');
    },
  );

  it.each(['Misleading', 'Mostly false'])(
    'forecastOf counts the rating %s neither as right nor as wrong of an outcome that is yes or no',
    (rating) => {
      covers('INV-O.31');
      const ratings = ['a', 'b'].map((actor, index) =>
        claim(String(index), actor, rating, { predicate: 'is_true' }),
      );
      const answers = ['c', 'd'].map((actor, index) =>
        claim(`n${index}`, actor, 'no', { predicate: 'is_true' }),
      );
      for (const value of ['true', 'no']) {
        expect(forecast(ratings, value, 'is_true')).toBe(NOTHING_TO_SCORE);
        const mixed = forecast([ratings[0]!, ...answers], value, 'is_true')!;
        expect(mixed.was_right).toBe(value === 'no');
        expect(rightOf(mixed)).toEqual(value === 'no' ? ['c right', 'd right'] : ['c wrong', 'd wrong']);
      }
      expect(forecast(ratings, rating, 'is_true')).toMatchObject({ was_right: true });
    },
  );

  it('forecastOf has nothing to say about a question that the judgement has no verdict on', () => {
    expect(forecast([claim('1', 'a', 'red')], 'red', 'colour')).toBeNull();
  });
});
