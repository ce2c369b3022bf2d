import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import type { ClaimInput } from '../contract/types.ts';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

fc.configureGlobal({ seed: SEED });

type Line = readonly [source: string, value: string, from: number, to: number];

function asked(lines: readonly Line[], sourceType = 'Regulator') {
  const claims: ClaimInput[] = lines.map(([source, value, from, to], i) =>
    claim(`c${i}`, source, value, { event_start_time: `${from}-01-01`, event_end_time: `${to}-01-01` }),
  );
  const sources = [...new Set(lines.map(([source]) => source))];
  return investigation(claims, { actors: sources.map((id) => actor(id, { source_type: sourceType })) });
}

const verdictOf = (lines: readonly Line[], sourceType?: string) =>
  judge(asked(lines, sourceType)).subject_results[0]!;

/** What is told of a value at the time that begins in a year. */
function told(lines: readonly Line[], value: string, from: number, sourceType?: string) {
  const { rival_values: rivals } = verdictOf(lines, sourceType);
  const found = rivals.find((rival) => rival.value === value && rival.event_start_time === `${from}-01-01`);
  expect(found).toBeDefined();
  return found!;
}

const disputed: readonly Line[] = [
  ['register', 'Huber', 1900, 1925],
  ['tax roll', 'Huber', 1900, 1925],
  ['chronicle', 'Moser', 1915, 1950],
];
const later: readonly Line[] = [
  ['register', 'Moser', 1925, 1950],
  ['tax roll', 'Moser', 1925, 1950],
];

