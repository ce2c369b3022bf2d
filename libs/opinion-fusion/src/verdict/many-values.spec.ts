import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { judgeInvestigation } from './judge-investigation.ts';
import { rivalryOf } from './rivals.ts';
import { Warnings } from '../contract/warnings.ts';

/** How often statements are looked up while the values of a question with so many are counted. */
function lookupsOf(values: number): number {
  const ids = Array.from({ length: values }, (_, i) => i);
  const input = {
    research_question: 'What is it called?',
    actors: ids.map((i) => ({ id: `a${i}`, name: `Actor ${i}`, source_type: 'Expert' })),
    subjects: [{ id: 's', name: 'Subject', subject_type: 'thing' }],
    claims: ids.map((i) => ({
      id: `c${i}`,
      actor_id: `a${i}`,
      subject_id: 's',
      predicate: 'name',
      value: `name ${i}`,
      content: 'as said',
    })),
  };
  const { weighed, verdicts } = judgeInvestigation(input, new Date(0), new Warnings(), () => {});
  let lookups = 0;
  const groupOf = new Proxy(weighed.groupOf, {
    get: (target, key) => {
      lookups += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  expect(rivalryOf(verdicts[0]!, { ...weighed, groupOf }, 'counted').rivals).toHaveLength(values);
  return lookups;
}

it('counting twice as many values of a question takes about twice as many looks at statements', () => {
  covers('RM-11.430');
  expect(lookupsOf(400) / lookupsOf(200)).toBeLessThan(2.5);
});
