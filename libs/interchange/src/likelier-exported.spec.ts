import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import { judge } from './judged.fixture.ts';
import { writeMisp } from './misp/write-misp.ts';
import { writeStix } from './stix/write-stix.ts';

/** Jones leads by weight; Smith, who is only denied, by what documents refute, is likelier. */
const LEAK = {
  research_question: 'Who?',
  actors: ['Institutional', 'Journalist'].map((type) => ({ id: type, name: type, source_type: type })),
  subjects: [{ id: 's', name: 'The leak', subject_type: 'event' }],
  claims: ['Smith', 'Jones'].map((value, index) => ({
    id: value,
    actor_id: ['Institutional', 'Journalist'][index]!,
    subject_id: 's',
    predicate: 'source',
    value,
    content: value,
    valence: ['Refutes', 'Supports'][index]!,
  })),
  evidence: ['e1', 'e2'].map((id) => ({
    id,
    claim_id: 'Smith',
    content: 'a document',
    valence: 'Refutes',
    weight: 3,
  })),
};

describe('a value that is likelier than the one that leads by weight', () => {
  it.each([
    ['ClaimReview', writeClaimReview],
    ['STIX', writeStix],
    ['MISP', writeMisp],
  ])('an export as %s names the likelier value with its chance', (_, write) => {
    covers('INV-EXPORT.60');
    const said = new TextDecoder().decode(write(judge(LEAK)));
    expect(said).toMatch(/More likely is: The source of the leak is Smith \(\d\d %\)\./);
    const { evidence: _evidence, ...undocumented } = LEAK;
    expect(new TextDecoder().decode(write(judge(undocumented)))).not.toContain('More likely');
  });
});
