import { describe, expect, it } from '@jest/globals';
import { OBJECTS } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { itemsToMerge } from './merge-items.ts';

const made = (kind: string, number: number) => `${kind}-${String(number).padStart(16, '0')}`;
const [READ, OTHER] = [made('actor', 1), made('actor', 2)];

const merged = (...lists: Parameters<typeof itemsToMerge>) => {
  const { items, kept } = itemsToMerge(...lists);
  return { items, kept };
};

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
    expect(merged(read, there)).toEqual({
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
    expect(merged(read, read)).toEqual({ items: { claims: [own] }, kept: [] });
  });

  it('an item that stays although the file does not state a field of it any more names the field', () => {
    covers('INV-IMPORT.110');
    const claim = { id: made('said', 1), actor_id: READ, value: 'yes', content: 'c' };
    const there = { claims: [{ ...claim, epistemic_status: 'theory' }] };
    expect(itemsToMerge({ claims: [claim] }, there).kept).toEqual([
      {
        kind: 'claims',
        id: claim.id,
        reason:
          'stays as it is in the session, which differs from the file: epistemic_status is unset in the file and "theory" in the session; set it there to take it over',
      },
    ]);
  });

  it('a source is the one that has its name, unless several have it', () => {
    covers('INV-IMPORT.15');
    const claims = [{ id: made('said', 1), actor_id: READ, subject_id: 's' }];
    const read = { actors: [{ id: READ, name: 'The Daily' }], claims };
    const daily = { id: 'd', name: 'the  daily' };
    expect(merged(read, { actors: [daily] })).toEqual({
      items: { claims: [{ ...claims[0], actor_id: 'd' }] },
      kept: [],
    });
    const again = { actors: [daily], claims: [{ ...claims[0]!, actor_id: 'd' }] };
    expect(merged(read, again)).toEqual({ items: {}, kept: [] });
    const several = { actors: [daily, { ...daily, id: 'e' }] };
    expect(merged(read, several)).toEqual({ items: read, kept: [] });
    const twice = { ...read, actors: [...read.actors, { id: OTHER, name: 'The Daily' }] };
    expect(merged(twice, { actors: [daily] })).toEqual({ items: twice, kept: [] });
  });

  it('a source that is the one of its name names the grade that the session does not take over, and how to', () => {
    covers('INV-IMPORT.43');
    const read = { actors: [{ id: READ, name: 'CERT', source_type: 'Analyst', base_reliability: 0.7 }] };
    const cert = { id: 'c', name: 'CERT', source_type: 'Regulator' };
    const reasons = (present: object) => itemsToMerge(read, { actors: [{ ...cert, ...present }] }).kept;
    const differs =
      'stays as it is in the session, which differs from the file: base_reliability is 0.7 in the file and';
    const kept = { kind: 'actors', id: 'c' };
    const remedy = 'set it there to take it over; it is called "CERT"';
    expect(reasons({})).toEqual([{ ...kept, reason: `${differs} unset in the session; ${remedy}` }]);
    expect(reasons({ base_reliability: 0.5 })).toEqual([
      { ...kept, reason: `${differs} 0.5 in the session; ${remedy}` },
    ]);
    expect(reasons({ base_reliability: 0.7 })).toEqual([]);
    // The same source after an earlier import.
    expect(reasons({ id: READ })).toEqual([
      { ...kept, id: READ, reason: `${differs} unset in the session; ${remedy}` },
    ]);
    // A type that the file states, and not its reader.
    expect(itemsToMerge(read, { actors: [cert] }, { isTyped: true }).kept).toMatchObject([
      {
        reason: expect.stringContaining(
          'source_type is "Analyst" in the file and "Regulator" in the session',
        ),
      },
    ]);
  });

  it.each(Object.keys(OBJECTS.ActorInput).filter((field) => field !== 'id' && field !== 'name'))(
    'a source that is the one of its name names its %s where the session has another or none',
    (field) => {
      covers('INV-IMPORT.43');
      const [old, now] = [
        { x: 0.2, y: 1 },
        { x: 0.6, y: 1 },
      ];
      const named = (present: object, inFile: object) =>
        itemsToMerge(
          { actors: [{ id: READ, name: 'CERT', ...inFile }] },
          { actors: [{ id: 'c', name: 'cert', ...present }] },
          { isTyped: true },
        ).kept.map(({ reason }) => reason);
      for (const present of [{}, { [field]: old }])
        expect(named(present, { [field]: now })).toEqual([
          expect.stringMatching(new RegExp(`: ${field}.* in the file and .* in the session`)),
        ]);
      for (const inFile of [{}, { [field]: old }]) expect(named({ [field]: old }, inFile)).toEqual([]);
    },
  );

  it('everything that refers to a source which is the one of its name refers to that one', () => {
    covers('INV-IMPORT.15');
    const read = {
      actors: [
        { id: READ, name: 'Daily' },
        { id: OTHER, name: 'Wire', depends_on: [READ] },
      ],
      claims: [{ id: made('said', 1), actor_id: OTHER, corroboration_events: [{ actor_id: READ }] }],
    };
    expect(itemsToMerge(read, { actors: [{ id: 'd', name: 'Daily' }] }).items).toEqual({
      actors: [{ ...read.actors[1], depends_on: ['d'] }],
      claims: [{ ...read.claims[0], corroboration_events: [{ actor_id: 'd' }] }],
    });
  });
});
