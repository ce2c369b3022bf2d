import { describe, expect, it } from '@jest/globals';
import { textOf, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { createModel } from '../../model.ts';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';

fc.configureGlobal({ seed: SEED });

interface Said {
  readonly who: string;
  readonly value: string;
  readonly denies?: true;
  readonly scope?: string;
  readonly source_type?: string;
}

const asked = (said: readonly Said[]): InvestigationInput => ({
  research_question: 'What is it?',
  actors: said.map(({ who, source_type = 'Journalist' }) => ({ id: who, name: who, source_type })),
  subjects: [{ id: 's', name: 'The fire', subject_type: 'event' }],
  claims: said.map(({ who, value, denies, scope }, i) => ({
    id: `c${i}`,
    actor_id: who,
    subject_id: 's',
    predicate: 'amount',
    value,
    content: 'x',
    ...(denies && { valence: 'Refutes' }),
    ...(scope && { scope }),
  })),
});
const lineOne = (input: InvestigationInput): string => {
  const { headline, sources } = answerOf(createModel(snapshotOf(input)))!;
  return `${textOf(headline)}. ${textOf(sources)}`;
};

/** Spellings of one value each; the first is the one that is stated. */
const SPELLINGS = [
  ['1,200', '1200', '1.2K', ' 1200 '],
  ['$5M', '5 million USD', 'USD 5,000,000'],
  ['50 %', '50%'],
  ['5 km', '5 kilometres', '5 kilometers'],
  ['1 March 2019', '2019-03-01', 'March 1, 2019'],
  ['Ann Smith', 'ann smith', ' ANN SMITH'],
] as const;
/** What leads in the place of the value that is denied. */
const LEADING = ['17', '$17', '17 %', '17 km', '7 May 1975', 'Bo Jones'] as const;

const KINDS = {
  'beside a leading value': (i: number, value: string): Said[] => [
    { who: 'Reg', value: LEADING[i]!, source_type: 'Regulator' },
    { who: 'Daily', value: LEADING[i]! },
    { who: 'Chron', value, source_type: 'Expert' },
  ],
  'in a tie': (i: number, value: string): Said[] => [
    { who: 'Reg', value: LEADING[i]!, source_type: 'Expert' },
    { who: 'Chron', value, source_type: 'Expert' },
    { who: 'Post2', value: LEADING[i]!, denies: true },
  ],
  'in another scope': (i: number, value: string): Said[] => [
    { who: 'Reg', value: LEADING[i]!, source_type: 'Regulator', scope: 'Paris' },
    { who: 'Daily', value: LEADING[i]!, scope: 'Paris' },
    { who: 'Chron', value, source_type: 'Expert', scope: 'Rome' },
  ],
};

describe('denials in line one', () => {
  it('one in other words than the value that it denies is told as one in the same words', () => {
    covers('RM-11.370');
    const value = fc.nat(SPELLINGS.length - 1).chain((i) =>
      fc.record({
        i: fc.constant(i),
        stated: fc.constantFrom(...SPELLINGS[i]!),
        other: fc.constantFrom(...SPELLINGS[i]!),
      }),
    );
    fc.assert(
      fc.property(value, fc.constantFrom(...Object.values(KINDS)), ({ i, stated, other }, kind) => {
        const said = kind(i, stated);
        const denial = (text: string): Said => ({
          who: 'Post',
          value: text,
          denies: true,
          ...(said.at(-1)!.scope && { scope: 'Rome' }),
        });
        const line = lineOne(asked([...said, denial(other)]));
        expect(line).toContain(', which Post denies');
        expect(line).toBe(lineOne(asked([...said, denial(stated)])));
      }),
    );
  });

  it('one of a near number follows the number that is near in both values of a tie', () => {
    covers('RM-11.370');
    const said = [
      { who: 'Reg', value: '100', source_type: 'Expert' },
      { who: 'Chron', value: '1,200', source_type: 'Expert' },
      { who: 'Post', value: '1250', denies: true as const },
      { who: 'Wire', value: '102', denies: true as const },
    ];
    expect(lineOne(asked(said))).toContain(
      'Chron says 1,200, which Post denies, and Reg says 100, which Wire denies.',
    );
  });

  it('one of a day follows neither its month nor its year, and one of a year follows its days', () => {
    covers('RM-11.370', 'RM-11.361');
    const lineOf = (stated: string, denied: string) =>
      lineOne(
        asked([...KINDS['beside a leading value'](4, stated), { who: 'Post', value: denied, denies: true }]),
      );
    expect(lineOf('2019', '1 March 2019')).toContain('Chron says 2019. One source denies 1 March 2019.');
    expect(lineOf('1 March 2019', '2019')).toContain('Chron says 1 March 2019, which Post denies.');
  });

  it('what refutes one is told with the value that nobody states, once, in whichever words it is denied', () => {
    covers('RM-11.371');
    const spelling = fc.constantFrom(...SPELLINGS[0]);
    const kind = fc.constantFrom('Expert', 'Journalist');
    fc.assert(
      fc.property(
        spelling,
        spelling,
        kind,
        kind,
        fc.constantFrom('c1', 'c2'),
        fc.constantFrom(1, 5),
        (one, other, a, b, id, weight) => {
          const input = asked([
            { who: 'Reg', value: '17' },
            { who: 'Chron', value: one, denies: true, source_type: a },
            { who: 'Post', value: other, denies: true, source_type: b },
          ]);
          const evidence = [{ id: 'e', claim_id: id, content: 'x', valence: 'Refutes', weight }];
          const line = lineOne({ ...input, evidence });
          expect(line.match(/sources? den(y|ies)/g)).toHaveLength(1);
          expect(line).toMatch(/two sources deny [^;]*, which one item of evidence refutes/i);
        },
      ),
    );
  });
});