describe('a handover whose date is disputed', () => {
  it('who has Huber until 1925 and Moser from then on does not speak for Moser from 1915', () => {
    covers('RM-11.256');
    const [before, chronicle] = [told(disputed, 'Huber', 1900), told(disputed, 'Moser', 1915)];
    const huber = told([...disputed, ...later], 'Huber', 1900);
    const moser = told([...disputed, ...later], 'Moser', 1915);
    expect(huber.calibrated_probability).toBeCloseTo(before.calibrated_probability, 12);
    expect(moser.calibrated_probability).toBeCloseTo(chronicle.calibrated_probability, 12);
    expect(moser.expected_probability).toBeCloseTo(chronicle.expected_probability, 12);
    expect([huber.source_count, moser.source_count]).toEqual([2, 1]);
    expect(told([...disputed, ...later], 'Moser', 1925).source_count).toBe(3);
  });

  it('documents that refute a wrong date take nothing from the right one', () => {
    covers('RM-11.323');
    const lines: readonly Line[] = [
      ...later,
      ['tax roll', 'Huber', 1900, 1925],
      ['post', 'Moser', 1915, 1950],
    ];
    const chanceOf = (from: number, refuted: string | null) => {
      const evidence = ['e1', 'e2'].map((id) => ({
        id,
        claim_id: refuted!,
        content: 'A deed.',
        valence: 'Refutes' as const,
        weight: 2,
      }));
      const { rival_values: rivals } = judge({
        ...asked(lines),
        evidence: refuted === null ? [] : evidence,
      }).subject_results[0]!;
      const start = `${from}-01-01`;
      return rivals.find((one) => one.value === 'Moser' && one.event_start_time === start)!
        .calibrated_probability;
    };
    expect(chanceOf(1925, 'c3')).toBeCloseTo(chanceOf(1925, null), 12);
    expect(chanceOf(1915, 'c3')).toBeLessThan(0.1);
    // What refutes the owner from 1925 on refutes the owner from 1915 on as well, and that of its own time.
    expect(chanceOf(1925, 'c0')).toBeLessThan(0.5);
  });

  it('who says yes until 2020 and no from then on does not speak for no from 2019', () => {
    covers('RM-11.256');
    const lines: readonly Line[] = [
      ['court', 'true', 2018, 2020],
      ['prison', 'true', 2018, 2020],
      ['mail', 'false', 2019, 2021],
    ];
    const next: readonly Line[] = [
      ['court', 'false', 2020, 2022],
      ['prison', 'false', 2020, 2022],
    ];
    const both = [...lines, ...next];
    expect(told(both, 'false', 2019).calibrated_probability).toBeCloseTo(
      told(lines, 'false', 2019).calibrated_probability,
      12,
    );
    expect(told(both, 'false', 2019).calibrated_probability).toBeLessThan(0.5);
  });

  it('a source that states who came next takes nothing from what it states of before', () => {
    covers('RM-11.257');
    const types = ['Regulator', 'Expert', 'Journalist', 'Institutional', 'Insider', 'Anonymous'];
    const source = fc.record({
      type: fc.constantFrom(...types),
      /** Whether it also states what others dispute, or only what nobody does. */
      side: fc.constantFrom('before', 'before', 'from', 'later'),
      continues: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(source, { minLength: 2, maxLength: 7 }),
        fc.constantFrom(['Huber', 'Moser'], ['yes', 'no'], ['no', 'yes'], ['100', '250']),
        (sources, [first, next]) => {
          const at = (from: number, to: number) => ({
            event_start_time: `${from}-01-01`,
            event_end_time: `${to}-01-01`,
          });
          const told = (isComplete: boolean) => {
            const claims = sources.flatMap(({ side, continues }, i) => [
              ...(side === 'before' ? [claim(`a${i}`, `s${i}`, first, at(1900, 1925))] : []),
              ...(side === 'from' ? [claim(`b${i}`, `s${i}`, next, at(1915, 1950))] : []),
              ...(side === 'later' ? [claim(`c${i}`, `s${i}`, next, at(1925, 1950))] : []),
              ...(side === 'before' && continues && isComplete
                ? [claim(`d${i}`, `s${i}`, next, at(1925, 1950))]
                : []),
            ]);
            const actors = sources.map(({ type }, i) =>
              actor(`s${i}`, { source_type: type, base_reliability: null }),
            );
            const { rival_values: rivals } = judge(investigation(claims, { actors })).subject_results[0]!;
            const of = (end: string, start: string) =>
              rivals.find(
                (one) => one.event_end_time?.startsWith(end) && one.event_start_time?.startsWith(start),
              );
            return [of('1925', '1900'), of('1950', '1915')];
          };
          const [before, after] = [told(false), told(true)];
          if (before.includes(undefined) || after.includes(undefined)) return;
          before.forEach((one, i) => {
            expect(after[i]!.calibrated_probability).toBeCloseTo(one!.calibrated_probability, 9);
          });
        },
      ),
    );
  });

  it('copies of a line on who came next take nothing from what their original states of before', () => {
    covers('RM-11.320');
    const copied = (copies: number) => {
      const lines: readonly Line[] = [
        ...disputed,
        ...later,
        ...Array.from({ length: copies }, (_, i): Line => [`paper ${i}`, 'Moser', 1925, 1950]),
      ];
      const input = asked(lines);
      const original = ['register', 'tax roll'];
      const { rival_values: rivals } = judge({
        ...input,
        actors: input.actors.map((one) =>
          one.id.startsWith('paper') ? { ...one, depends_on: [original[Number(one.id.slice(-1))]!] } : one,
        ),
      }).subject_results[0]!;
      const of = (from: number) => rivals.find((rival) => rival.event_start_time === `${from}-01-01`)!;
      return [of(1900).calibrated_probability, of(1915).calibrated_probability];
    };
    for (const copies of [1, 2])
      copied(copies).forEach((chance, i) => expect(chance).toBeCloseTo(copied(0)[i]!, 9));
  });

  it('an old and a new ledger of one office are one voice', () => {
    covers('RM-11.320');
    const ledgers = (newer: string, depends_on: string[]) => {
      const input = asked([
        ['old', 'Huber', 1900, 1925],
        [newer, 'Moser', 1925, 1950],
        ['chronicle', 'Moser', 1915, 1950],
      ]);
      const actors = input.actors.map((one) => (one.id === 'new' ? { ...one, depends_on } : one));
      const { rival_values: rivals } = judge({ ...input, actors }).subject_results[0]!;
      return rivals
        .slice(0, 3)
        .map(({ value, event_start_time: from, calibrated_probability: chance }) => [
          value,
          from,
          chance.toFixed(9),
        ]);
    };
    expect(ledgers('new', ['old'])).toEqual(ledgers('old', []));
  });

  it('who states an end does not vouch for a later one, which another source states', () => {
    covers('RM-11.321');
    const earlier = [0, 2, 3].map((count) =>
      chancesOf([
        [claimed('Regulator', 'Bo', 2005, 2020)],
        [claimed('SocialMedia', 'Ann', 1990, 2007)],
        ...Array.from({ length: count }, () => [claimed('Regulator', 'Ann', 1990, 2000)]),
      ]),
    );
    for (const chances of earlier)
      for (const saying of ['Bo 2005 2020', 'Ann 1990 2007'])
        if (chances.has(saying)) expect(chances.get(saying)).toBeCloseTo(earlier[0]!.get(saying)!, 9);
    expect(earlier[2]!.get('Bo 2005 2020')).toBeGreaterThan(0.5);
    expect(earlier[2]!.get('Ann 1990 2000')).toBeGreaterThan(0.9);
  });

  it('who came next does not decide whom a dispute about the time before favors', () => {
    covers('RM-11.281');
    const before = [claimed('Insider', 'Ann', 2000, 2005), claimed('Insider', 'Bo', 2005, 2012)];
    const other = [claimed('Expert', 'Ann', 2000, 2003), claimed('Expert', 'Bo', 2003, 2012)];
    const after = [0, 1, 2, 3].map((count) =>
      chancesOf([
        before,
        other,
        ...Array.from({ length: count }, () => [claimed('Regulator', 'Cy', 2010, 2020)]),
      ]),
    );
    expect(after[0]!.get('Ann 2000 2005')).toBeLessThan(0.25);
    for (const chances of after)
      expect(chances.get('Ann 2000 2005')).toBeCloseTo(after[0]!.get('Ann 2000 2005')!, 9);
  });

  it('claims of another time leave a chance as it is, whichever value they make lead', () => {
    covers('RM-11.281');
    const types = ['Regulator', 'Expert', 'Journalist', 'Institutional', 'Insider', 'Anonymous'];
    const source = fc.record({
      type: fc.constantFrom(...types),
      until: fc.constantFrom(2003, 2005, 2006),
      end: fc.constantFrom(2010, 2012),
      tells: fc.constantFrom('first', 'next', 'both', 'both'),
    });
    fc.assert(
      fc.property(
        fc.array(source, { minLength: 2, maxLength: 6 }),
        fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(['Ann', 'Bo', 'Cy'], ['yes', 'no', 'yes'], ['100', '250', '900']),
        (sources, later, [first, next, last]) => {
          const told = sources.map(({ type, until, end, tells }) => [
            ...(tells === 'next' ? [] : [claimed(type, first, 2000, until)]),
            ...(tells === 'first' ? [] : [claimed(type, next, until, end)]),
          ]);
          const before = chancesOf(told);
          const after = chancesOf([...told, ...later.map((type) => [claimed(type, last, 2008, 2020)])]);
          for (const [saying, chance] of before)
            if (/ 200[356]$/.test(saying) && after.has(saying))
              expect(Math.abs(after.get(saying)! - chance)).toBeLessThan(0.03);
        },
      ),
      { numRuns: soak(300) },
    );
  });
});

