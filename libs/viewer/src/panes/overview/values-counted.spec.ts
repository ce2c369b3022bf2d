import { describe, expect, it } from '@jest/globals';
import {
  analyze,
  inWords,
  textOf,
  type InvestigationInput,
  type InvestigationSummary,
} from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { createModel } from '../../model.ts';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';

type Said = Omit<
  InvestigationInput['claims'][number],
  'id' | 'actor_id' | 'subject_id' | 'predicate' | 'content'
> & {
  readonly who?: string;
};

/** What regulators say, each one thing unless named; an insider has `Insider` in the name. */
function asked(said: readonly Said[], predicate: string): InvestigationInput {
  const sources = said.map(({ who }, i) => who ?? `S${i}`);
  return {
    research_question: 'What is so?',
    actors: [...new Set(sources)].map((id) => ({
      id,
      name: id,
      source_type: id.startsWith('Insider') ? 'Insider' : 'Regulator',
    })),
    subjects: [{ id: 's', name: 'Pool', subject_type: 'organization' }],
    claims: said.map(({ who: _who, ...claim }, i) => ({
      id: `c${i}`,
      actor_id: sources[i]!,
      subject_id: 's',
      predicate,
      content: 'x',
      ...claim,
    })),
  };
}
const judged = (input: InvestigationInput) => createModel(snapshotOf(input));
const lineOne = (input: InvestigationInput): string => {
  const { headline, sources } = answerOf(judged(input))!;
  return `${textOf(headline)}. ${textOf(sources)}`;
};
const synthesisOf = (input: InvestigationInput): string =>
  (
    analyze(
      { ...input, summary_mode: true },
      { now: new Date('2025-01-01T00:00:00Z') },
    ) as InvestigationSummary
  ).synthesis;

const COUNTS = Array.from({ length: 30 }, (_, i) => i + 1);
const holders = (count: number, who?: string): Said[] =>
  Array.from({ length: count }, (_, i) => ({
    value: `Holder${i}`,
    event_start_time: `${1900 + 3 * i}`,
    event_end_time: `${1903 + 3 * i}`,
    ...(who && { who }),
  }));
const cities = (count: number, valueOf: (i: number) => string): Said[] =>
  Array.from({ length: count }, (_, i) => ({ value: valueOf(i), scope: `City${i}` }));

/** Names that no two of are spelled alike. */
const NAMES = COUNTS.map(
  (i) => `${'abcdef'[i % 6]!.repeat(3)}${'klmno'[Math.floor((i - 1) / 6)]!.repeat(3)}`,
);

const resultOf = (input: InvestigationInput) => judged(input).verdicts[0]!.result;

