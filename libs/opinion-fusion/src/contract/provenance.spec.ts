import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { analyze } from '../analyze.ts';
import { investigation, NOW } from '../fixtures/investigation.fixture.ts';

const PROVENANCE = {
  url: 'https://example.org/a',
  archived_url: 'https://archive.example/a',
  quote: 'As it was said.',
  published_by: 'Example Press',
};

describe('where a claim comes from', () => {
  it('links, quotes and publishers change nothing of a result', () => {
    covers('INV-F.ClaimInput.url', 'INV-F.EvidenceInput.quote');
    const claim = { actor_id: 'a', subject_id: 's1', predicate: 'colour', value: 'red', content: '' };
    const evidence = { id: 'e1', claim_id: 'c1', content: '', valence: 'Supports' };
    const bare = { ...investigation([{ id: 'c1', ...claim }]), evidence: [evidence] };
    const carried = {
      ...investigation([{ id: 'c1', ...claim, ...PROVENANCE }]),
      evidence: [{ ...evidence, ...PROVENANCE }],
    };
    expect(analyze(carried, { now: NOW })).toEqual(analyze(bare, { now: NOW }));
  });
});
