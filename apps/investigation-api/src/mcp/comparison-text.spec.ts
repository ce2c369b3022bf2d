import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { comparisonText } from './comparison-text.ts';

const part = (cause: 'time' | 'engine', move: number) => ({
  cause,
  items: [],
  item_count: 0,
  settings: [],
  move,
});
const side = (leading_value: string) => ({ truth_status: 'Both' as const, leading_value, chance: 0.5 });
const JUDGED = { id: '6f1c2d3e-1111-4222-8333-444455556666', judged_at: '2026-05-03T10:00:00Z' };

type Move = Parameters<typeof comparisonText>[0]['verdicts'][number];

const textOfMove = (move: Pick<Move, 'before' | 'after' | 'move' | 'parts'>) =>
  comparisonText({
    session_id: 's',
    before: JUDGED,
    after: JUDGED,
    changes: [],
    change_count: 0,
    settings: [],
    verdicts: [{ subject_id: 's', subject_name: 'Bridge', predicate: 'state', value: 'open', ...move }],
    changed_verdicts: 1,
    unchanged_verdicts: 0,
  });

describe('the text of a comparison', () => {
  it('a chance that did not move is named as unchanged, and parts that moved nothing are left out', () => {
    covers('INV-B.81');
    const text = textOfMove({
      before: side('shut'),
      after: side('open'),
      move: -1e-9,
      parts: [part('time', 0.0004), part('engine', -0.0004)],
    });
    expect(text).toContain('50 % to 50 % (unchanged); ');
    expect(text).not.toMatch(/[+−]0/);
  });

  it('a value that is likelier than the one that leads is told with its chance', () => {
    covers('INV-WATCH.55');
    const text = textOfMove({
      before: side('90 metres'),
      after: { ...side('120 metres'), chance: 0.16, likelier: { value: '90 metres', chance: 0.58 } },
      move: 0.16,
      parts: [],
    });
    expect(text).toContain('; 90 metres, Both to 120 metres, 90 metres likelier (58 %), Both');
  });

  it('values that are only denied are told as denied and not as tied', () => {
    covers('INV-WATCH.46');
    const text = textOfMove({
      before: side('Smith'),
      after: {
        truth_status: 'False',
        leading_value: null,
        denied: true,
        denied_values: ['Jones', 'Smith'],
        chance: 0.13,
      },
      move: -0.37,
      parts: [],
    });
    expect(text).toContain('; Smith, Both to Jones and Smith denied, False');
    expect(text).not.toContain('tied');
  });
});
