import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { nearSpelled, respelled, spellingWords } from './near-spelled.ts';

const claimsOf = (...predicates: string[]) =>
  predicates.map((predicate, at) => ({ id: `c${at}`, predicate }));
const found = (added: string[], there: string[] = []) =>
  nearSpelled(
    { claims: claimsOf(...added) },
    { claims: claimsOf(...there).map((claim) => ({ ...claim, id: `there-${claim.id}` })) },
  ).map(({ use, others }) => [use, ...others]);

describe('spellings of one property', () => {
  it('a property takes the spelling of the investigation, else the most frequent one, else the first', () => {
    covers('INV-IMPORT.98');
    expect(found(['Injured', 'Injured', 'INJURED'], ['injured'])).toEqual([
      ['injured', 'Injured', 'INJURED'],
    ]);
    expect(found(['Injured', 'injured', 'injured'])).toEqual([['injured', 'Injured']]);
    expect(found(['Injured', 'injured'])).toEqual([['Injured', 'injured']]);
    expect(found(['built-in', 'built_in', 'dead'])).toEqual([['built-in', 'built_in']]);
  });

  it('spellings of the investigation alone, and properties of other words, are left as they are', () => {
    covers('INV-IMPORT.98');
    expect(found(['dead'], ['injured', 'Injured'])).toEqual([]);
    expect(found(['injured', 'number of injured'])).toEqual([]);
  });

  it('the competence of a source follows the property of its claims', () => {
    covers('INV-IMPORT.98');
    const file = {
      claims: claimsOf('injured', 'injured', 'Injured'),
      actors: [{ id: 'a', competence: { Injured: 0.5, dead: 1 } }],
    };
    expect(respelled(file, nearSpelled(file)).actors).toEqual([
      { id: 'a', competence: { injured: 0.5, dead: 1 } },
    ]);
  });

  it('a sentence names the spellings and where the others stand', () => {
    covers('INV-IMPORT.98');
    const [one] = nearSpelled({ claims: claimsOf('injured', 'Injured', 'INJURED') });
    expect(spellingWords(one!, 'lines 3, 5')).toBe(
      '3 spellings of one property, "injured", "Injured", "INJURED" (lines 3, 5), are judged apart',
    );
  });
});
