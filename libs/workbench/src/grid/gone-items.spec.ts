import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { goneItems, goneWords } from './gone-items.ts';

const PAYLOAD = {
  actors: [{ id: 'a1', name: 'Herald' }],
  subjects: [{ id: 's1', name: 'Bridge' }],
};
const CLAIMS = [
  { id: 'c1', actor_id: 'a1', subject_id: 's1' },
  { id: 'c2', actor_id: 'tv', subject_id: 's1' },
  { id: 'c3', actor_id: 'tv', subject_id: 'dam' },
  { id: 'c4', actor_id: 'a1', target_claim_id: 'c1' },
  { id: 'c5', subject_id: '' },
];

describe('what claims name and is not there', () => {
  it('sources and subjects that were removed are found with the claims that name them, and empty cells are none', () => {
    covers('INV-Q.99');
    const found = goneItems(PAYLOAD, CLAIMS).map(({ one, id, claims }) => [one, id, claims.map((c) => c.id)]);
    expect(found).toEqual([
      ['source', 'tv', ['c2', 'c3']],
      ['subject', 'dam', ['c3']],
    ]);
    expect(goneWords(PAYLOAD, CLAIMS[1]!, 'actor_id')).toBe('is a source that is not there any more');
    expect(goneWords(PAYLOAD, CLAIMS[1]!, 'value')).toBeUndefined();
  });
});
