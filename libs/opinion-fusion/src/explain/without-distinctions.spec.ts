import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import type { InvestigationInput, InvestigationResult } from '../contract/types.ts';
import { isOtherwise, leadsOther, noneWouldLead } from './leads-other.ts';
import { withoutDistinctions } from './without-distinctions.ts';

const NOW = new Date('2026-03-14T09:12:45.000Z');
const INPUT = JSON.parse(
  readFileSync(new URL('../../../../examples/first-flight.json', import.meta.url), 'utf8'),
) as InvestigationInput;

describe('the verdict without a distinction', () => {
  it('the verdict without a distinction equals that of an input that leaves it out', () => {
    const rows = withoutDistinctions(INPUT, { now: NOW });
    expect(rows.length).toBeGreaterThan(0);
    for (const { distinction_id, result } of rows) {
      const distinctions = INPUT.distinctions!.filter(({ id }) => id !== distinction_id);
      const judged = analyze({ ...INPUT, distinctions }, { now: NOW }) as InvestigationResult;
      expect(judged.subject_results).toContainEqual(result);
    }
  });

  it('the list of verdicts without a distinction is empty where the budget does not suffice', () => {
    expect(withoutDistinctions(INPUT, { now: NOW, budget: 1 })).toEqual([]);
  });
});

const BOTH = { truth_status: 'Both' } as const;

describe('another leading value', () => {
  it.each([
    [true, undefined, 'red', [false, true]],
    [undefined, true, 'red', [true, false]],
    [true, true, 'blue', [false, false]],
    [undefined, undefined, 'blue', [true, false]],
  ] as const)('a tie then %p and now %p, with %p first, is told as one', (then, now, other, expected) => {
    covers('RM-11.61');
    const without = { ...BOTH, leading_value: other, ...(then && { tied: then }) };
    const today = { ...BOTH, leading_value: 'red', ...(now && { tied: now }) };
    expect([leadsOther(without, today), noneWouldLead(without, today)]).toEqual(expected);
  });

  it('no other value leads where yes and no are no longer tied, because both are told by the status', () => {
    covers('INV-V.67');
    expect(
      leadsOther({ ...BOTH, leading_value: 'true' }, { ...BOTH, leading_value: 'true', tied: true }),
    ).toBe(false);
  });

  it.each([
    ['a value that documents make true against its denial', 'True', true, 'red', [true, false]],
    ['another value that is only denied', 'False', true, 'red', [true, true]],
  ] as const)(
    '%s is told to lead or not where a stated one leads now',
    (_, truth_status, denied, value, expected) => {
      covers('RM-11.410');
      const without = { truth_status, denied, leading_value: value };
      const now = { truth_status: 'True', leading_value: 'blue' } as const;
      expect([leadsOther(without, now), noneWouldLead(without, now)]).toEqual(expected);
      expect(isOtherwise(without, now)).toBe(true);
      expect(isOtherwise(without, { ...without, leading_value: 'green' })).toBe(truth_status === 'True');
    },
  );

  it('a no that leads alone is another answer than one that is tied with a third', () => {
    covers('RM-11.412');
    const no = { truth_status: 'False', leading_value: 'true' } as const;
    expect([isOtherwise(no, { ...no, tied: true }), isOtherwise(no, no)]).toEqual([true, false]);
  });

  it.each([
    ['1903', '1901', true],
    ['Yes ', 'yes', false],
    [null, 'yes', false],
    ['yes', null, false],
  ])('leadsOther compares %p with %p', (other, now, expected) => {
    expect(leadsOther({ ...BOTH, leading_value: other }, { ...BOTH, leading_value: now })).toBe(expected);
  });
});
