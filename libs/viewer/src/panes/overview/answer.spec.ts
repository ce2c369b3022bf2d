import { describe, expect, it } from '@jest/globals';
import { textOf } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { exampleInput, snapshotOf } from '../../snapshot.fixture.ts';
import { createModel, type Verdict } from '../../model.ts';
import { answerOf } from './answer.ts';
import { headlineOf } from './headline.ts';

fc.configureGlobal({ seed: SEED });

const [TEMPLATE] = createModel(snapshotOf(exampleInput('lk-99'))).verdicts;

interface State {
  readonly truth_status: Verdict['result']['truth_status'];
  readonly chance: number;
  readonly rivals?: readonly (readonly [value: string, chance: number])[];
  readonly tied?: true;
  readonly apart?: true;
}

function headline(
  subject_name: string,
  predicate: string,
  leading_value: string | null,
  { truth_status, chance, rivals = [], tied, apart }: State,
  pattern?: string,
): string {
  const opinion = TEMPLATE!.result.confidence;
  const probability = (value: number) => ({ expected_probability: value, calibrated_probability: value });
  const place = (city: string) => (apart ? { scope: city } : {});
  const [support, opposition] =
    truth_status === 'Both' ? [0.3, 0.3] : chance > 0.5 ? [0.6, 0.02] : [0.02, 0.6];
  const result = {
    ...TEMPLATE!.result,
    subject_name,
    predicate,
    leading_value,
    truth_status,
    ...probability(chance),
    confidence: { ...opinion, support, opposition },
    tied: tied ?? false,
    rival_values: [
      {
        ...TEMPLATE!.result.rival_values[0],
        value: leading_value ?? '',
        ...probability(chance),
        ...place('Oslo'),
      },
      ...rivals.map(([value, one]) => ({
        value,
        ...probability(one),
        ...(apart && { apart }),
        ...place('Bergen'),
      })),
    ],
  } as Verdict['result'];
  return textOf(headlineOf({ result, pattern }, { isValueAsked: false, isValueDenied: false }));
}

const LEADS: State = { truth_status: 'True', chance: 0.74 };
const DENIED: State = { truth_status: 'False', chance: 0.25 };
const CONTESTED: State = { truth_status: 'Both', chance: 0.6 };
const EVEN: State = { truth_status: 'Both', chance: 0.5 };
const LITTLE: State = { truth_status: 'Neither', chance: 0.55 };

