import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { repeatedInFile } from './repeated-in-file.ts';

const CLAIM = {
  id: 'row-0000000000000001',
  actor_id: 'a',
  subject_id: 'dam',
  predicate: 'height',
  value: '12 m',
  content: 'It is 12 m high.',
};
const idOf = (digit: number) => `row-000000000000000${digit}`;
const repeated = (claims: object[], there: object[], more: object = {}) => {
  const lists = [claims, there].map((list) => list.map((one) => ({ ...CLAIM, ...one })));
  const [added, present] = lists as [(typeof CLAIM)[], (typeof CLAIM)[]];
  return [...repeatedInFile({ claims: added, ...more }, { claims: present })].map(({ id }) => id);
};

describe('claims of a file that are there already', () => {
  it('claims of a file that say what one in the investigation or a row before says are found, and no others', () => {
    covers('INV-IMPORT.90');
    const rows = [{}, { id: idOf(2), value: '13 m' }, { id: idOf(3), value: '13 m' }];
    expect(repeated(rows, [{ id: 'c1' }])).toEqual([idOf(1), idOf(3)]);
    expect(repeated(rows, [{ id: 'c1', valence: 'Refutes' }])).toEqual([idOf(3)]);
  });

  it('a claim of a file that has an id of its own or takes the place of another is not repeated', () => {
    covers('INV-IMPORT.90');
    expect(repeated([{ id: 'c2' }], [{ id: 'c1' }])).toEqual([]);
    expect(repeated([{}], [{ id: CLAIM.id, content: 'It is high.' }])).toEqual([]);
    expect(repeated([{}, { id: 'c1', value: '13 m' }], [{ id: 'c1' }])).toEqual([]);
  });

  it('a claim that other items of the file refer to is kept, although it is there already', () => {
    covers('INV-IMPORT.90');
    const target = {
      id: idOf(2),
      subject_id: '',
      target_claim_id: CLAIM.id,
      predicate: 'is true',
      value: 'no',
    };
    expect(repeated([{}, target], [{ id: 'c1' }])).toEqual([]);
    const evidence = [{ id: 'e1', claim_id: CLAIM.id }];
    expect(repeated([{}], [{ id: 'c1' }], { evidence })).toEqual([]);
  });
});
