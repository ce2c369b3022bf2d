import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';

const warningsOf = (...values: string[]) =>
  judge(investigation(values.map((value, i) => claim(`c${i}`, 'abcdef'[i]!, value)))).warnings;

describe('cautions about numbers', () => {
  it.each([
    [['5 km', '5000 metres'], '`kilometre`, `metre`'],
    [['1 hour', '60 minutes'], '`hour`, `minute`'],
    [['5 pounds', '£5'], '`GBP`, `pound`'],
    [['5 rupees', 'INR 5'], '`INR`, `rupee`'],
    [['500 BC', '500'], 'none, `bc`'],
    [['$5', '€5', '5'], 'none, `EUR`, `USD`'],
  ])('cautions name the units of %j, none of which is converted', (values, units) => {
    covers('RM-11.37');
    expect(warningsOf(...values)).toEqual([
      `The numbers on \`colour\` of \`s1\` have different units (${units}); numbers of different units never agree, because none is converted; state them in one unit.`,
    ]);
  });

  it('cautions about units pass over other scopes, retracted claims, claims below the floor and bare years', () => {
    covers('RM-11.37');
    expect(warningsOf('$5M', '5,000,000', '5 million USD')).toEqual([]);
    expect(warningsOf('1985', '2024-05', '5 km')).toEqual([]);
    const claims = [
      claim('c1', 'a', '$5'),
      claim('c2', 'b', '€5', { scope: 'EU' }),
      claim('c3', 'c', '¥5', { epistemic_status: 'retracted' }),
      claim('c4', 'd', '£5'),
    ];
    const actors = [...'abcd'].map((id) => actor(id, id === 'd' ? { competence: { colour: 0.01 } } : {}));
    expect(judge(investigation(claims, { actors })).warnings.join()).not.toContain('different units');
    const inScope = claims.slice(0, 2).map((one) => ({ ...one, scope: 'EU' }));
    expect(judge(investigation(inScope)).warnings.join()).toContain('in scope `EU` have different units');
  });

  it('cautions name a bare m beside metres and a bare t beside tonnes, once per claim', () => {
    covers('RM-11.37');
    expect(warningsOf('330 m', '329 metres', '330 metres')).toEqual([
      expect.stringMatching(/^The value `330 m` of claim `c0` was read in metres, .* write `million` if/),
    ]);
    expect(warningsOf('330M', '329 metres')).toEqual([
      expect.stringMatching(/^The value `330M` of claim `c0` was read in millions, .* write `metres` if/),
    ]);
    expect(warningsOf('5t', '5 kg')).toEqual([
      expect.stringContaining('different units'),
      expect.stringMatching(/`5t` .* write `trillion` if/),
    ]);
    expect(warningsOf('5 m', '5 million USD')).toEqual([]);
  });

  it('cautions name a unit that no table has where bare numbers took it, and no other', () => {
    covers('RM-11.37');
    expect(warningsOf('5 zillion', '5')).toEqual([
      expect.stringMatching(/have the unit `zillion`, which is in no table, .* such as that of claim `c1`/),
    ]);
    expect(warningsOf('5 zillion', '5 zillion')).toEqual([]);
    expect(warningsOf('5 km', '5')).toEqual([]);
    expect(warningsOf('$5', '5', '5 USD')).toEqual([]);
    expect(warningsOf('5 km²', '5')).toEqual([]);
  });

  it('cautions name three decimals beside a number a thousand times as large', () => {
    covers('RM-11.37');
    expect(warningsOf('1.000', '1,000')).toEqual([
      expect.stringMatching(
        /^The value `1\.000` of claim `c0` was read with three decimals, and `1,000` of claim `c1`/,
      ),
    ]);
    expect(warningsOf('-12.345 kg', '-12,345 kg')).toHaveLength(1);
    expect(warningsOf('3.142', '3.141')).toEqual([]);
    expect(warningsOf('3.142', '3,000,000')).toEqual([]);
  });
});