describe('the first line of an answer', () => {
  covers('INV-V.15', 'INV-V.112');
  it.each([
    ['Bridge', 'open', 'true', DENIED, 'It is unlikely that the bridge is open'],
    ['Bridge', 'open', 'true', LEADS, 'It is likely that the bridge is open'],
    ['Bridge', 'open', 'true', LITTLE, 'There is not enough evidence to say whether the bridge is open'],
    ['Bridge', 'open', 'true', EVEN, 'The evidence is divided on whether the bridge is open'],
    [
      'Bridge',
      'open',
      'true',
      {
        truth_status: 'Both',
        chance: 0.32,
        tied: true,
        rivals: [
          ['false', 0.32],
          ['partly', 0.2],
        ],
      },
      'The evidence is divided on whether the bridge is open',
    ],
    ['Bridge', 'open', 'true', CONTESTED, 'It is likely that the bridge is open, though it is contested'],
    ['Bridge', 'signed', null, LEADS, 'It is likely that the bridge was signed'],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      LEADS,
      'The cause of the Halden bridge collapse was probably a ship collision',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      CONTESTED,
      'The cause of the Halden bridge collapse was probably a ship collision, though it is contested',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      LITTLE,
      'There is not enough evidence to say whether the cause of the Halden bridge collapse was a ship collision',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      DENIED,
      'It is unlikely that the cause of the Halden bridge collapse was a ship collision',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      EVEN,
      'The evidence is divided on whether the cause of the Halden bridge collapse was a ship collision',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      { ...EVEN, rivals: [['fatigue crack', 0.4]] },
      'It is uncertain whether the cause of the Halden bridge collapse was a ship collision or a fatigue crack; ship collision leads',
    ],
    [
      'Halden bridge collapse',
      'cause',
      'ship collision',
      { ...EVEN, tied: true, rivals: [['fatigue crack', 0.5]] },
      'It is undecided whether the cause of the Halden bridge collapse was a ship collision or a fatigue crack',
    ],
    [
      'Tower',
      'height',
      '220 m',
      { ...LEADS, tied: true, apart: true, rivals: [['200 m', 0.7]] },
      'It depends on the scope or time whether the height of the tower is 220 m (in Oslo) or 200 m (in Bergen)',
    ],
    ['East girder', 'last_inspected', '1960', LEADS, 'The east girder was probably last inspected in 1960'],
    ['Columbus', 'died_in', 'Valladolid', LEADS, 'Columbus probably died in Valladolid'],
    ['Fire', 'deaths', '31', LEADS, 'For the fire, the number of deaths is probably 31'],
    [
      'Fire',
      'deaths',
      '14',
      { ...EVEN, rivals: [['31', 0.4]] },
      'For the fire, it is uncertain whether the number of deaths is 14 or 31; 14 leads',
    ],
    [
      'Fire',
      'deaths',
      '14',
      LITTLE,
      'For the fire, there is not enough evidence to say whether the number of deaths is 14',
    ],
    ['Anna Ek', 'member_of', 'NATO', LEADS, 'Anna Ek is probably a member of NATO'],
    [
      'The 2020 election',
      'winner',
      'Bo',
      DENIED,
      'It is unlikely that the winner of the 2020 election was Bo',
    ],
    ['Women', 'has_vote', 'true', LEADS, 'It is likely that women have vote'],
    [
      'Outbreak',
      'vaccine_was_mandatory',
      'true',
      LEADS,
      'For the outbreak, it is likely that the vaccine was mandatory',
    ],
    [
      'Meeting',
      'start_time',
      '2025-03-01T14:00:00Z',
      LEADS,
      'The start time of the meeting is probably 1 March 2025 at 14:00 UTC',
    ],
    [
      'Meeting',
      'started_at',
      '2025-03-01T14:00:00Z',
      { ...EVEN, rivals: [['2025-03-01T18:30:00Z', 0.4]] },
      'It is uncertain whether the meeting started on 1 March 2025 at 14:00 UTC or on 1 March 2025 at 18:30 UTC; 1 March 2025 at 14:00 UTC leads',
    ],
    [
      'Meeting',
      'started_at',
      '2025-03-01T14:00:00Z',
      { ...EVEN, tied: true, rivals: [['2025-03-01T18:30:00Z', 0.5]] },
      'It is undecided whether the meeting started on 1 March 2025 at 14:00 UTC or on 1 March 2025 at 18:30 UTC',
    ],
  ] as const)('%s, %s %s in the state %j is “%s”', (subject, predicate, value, state, sentence) => {
    expect(headline(subject, predicate, value, state)).toBe(sentence);
  });

  it('the first line is a sentence without a colon for every property in every state', () => {
    const yes =
      'open safe signed is_open was_built has_children took_off_unassisted closed guilty hoax leak arson collapsed sold ' +
      'last_inspected in_use missing will_be_confirmed alarm_was_raised exists never_finished hit_the_pier offene_Brücke был ' +
      'vaccine_was_mandatory it_was_raining inspected_since_2019 member_of_nato part_of_it nobody_died is_safe? older_than_1960 ' +
      'airframe_capable_of_flight who_is_responsible credited_by_publisher vaccines_cause_autism has_vote gone';
    const values =
      'cause height last_inspected destroyed built_in achieved_by deaths cases_registered author is_called weighs motive ' +
      'year_built maximumLoad date_of_opening lives_in Ursache causes number_of_masts captain type ' +
      'member_of ceo_of capital_of part_of son_of frumble_of killed infected stolen located harvest_in_tonnes height_in_m ' +
      'risen_by increased_by first_case_on first_seen open_since closed_since frumble_since member_since children people ' +
      'women men police news series species what_happened cause_is damage_to started_at start_time safe missing same_as';
    const subjects = [
      'Bridge',
      'Women',
      'The children',
      'The news',
      'Two species',
      'The 2020 election',
      'Bo Ek',
    ];
    const states = [
      LEADS,
      DENIED,
      CONTESTED,
      EVEN,
      LITTLE,
      { ...EVEN, tied: true, rivals: [['false', 0.5]] },
    ] as State[];
    const said = [
      ...yes
        .split(' ')
        .flatMap((predicate) =>
          subjects.flatMap((one) => states.map((state) => headline(one, predicate, 'true', state))),
        ),
      ...yes.split(' ').map((predicate) => headline('Bridge', predicate, null, LITTLE)),
      ...values
        .split(' ')
        .flatMap((predicate) =>
          [
            ...states.slice(0, 5),
            { ...EVEN, rivals: [['X', 0.4]] },
            { ...EVEN, rivals: [['X', 0.6]] },
          ].flatMap((state) =>
            subjects.flatMap((one) =>
              ['1960', '14', 'Anna Ek'].map((value) => headline(one, predicate, value, state as State)),
            ),
          ),
        ),
    ];
    const wrong = [
      /[:_.?]|^[^A-Z“]/,
      /\b(of|to|in|on|at|by|since|for) (of|is|was|are|were)\b/,
      /(?<!\b(of|[Ff]or)( the)? )\b([Ww]omen|[Cc]hildren|Two species) (is|was|has)\b/,
      /(?<!of the )\bnews (are|were|have)\b/,
      /\b(that|whether|of|For) (The|Women|Two|Bridge)\b/,
      /\b(whether|that) for /,
    ];
    const isWrong = (sentence: string) => wrong.some((pattern) => pattern.test(sentence));
    expect(said.filter(isWrong)).toEqual([]);
  });

  it('the sentence of the author always wins', () => {
    expect(headline('Bridge', 'open', 'true', DENIED, 'cars may cross {subject}')).toBe(
      'It is unlikely that cars may cross Bridge',
    );
  });
});

