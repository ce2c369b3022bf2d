import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { eventLines } from './watch-words.ts';

describe('what an event of a watch says', () => {
  it('an event says which value is likelier than the one that leads by weight', () => {
    covers('INV-WATCH.63');
    const jones = { value: 'Jones', chance: 0.3 };
    const question = {
      subject_id: 's',
      predicate: 'source',
      before: jones,
      after: { ...jones, likelier: { value: 'Smith', chance: 0.6 } },
    };
    const lines = eventLines({ type: 'chance_moved', data: { questions: [question] } }, () => 'The leak');
    expect(lines.map((line) => line.replaceAll('\u00a0', ' '))).toEqual([
      'The leak, source: Jones (30 %) before, Jones (30 %) now, though Smith is likelier (60 %)',
    ]);
  });
});