describe('a voice more on a sequence', () => {
  it('a source adds nothing to the expected probability of another value, and takes nothing from that of its own', () => {
    covers('RM-11.322');
    const values = fc.constantFrom('Ann', 'Bo', 'Cy');
    const line = fc.record({
      type: fc.constantFrom('Regulator', 'Expert', 'Journalist', 'Institutional'),
      value: values,
      from: fc.integer({ min: 2000, max: 2006 }),
      years: fc.integer({ min: 1, max: 8 }),
      refuted: fc.constantFrom(0, 0, 0.5, 2),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 6 }), line, (lines, more) => {
        const toldOf = (all: typeof lines) => {
          const claims = all.map(({ value, from, years }, i) =>
            claim(`c${i}`, `s${i}`, value, {
              event_start_time: `${from}-01-01`,
              event_end_time: `${from + years}-01-01`,
            }),
          );
          const actors = all.map(({ type }, i) =>
            actor(`s${i}`, { source_type: type, base_reliability: null }),
          );
          const evidence = all.flatMap(({ refuted }, i) =>
            refuted === 0
              ? []
              : [
                  {
                    id: `e${i}`,
                    claim_id: `c${i}`,
                    content: '',
                    evidence_type: 'document',
                    valence: 'Refutes',
                    weight: refuted,
                  },
                ],
          );
          const { rival_values: rivals } = judge({
            ...investigation(claims, { actors, evidence }),
            dependence: 'declared',
          }).subject_results[0]!;
          return new Map(
            rivals.map((one) => [`${one.value} ${one.event_start_time} ${one.event_end_time}`, one]),
          );
        };
        const before = toldOf(lines);
        for (const [place, now] of toldOf([...lines, { ...more, refuted: 0 }])) {
          const then = before.get(place);
          if (!then) continue;
          const sign = now.value === more.value ? 1 : -1;
          expect(sign * (now.expected_probability - then.expected_probability)).toBeGreaterThan(-1e-9);
        }
      }),
      { numRuns: soak(1000) },
    );
  });
});

interface Claimed {
  readonly type: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

const claimed = (type: string, value: string, from: number, to: number): Claimed => ({
  type,
  value,
  from,
  to,
});

/** The chances of `value from to` as told, where each source makes its claims. */
function chancesOf(sources: readonly (readonly Claimed[])[]): ReadonlyMap<string, number> {
  const claims = sources.flatMap((own, i) =>
    own.map(({ value, from, to }, j) =>
      claim(`c${i}-${j}`, `s${i}`, value, {
        event_start_time: `${from}-01-01`,
        event_end_time: `${to}-01-01`,
      }),
    ),
  );
  const actors = sources.map(([one], i) =>
    actor(`s${i}`, { source_type: one!.type, base_reliability: null }),
  );
  const input = { ...investigation(claims, { actors }), dependence: 'declared' };
  const { rival_values: rivals } = judge(input).subject_results[0]!;
  return new Map(
    rivals.map(({ value, event_start_time: from, event_end_time: to, calibrated_probability: chance }) => [
      `${value} ${from?.slice(0, 4)} ${to?.slice(0, 4)}`,
      chance,
    ]),
  );
}