describe('who says so', () => {
  it.each(['first-flight', 'chernobyl-deaths', 'lk-99'])(
    'the sources of %s are counted as independent voices on both sides, and those who agree are named together',
    (example) => {
      const { sources } = answerOf(createModel(snapshotOf(exampleInput(example))))!;
      expect(textOf(sources)).toMatch(/^(No source|One source|[A-Z][a-z-]+ independent sources) say/);
      const withoutValue = textOf(sources)
        .replace(/ say \d+ \([^)]*\)/, ' say so')
        .replace(/ In (?:other scopes or of other times|the middle): .*/, '');
      expect(withoutValue).not.toMatch(/none known|[2-9]/);
    },
  );

  const said = (
    claims: readonly (readonly [actor: string, value: string, more?: object])[],
    more: object = {},
  ) =>
    textOf(
      answerOf(
        createModel(
          snapshotOf({
            research_question: 'How many died in the fire?',
            decay_half_life_days: 73_000,
            actors: ['Reuters', 'BBC', 'AFP', 'Post', 'Coroner'].map((id) => ({
              id,
              name: id,
              source_type: 'Journalist',
            })),
            subjects: [{ id: 's1', name: 'Fire', subject_type: 'event' }],
            claims: claims.map(([actor_id, value, own], index) => ({
              id: `c${index}`,
              actor_id,
              subject_id: 's1',
              predicate: 'deaths',
              value,
              content: value,
              ...own,
            })),
            ...more,
          }),
        ),
      )!.sources,
    );
  const on = (day: number) => ({ assertion_time: `2025-11-0${day}T00:00:00Z` });

  it('what is superseded is told as such, and not as disagreement', () => {
    covers('INV-V.242');
    const relationships = ['c0', 'c1'].map((target_claim_id) => ({
      relationship_type: 'supersedes',
      target_claim_id,
    }));
    const papers = [
      ['Reuters', '12', {}],
      ['BBC', '19', {}],
      ['Coroner', '40', { relationships }],
    ] as const;
    expect(said(papers)).toBe('One source says so; what BBC and one other said is superseded.');
    expect(said([...papers, ['AFP', '40', {}], ['Post', '11', {}]])).toBe(
      'Two independent sources say 40; Post says 11; what BBC and one other said is superseded.',
    );
    expect(said([...papers, ['AFP', '40', {}], ['BBC', '11', {}]])).toBe(
      'Two independent sources say so; BBC says 11; what Reuters said is superseded.',
    );
  });

  it('a source that says the answer and something else is not counted among those that disagree', () => {
    covers('INV-V.78');
    const updated = [
      ['Reuters', '12', on(1)],
      ['Reuters', '40', on(3)],
      ['BBC', '12', on(1)],
      ['BBC', '19', on(2)],
      ['BBC', '40', on(3)],
      ['AFP', '40', on(3)],
    ] as const;
    expect(said(updated)).toBe('Three independent sources say 40, though two of them said otherwise before.');
    expect(said([...updated.slice(0, 2), ['AFP', '40', on(3)], ['BBC', '40', on(3)]])).toBe(
      'Three independent sources say so, though one of them, Reuters, said 12 before.',
    );
    expect(said([...updated, ['Post', '12', on(2)]])).toBe(
      'Three independent sources say 40, though two of them said otherwise before; Post says 12.',
    );
    // Without times, or at one time, neither came first.
    for (const time of [{}, on(2)])
      expect(
        said([
          ['Reuters', '12', time],
          ['Reuters', '40', time],
          ['BBC', '40', time],
        ]),
      ).toBe('Two independent sources say so, though one of them, Reuters, also says 12.');
    expect(
      said([
        ['Reuters', '40', on(1)],
        ['Reuters', '12', on(3)],
        ['BBC', '40', on(3)],
        ['AFP', '40', on(3)],
      ]),
    ).toBe('Three independent sources say so, though one of them, Reuters, says 12 by now.');
    expect(
      said([
        ['Reuters', '40', on(1)],
        ['Reuters', '12', on(2)],
        ['Reuters', '40', on(3)],
        ['BBC', '40', on(3)],
      ]),
    ).toBe('Two independent sources say so, though one of them, Reuters, said 12 before.');
    expect(
      said([
        ['Reuters', '40', { ...on(3), valence: 'Supports' }],
        ['Reuters', '40', { ...on(1), valence: 'Refutes' }],
        ['BBC', '40', on(1)],
      ]),
    ).toBe('Two independent sources say so, though one of them, Reuters, said otherwise before.');
    expect(
      said([
        ['Reuters', '12', on(1)],
        ['Reuters', '40', { ...on(3), content: '40, by the ministry' }],
        ['Reuters', '40', on(4)],
      ]),
    ).toBe('One source says 40, though it said 12 before.');
  });

  it('whatever the times are, those that say so and those that disagree are as many as there are sources', () => {
    covers('INV-V.78');
    const value = fc.constantFrom('12', '40', '77');
    const claim = fc.tuple(
      fc.constantFrom('Reuters', 'BBC', 'AFP', 'Post'),
      value,
      fc.record(
        {
          valence: fc.constantFrom('Supports', 'Refutes'),
          assertion_time: fc.integer({ min: 1, max: 4 }).map((day) => on(day).assertion_time),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(claim, { minLength: 1, maxLength: 9 }), (claims) => {
        const text = said(claims);
        fc.pre(text !== '');
        const sources = new Set(claims.map(([actor]) => actor));
        const number = (word: string | undefined) =>
          word === undefined ? 0 : ['no', 'one', 'two', 'three', 'four'].indexOf(word.toLowerCase());
        const [agree, others = ''] = text.split(/; /);
        const saying = number(/^(\w+) (?:independent )?sources? /.exec(agree!)?.[1]);
        const named = /^(\w+)(?: and (\w+) others?)? says? /.exec(others);
        const dissenting =
          number(named?.[2]) +
          (named ? 1 : 0) +
          number(/(\w+) (?:sources?|others?) disagrees?\./.exec(others)?.[1]);
        expect([text, saying + dissenting <= sources.size]).toEqual([text, true]);
      }),
      { numRuns: 200 },
    );
  });

  it('where the answer names two values, the sources say one of them by its name', () => {
    covers('INV-V.80');
    const values = ['40', '40', '40', '14', '14', '14', '19', '19', '19', '40'];
    const actors = values.map((_, index) => ({
      id: `a${index}`,
      name: `A${index}`,
      source_type: 'Journalist',
    }));
    const answer = answerOf(
      createModel(
        snapshotOf({
          research_question: 'How many died in the fire?',
          actors,
          subjects: [{ id: 's1', name: 'Fire', subject_type: 'event' }],
          claims: actors.map(({ id }, index) => ({
            id,
            actor_id: id,
            subject_id: 's1',
            predicate: 'deaths',
            value: values[index]!,
            content: id,
          })),
        }),
      ),
    )!;
    expect(textOf(answer.headline)).toMatch(/is 40, 14 or 19; 40 leads$/);
    expect(textOf(answer.sources)).toBe(
      'Four independent sources say 40; A3 and two others say 14, and A6 and two others say 19.',
    );
  });
});
