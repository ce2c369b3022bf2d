import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import { compactDate } from './compact-dates.ts';
import { saysTheSame } from './same-value.ts';

fc.configureGlobal({ seed: SEED });

const judged = (...values: string[]) =>
  judge(investigation(values.map((value, i) => claim(`c${i}`, 'abcdef'[i]!, value))));
const leadersOf = (...values: string[]) => judged(...values).subject_results[0]!.source_count;

describe('dates of eight digits', () => {
  it.each([
    ['20240517', '2024-05-17'],
    [' 29991231 ', '2999-12-31'],
    ['20240229', '2024-02-29'],
    ['20230229', null],
    ['20241301', null],
    ['20240500', null],
    ['30000101', null],
    ['09991231', null],
    ['20,240,517', null],
    ['2024517', null],
    ['202405170', null],
    ['~20240517', null],
  ])('%p may be the date %p', (written, date) => {
    covers('RM-11.186');
    expect(compactDate(written)).toBe(date);
  });

  it('every day of the calendar is a date beside its own ISO form and contradicts every other day', () => {
    covers('RM-11.186');
    const day = fc
      .date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, day, (one, other) => {
        fc.pre(one !== other);
        expect(leadersOf(one.replaceAll('-', ''), one)).toBe(2);
        expect(leadersOf(one.replaceAll('-', ''), other)).toBe(1);
        expect(leadersOf(one.replaceAll('-', ''), other.replaceAll('-', ''))).toBe(1);
      }),
    );
  });

  it.each([
    [['20240517', '20230101'], 1],
    [['20240517', '20240517'], 2],
    [['20240517', '2024-05'], 2],
    [['20240517', '17 May 2024', '20,240,517'], 2],
    [['20240517', '2024'], 2],
    [['20240517', '2023'], 1],
    [['20240517', '20,300,000'], 2],
    [['20240517', '20230101', '20 million'], 3],
    [['20240517', '20 million', '2024-05-17'], 2],
    [['20240517', '20300000'], 2],
  ])('claims of %j have a leading value that %p sources state', (values, sources) => {
    covers('RM-11.186');
    expect(leadersOf(...values)).toBe(sources);
  });

  it('only claims that are heard decide whether eight digits are a date', () => {
    covers('RM-11.186');
    const claims = [
      claim('c1', 'a', '20240517'),
      claim('c2', 'b', '20300000'),
      claim('c3', 'c', '2024-05-17', { epistemic_status: 'retracted' }),
    ];
    expect(judge(investigation(claims)).subject_results[0]!.source_count).toBe(2);
  });

  it('a caution names eight digits that were read as a number, or as a date where no other date stands beside', () => {
    covers('RM-11.186');
    expect(judged('20240517').warnings).toEqual([
      'The value `20240517` of claim `c0` on `colour` of `s1` was read as the number 20,240,517; write `2024-05-17` if a date is meant, or `20,240,517`.',
    ]);
    expect(judged('20240517', '20300000').warnings.join()).toContain('was read as the number 20,240,517');
    const [first, second] = judged('20240517', '20230101').warnings;
    expect(first).toContain('`20240517` of claim `c0` on `colour` of `s1` was read as the date 2024-05-17');
    expect(second).toContain('`20230101` of claim `c1` on `colour` of `s1` was read as the date 2023-01-01');
    expect(judged('20240517', '2024-05-18').warnings).toEqual([]);
    expect(judged('20300000').warnings).toEqual([]);
  });

  it('outcomes are compared with eight digits as with dates', () => {
    covers('RM-11.186');
    expect(saysTheSame('20240517', '2024-05-17')).toBe(true);
    expect(saysTheSame('May 2024', '20240517')).toBe(true);
    expect(saysTheSame('20240517', '20240518')).toBe(false);
    expect(saysTheSame('20240517', '20.3 million')).toBe(true);
  });
});
