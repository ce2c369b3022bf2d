import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { referrersOf } from './referrers.ts';

const PAYLOAD = {
  actors: [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B', depends_on: ['a'] },
  ],
  subjects: [{ id: 'a', name: 'A subject with the id of a source' }],
  claims: [
    { id: 'c1', actor_id: 'a', subject_id: 's', predicate: 'a' },
    { id: 'c2', actor_id: 'b', subject_id: 'a', corroboration_events: [{ actor_id: 'a', time: 'x' }] },
    { id: 'c3', actor_id: 'b', subject_id: 's', relationships: [{ target_claim_id: 'c1' }] },
  ],
  evidence: [{ id: 'e', claim_id: 'c1', content: 'a' }],
  inferences: [{ id: 'i', subject_id: 's', premise_claim_ids: ['c2', 'c1'] }],
  distinctions: [{ id: 'd', argument_a: 'c1', argument_b: 'c2', feature: 'a' }],
};

describe('what refers to an item', () => {
  covers('INV-B.11');
  it.each([
    ['actors', 'a', ['b', 'c1', 'c2']],
    ['subjects', 'a', ['c2']],
    ['claims', 'c1', ['c3', 'e', 'i', 'd']],
    ['claims', 'c3', []],
  ] as const)('among %s for %p is found in every field and part', (kind, id, found) => {
    expect(referrersOf(PAYLOAD, kind, id).map(({ item }) => item.id)).toEqual(found);
  });
});
