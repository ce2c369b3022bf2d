import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { fitted, RESPONSE_BUDGET } from './fitted-data.ts';

const mapOf = (members: number) =>
  Object.fromEntries(Array.from({ length: members }, (_, index) => [`predicate ${index}`, 0.5]));

describe('fitted data', () => {
  it('data that fit come back whole, with every member of a map', () => {
    covers('PLAT-S.8');
    const data = { actor: { id: 'a', competence: mapOf(150) } };
    expect(fitted(data, RESPONSE_BUDGET)).toEqual({ data, isCut: false });
  });

  it('a map of very many members shows its first hundred, and the data are said to be cut', () => {
    covers('PLAT-S.8');
    const data = { actor: { id: 'a', competence: mapOf(300_000) } };
    const fit = fitted(data, RESPONSE_BUDGET);
    expect(fit.isCut).toBe(true);
    expect(JSON.stringify(fit.data).length).toBeLessThanOrEqual(RESPONSE_BUDGET);
    const { competence } = (fit.data as typeof data).actor;
    expect(Object.keys(competence)).toEqual(Object.keys(mapOf(100)));
  });
});
