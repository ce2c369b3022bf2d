import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { itemsToMerge } from './merge-items.ts';

const made = (kind: string, number: number) => `${kind}-${String(number).padStart(16, '0')}`;
const [READ, OTHER] = [made('actor', 1), made('actor', 2)];

describe('items of a file that is added to what is there', () => {
  it('an item that was made from the same content stays as it was edited, one with an id of its own is replaced', () => {
    covers('INV-IMPORT.15', 'INV-IMPORT.31');
    const claim = { id: made('said', 1), actor_id: READ, value: 'yes' };
    const own = { id: 'c1', actor_id: READ, value: 'yes' };
    const there = {
      actors: [{ id: READ, name: 'Renamed' }],
      claims: [
        { ...claim, value: 'no' },
        { ...own, value: 'no' },
      ],
    };
    const read = { actors: [{ id: READ, name: 'Daily' }], claims: [claim, own] };
    expect(itemsToMerge(read, there)).toEqual({
      items: { claims: [own] },
      kept: [
        { kind: 'actors', id: READ, reason: expect.stringContaining('stays as it is') },
        { kind: 'claims', id: claim.id, reason: expect.stringContaining('stays as it is') },
      ],
    });
    const withdrawn = { claims: [{ ...claim, epistemic_status: 'retracted' }] };
    expect(itemsToMerge(withdrawn, there).kept).toMatchObject([
      { reason: expect.stringMatching(/^is withdrawn in the file, and still counts/) },
    ]);
    expect(itemsToMerge(read, read)).toEqual({ items: { claims: [own] }, kept: [] });
  });

  it('a source is the one that has its name, unless several have it', () => {
    covers('INV-IMPORT.15');
    const claims = [{ id: made('said', 1), actor_id: READ, subject_id: 's' }];
    const read = { actors: [{ id: READ, name: 'The Daily' }], claims };
    const daily = { id: 'd', name: 'the  daily' };
    expect(itemsToMerge(read, { actors: [daily] })).toEqual({
      items: { claims: [{ ...claims[0], actor_id: 'd' }] },
      kept: [],
    });
    const again = { actors: [daily], claims: [{ ...claims[0]!, actor_id: 'd' }] };
    expect(itemsToMerge(read, again)).toEqual({ items: {}, kept: [] });
    const several = { actors: [daily, { ...daily, id: 'e' }] };
    expect(itemsToMerge(read, several)).toEqual({ items: read, kept: [] });
    const twice = { ...read, actors: [...read.actors, { id: OTHER, name: 'The Daily' }] };
    expect(itemsToMerge(twice, { actors: [daily] })).toEqual({ items: twice, kept: [] });
  });
});
