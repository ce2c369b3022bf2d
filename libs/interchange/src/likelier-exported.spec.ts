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

  it('a review of another scope than that of what leads names the likelier value there', () => {
    covers('INV-WATCH.68');
    const north = LEAK.claims.map((claim) => ({ ...claim, scope: 'north' }));
    const south = ['b1', 'b2', 'b3'].map((id) => ({
      ...north[1]!,
      id,
      actor_id: id,
      value: 'Brown',
      content: 'Brown',
      scope: 'south',
    }));
    const actors = [
      ...LEAK.actors,
      ...south.map(({ id }) => ({ id, name: id, source_type: 'Institutional' })),
    ];
    const said = writeClaimReview(judge({ ...LEAK, actors, claims: [...north, ...south] }));
    expect(new TextDecoder().decode(said)).toMatch(
      /More likely is: The source of the leak is Smith \(\d\d %\)\./,
    );
  });
});
