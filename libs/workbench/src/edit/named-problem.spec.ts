import { describe, expect, it } from '@jest/globals';
import { analyze, InvalidInvestigation } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { namedProblem } from './named-problem.ts';

const ACTORS = [{ id: 'actor-7', name: 'Ada', source_type: 'Expert' }];
const SUBJECTS = [{ id: 'subject-7', name: 'The bridge', subject_type: 'x' }];
const claim = (id: string, content: string, more: object = {}) => ({
  id,
  actor_id: 'actor-7',
  subject_id: 'subject-7',
  predicate: 'open',
  value: 'true',
  content,
  ...more,
});

/** What keeps the engine from judging, as the desk shows it. */
function shown(change: object): string[] {
  const payload = { research_question: '', actors: ACTORS, subjects: SUBJECTS, claims: [], ...change };
  try {
    analyze(payload, { now: new Date(0) });
  } catch (error) {
    if (error instanceof InvalidInvestigation)
      return error.problems
        .map((problem) => namedProblem(problem, payload))
        .map(({ place, message }) => `${place}: ${message}`);
    throw error;
  }
  return [];
}

describe('what keeps an investigation from being judged', () => {
  it.each([
    [
      'a source that does not exist',
      { claims: [claim('claim-7', 'It opens', { actor_id: 'nobody' })] },
      'Claim “It opens”, Source: names a source that does not exist: `nobody`',
    ],
    [
      'an id that is spelled in another way',
      { claims: [claim('claim-7', 'It opens', { actor_id: 'Actor 7' })] },
      'Claim “It opens”, Source: names a source that does not exist: `Actor 7`; there is “Ada”',
    ],
    [
      'an id that is taken',
      { claims: [claim('claim-7', 'It opens'), claim('claim-7', 'It closes')] },
      'Claim “It closes”, Id: `claim-7` is taken by Claim “It opens”: ids must be unique',
    ],
    [
      'a source in a list that does not exist',
      { actors: [{ ...ACTORS[0], depends_on: ['nobody'] }] },
      'Source “Ada”, Repeats what these say: names a source that does not exist: `nobody`',
    ],
    [
      'a claim that does not exist',
      { evidence: [{ id: 'e-7', claim_id: 'gone', valence: 'Supports', content: 'A photo' }] },
      'Piece of evidence “A photo”, Claim: names a claim that does not exist: `gone`',
    ],
    [
      'a problem of an item without a name',
      { claims: [claim('claim-7', '', { actor_id: 'nobody' })] },
      'Claim “claim-7”, Source: names a source that does not exist: `nobody`',
    ],
  ])('%s is told with the names of its items', (_, change, words) => {
    covers('INV-B.71');
    expect(shown(change)).toEqual([words]);
  });

  it('a problem of no item keeps its place', () => {
    covers('INV-B.71');
    const problem = { path: 'as_of', message: 'is not a date' };
    expect(namedProblem(problem, {})).toEqual({ place: null, message: 'is not a date' });
  });
});
