import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { besideTaken } from './taken-ids.ts';

describe('an update that adds items', () => {
  it('an item whose id was taken meanwhile gets a free one, with all that refers to it in the update', () => {
    covers('INV-S.70');
    const seen = { actors: [{ id: 'a1', name: 'Herald' }], claims: [{ id: 'c1', value: '1' }] };
    const stored = {
      actors: [...seen.actors, { id: 'daily', name: 'Dai-ly' }, { id: 'wire', name: 'Wire' }],
      claims: [...seen.claims, { id: 'c2', value: 'theirs' }, { id: 'c3', value: 'same' }],
    };
    const change = {
      actors: [
        { id: 'daily', name: 'Dai ly' },
        { id: 'wire', name: 'wire' },
      ],
      claims: [
        { id: 'c1', value: 'changed' },
        { id: 'c2', value: 'mine', actor_id: 'daily' },
        { id: 'c3', value: 'same' },
        { id: 'c4', value: 'new', supersedes_claim_id: 'c2', corroboration_events: [{ actor_id: 'daily' }] },
      ],
      evidence: [{ id: 'e1', claim_id: 'c2' }],
      moves: [{ kind: 'claims', id: 'c2', before: 'c1' }],
    };
    expect(besideTaken(change, seen, stored)).toEqual({
      actors: [{ id: 'daily-2', name: 'Dai ly' }, change.actors[1]],
      claims: [
        change.claims[0],
        { id: 'c2-2', value: 'mine', actor_id: 'daily-2' },
        change.claims[2],
        {
          id: 'c4',
          value: 'new',
          supersedes_claim_id: 'c2-2',
          corroboration_events: [{ actor_id: 'daily-2' }],
        },
      ],
      evidence: [{ id: 'e1', claim_id: 'c2-2' }],
      moves: [{ kind: 'claims', id: 'c2-2', before: 'c1' }],
    });
    expect(besideTaken(change, stored, stored)).toBe(change);
  });
});
