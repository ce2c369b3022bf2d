import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { writeClaimReview } from './claim-review/write-claim-review.ts';
import { readFile } from './files.ts';
import { judge } from './judged.fixture.ts';
import { writeMisp } from './misp/write-misp.ts';
import { writeStix } from './stix/write-stix.ts';

fc.configureGlobal({ seed: SEED });

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

const EXPORTS = [
  ['ClaimReview', writeClaimReview],
  ['STIX', writeStix],
  ['MISP', writeMisp],
] as const;
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The same in one place, while Brown leads the question in another one. */
function elsewhere(here: object, there: object): typeof LEAK {
  const claims = LEAK.claims.map((claim) => ({ ...claim, ...here }));
  const others = ['b1', 'b2', 'b3'].map((id) => ({
    ...LEAK.claims[1]!,
    ...there,
    id,
    actor_id: id,
    value: 'Brown',
    content: 'Brown',
  }));
  const sources = others.map(({ id }) => ({ id, name: id, source_type: 'Institutional' }));
  return { ...LEAK, actors: [...LEAK.actors, ...sources], claims: [...claims, ...others] };
}

/** A claim for each of what is given, in its scope and time. */
function placedClaims(given: readonly { readonly value: string; readonly source: number }[]) {
  const claims = given.map(({ source, ...claim }, index) => ({
    id: `c${index}`,
    actor_id: `a${source}`,
    subject_id: 's',
    predicate: 'source',
    content: `${index}: ${claim.value}`,
    ...claim,
  }));
  const actors = [...new Set(claims.map(({ actor_id: id }) => id))].map((id) => ({
    id,
    name: id,
    source_type: 'Journalist',
  }));
  return JSON.parse(JSON.stringify({ ...LEAK, actors, claims, evidence: [] })) as typeof LEAK;
}

describe('a value that is likelier than the one that leads by weight', () => {
  it.each(EXPORTS)('an export as %s names the likelier value with its chance', (_, write) => {
    covers('INV-EXPORT.60');
    const said = textOf(write(judge(LEAK)));
    expect(said).toMatch(/More likely is: The source of the leak is Smith \(\d\d %\)\./);
    const { evidence: _evidence, ...undocumented } = LEAK;
    expect(textOf(write(judge(undocumented)))).not.toContain('More likely');
  });

  it.each(EXPORTS)(
    'an export as %s names the likelier value of another scope than that of what leads',
    (_, write) => {
      covers('INV-WATCH.68', 'INV-EXPORT.61');
      const said = textOf(write(judge(elsewhere({ scope: 'north' }, { scope: 'south' }))));
      expect(said).toMatch(/More likely is: The source of the leak is Smith \(\d\d %\)\./);
    },
  );

  it.each(EXPORTS)(
    'an export as %s names the likelier value of another time than that of what leads',
    (_, write) => {
      covers('INV-EXPORT.61');
      const [before, after] = [{ event_end_time: '2000' }, { event_start_time: '2000' }];
      const said = textOf(write(judge(elsewhere(before, after))));
      expect(said).toMatch(/More likely is: The source of the leak is Smith \(\d\d %\)\./);
    },
  );
});

describe('answers of other scopes and times', () => {
  const placed = fc.record({
    value: fc.constantFrom('Smith', 'Jones', 'Brown'),
    scope: fc.constantFrom(undefined, 'north', 'south'),
    event_start_time: fc.constantFrom(undefined, '1990', '2000'),
    source: fc.nat(4),
  });

  it.each(EXPORTS)(
    'an export as %s has each verdict that a ClaimReview of the same judgement has',
    (format, write) => {
      covers('INV-EXPORT.61');
      fc.assert(
        fc.property(fc.array(placed, { minLength: 2, maxLength: 6 }), (given) => {
          const judged = judge(placedClaims(given));
          const said = textOf(write(judged));
          const reviews = JSON.parse(textOf(writeClaimReview(judged))) as {
            '@graph': { claimReviewed: string; reviewRating: { alternateName: string } }[];
          };
          for (const { claimReviewed, reviewRating } of reviews['@graph'])
            expect([said.includes(claimReviewed), said.includes(reviewRating.alternateName)]).toEqual([
              true,
              true,
            ]);
          if (format === 'ClaimReview') return;
          const ids = said.match(/"(?:uu)?id": "[^"]+"/g)!;
          expect(new Set(ids).size).toBe(ids.length);
          const back = readFile(format.toLowerCase() as 'stix' | 'misp', new TextEncoder().encode(said));
          expect([back.payload, back.leftOutTotal]).toEqual([judged.input, 0]);
        }),
        { numRuns: 60 },
      );
    },
  );
});

it('a yes that sources deny has the sources of nobody, whether or not the reasons are exported', () => {
  covers('INV-Q.111');
  const said = [
    { value: 'true', scope: 'north' },
    { value: 'false', scope: 'south' },
    { value: 'partly', scope: 'south' },
    { value: 'true', scope: 'south', valence: 'Refutes' },
  ];
  const claims = said.map((claim, index) => ({
    ...LEAK.claims[1]!,
    valence: 'Supports',
    ...claim,
    id: `c${index}`,
    actor_id: `a${index}`,
  }));
  const actors = claims.map(({ actor_id: id }) => ({ id, name: id, source_type: 'Institutional' }));
  const judged = judge({ ...LEAK, actors, claims, evidence: [] });
  for (const explanations of [judged.explanations, []]) {
    const notes = textOf(writeStix({ ...judged, explanations }));
    expect(notes).toMatch(
      /Almost no chance \(\d %\)\. No source says so\.|nlikely \(\d+ %\)\. No source says so\./,
    );
    expect(notes).not.toContain('2 sources, 2 of them independent');
  }
});

describe('verdicts of more than eight values', () => {
  it.each(EXPORTS)('an export as %s has each of ten values in its own scope', (_, write) => {
    covers('INV-V.344');
    const names = ['Ames', 'Bell', 'Cole', 'Dunn', 'Eads', 'Ford', 'Gray', 'Hall', 'Ives', 'Jung'];
    const text = textOf(write(judge({ ...LEAK, evidence: [], claims: names.map(inOwnScope) })));
    for (const name of names) expect(text).toMatch(new RegExp(`${name}[^"]* \\(in d${name}\\)`));
  });
});

const inOwnScope = (value: string) => ({
  ...LEAK.claims[1]!,
  id: value,
  value,
  content: value,
  scope: `d${value}`,
});
