import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import type { VerdictMove } from '../snapshot.ts';
import { causeWords, moveWords, roundedParts, sideWords, signedPoints } from './move-words.ts';

fc.configureGlobal({ seed: SEED });

const part = (move: number): VerdictMove['parts'][number] => ({
  cause: 'items',
  items: [],
  item_count: 1,
  settings: [],
  move,
});

describe('the words of a move', () => {
  it('the parts of a move sum to the move as they are shown, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 }),
        (moves) => {
          const shown = roundedParts({
            move: moves.reduce((sum, move) => sum + move, 0),
            parts: moves.map(part),
          });
          expect(shown.parts.reduce((sum, move) => sum + move, 0)).toBe(shown.move);
          for (const [index, move] of shown.parts.entries())
            expect(Math.abs(move - moves[index]! * 1000)).toBeLessThanOrEqual(0.5 * (moves.length + 3));
        },
      ),
    );
  });

  it('a side with a tie names the tied values, and none as leading', () => {
    covers('INV-WATCH.45');
    const tie = {
      truth_status: 'Both' as const,
      leading_value: null,
      tied: ['Lions', 'Tigers'],
      chance: 0.4,
    };
    expect(sideWords(tie, 'Tigers', null, (value) => value)).toEqual({
      where: '',
      leading: null,
      leaderless: 'Lions and Tigers are tied',
    });
  });

  it('a side whose values are only denied says so, and neither that they are tied nor that one leads', () => {
    covers('INV-V.139');
    const denied = {
      truth_status: 'False' as const,
      leading_value: null,
      denied: true as const,
      denied_values: ['Jones', 'Smith'],
      chance: 0.13,
    };
    expect(sideWords(denied, 'Smith', null, (value) => value)).toEqual({
      where: '',
      leading: null,
      leaderless: 'sources deny Jones and Smith',
    });
  });

  it('a denial that leads is told with its scope, and one without a chance by itself', () => {
    covers('INV-V.330');
    const denied = { denied: true as const, scope: 'in winter', chance: 0.3 };
    const { leading } = sideWords(
      { ...denied, leading_value: 'true' },
      'true',
      null,
      () => 'The pass is not open',
    );
    expect(leading).toBe('“The pass is not open (in winter)”');
    const question = {
      subject_id: 's',
      subject_name: 'Office',
      predicate: 'holder',
      value: 'Jones',
      move: 0,
    };
    const after = { ...denied, leading_value: 'Jones', chance: null };
    expect(moveWords({ ...question, before: null, after })).toMatchObject({
      before: ['none'],
      after: ['sources deny it', { user: ' (in winter)' }],
    });
  });

  it('a move has its sign and one decimal, and none where nothing moved', () => {
    expect([173, -4, 0].map(signedPoints)).toEqual([
      '+17.3\u00a0points',
      '−0.4\u00a0points',
      '0\u00a0points',
    ]);
    expect(roundedParts({ move: 0, parts: [] })).toEqual({ move: 0, parts: [] });
  });

  it('a part names its items, settings, age or engine', () => {
    expect(causeWords({ ...part(0.1), item_count: 2 })).toBe('2\u00a0changed items');
    expect(causeWords({ ...part(0.1), cause: 'settings', settings: ['decay_half_life_days'] })).toBe(
      'setting: decay half life days',
    );
    expect(causeWords({ ...part(0.1), cause: 'time' })).toBe('age, as time passed');
    expect(causeWords({ ...part(0.1), cause: 'engine' })).toBe('another version of the engine');
  });
});