describe('values beyond those that a judgement lists', () => {
  it.each(COUNTS)('all values are counted where there are %i', (count) => {
    covers('RM-11.372');
    // Where no leads, yes is listed before it.
    for (const [said, more] of [
      [holders(count), 0],
      [cities(count, () => 'yes'), 0],
      [cities(count, (i) => (i % 2 ? 'yes' : 'no')), 1],
    ] as const) {
      const { rival_values: rivals, ...result } = resultOf(asked(said, 'is_open'));
      expect(rivals.length + (result.more_rival_values ?? 0)).toBe(count + more);
      expect(result.more_rival_values !== undefined).toBe(rivals.length === 8);
      const apart = rivals.filter((one) => one.apart).length;
      expect(apart + (result.more_values_apart ?? 0)).toBe(count - 1);
    }
  });

  it.each(COUNTS.slice(3))(
    'a sentence that names three of %i values of which none leads says how many more',
    (count) => {
      covers('INV-V.320');
      const rest = `${inWords(count - 3)} more`;
      expect(lineOne(asked(holders(count), 'head'))).toContain(rest);
      expect(
        lineOne(
          asked(
            cities(count, (i) => (i % 2 ? 'yes' : 'no')),
            'is_open',
          ),
        ),
      ).toContain(`and ${rest}`);
      const competing = Array.from({ length: count }, (_, i) => ({
        value: `Name ${'abcdef'[i % 6]!.repeat(3)}${'klmno'[Math.floor(i / 6)]!.repeat(3)}`,
      }));
      expect(lineOne(asked(competing, 'head'))).toContain(rest);
      const denied = competing.map((one) => ({ ...one, valence: 'Refutes' }));
      expect(lineOne(asked(denied, 'head'))).toContain(rest);
    },
  );

  it.each(COUNTS)('line one tells how many of %i scopes with one value it does not list', (count) => {
    covers('INV-V.321');
    const line = lineOne(
      asked(
        cities(count, () => 'yes'),
        'is_open',
      ),
    );
    const [, more] = /; and (\w+) more\./.exec(line) ?? [];
    expect(more).toBe(count > 8 ? inWords(count - 8) : undefined);
    expect(line.match(/yes \(in City/g) ?? []).toHaveLength(Math.min(count, 8) - 1);
  });

  it.each(COUNTS.slice(4))('beside a value that leads, %i equal ones are named or counted', (count) => {
    covers('INV-V.336');
    const rivals = Array.from({ length: count }, (_, i) => ({ value: `Rival ${NAMES[i]!}` }));
    const line = lineOne(asked([{ value: 'Chief' }, { value: 'Chief' }, ...rivals], 'head'));
    const more = `, or one of ${inWords(count - 3)} more; Chief leads`;
    expect(line).toContain(more);
    const denied = { value: 'Nobody', valence: 'Refutes' } as const;
    expect(lineOne(asked([{ value: 'Chief' }, { value: 'Chief' }, ...rivals, denied], 'head'))).toContain(
      more,
    );
  });

  it.each(COUNTS.slice(8))('behind a tie of %i values of one scope those of others are counted', (count) => {
    covers('INV-V.336');
    const tied = NAMES.slice(0, count).map((name) => ({ value: name, scope: 'Paris' }));
    const apart = cities(3, (i) => `Other ${NAMES[i]!}`);
    const stated = apart.map((one, i) => ({ ...one, who: `Insider${i}` }));
    expect(lineOne(asked([...tied, ...stated], 'head'))).toContain(
      'In other scopes or of other times: three more.',
    );
    const denied = apart.map((one) => ({ ...one, valence: 'Refutes' }));
    const line = lineOne(asked([...tied, ...denied], 'head'));
    expect(line).toContain('In other scopes or of other times: one source denies');
    expect(line).not.toMatch(/times: \w+ more|; and \w+ more\./);
  });

  it.each(COUNTS)('the present holder is told as disputed behind %i that nobody disputes', (count) => {
    covers('RM-11.373', 'INV-V.322');
    const from = `${1900 + 3 * count}`;
    const present = [
      { who: 'Reg', value: 'Pat', event_start_time: from },
      { who: 'Daily', value: 'Quinn', event_start_time: from },
    ];
    const input = asked([...holders(count, 'Reg'), ...holders(count, 'Chron'), ...present], 'head');
    expect(lineOne(input)).toContain(`What holds from ${from} on is disputed.`);
    expect(synthesisOf(input)).toContain('On 1 of 1 questions there is evidence both for and against.');
  });

  it.each(COUNTS)('line one tells no dispute where nobody disputes one of %i holders', (count) => {
    covers('RM-11.373');
    const input = asked([...holders(count, 'Reg'), ...holders(count, 'Chron')], 'head');
    expect(lineOne(input)).not.toContain('is disputed');
    expect(synthesisOf(input)).toContain('On no question is there evidence both for and against.');
  });

  it('one value in two spellings is no dispute of another time', () => {
    covers('RM-11.373');
    const said = [
      { value: '50', event_start_time: '1990', event_end_time: '1995', who: 'A' },
      { value: '50', event_start_time: '1990', event_end_time: '1995', who: 'B' },
      { value: '1,200', event_start_time: '2000', event_end_time: '2010' },
      { value: '1.2K', event_start_time: '2005', event_end_time: '2015' },
      { value: '9,000', event_start_time: '2012', event_end_time: '2015' },
    ];
    expect(resultOf(asked(said, 'size')).disputed_apart).toEqual([
      { event_start_time: '2012', event_end_time: '2015' },
    ]);
  });
});
