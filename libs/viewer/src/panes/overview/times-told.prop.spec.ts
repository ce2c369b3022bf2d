import { describe, expect, it } from '@jest/globals';
import { sharedTime, textOf, whereSaid, type ClaimInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { isDenial } from '../../components/claim-statement.tsx';
import { createModel } from '../../model.ts';
import { leadingAnswer } from '../../page/leading-answer.ts';
import { snapshotOf } from '../../snapshot.fixture.ts';
import { answerOf } from './answer.ts';

fc.configureGlobal({ seed: SEED });

type More = Partial<Pick<ClaimInput, 'event_start_time' | 'event_end_time' | 'scope' | 'valence'>>;
type Said = readonly [source: string, value: string, more?: More];
const years = (from?: number, to?: number): More => ({
  ...(from && { event_start_time: String(from) }),
  ...(to && { event_end_time: String(to) }),
});
const DENIES: More = { valence: 'Refutes' };

/** What line one says about claims on one question, of which some are refuted by an item of evidence. */
function told(said: readonly Said[], { refuted = [] as readonly number[], predicate = 'head' } = {}) {
  const snapshot = snapshotOf({
    research_question: 'What is it?',
    decay_half_life_days: 73_000,
    actors: [...new Set(said.map(([name]) => name))].map((name) => ({
      id: name,
      name,
      source_type: 'Journalist',
    })),
    subjects: [{ id: 's', name: 'the club', subject_type: 'x' }],
    claims: said.map(([source, value, more], index) => ({
      id: `c${index}`,
      actor_id: source,
      subject_id: 's',
      predicate,
      value,
      content: `${source}: ${value}`,
      ...more,
    })),
    evidence: [...new Set(refuted)].map((on) => ({
      id: `e${on}`,
      claim_id: `c${on}`,
      content: 'A photograph.',
      valence: 'Refutes',
    })),
  });
  const { headline, sources, verdict } = answerOf(createModel(snapshot))!;
  const [first, second] = [headline, sources].map(textOf) as [string, string];
  expect(leadingAnswer(snapshot)!.text.startsWith(first.slice(0, 180))).toBe(true);
  return { headline: first, sources: second, verdict, line: `${first}. ${second}` };
}

describe('times that overlap in part', () => {
  const leading: readonly Said[] = [
    ['Ada', 'Jones', years(2000, 2010)],
    ['Bea', 'Jones', years(2000, 2010)],
  ];
  it.each<[string, readonly Said[], string]>([
    [
      'both in part',
      [...leading, ['Cleo', 'Gray', years(2005, 2015)]],
      'Two independent sources say so; Cleo says Gray (from 2005 to 2015; at odds from 2005 to 2010).',
    ],
    [
      'one within the other',
      [...leading, ['Cleo', 'Gray', years(2005, 2008)]],
      'Two independent sources say so; Cleo says Gray (from 2005 to 2008).',
    ],
    [
      'one and the same',
      [...leading, ['Cleo', 'Gray', years(2000, 2010)]],
      'Two independent sources say so; Cleo says Gray.',
    ],
    [
      'one without a beginning and one without an end',
      [
        ['Ada', 'Jones', years(undefined, 2010)],
        ['Bea', 'Jones', years(undefined, 2010)],
        ['Cleo', 'Gray', years(2005)],
      ],
      'Two independent sources say so; Cleo says Gray (from 2005 on; at odds from 2005 to 2010).',
    ],
  ])(
    'line one tells when each value holds and when they are at odds, where their times are %s',
    (_, said, sources) => {
      covers('RM-11.350');
      expect(told(said).sources).toBe(sources);
    },
  );

  it.each<[string, More, More]>([
    ['always and for some years', {}, years(2005, 2010)],
    ['for two times', years(2005, 2010), years(2010, 2015)],
    ['for two times from one year on', years(2005, 2010), years(2005)],
  ])(
    'a value that one source says %s is told for the time that rivals have, in either order',
    (_, ...both) => {
      covers('RM-11.440');
      for (const order of [both, both.toReversed()]) {
        const { sources, verdict } = told([
          ['Ada', 'Jones'],
          ['Bea', 'Jones'],
          ...order.map((more): Said => ['Cleo', 'Gray', more]),
        ]);
        const [, gray] = verdict.result.rival_values;
        const when = whereSaid(gray!);
        const value = when === '' ? 'Gray' : `Gray (${when})`;
        expect(sources).toBe(`Two independent sources say so; Cleo says ${value}.`);
      }
    },
  );

  it('a leading value without an end has its time where the other has one, and the time of an event has none', () => {
    covers('RM-11.350');
    const since = (more: More): readonly Said[] => [
      ['Ada', 'Jones', years(2000)],
      ['Bea', 'Jones', years(2000)],
      ['Cleo', 'Gray', more],
    ];
    expect(told(since(years(2005, 2015))).headline).toMatch(/Jones \(from 2000 on\)/);
    expect(told(since(years(2005))).line).not.toContain('(from');
  });

  it('a no of another time than that of the yes that leads is told with its time', () => {
    covers('RM-11.350');
    const said: readonly Said[] = [
      ['Ada', 'yes', years(2000, 2010)],
      ['Bea', 'yes', years(2000, 2010)],
      ['Cleo', 'no', years(2005, 2015)],
    ];
    expect(told(said, { predicate: 'is open' }).sources).toBe(
      'Two independent sources say so; Cleo says it is not so (from 2005 to 2015; at odds from 2005 to 2010).',
    );
  });
});

describe('a dispute that lasts', () => {
  const before: readonly Said[] = [
    ['Ada', 'Jones', years(1990, 2000)],
    ['Bea', 'Jones', years(1990, 2000)],
    ['Eve', 'Smith', years(2000, 2015)],
  ];
  it.each<[string, readonly Said[], string]>([
    [
      'one value of two times that follow each other',
      [
        ['Cleo', 'Gray', years(2005, 2006)],
        ['Dan', 'Gray', years(2006, 2012)],
      ],
      'from 2005 to 2012',
    ],
    [
      'two values of such times',
      [
        ['Cleo', 'Gray', years(2005, 2006)],
        ['Dan', 'Kay', years(2006, 2012)],
      ],
      'from 2005 to 2012',
    ],
    [
      'one value of a time within another',
      [
        ['Cleo', 'Gray', years(2005, 2006)],
        ['Dan', 'Gray', years(2005, 2012)],
      ],
      'from 2005 to 2012',
    ],
  ])('a dispute with %s is told as one range', (_, said, where) => {
    covers('RM-11.351');
    expect(told([...before, ...said]).headline).toMatch(`What holds ${where} is disputed.`);
  });
});

describe('denials of values that others state', () => {
  it.each<[string, readonly Said[], string]>([
    [
      'of another scope',
      [
        ['Ada', 'Jones', { scope: 'EU' }],
        ['Bea', 'Jones', { scope: 'EU' }],
        ['Cleo', 'Gray', { scope: 'US' }],
        ['Dan', 'Gray', { scope: 'US', ...DENIES }],
      ],
      'Dan denies Gray (in US), though one item of evidence refutes that.',
    ],
    [
      'of another time',
      [
        ['Ada', 'Jones', years(1990, 2000)],
        ['Bea', 'Jones', years(1990, 2000)],
        ['Cleo', 'Gray', years(2005, 2012)],
        ['Dan', 'Gray', { ...years(2005, 2012), ...DENIES }],
      ],
      'Dan denies Gray (from 2005 to 2012), though one item of evidence refutes that.',
    ],
    [
      'in a tie',
      [
        ['Ada', 'Jones'],
        ['Bea', 'Gray'],
        ['Eve', 'Jones', DENIES],
        ['Dan', 'Gray', DENIES],
      ],
      'Bea says Gray, which Dan denies, though one item of evidence refutes that, and Ada says Jones, which Eve denies',
    ],
  ])('a denial %s is told with what refutes it', (_, said, sources) => {
    covers('RM-11.352');
    const refuted = said[2]![0] === 'Eve' ? [2, 3] : [3];
    expect(told(said, { refuted }).sources).toContain(sources);
  });

  it('who denies a no besides a third answer says yes, and who says no is not told that “it is not so”', () => {
    covers('RM-11.353');
    const said: readonly Said[] = [
      ['Ada', 'partly'],
      ['Cleo', 'partly'],
      ['Court', 'no', DENIES],
    ];
    const { sources } = told(said, { predicate: 'is guilty' });
    expect(sources).toBe('Two independent sources say so; Court says yes.');
    const denied = told([...said.slice(0, 2), ['Court', 'no']], { predicate: 'is guilty' });
    expect(denied.sources).toBe('Two independent sources say so; Court says no.');
  });
});

it('line one names no time that nobody speaks of, and every denial in another scope or time or in a tie', () => {
  covers('RM-11.350', 'RM-11.351', 'RM-11.352');
  const claim = fc.record({
    value: fc.constantFrom('Jones', 'Gray', 'Smith'),
    from: fc.option(fc.constantFrom(1990, 1995, 2000, 2005), { nil: undefined, freq: 6 }),
    length: fc.option(fc.constantFrom(5, 10), { nil: undefined, freq: 6 }),
    scope: fc.constantFrom('', '', 'EU'),
    denies: fc.constantFrom(false, false, false, true),
  });
  const claims = fc.array(claim, { minLength: 2, maxLength: 6 });
  const seen = new Set<string>();
  fc.assert(
    fc.property(claims, fc.array(fc.nat(5), { maxLength: 2 }), (list, on) => {
      const said = list.map(({ value, from, length, scope, denies }, index): Said => [
        `P${index}`,
        value,
        {
          ...years(from, length === undefined ? undefined : (from ?? 1990) + length),
          ...(scope !== '' && { scope }),
          ...(denies && DENIES),
        },
      ]);
      const refuted = on.filter((index) => index < said.length);
      const { line, headline, sources, verdict } = told(said, { refuted });
      const inputs = verdict.claims.map(({ input }) => input);
      const spans = inputs.flatMap((one) => inputs.flatMap((other) => sharedTime(one, other) ?? []));
      const times = new Set(spans.map((span) => whereSaid(span)));
      const [, disputed = ''] = /^What holds (.*?) is disputed\. /.exec(headline) ?? [];
      const answers = line.replace(`What holds ${disputed} is disputed.`, '');
      for (const [time] of answers.matchAll(/from \d{4} (?:on|to \d{4})|until \d{4}/g))
        expect([line, time, times.has(time)]).toEqual([line, time, true]);
      // In each year of a dispute two sources say something else, or evidence refutes what one says.
      for (const [, from, to] of disputed.matchAll(/from (\d{4}) (?:on|to (\d{4}))/g))
        for (let year = Number(from); year < Number(to ?? Number(from) + 1); year += 1) {
          const span = years(year, year + 1);
          const then = inputs.filter((one) => sharedTime(one, span) !== null);
          const sides = new Set(then.map((one) => `${one.value} ${isDenial({ input: one })}`));
          const isRefuted = refuted.some((index) => then.some(({ id }) => id === `c${index}`));
          expect([line, year, sides.size > 1 || isRefuted]).toEqual([line, year, true]);
          seen.add('dispute');
        }
      for (const [, name, time, odds] of sources.matchAll(
        /(P\d)(?: and \w+ others?)? says? \w+ \(([^();]*)(?:; at odds ([^)]*))?\)/g,
      )) {
        const own = inputs.find(({ actor_id }) => actor_id === name)!;
        const [leading] = verdict.result.rival_values;
        expect([line, time]).toEqual([
          line,
          expect.stringContaining(whereSaid({ ...own, value: undefined, scope: undefined })),
        ]);
        if (odds === undefined) continue;
        seen.add('odds');
        expect([line, odds]).toEqual([line, whereSaid(sharedTime(own, leading!)!)]);
      }
      const stated = verdict.result.rival_values.filter((one) => !one.denied && (one.apart || one.tied));
      for (const denial of verdict.claims.filter(isDenial)) {
        const { value, scope, actor_id } = denial.input;
        const isTold = stated.some(
          (one) =>
            one.value === value &&
            (one.scope ?? '') === (scope ?? '') &&
            sharedTime(one, denial.input) !== null,
        );
        if (!isTold || denial.analysis?.below_credibility_floor) continue;
        seen.add('denial');
        const named = new RegExp(
          `${actor_id} den|and \\w+ others? deny|${actor_id}(?: and \\w+ others?)? says? it is not so|two more|others`,
        );
        expect([line, named.test(sources)]).toEqual([line, true]);
      }
    }),
    { numRuns: soak(3_000) },
  );
  expect([...seen].sort()).toEqual(['denial', 'dispute', 'odds']);
});
