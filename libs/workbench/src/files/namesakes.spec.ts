import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { asOne, namesakesOf, putBack } from './namesakes.ts';

const daily = { id: 'd', name: 'The Daily', source_type: 'Journalist' };
const read = {
  actors: [
    { id: 'x', name: 'the  daily', source_type: 'Journalist' },
    { id: 'y', name: 'Wire', depends_on: ['x', 'd'] },
  ],
  claims: [
    { id: 'c1', actor_id: 'x', subject_id: 's', corroborations: [{ actor_id: 'x' }, { actor_id: 'y' }] },
  ],
};

describe('items of a file that have a name that is there', () => {
  it('a source of a file is a namesake of the one with its name under another id, not under its own', () => {
    covers('INV-IMPORT.16');
    const there = { actors: [daily] };
    expect(namesakesOf(read, there)).toEqual([{ kind: 'actors', id: 'x', name: 'the  daily', of: 'd' }]);
    expect(namesakesOf({ actors: [{ ...daily, name: 'THE DAILY' }] }, there)).toEqual([]);
    expect(namesakesOf({ actors: [{ id: 'a', name: '' }] }, { actors: [{ id: 'b', name: '' }] })).toEqual([]);
  });

  it('two sources of one file with one name are namesakes, and so are subjects', () => {
    covers('INV-IMPORT.16');
    const subjects = [
      { id: 's', name: 'Fire' },
      { id: 't', name: 'FIRE' },
    ];
    expect(namesakesOf({ subjects }, {})).toEqual([{ kind: 'subjects', id: 't', name: 'FIRE', of: 's' }]);
  });

  it('a name that the file replaces by another one has no namesake', () => {
    covers('INV-IMPORT.16');
    const renamed = { actors: [{ ...daily, name: 'Weekly' }, read.actors[0]!] };
    expect(namesakesOf(renamed, { actors: [daily] })).toEqual([]);
  });

  it('namesakes taken as one leave nothing that refers to the one that is not imported', () => {
    covers('INV-IMPORT.16');
    expect(asOne(read, namesakesOf(read, { actors: [daily] }))).toEqual({
      actors: [{ id: 'y', name: 'Wire', depends_on: ['d'] }],
      claims: [
        { id: 'c1', actor_id: 'd', subject_id: 's', corroborations: [{ actor_id: 'd' }, { actor_id: 'y' }] },
      ],
    });
  });
});

describe('items that a file puts back', () => {
  it('items of a file of which others are there are named, as they may have been deleted', () => {
    covers('INV-IMPORT.17');
    const [one, two] = [1, 2].map((n) => ({
      id: `said-${String(n).padStart(16, '0')}`,
      content: `Said ${n}`,
    }));
    const file = { claims: [one!, two!] };
    expect(putBack(file, { claims: [one!] }, { claims: [two!] })).toEqual([two]);
    expect(putBack(file, {}, file)).toEqual([]);
    expect(putBack({ claims: [one!, { id: 'c1' }] }, { claims: [one!] }, { claims: [{ id: 'c1' }] })).toEqual(
      [{ id: 'c1' }],
    );
  });
});
