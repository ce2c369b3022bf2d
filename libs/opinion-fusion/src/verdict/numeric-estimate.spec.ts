import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { explain } from '../explain/explain.ts';
import { actor, claim, investigation, judge, NOW } from '../fixtures/investigation.fixture.ts';
import type { InvestigationInput } from '../contract/types.ts';

const letters = [...'abcdefghij'];
/** One claim for each number, each of another source of equal weight, asking for an estimate. */
const stating = (numbers: readonly string[], more: Partial<InvestigationInput> = {}) =>
  investigation(
    numbers.map((value, i) => claim(`c${i}`, letters[i]!, value)),
    {
      actors: letters.map((id) => actor(id)),
      dependence: 'declared',
      numeric: 'estimate',
      ...more,
    },
  );
const estimateOf = (input: InvestigationInput) => judge(input).subject_results[0]!.numeric_estimate;

describe('numeric estimates', () => {
  it.each([
    [['5'], { median: 5, low: 5, high: 5, claims: 1, few_sources: true }],
    [['10', '20'], { median: 15, low: 10, high: 20, claims: 2, few_sources: true }],
    [['30', '10', '20'], { median: 20, low: 10, high: 30, claims: 3, few_sources: true }],
    [['1', '2', '3', '4', '1000000'], { median: 3, low: 1, high: 1_000_000, claims: 5 }],
    [['1', '2', '3', '4', '5', '6', '7', '8', '9', '1000000'], { median: 5.5, low: 2, high: 9, claims: 10 }],
  ])('the estimate of %j is %j', (numbers, expected) => {
    covers('RM-11.21');
    expect(estimateOf(stating(numbers))).toEqual({ ...expected, unit: '' });
  });

  it('the interval of an estimate holds the median of all with 90 % at least, by counting, wherever it says so', () => {
    covers('RM-11.21', 'RM-11.144');
    for (let n = 1; n <= 40; n += 1) {
      const ids = Array.from({ length: n }, (_, i) => `a${String(i).padStart(2, '0')}`);
      const numbers = ids.map((id, i) => claim(`c${id}`, id, String(10_000 + 1_000 * i)));
      const { low, high, few_sources } = estimateOf({
        ...stating([]),
        claims: numbers,
        actors: ids.map((id) => actor(id)),
      })!;
      const rank = (low - 10_000) / 1_000;
      expect((high - 10_000) / 1_000).toBe(n - 1 - rank);
      // Of n throws, the chance of at most `tails` heads.
      const chanceOf = (tails: number) => {
        let [ways, sum] = [1, 0];
        for (let k = 0; k <= tails; k += 1) {
          sum += ways;
          ways = (ways * (n - k)) / (k + 1);
        }
        return sum / 2 ** n;
      };
      expect(few_sources ?? false).toBe(1 - 2 * chanceOf(0) < 0.9);
      if (few_sources) expect(rank).toBe(0);
      else expect([1 - 2 * chanceOf(rank) >= 0.9, 1 - 2 * chanceOf(rank + 1) >= 0.9]).toEqual([true, false]);
    }
  });

  it('an estimate asked for and not given is explained', () => {
    covers('RM-11.38');
    expect(judge(stating(['1200', '1500', '1800'])).warnings).toEqual([
      expect.stringMatching(
        /^There is no estimate of `colour` of `s1`: bare numbers from 1000 to 2999 are read as/,
      ),
    ]);
    expect(judge(stating(['many', 'few'])).warnings).toEqual([
      expect.stringMatching(/no claim .* states a number/),
    ]);
    expect(judge(stating(['1,200', '1500'])).warnings).toEqual([]);
  });

  it('an estimate is given only where it is asked for and a number is stated', () => {
    covers('RM-11.21');
    expect(estimateOf(stating(['5', '6'], { numeric: null }))).toBeUndefined();
    expect(estimateOf(stating(['5', '6'], { numeric: 'values' }))).toBeUndefined();
    expect(estimateOf(stating(['many', 'few']))).toBeUndefined();
    expect(estimateOf(stating(['1985', '1990']))).toBeUndefined();
    expect(estimateOf(stating(['1985', '1990', '1,988']))).toMatchObject({ median: 1988, claims: 3 });
  });

  it('an estimate takes the numbers in the unit of the leading one, or else in the one with most weight', () => {
    covers('RM-11.21');
    expect(estimateOf(stating(['$5M', '5 million USD', '€7M']))).toMatchObject({
      unit: 'USD',
      median: 5_000_000,
      claims: 2,
    });
    expect(estimateOf(stating(['a lot', 'a lot', '3 km', '4 km', '9 kg']))).toMatchObject({
      unit: 'kilometre',
      claims: 2,
    });
  });

  it.each([
    [['5 km', '5 km', '3 miles'], { unit: 'kilometre', median: 5, low: 4.828032, high: 5 }],
    [['3 feet', '3 feet', '1 yard', '36 in'], { unit: 'foot', low: 3, high: 3 }],
    [['2 h', '2 h', '90 min'], { unit: 'hour', low: 1.5, high: 2 }],
    [['1 acre', '1 acre', '1 hectare'], { unit: 'acre', high: 2.4710538146717 }],
    [['60 mph', '60 mph', '100 km/h'], { unit: 'mile/h', high: 62.137119223733 }],
    [['1 km²', '1 km²', '90 ha'], { unit: 'square kilometre', low: 0.9 }],
    [['2 square miles', '2 sq mi', '1,280 acres'], { unit: 'square mile', low: 2, high: 2 }],
    [['1 m³', '1 m³', '900 litres'], { unit: 'cubic metre', low: 0.9 }],
    [['10 m/s', '10 m/s', '36 km/h'], { unit: 'metre/second', low: 10, high: 10 }],
    [['1 kg', '1 kg', '2 lb'], { unit: 'kilogram', low: 0.90718474 }],
  ])('an estimate converts %j into the unit of the leading number', (numbers, expected) => {
    covers('RM-11.25');
    expect(judge(stating(numbers)).warnings.join()).not.toContain('leaves out');
    expect(estimateOf(stating(numbers))).toMatchObject({ ...expected, claims: numbers.length });
  });

  it('an estimate names the claims whose numbers it leaves out, and the unit that they do not fit', () => {
    covers('RM-11.25');
    const result = judge(stating(['5 km', '5 km', '3 kg', '$7', '2 gallons']));
    expect(result.subject_results[0]!.numeric_estimate).toMatchObject({ unit: 'kilometre', claims: 2 });
    expect(result.warnings.filter((warning) => !warning.includes('different units'))).toEqual([
      'The estimate of `colour` of `s1` leaves out `c2`, `c3`, `c4`: their units cannot be converted into `kilometre`; state them in one unit.',
    ]);
    const many = stating(['5 km', '5 km', '5 km', ...Array<string>(7).fill('3 kg')]);
    for (let i = 3; i < 10; i += 1) many.actors[i] = actor(letters[i]!, { base_reliability: 0.2 });
    expect(judge(many).warnings).toContainEqual(expect.stringMatching(/`c7` and 2 more: /));
    expect(judge({ ...many, numeric: null }).warnings.join()).not.toContain('estimate');
  });

  it('an estimate leaves out denials, other scopes, retracted claims and claims below the floor', () => {
    covers('RM-11.21');
    const input = stating(['100', '100', '110', '900', '900', '900', '900']);
    Object.assign(input.claims[3]!, { valence: 'Refutes' });
    Object.assign(input.claims[4]!, { scope: 'north' });
    Object.assign(input.claims[5]!, { epistemic_status: 'retracted' });
    input.actors[6] = actor('g', { source_type: 'Troll', base_reliability: 0.05 });
    expect(estimateOf(input)).toMatchObject({ median: 100, high: 110, claims: 3 });
  });

  it('sources that repeat one another share one weight, and an unidentified crowd does not move the median', () => {
    covers('RM-11.21');
    const copies = stating(['100', '200', '300', '300', '300']);
    for (const index of [3, 4]) copies.actors[index] = actor(letters[index]!, { depends_on: ['c'] });
    expect(estimateOf(copies)).toMatchObject({ median: 200 });
    const crowd = stating(['100', '102', ...Array<string>(8).fill('900')]);
    for (let i = 2; i < 10; i += 1)
      crowd.actors[i] = actor(letters[i]!, { source_type: 'Anonymous', base_reliability: 0.2 });
    expect(estimateOf(crowd)!.median).toBeLessThan(900);
  });

  it('the explanation of an estimate lists the numbers with their shares, which sum to 1', () => {
    covers('RM-11.21');
    const input = stating(['10', '20', '30']);
    const { numeric_estimate: estimate } = explain(input, {
      now: NOW,
      subject_id: 's1',
      predicate: 'colour',
    })!;
    const third: unknown = expect.closeTo(1 / 3, 12);
    expect(estimate).toEqual({
      ...estimateOf(input),
      sources: expect.closeTo(3, 12),
      numbers: [
        { claim_id: 'c0', number: 10, share: third },
        { claim_id: 'c1', number: 20, share: third },
        { claim_id: 'c2', number: 30, share: third },
      ],
    });
  });
});
