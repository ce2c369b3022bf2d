import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { actor, claim, investigation, judge } from '../fixtures/investigation.fixture.ts';
import type { ActorInput, ClaimInput } from '../contract/types.ts';

const PAPERS = ['dpa', 'globe', 'herald', 'news24', 'post', 'times'];
const REPORT = { url: 'https://dpa.example/report/1', quote: 'The dam broke at noon.', published_by: 'dpa' };

const warningsOf = (more: Partial<ClaimInput>, own: (id: string) => Partial<ActorInput> = () => ({})) =>
  judge(
    investigation(
      PAPERS.map((id) => claim(`c-${id}`, id, 'red', more)),
      { actors: PAPERS.map((id) => actor(id, own(id))) },
    ),
  ).warnings.filter((warning) => warning.includes('count as independent'));

describe('cautions about origins', () => {
  it('sources that give one address, quote and publisher for what they agree on are named once', () => {
    covers('RM-11.65');
    expect(warningsOf(REPORT)).toEqual([
      'The sources `dpa`, `globe`, `herald`, `news24`, `post` and 1 more give the same address and publisher and quote for what they agree on about `colour` of `s1`, and count as independent; name in depends_on whom each of them repeats, if they repeat one another.',
    ]);
  });

  it.each(['url', 'quote', 'published_by'] as const)('one shared %s is enough for a caution', (field) => {
    covers('RM-11.65');
    expect(warningsOf({ [field]: REPORT[field] })).toHaveLength(1);
  });

  it('sources that are declared to depend on the original make no caution, nor do those without origin', () => {
    covers('RM-11.65');
    expect(warningsOf(REPORT, (id) => (id === 'dpa' ? {} : { depends_on: ['dpa'] }))).toEqual([]);
    expect(warningsOf({})).toEqual([]);
    expect(warningsOf({ quote: ' ' })).toEqual([]);
  });

  it('sources that disagree make no caution, whatever they cite', () => {
    covers('RM-11.65');
    const claims = ['red', 'blue'].map((value, i) => claim(`c${i}`, 'ab'[i]!, value, REPORT));
    expect(judge(investigation(claims)).warnings.join()).not.toContain('count as independent');
  });
});
